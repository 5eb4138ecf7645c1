// iCalendar times: parses dates and times with their time zones, and converts them to the town's
// time zone.
import ICAL from 'ical.js';
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
 * Finds the IANA zone of `Europe/Madrid`, `/mozilla.org/2005/Europe/Madrid`, a Windows zone name or
 * the name that Windows shows, such as `(UTC-08:00) Pacific Time (US & Canada)`.
 */
function findZone(text: string): string | null {
  const name = text.trim();
  if (name === '' || name.length > MAX_ZONE_LENGTH) return null;
  const windows = WINDOWS_ZONES.get(name.toLowerCase());
  if (windows !== undefined) return windows;
  const { offset, rest } = splitZoneName(name);
  if (offset !== null) return findShownZone(offset, rest);
  const parts = name.split('/');
  const endings = [3, 2, 1].map((count) => parts.slice(-count).join('/'));
  return [name, ...endings].find((zone) => zone !== '' && isTimeZone(zone)) ?? null;
}

/** Returns true for a constant offset. */
const isConstant = (zone: string): boolean => /^(?:[+-]|UTC$)/.test(zone);

/** Splits `(UTC+01:00) Amsterdam, Berlin`, `GMT-0600` and `UTC-6` into offset and rest. */
function splitZoneName(name: string) {
  const [whole = '', sign, hours = '', minutes = '00'] =
    /^\(?(?:UTC|GMT)?\s?([+−-])(\d{1,2})(?::?(\d\d))?\)?(?!\d)/i.exec(name) ?? [];
  if (sign === undefined) {
    const [utc = ''] = /^\((?:UTC|GMT)\)/i.exec(name) ?? [];
    return { offset: utc === '' ? null : 'UTC', rest: name.slice(utc.length).trim() };
  }
  const offset = parseOffset(`${sign === '+' ? '+' : '-'}${hours.padStart(2, '0')}:${minutes}`);
  return { offset, rest: name.slice(whole.length).trim() };
}

/** IANA zones by the name of their city, in lower case. */
const CITY_ZONES: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf('timeZone').map((zone) => [
    zone
      .slice(zone.lastIndexOf('/') + 1)
      .replaceAll('_', ' ')
      .toLowerCase(),
    zone,
  ]),
);

/**
 * Finds the zone with an offset that has one of the names, since many zones change their clocks; a
 * constant offset if there is none.
 */
function findShownZone(offset: string, names: string): string {
  const standard_name = names.toLowerCase().replace(/\btime\b.*$/, 'standard time');
  const cities = names.toLowerCase().split(',');
  const zones = [
    WINDOWS_ZONES.get(standard_name),
    WINDOWS_ZONES.get(`${names.toLowerCase()} standard time`),
    ...cities.map((city) => CITY_ZONES.get(city.trim())),
  ];
  return zones.find((zone) => zone !== undefined && hasStandardOffset(zone, offset)) ?? offset;
}

/** Returns true if a zone has an offset in January or in July of this decade. */
const hasStandardOffset = (zone: string, offset: string): boolean =>
  ['2026-01-15T12:00', '2026-07-15T12:00'].some((time) => {
    const wall = Temporal.PlainDateTime.from(time);
    return (
      wall.toZonedDateTime(zone).epochMilliseconds ===
      wall.toZonedDateTime(offset).epochMilliseconds
    );
  });

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
        const tzid = icsValue(lines, 'TZID');
        const zone = findZone(icsValue(lines, 'X-LIC-LOCATION')) ?? offset_zone;
        // A name with an offset cannot stand for a zone that changes its clocks.
        const named = zone ?? findZone(tzid);
        const is_constant = named !== null && isConstant(named);
        return [tzid, is_constant && other_offsets.length > 0 ? null : named] as const;
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
  const findNamedZone = (): string | null => {
    const named = tzid ? findZone(tzid) : null;
    const is_constant = named === null || isConstant(named);
    // The file knows better than an offset in the name of a zone.
    const defined = zones.get(tzid ?? '');
    return is_constant && defined !== undefined ? defined : named;
  };
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
): IcsTime | null => {
  const time = parseIcsTime(line.value, line.params.get('TZID') || zone, zones);
  // `VALUE=DATE` with a time is a day.
  return time !== null && /^date$/i.test(line.params.get('VALUE') ?? '') ? dropTime(time) : time;
};

