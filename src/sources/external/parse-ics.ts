// Somebody's calendar file, read event by event: one that is broken loses no other (contract 14.34). A
// series is read with all that the file says of its days: its rule, what is left out, moved or called off.
import { hash } from 'node:crypto';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toZoned, toDayNumber, TIME_ZONE } from '../../domain/local-time.ts';
import {
  IMPORT_LIMITS,
  type ImportWarning,
  type ImportedEvent,
  type ImportFailure,
  type ImportProblem,
  type ImportedCalendar,
} from '../../domain/imported-events.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/field-rules.ts';
import { decodeBytes, type IcsBlock, findIcsLine, splitIcsBlocks, icsValue } from './ics-lines.ts';
import {
  type IcsTime,
  type IcsTimeZones,
  parseIcsLineTime,
  parseTimeZones,
  toTownTime,
  formatLocalMinute,
  parseIcsTime,
  parseIcsTimes,
  formatIcsTime,
  wallTimeIn,
} from './ics-time.ts';
import { type DayBudget, expandRuleDays, parseRecurrenceRule } from './recurrence-rule.ts';
import {
  hasMeetingLink,
  cleanExternalLine,
  cleanExternalText,
  parseExternalUrl,
} from './clean-external-text.ts';

/** Characters of the name of a calendar, and of what is shown of a line that nobody understands. */
const MAX = { name: 120, shown: 80 } as const;
/** Days looked at for all rules of a file: two hundred that repeat each week, or half a second. */
const DAY_BUDGET = 300_000;
/** How far ahead a rule is followed. */
const HORIZON_DAYS = 366;

/** What every event of a file is read with. */
interface IcsParseContext {
  readonly zones: IcsTimeZones;
  /** The local moment at which it is read. */
  readonly now: Temporal.PlainDateTime;
  readonly budget: DayBudget;
}

export type ParseResult =
  | { readonly problem: ImportProblem }
  | { readonly reading: ImportedCalendar };

/**
 * What is read of the bytes of a file at `now_ms`, or why nothing is; `zone` is that of times without one. Never
 * throws.
 */
export function parseCalendar(
  bytes: Uint8Array,
  now_ms: number,
  zone: string = TIME_ZONE,
): ParseResult {
  if (bytes.length > IMPORT_LIMITS.bytes) return { problem: 'too_large' };
  const text = decodeBytes(bytes);
  if (text.trim() === '') return { problem: 'empty' };
  const { has_calendar, lines, blocks } = splitIcsBlocks(text);
  const all = blocks.filter(({ kind }) => kind === 'VEVENT');
  if (all.length === 0) {
    if (has_calendar) return { problem: 'no_events' };
    return { problem: /<(!doctype|html|head|body)\b/i.test(text) ? 'is_page' : 'not_calendar' };
  }
  const now = toZoned(now_ms).toPlainDateTime();
  const setting = { zones: parseTimeZones(blocks, zone), now, budget: { left: DAY_BUDGET } };
  const read = all
    .slice(0, IMPORT_LIMITS.looked_at)
    .map((block) => readEntry(block, setting.zones));
  const series = listSeries(read.filter((one) => 'uid' in one)).map((entries) =>
    readSeries(entries, setting),
  );
  const events = series
    .flatMap((one) => ('rule' in one ? [] : one))
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.line - b.line));
  const unseen = all[IMPORT_LIMITS.looked_at];
  const failures = [
    ...[...read, ...series].filter((one) => 'rule' in one),
    ...(unseen ? [fail('too_many', unseen)] : []),
    ...events
      .slice(IMPORT_LIMITS.events)
      .map(({ line, title, start }) => ({ rule: 'too_many', line, title, text: start }) as const),
  ];
  return {
    reading: {
      name: cleanExternalLine(icsValue(lines, 'X-WR-CALNAME') || icsValue(lines, 'NAME'), MAX.name)
        .text,
      events: events.slice(0, IMPORT_LIMITS.events),
      failures: failures.sort((a, b) => a.line - b.line),
      over: series.filter((one) => !('rule' in one) && one.length === 0).length,
    },
  };
}

export const excerptForDisplay = (text: string): string => cleanExternalLine(text, MAX.shown).text;

/** Why a block gives no event. */
const fail = (
  rule: ImportFailure['rule'],
  { line, lines }: IcsBlock,
  text = '',
): ImportFailure => ({
  rule,
  line,
  title: cleanExternalLine(icsValue(lines, 'SUMMARY'), SUBMISSION_LIMITS.title).text,
  text: excerptForDisplay(text),
});

/** Those that there are, with as much of what the file says as is shown. */
export const listImportWarnings = (
  found: readonly (readonly [
    rule: ImportWarning['rule'],
    is_there: boolean,
    text?: string | null,
  ])[],
): ImportWarning[] =>
  found.flatMap(([rule, is_there, text]) =>
    is_there ? [{ rule, text: excerptForDisplay(text ?? '') }] : [],
  );

