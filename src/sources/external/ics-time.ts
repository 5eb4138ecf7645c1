// iCalendar times: parses dates and times with their time zones, and converts them to the town's
// time zone.
import { Temporal } from 'temporal-polyfill';
import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { TIME_ZONE } from '../../domain/local-time.ts';
import { type IcsBlock, type IcsLine, icsValue } from './ics-lines.ts';

/** A time of the file. */
export interface IcsTime {
  /** Local time in `zone`; midnight if `is_day`. */
  readonly wall: Temporal.PlainDateTime;
  /** True for a day without a time. */
  readonly is_day: boolean;
  /** IANA name or offset; null for the town's time zone. */
  readonly zone: string | null;
  /** Name of an unknown time zone; the time then counts as the town's. */
  readonly unknown_zone: string | null;
}

/**
 * Time zones by their TZID in the file; null if the zone could not be identified. The key `''` is
 * the zone of times without one.
 */
export type IcsTimeZones = ReadonlyMap<string, string | null>;

export const isTimeZone = (name: string): boolean => {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
};

/** Longer names are not zones: Windows names have up to 36 characters, IANA ones with a prefix 60. */
const MAX_ZONE_LENGTH = 100;

/**
 * Finds the IANA zone of `Europe/Madrid`, `/mozilla.org/2005/Europe/Madrid` or a Windows zone name.
 */
function findZone(name: string): string | null {
  if (name.length > MAX_ZONE_LENGTH) return null;
  const windows = WINDOWS_ZONES.get(name.trim().toLowerCase());
  if (windows !== undefined) return windows;
  const [area = ''] = /[A-Za-z_]+(\/[A-Za-z_+-]+){1,2}$/.exec(name) ?? [];
  return [name.trim(), area].find((zone) => zone !== '' && isTimeZone(zone)) ?? null;
}

/**
 * Parses an offset such as `-0600`, `-06:00` or `Z` as a time zone.
 * @returns null if it is invalid.
 */
function parseOffset(offset: string): string | null {
  if (/^z$/i.test(offset)) return 'UTC';
  const zone = offset.replace(/^([+-]\d\d):?(\d\d).*$/, '$1:$2');
  return isTimeZone(zone) ? zone : null;
}

/** Zones that a file may define; further ones are unknown. */
const MAX_ZONES = 500;

/**
 * Parses the time zones that a file defines: by the location they name, or by their offset if they
 * have only one. Transition rules are ignored: they are untrusted, and may have no end.
 * @param floating Time zone of times without one.
 */
export const parseTimeZones = (blocks: readonly IcsBlock[], floating: string): IcsTimeZones =>
  new Map([
    ['', floating === TIME_ZONE ? null : floating],
    ...blocks
      .filter(({ kind }) => kind === 'VTIMEZONE')
      .slice(0, MAX_ZONES)
      .map(({ lines }) => {
        const offsets = lines.flatMap(({ name, value }) => (name === 'TZOFFSETTO' ? [value] : []));
        const [offset = '', ...other_offsets] = new Set(offsets);
        const offset_zone = other_offsets.length === 0 ? parseOffset(offset) : null;
        const zone = findZone(icsValue(lines, 'X-LIC-LOCATION')) ?? offset_zone;
        return [icsValue(lines, 'TZID'), zone] as const;
      }),
  ]);

/** Matches `20261205`, `20261205T200000Z` and the nonstandard `2026-12-05 20:00:00.000+01:00`. */
const TIME_PATTERN =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2}):?(\d{2})?(?:\.\d+)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Parses one value. Its offset takes precedence over `tzid`, which is a known zone name or one that
 * the file defines.
 * @returns null if it is not a time, or one that does not exist.
 */
export function parseIcsTime(
  value: string,
  tzid: string | undefined,
  zones: IcsTimeZones,
): IcsTime | null {
  const parts = TIME_PATTERN.exec(value.trim());
  if (parts === null) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', offset] = parts;
  const is_day = parts[4] === undefined;
  const offset_zone = offset === undefined ? null : parseOffset(offset);
  if (offset !== undefined && offset_zone === null) return null;
  const findNamedZone = (): string | null =>
    (tzid && findZone(tzid)) || (zones.get(tzid ?? '') ?? null);
  const zone = offset_zone ?? (is_day ? null : findNamedZone());
  try {
    const wall = Temporal.PlainDateTime.from(`${year}-${month}-${day}T${hour}:${minute}:${second}`);
    return { wall, is_day, zone, unknown_zone: is_day || zone !== null ? null : tzid || null };
  } catch {
    return null;
  }
}

/** Parses the time of a property; `zone` applies if it has no TZID. */
export const parseIcsLineTime = (
  line: IcsLine,
  zones: IcsTimeZones,
  zone?: string,
): IcsTime | null => parseIcsTime(line.value, line.params.get('TZID') ?? zone, zones);

/** Parses the times of a property that lists several (EXDATE, RDATE), without invalid ones. */
export const parseIcsTimes = (line: IcsLine, zones: IcsTimeZones): IcsTime[] =>
  line.value
    .split(',')
    .map((part) => parseIcsTime(part.split('/')[0] ?? '', line.params.get('TZID'), zones))
    .filter((time) => time !== null);

/** Converts a time to the local time of another zone, or of the town if that is null. */
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
export const toTownTime = (time: IcsTime): Temporal.PlainDateTime => wallTimeIn(time, null);

/** Formats a local time as `2026-12-05T20:00`. */
export const formatLocalMinute = (local: Temporal.PlainDateTime): string =>
  local.toString({ smallestUnit: 'minute' });
/**
 * Formats a time as the town's local time, `2026-12-05T20:00`, or as `2026-12-05` if it is a day.
 */
export const formatIcsTime = (time: IcsTime): string =>
  formatLocalMinute(toTownTime(time)).slice(0, time.is_day ? 10 : 16);

/** Primary IANA zone (CLDR) by lower-case name in Windows, Outlook and Exchange. */
const WINDOWS_ZONES: ReadonlyMap<string, string> = new Map([
  ...WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001').flatMap(
    ({ windowsName, iana: [zone] }) =>
      zone === undefined ? [] : [[windowsName.toLowerCase(), zone] as const],
  ),
  ['coordinated universal time', 'UTC'],
]);