/** Removes the time of day. */
export const dropTime = ({ wall }: IcsTime): IcsTime => ({
  wall: wall.toPlainDate().toPlainDateTime(),
  is_day: true,
  zone: null,
  unknown_zone: null,
});

export const isMidnight = ({ hour, minute, second }: Temporal.PlainDateTime): boolean =>
  hour + minute + second === 0;

/**
 * Converts a time to the type of `start`: a day, which is the town's day if it begins then; or a
 * time in the zone of `start`, which a day gets from `start`.
 */
export function castToTypeOf(start: IcsTime, time: IcsTime): IcsTime {
  if (start.is_day) {
    const town = toTownTime(time);
    return dropTime(isMidnight(town) ? { ...time, wall: town } : time);
  }
  if (!time.is_day) return { ...time, wall: wallTimeIn(time, start.zone), zone: start.zone };
  return { ...start, wall: time.wall.toPlainDate().toPlainDateTime(start.wall.toPlainTime()) };
}

/**
 * Parses the times of a property that lists several (EXDATE, RDATE, RECURRENCE-ID) with the type of
 * `start`. `unread` are its invalid and ambiguous values and its periods of another duration.
 */
export function parseIcsTimes(
  line: IcsLine,
  zones: IcsTimeZones,
  start: IcsTime,
  seconds: number | null = null,
) {
  const tzid = line.params.get('TZID') || start.zone || undefined;
  const times: IcsTime[] = [];
  const unread: string[] = [];
  for (const value of line.value.split(',')) {
    if (value.trim() === '') continue;
    const [text = '', end] = value.split('/');
    const time = parseIcsLineTime({ ...line, value: text }, zones, tzid);
    if (time !== null) times.push(castToTypeOf(start, time));
    const is_read =
      time !== null &&
      (time.is_day ? !hasOtherDay(start) : time.unknown_zone === start.unknown_zone);
    const is_equal =
      time !== null &&
      (end === undefined || parsePeriodSeconds(time, end, tzid, zones) === seconds);
    if (!is_read || !is_equal) unread.push(value);
  }
  return { times, unread };
}

/**
 * Returns true for a start in UTC that is on another day in the town: a day that belongs to it may
 * be meant in either.
 */
export const hasOtherDay = (start: IcsTime): boolean =>
  start.zone === 'UTC' && !toTownTime(start).toPlainDate().equals(start.wall.toPlainDate());

/** Returns the seconds of a period with an end or a duration; NaN if that is invalid. */
function parsePeriodSeconds(
  start: IcsTime,
  text: string,
  tzid: string | undefined,
  zones: IcsTimeZones,
): number {
  const end = parseIcsTime(text, tzid, zones);
  return end === null
    ? parseDurationSeconds(text)
    : start.wall.until(wallTimeIn(end, start.zone)).total('seconds');
}

/** Parses a duration such as `PT90M`. @returns NaN if it is invalid. */
export function parseDurationSeconds(text: string): number {
  try {
    return ICAL.Duration.fromString(text.trim().toUpperCase()).toSeconds();
  } catch {
    return Number.NaN;
  }
}

/**
 * Lists the zone that a calendar names for times without one (X-WR-TIMEZONE), if it would make a
 * difference: programs disagree about its meaning.
 */
export function listOtherZones(
  { value, params }: IcsLine,
  { wall, is_day }: IcsTime,
  calendar_lines: readonly IcsLine[],
  zones: IcsTimeZones,
): string[] {
  const name = icsValue(calendar_lines, 'X-WR-TIMEZONE');
  if (is_day || name === '' || params.get('TZID') || /(?:Z|[+-]\d\d:?\d\d)$/i.test(value.trim()))
    return [];
  const zone = findZone(name) ?? zones.get(name) ?? null;
  const floating = wall.toZonedDateTime(zones.get('') ?? TIME_ZONE);
  const is_same =
    zone !== null && wall.toZonedDateTime(zone).epochMilliseconds === floating.epochMilliseconds;
  return is_same ? [] : [name];
}

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