/** One event block, understood as far as it goes. */
interface IcsEntry {
  readonly uid: string;
  readonly sequence: number;
  readonly start: IcsTime;
  /** Its further times, where they are events of their own in the file. */
  readonly also: readonly IcsTime[];
  /** Null where it is not known. */
  readonly lasts: Temporal.Duration | null;
  /** The moment of the series that it stands for; null for the series itself. */
  readonly instead_of: IcsTime | null;
  readonly block: IcsBlock;
  readonly facts: Pick<
    ImportedEvent,
    'title' | 'description' | 'location' | 'url' | 'categories' | 'is_cancelled' | 'is_postponed'
  >;
  readonly doubts: readonly ImportWarning[];
}

/** Gives what is wrong with a block where it is no event with a name and a beginning. */
function readEntry(block: IcsBlock, zones: IcsTimeZones): IcsEntry | ImportFailure {
  const { lines, skipped } = block;
  const textOf = (name: string): string => icsValue(lines, name);
  const title = cleanExternalLine(textOf('SUMMARY'), SUBMISSION_LIMITS.title);
  const begins = findIcsLine(lines, 'DTSTART');
  if (begins === undefined) return fail('no_start', block);
  const start = parseIcsLineTime(begins, zones);
  if (start === null) return fail('bad_start', block, begins.value);
  if (!/[\p{L}\p{N}]/u.test(title.text)) return fail('no_title', block);
  const description = cleanExternalText(textOf('DESCRIPTION'), SUBMISSION_LIMITS.description);
  const location = cleanExternalLine(textOf('LOCATION'), SUBMISSION_LIMITS.line);
  const { lasts, is_ignored } = readLength(block, start, zones);
  const status = textOf('STATUS').toUpperCase();
  const url = textOf('URL');
  const stands_for = findIcsLine(lines, 'RECURRENCE-ID');
  const is_cut = ![title, description, location].every(({ is_whole }) => is_whole);
  // What has no name of its own has one of what it says, so that it is known again.
  const named = textOf('UID') || ['SUMMARY', 'DTSTART', 'LOCATION'].map(textOf).join('\n');
  return {
    uid: normalizeUid(named),
    sequence: Number.parseInt(textOf('SEQUENCE'), 10) || 0,
    start,
    also: [],
    lasts,
    instead_of: stands_for ? parseIcsLineTime(stands_for, zones) : null,
    block,
    doubts: listImportWarnings([
      ['zone_unknown', start.unknown_zone !== null, start.unknown_zone],
      ['end_ignored', is_ignored],
      ['not_closed', !block.is_closed],
      ['line_skipped', skipped.length > 0, skipped.join(', ')],
      ['text_cut', is_cut],
      ['call_cut', description.is_call],
      ['join_link', [description.text, location.text, url].some(hasMeetingLink)],
      ['tentative', status === 'TENTATIVE'],
      ['private', /^(PRIVATE|CONFIDENTIAL)$/i.test(textOf('CLASS'))],
    ]),
    facts: {
      title: title.text,
      description: description.text,
      location: location.text,
      url: parseExternalUrl(url),
      categories: textOf('CATEGORIES')
        .split(',')
        .slice(0, 8)
        .map((one) => cleanExternalLine(one, SUBMISSION_LIMITS.slug).text),
      is_cancelled: status === 'CANCELLED',
      is_postponed: false,
    },
  };
}

export const normalizeUid = (said: string): string =>
  hash('sha256', said, 'base64url').slice(0, 24);

/** From DTEND or DURATION; an end that nobody understands, or before the beginning, is passed over. */
function readLength({ lines }: IcsBlock, start: IcsTime, zones: IcsTimeZones) {
  const ends = findIcsLine(lines, 'DTEND');
  const length = icsValue(lines, 'DURATION');
  const end = ends && parseIcsLineTime(ends, zones, start.zone ?? undefined);
  const seconds = end
    ? start.wall.until(wallTimeIn({ ...end, is_day: start.is_day }, start.zone)).total('seconds')
    : readDuration(length);
  const is_said = ends !== undefined || length !== '';
  // Some programs say of a day without hours, or of an hour alone, that it ends when it begins.
  if (!is_said || seconds === 0) return { lasts: null, is_ignored: false };
  if (!Number.isFinite(seconds) || seconds < 0) return { lasts: null, is_ignored: true };
  return { lasts: Temporal.Duration.from({ seconds: Math.round(seconds) }), is_ignored: false };
}

function readDuration(text: string): number {
  try {
    return ICAL.Duration.fromString(text.trim().toUpperCase()).toSeconds();
  } catch {
    return Number.NaN;
  }
}

