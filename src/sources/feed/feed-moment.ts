// A moment of a calendar file: what its clock shows, in which time zone, and what that is in Cancún.
import { Temporal } from 'temporal-polyfill';
import { ZONE } from '../../domain/cancun-time.ts';
import type { FeedBlock, FeedLine } from './feed-blocks.ts';
import { WINDOWS_ZONES } from './windows-zones.ts';

/** A moment as the file says it; `zone` is null for the hour of wherever it takes place. */
export interface FeedMoment {
  readonly wall: Temporal.PlainDateTime;
  readonly is_day: boolean;
  readonly zone: string | null;
  /** The name of a zone that nobody knows; the hour is read as Cancún's then. */
  readonly unknown_zone: string | null;
}

/** Zones by the name under which the file uses them; null where it says nothing of use. */
export type FeedZones = ReadonlyMap<string, string | null>;

const isZone = (name: string): boolean => {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
};

/** `America/Cancun` of that name, of `/mozilla.org/2005/America/Cancun`, of a name of Windows. */
function findZone(name: string): string | null {
  const windows = WINDOWS_ZONES.get(name.trim().toLowerCase());
  if (windows !== undefined) return windows;
  const [area = ''] = /[A-Za-z_]+(\/[A-Za-z_+-]+){1,2}$/.exec(name) ?? [];
  return [name.trim(), area].find((one) => one !== '' && isZone(one)) ?? null;
}

/**
 * The zones that the file describes under names of its own: by the place that they name, or by their
 * one offset. Rules of changing are not followed: they are a stranger's, and may have no end.
 */
export function readZones(blocks: readonly FeedBlock[]): FeedZones {
  return new Map(
    blocks
      .filter(({ kind }) => kind === 'VTIMEZONE')
      .map(({ lines }) => {
        const valueIn = (name: string) => lines.find((line) => line.name === name)?.value ?? '';
        const offsets = new Set(
          lines.filter(({ name }) => name === 'TZOFFSETTO').map(({ value }) => value),
        );
        const [, sign = '', hours = '', minutes = ''] =
          /^([+-])(\d{2})(\d{2})/.exec([...offsets][0] ?? '') ?? [];
        const fixed = offsets.size === 1 && sign !== '' ? `${sign}${hours}:${minutes}` : '';
        const place = valueIn('X-LIC-LOCATION');
        return [
          valueIn('TZID'),
          (place === '' ? null : findZone(place)) ?? (isZone(fixed) ? fixed : null),
        ] as const;
      }),
  );
}

const PATTERN =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2}):?(\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Reads one value; null where it is no moment, or one that does not exist. */
export function toMoment(
  value: string,
  tzid: string | undefined,
  zones: FeedZones,
): FeedMoment | null {
  const [, year, month, day, hour, minute = '0', second = '0', offset] =
    PATTERN.exec(value.trim()) ?? [];
  if (year === undefined) return null;
  try {
    const wall = Temporal.PlainDateTime.from(
      {
        year: Number(year),
        month: Number(month),
        day: Number(day),
        hour: Number(hour ?? 0),
        minute: Number(minute),
        second: Math.min(59, Number(second)),
      },
      { overflow: 'reject' },
    );
    const is_day = hour === undefined;
    if (is_day) return { wall, is_day, zone: null, unknown_zone: null };
    return { wall, is_day, ...toZone(offset, tzid, zones) };
  } catch {
    return null;
  }
}

function toZone(
  offset: string | undefined,
  tzid: string | undefined,
  zones: FeedZones,
): Pick<FeedMoment, 'zone' | 'unknown_zone'> {
  if (offset !== undefined)
    return {
      zone: /^z$/i.test(offset) ? 'UTC' : offset.replace(/^(...)(\d\d)$/, '$1:$2'),
      unknown_zone: null,
    };
  if (tzid === undefined || tzid === '') return { zone: null, unknown_zone: null };
  const zone = findZone(tzid) ?? zones.get(tzid) ?? null;
  return { zone, unknown_zone: zone === null ? tzid : null };
}

/** The moments of a property that may list several (EXDATE, RDATE); what is none is left out. */
export const toMoments = (line: FeedLine, zones: FeedZones): FeedMoment[] =>
  line.value
    .split(',')
    .map((part) => toMoment(part.split('/')[0] ?? '', line.params.get('TZID'), zones))
    .filter((moment) => moment !== null);

/** What the clocks of Cancún show then. */
export const toLocal = ({ wall, is_day, zone }: FeedMoment): Temporal.PlainDateTime =>
  is_day || zone === null ? wall : wall.toZonedDateTime(zone).withTimeZone(ZONE).toPlainDateTime();

/** `2026-12-05T20:00`. */
export const toMinuteText = (local: Temporal.PlainDateTime): string =>
  local.toString({ smallestUnit: 'minute' });
