// A moment of a calendar file: what its clock shows, in which time zone, and what that is in the town's.
import { Temporal } from 'temporal-polyfill';
import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { TIME_ZONE } from '../../domain/local-time.ts';
import { type IcsBlock, type IcsLine, icsValue } from './ics-lines.ts';

/** A moment as the file says it; `zone` is null for the hour of wherever it takes place. */
export interface IcsTime {
  readonly wall: Temporal.PlainDateTime;
  readonly is_day: boolean;
  readonly zone: string | null;
  /** The name of a zone that nobody knows; the hour is read as the town's then. */
  readonly unknown_zone: string | null;
}

/** Zones by the name under which the file uses them; null where it says nothing of use. */
export type IcsTimeZones = ReadonlyMap<string, string | null>;

export const isTimeZone = (name: string): boolean => {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
};

/** `Europe/Madrid` of that name, of `/mozilla.org/2005/Europe/Madrid`, of a name of Windows. */
function findZone(name: string): string | null {
  const windows = WINDOWS_ZONES.get(name.trim().toLowerCase());
  if (windows !== undefined) return windows;
  const [area = ''] = /[A-Za-z_]+(\/[A-Za-z_+-]+){1,2}$/.exec(name) ?? [];
  return [name.trim(), area].find((one) => one !== '' && isTimeZone(one)) ?? null;
}

/** `-0600`, `-06:00`, `Z` as a zone; null where it is none. */
function toFixedZone(offset: string): string | null {
  if (/^z$/i.test(offset)) return 'UTC';
  const zone = offset.replace(/^([+-]\d\d):?(\d\d).*$/, '$1:$2');
  return isTimeZone(zone) ? zone : null;
}

/**
 * The zones that the file describes under names of its own: by the place that they name, or by their
 * one offset. Rules of changing are not followed: they are a stranger's, and may have no end. `floating` is the
 * zone of what names none.
 */
export const parseTimeZones = (blocks: readonly IcsBlock[], floating: string): IcsTimeZones =>
  new Map([
    ['', floating === TIME_ZONE ? null : floating],
    ...blocks
      .filter(({ kind }) => kind === 'VTIMEZONE')
      .map(({ lines }) => {
        const offsets = lines.flatMap(({ name, value }) => (name === 'TZOFFSETTO' ? [value] : []));
        const [offset = '', ...others] = new Set(offsets);
        const fixed = others.length === 0 ? toFixedZone(offset) : null;
        const zone = findZone(icsValue(lines, 'X-LIC-LOCATION')) ?? fixed;
        return [icsValue(lines, 'TZID'), zone] as const;
      }),
  ]);

/** `20261205`, `20261205T200000Z`, and what some write instead: `2026-12-05 20:00:00.000+01:00`. */
const PATTERN =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2}):?(\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Reads one value; null where it is no moment, or one that does not exist. */
export function parseIcsTime(
  value: string,
  tzid: string | undefined,
  zones: IcsTimeZones,
): IcsTime | null {
  const parts = PATTERN.exec(value.trim());
  if (parts === null) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', offset] = parts;
  const is_day = parts[4] === undefined;
  const fixed = offset === undefined ? null : toFixedZone(offset);
  if (offset !== undefined && fixed === null) return null;
  const named = is_day ? null : (tzid && findZone(tzid)) || (zones.get(tzid ?? '') ?? null);
  const zone = fixed ?? named;
  try {
    const wall = Temporal.PlainDateTime.from(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
    return { wall, is_day, zone, unknown_zone: is_day || zone !== null ? null : tzid || null };
  } catch {
    return null;
  }
}

/** Of a property's line. */
export const parseIcsLineTime = (
  line: IcsLine,
  zones: IcsTimeZones,
  zone?: string,
): IcsTime | null => parseIcsTime(line.value, line.params.get('TZID') ?? zone, zones);

/** The moments of a property that may list several (EXDATE, RDATE); what is none is left out. */
export const parseIcsTimes = (line: IcsLine, zones: IcsTimeZones): IcsTime[] =>
  line.value
    .split(',')
    .map((part) => parseIcsTime(part.split('/')[0] ?? '', line.params.get('TZID'), zones))
    .filter((moment) => moment !== null);

/** What the clocks of a zone show then; those of the town where it is null. */
export const wallTimeIn = (
  { wall, is_day, zone }: IcsTime,
  other: string | null,
): Temporal.PlainDateTime =>
  is_day || zone === other
    ? wall
    : wall
        .toZonedDateTime(zone ?? TIME_ZONE)
        .withTimeZone(other ?? TIME_ZONE)
        .toPlainDateTime();
export const toTownTime = (moment: IcsTime): Temporal.PlainDateTime => wallTimeIn(moment, null);

/** `2026-12-05T20:00`. */
export const formatLocalMinute = (local: Temporal.PlainDateTime): string =>
  local.toString({ smallestUnit: 'minute' });
/** The same of a moment on local clocks, `2026-12-05` of a day. */
export const formatIcsTime = (moment: IcsTime): string =>
  formatLocalMinute(toTownTime(moment)).slice(0, moment.is_day ? 10 : 16);

/** By names that Windows, Outlook and Exchange give them, in small letters; the first of each is its chief one (CLDR). */
const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map([
  ...WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').flatMap(
    ({ windowsName, iana: [zone] }) =>
      zone === undefined ? [] : [[windowsName.toLowerCase(), zone] as const],
  ),
  ['coordinated universal time', 'UTC'],
]);