/** A series, then what stands for some of its times, whichever the file has first. */
type Series = readonly [IcsEntry, ...IcsEntry[]];

function listSeries(entries: readonly IcsEntry[]): readonly Series[] {
  return [...Map.groupBy(joinAlike(entries), ({ uid }) => uid).values()].flatMap(
    (all): Series[] => {
      const instead = keepNewest(
        all.filter(({ instead_of }) => instead_of !== null),
        ({ instead_of }) => String(instead_of?.wall),
      );
      const masters = all.filter(({ instead_of }) => instead_of === null);
      // Of versions with a number the highest is the event; without, those of other times are others.
      const is_numbered = new Set(masters.map(({ sequence }) => sequence)).size > 1;
      const newest = keepNewest(masters, ({ start }) => (is_numbered ? '' : String(start.wall)));
      // What stands for a time of a series that is not in the file stands for itself.
      const [first, ...others] = newest.length > 0 ? newest : instead;
      if (first === undefined) return [];
      if (newest.length === 0) return [[first, ...others]];
      // Where a name stands for several events, which some programs write, each has one of its own.
      const renamed = others.map((one) => ({ ...one, uid: `${one.uid}.${one.start.wall}` }));
      return [[first, ...instead], ...renamed.map((one): Series => [one])];
    },
  );
}

/** The newest version of each. */
function keepNewest(
  entries: readonly IcsEntry[],
  toKey: (entry: IcsEntry) => string,
): readonly IcsEntry[] {
  const in_order = entries.toSorted((a, b) => a.sequence - b.sequence);
  const newest = new Set(new Map(in_order.map((entry) => [toKey(entry), entry])).values());
  return entries.filter((entry) => newest.has(entry));
}

/**
 * Events that say the same but for their day, as programs without rules write a series, are one; it is
 * known again by what it says.
 */
function joinAlike(entries: readonly IcsEntry[]): readonly IcsEntry[] {
  const named = Map.groupBy(entries, ({ uid }) => uid);
  const isAlone = ({ uid, instead_of, block }: IcsEntry): boolean =>
    named.get(uid)?.length === 1 &&
    instead_of === null &&
    !block.lines.some(({ name }) => name === 'RRULE' || name === 'RDATE');
  const groups = Map.groupBy(entries, (entry) => {
    const { facts, start, lasts, uid } = entry;
    if (!isAlone(entry)) return uid;
    const hour = start.is_day ? '' : start.wall.toPlainTime().toString();
    // The Events Calendar ends the address of each date with its day.
    const url = facts.url?.replace(/\d{4}-\d\d-\d\d\/?$/, '');
    return JSON.stringify([{ ...facts, url }, hour, start.zone, lasts]);
  });
  return [...groups].flatMap(([said, all]) => {
    const [first, ...others] = all;
    if (first === undefined || others.length === 0 || !isAlone(first)) return all;
    return { ...first, uid: normalizeUid(said), also: others.map(({ start }) => start) };
  });
}

/** Events with the same hours each, none where all is over, or why they cannot be read. */
function readSeries(
  [master, ...instead]: Series,
  setting: IcsParseContext,
): readonly ImportedEvent[] | ImportFailure {
  const { block } = master;
  const rule = icsValue(block.lines, 'RRULE');
  const followed = rule === '' ? [master.start] : followRule(rule, master.start, setting);
  const { days, has_days } = listDays(master, followed ?? [master.start], setting);
  const taken = new Set(
    instead.flatMap(({ instead_of }) => (instead_of ? formatIcsTime(instead_of) : [])),
  );
  const own = days.filter((moment) => !taken.has(formatIcsTime(moment)));
  const others = instead.filter(({ facts }) => !facts.is_cancelled);
  const ahead = [
    ...own.map((moment) => toTime(master, moment)),
    ...others.map((entry) => toTime(entry, entry.start)),
  ].filter((time) => isAhead(time, setting.now));
  if (ahead.length === 0) {
    if (followed === null) return fail('bad_rule', block, rule);
    const is_gone = has_days && own.length === 0 && others.length === 0;
    return is_gone ? fail('all_left_out', block) : [];
  }
  const facts = new Map([master, ...instead].map((one) => [one, JSON.stringify(one.facts)]));
  const groups = Map.groupBy(ahead, ({ entry, hour, day, end }) => {
    const length = end && `${day.until(end.slice(0, 10)).days} ${end.slice(10)}`;
    return `${hour} ${length} ${facts.get(entry)}`;
  });
  const doubts = listImportWarnings([['rule_ignored', followed === null, rule]]);
  const today = setting.now.toPlainDate().toString();
  const off = instead
    .flatMap(({ facts, instead_of }) => (facts.is_cancelled && instead_of ? [instead_of] : []))
    .map((moment) => toTownTime(moment).toPlainDate().toString())
    .filter((day) => day >= today);
  return [...groups.values()].map((times, at) => ({
    ...toEvent(times, doubts, at),
    off: at === 0 && !master.facts.is_cancelled ? off : [],
  }));
}

/** The times of a rule from now on, by the clocks of its own zone; null where it is not understood. */
function followRule(
  text: string,
  start: IcsTime,
  { zones, now, budget }: IcsParseContext,
): IcsTime[] | null {
  const rule = parseRecurrenceRule(text);
  const until = rule?.UNTIL === undefined ? null : parseIcsTime(rule.UNTIL, undefined, zones);
  if (rule === null || (rule.UNTIL !== undefined && until === null)) return null;
  const first = toDayNumber(start.wall.toPlainDate());
  const begin = toDayNumber(now.toPlainDate()) - 1;
  // A day too many is filtered by its moment; a last day of hours counts as a whole.
  const last = until === null ? Number.POSITIVE_INFINITY : toDayNumber(until.wall.toPlainDate());
  const end = Math.min(Math.max(first, begin) + HORIZON_DAYS, last);
  const time = start.wall.toPlainTime();
  const isWithin = (moment: IcsTime): boolean =>
    until === null || until.is_day || toTownTime(moment).until(toTownTime(until)).sign >= 0;
  const days = expandRuleDays(rule, first, begin, end, budget);
  if (days === null) return null;
  return days
    .map((number) => ({ ...start, wall: fromDayNumber(number).toPlainDateTime(time) }))
    .filter(isWithin);
}

/** The times of the series' own: by its rule and its list, without those left out. */
function listDays(
  { start, also, block: { lines } }: IcsEntry,
  followed: readonly IcsTime[],
  { zones }: IcsParseContext,
) {
  const listed = (name: string): IcsTime[] =>
    lines.filter((line) => line.name === name).flatMap((line) => parseIcsTimes(line, zones));
  const added = listed('RDATE').map((moment) => ({ ...moment, is_day: start.is_day }));
  const all = [...followed, ...also, ...added];
  const left_out = new Set(listed('EXDATE').map(formatIcsTime));
  const isLeftOut = (key: string): boolean => left_out.has(key) || left_out.has(key.slice(0, 10));
  const days =
    left_out.size === 0 ? all : all.filter((moment) => !isLeftOut(formatIcsTime(moment)));
  return { days, has_days: all.length > 0 };
}

type Time = ReturnType<typeof toTime>;

/** One time that an event takes place, on local clocks; `hour` is empty where it lasts all day. */
function toTime(entry: IcsEntry, moment: IcsTime) {
  const { lasts } = entry;
  const local = toTownTime(moment);
  const day = local.toPlainDate();
  if (!moment.is_day) {
    // On the clocks of its own zone, of which those of the town may change in between.
    const start = formatLocalMinute(local);
    const ends =
      lasts && formatLocalMinute(toTownTime({ ...moment, wall: moment.wall.add(lasts) }));
    return { entry, day, hour: start.slice(10), end: ends && ends > start ? ends : null };
  }
  const last = lasts === null ? day : day.add({ days: Math.ceil(lasts.total('days')) - 1 });
  return { entry, day, hour: '', end: last.equals(day) ? null : last.toString() };
}

/** Whether something of it is still to come. */
const isAhead = ({ day, hour, end }: Time, now: Temporal.PlainDateTime): boolean =>
  end !== null && hour !== ''
    ? end > formatLocalMinute(now)
    : (end ?? day.toString()) >= now.toPlainDate().toString();

/** The event of times with the same hours; `at`: which of its series it is. */
function toEvent(
  times: readonly Time[],
  of_series: readonly ImportWarning[],
  at: number,
): Omit<ImportedEvent, 'off'> {
  const [first, ...others] = times.toSorted((a, b) => Temporal.PlainDate.compare(a.day, b.day));
  if (first === undefined) throw new Error('a group has a time');
  const { entry, hour, end } = first;
  // What stands for one time of a series is known by that time.
  const moved = times.some((one) => one.entry.instead_of === null) ? null : entry.instead_of;
  const part = moved === null ? `${hour.slice(1)}.${at}` : formatIcsTime(moved);
  const day = first.day.toString();
  const dates = [...new Set(others.map((one) => one.day.toString()))].filter((one) => one !== day);
  const max = SUBMISSION_LIMITS.dates;
  return {
    ...entry.facts,
    uid: at === 0 ? entry.uid : `${entry.uid}.${part}`,
    line: entry.block.line,
    start: `${day}${hour}`,
    end,
    all_day: hour === '',
    dates: dates.slice(0, max),
    doubts: [
      ...entry.doubts,
      ...(entry.instead_of === null ? of_series : []),
      ...listImportWarnings([['dates_cut', dates.length > max, dates[max - 1] ?? null]]),
    ],
  };
}
