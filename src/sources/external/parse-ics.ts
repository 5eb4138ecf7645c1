// Imported calendars: parses an iCalendar file to events with their upcoming dates (contract
// 14.34). Applies rules, exclusions, moved and cancelled dates of a series. An invalid event does
// not affect the others.
import { hash } from 'node:crypto';
import ICAL from 'ical.js';
import { Temporal } from 'temporal-polyfill';
import { isCustomaryRestDay } from '../../domain/day/holidays.ts';
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
import {
  decodeBytes,
  type IcsBlock,
  type IcsLine,
  findIcsLine,
  splitIcsBlocks,
  icsValue,
} from './ics-lines.ts';
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
import {
  type DayBudget,
  iterateRuleDays,
  parseRecurrenceRule,
} from '../../domain/event/recurrence-rule.ts';
import {
  hasMeetingLink,
  cleanExternalLine,
  cleanExternalText,
  parseExternalUrl,
} from './clean-external-text.ts';
import { parseSafely } from './parse-safely.ts';

/** Maximum characters of the name of a calendar, and of the excerpt of an invalid line. */
const MAX_LENGTHS = { name: 120, excerpt: 80 } as const;
/**
 * Days tested for all rules of a file: enough for two hundred weekly rules, about half a second.
 */
const DAY_BUDGET = 300_000;
/** Cost of a matching day in addition to testing it. */
const MATCH_COST = 20;
/** Maximum days of a rule: more than in a submission, because some may be excluded later. */
const MAX_RULE_DAYS = 150;
/** Rules are expanded this many days ahead. */
const HORIZON_DAYS = 366;
/** Characters of the RDATE or EXDATE lines of an event: some two thousand dates. */
const MAX_DATE_LIST_LENGTH = 40_000;
/** Longer events have a mistake in their end, which is ignored. */
const MAX_DURATION_SECONDS = HORIZON_DAYS * 86_400;

/** Inputs shared by all events of a file. */
interface IcsParseContext {
  readonly zones: IcsTimeZones;
  /** Local time of the import. */
  readonly now: Temporal.PlainDateTime;
  readonly budget: DayBudget;
}

/** The events of a file (`reading`), or the reason why it has none. */
export type ParseResult =
  | { readonly problem: ImportProblem }
  | { readonly reading: ImportedCalendar };

/**
 * Parses the bytes of a file at `now_ms`, or returns why that is impossible. For files of strangers
 * call it by parseInWorker.
 * @param zone Time zone of times without one.
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
  const event_blocks = blocks.filter(({ kind }) => kind === 'VEVENT');
  if (event_blocks.length === 0) {
    if (has_calendar) return { problem: 'no_events' };
    return { problem: /<(!doctype|html|head|body)\b/i.test(text) ? 'is_page' : 'not_calendar' };
  }
  const now = toZoned(now_ms).toPlainDateTime();
  const context = {
    zones: parseTimeZones(blocks, zone),
    now,
    budget: { remaining: DAY_BUDGET },
  };
  const entries = event_blocks
    .slice(0, IMPORT_LIMITS.looked_at)
    .map((block) => orFailure(block, () => parseEntry(block, context.zones)));
  const series = groupIntoSeries(entries.filter((entry) => 'uid' in entry)).map((members) =>
    orFailure(members[0].block, () => buildSeriesEvents(members, context)),
  );
  const events = series
    .flatMap((result) => ('rule' in result ? [] : result))
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.line - b.line));
  const first_skipped = event_blocks[IMPORT_LIMITS.looked_at];
  const failures = [
    ...[...entries, ...series].filter((result) => 'rule' in result),
    ...(first_skipped ? [createFailure('too_many', first_skipped)] : []),
    ...events
      .slice(IMPORT_LIMITS.events)
      .map(({ line, title, start }) => ({ rule: 'too_many', line, title, text: start }) as const),
  ];
  return {
    reading: {
      name: parseCalendarName(lines),
      events: events.slice(0, IMPORT_LIMITS.events),
      failures: failures.sort((a, b) => a.line - b.line),
      // Series without upcoming dates.
      over: series.filter((result) => !('rule' in result) && result.length === 0).length,
    },
  };
}

/** Parses an event or a series. If that throws, only this block is lost, as a failure. */
const orFailure = <T>(block: IcsBlock, parse: () => T): T | ImportFailure =>
  parseSafely(parse, () => createFailure('not_understood', block));

const parseCalendarName = (lines: readonly IcsLine[]): string =>
  cleanExternalLine(icsValue(lines, 'X-WR-CALNAME') || icsValue(lines, 'NAME'), MAX_LENGTHS.name)
    .text;

export const excerptForDisplay = (text: string): string =>
  cleanExternalLine(text, MAX_LENGTHS.excerpt).text;

const createFailure = (
  rule: ImportFailure['rule'],
  { line, lines }: IcsBlock,
  text = '',
): ImportFailure => ({
  rule,
  line,
  title: cleanExternalLine(icsValue(lines, 'SUMMARY'), SUBMISSION_LIMITS.title).text,
  text: excerptForDisplay(text),
});

/** Lists the warnings that apply, each with an excerpt of the text in the file. */
export const listImportWarnings = (
  checks: readonly (readonly [
    rule: ImportWarning['rule'],
    applies: boolean,
    text?: string | null,
  ])[],
): ImportWarning[] =>
  checks.flatMap(([rule, applies, text]) =>
    applies ? [{ rule, text: excerptForDisplay(text ?? '') }] : [],
  );

interface IcsEntry {
  readonly uid: string;
  readonly sequence: number;
  readonly start: IcsTime;
  /** Further starts, from equal events of the file that joinEqualEntries joined. */
  readonly extra_starts: readonly IcsTime[];
  /** Null if unknown. */
  readonly duration: Temporal.Duration | null;
  /** The start of the occurrence that it replaces (RECURRENCE-ID); null for the series itself. */
  readonly replaced_start: IcsTime | null;
  readonly block: IcsBlock;
  readonly facts: Pick<
    ImportedEvent,
    'title' | 'description' | 'location' | 'url' | 'categories' | 'is_cancelled' | 'is_postponed'
  >;
  readonly doubts: readonly ImportWarning[];
}

/** Parses an event block. @returns a failure if it has no title or no valid start. */
function parseEntry(block: IcsBlock, zones: IcsTimeZones): IcsEntry | ImportFailure {
  const { lines, skipped } = block;
  const textOf = (name: string): string => icsValue(lines, name);
  const title = cleanExternalLine(textOf('SUMMARY'), SUBMISSION_LIMITS.title);
  const start_line = findIcsLine(lines, 'DTSTART');
  if (start_line === undefined) return createFailure('no_start', block);
  const start = parseIcsLineTime(start_line, zones);
  if (start === null) return createFailure('bad_start', block, start_line.value);
  if (!/[\p{L}\p{N}]/u.test(title.text)) return createFailure('no_title', block);
  const description = cleanExternalText(textOf('DESCRIPTION'), SUBMISSION_LIMITS.description);
  const location = cleanExternalLine(textOf('LOCATION'), SUBMISSION_LIMITS.line);
  const { duration, is_ignored } = parseDuration(block, start, zones);
  const status = textOf('STATUS').toUpperCase();
  const url = textOf('URL');
  const recurrence_id = findIcsLine(lines, 'RECURRENCE-ID');
  const is_truncated = ![title, description, location].every(({ is_whole }) => is_whole);
  // An event without a UID gets one from its content, so that the next import recognizes it.
  const uid = textOf('UID') || ['SUMMARY', 'DTSTART', 'LOCATION'].map(textOf).join('\n');
  return {
    uid: normalizeUid(uid),
    sequence: Number.parseInt(textOf('SEQUENCE'), 10) || 0,
    start,
    extra_starts: [],
    duration,
    replaced_start: recurrence_id ? parseIcsLineTime(recurrence_id, zones) : null,
    block,
    doubts: listImportWarnings([
      ['zone_unknown', start.unknown_zone !== null, start.unknown_zone],
      ['end_ignored', is_ignored],
      ['not_closed', !block.is_closed],
      ['line_skipped', skipped.length > 0, skipped.join(', ')],
      ['text_cut', is_truncated],
      ['call_cut', description.had_invitation],
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
        .map((category) => cleanExternalLine(category, SUBMISSION_LIMITS.slug).text),
      is_cancelled: status === 'CANCELLED',
      is_postponed: false,
    },
  };
}

/** Shortens any UID to a hash of 24 characters. */
export const normalizeUid = (uid: string): string => hash('sha256', uid, 'base64url').slice(0, 24);

/**
 * Computes the duration from DTEND or DURATION. Ignores an end that is invalid or before the start.
 */
function parseDuration({ lines }: IcsBlock, start: IcsTime, zones: IcsTimeZones) {
  const end_line = findIcsLine(lines, 'DTEND');
  const duration_text = icsValue(lines, 'DURATION');
  const end = end_line && parseIcsLineTime(end_line, zones, start.zone ?? undefined);
  const seconds = end
    ? start.wall.until(wallTimeIn({ ...end, is_day: start.is_day }, start.zone)).total('seconds')
    : parseDurationSeconds(duration_text);
  const has_end = end_line !== undefined || duration_text !== '';
  // Some programs write an end equal to the start for a day without hours or an unknown end.
  if (!has_end || seconds === 0) return { duration: null, is_ignored: false };
  const is_valid = seconds > 0 && seconds <= MAX_DURATION_SECONDS;
  if (!is_valid) return { duration: null, is_ignored: true };
  const duration = Temporal.Duration.from({ seconds: Math.round(seconds) });
  return { duration, is_ignored: false };
}

function parseDurationSeconds(text: string): number {
  try {
    return ICAL.Duration.fromString(text.trim().toUpperCase()).toSeconds();
  } catch {
    return Number.NaN;
  }
}

/** A series, followed by the entries that replace some of its occurrences. */
type Series = readonly [IcsEntry, ...IcsEntry[]];

/** Groups entries by UID, with the newest version of each. */
function groupIntoSeries(entries: readonly IcsEntry[]): readonly Series[] {
  return [...Map.groupBy(joinEqualEntries(entries), ({ uid }) => uid).values()].flatMap(
    (members): Series[] => {
      const replacements = selectNewest(
        members.filter(({ replaced_start }) => replaced_start !== null),
        ({ replaced_start }) => String(replaced_start?.wall),
      );
      const masters = members.filter(({ replaced_start }) => replaced_start === null);
      // With SEQUENCE numbers, the highest is the event; without, entries of other times are other
      // events.
      const is_numbered = new Set(masters.map(({ sequence }) => sequence)).size > 1;
      const newest = selectNewest(masters, ({ start }) => (is_numbered ? '' : String(start.wall)));
      // A replacement whose series is not in the file becomes an event itself.
      const [first, ...others] = newest.length > 0 ? newest : replacements;
      if (first === undefined) return [];
      if (newest.length === 0) return [[first, ...others]];
      // Some programs use one UID for several events, so each further one gets its own.
      const renamed = others.map((entry) => ({
        ...entry,
        uid: `${entry.uid}.${entry.start.wall}`,
      }));
      return [[first, ...replacements], ...renamed.map((entry): Series => [entry])];
    },
  );
}

/** Selects the entry with the highest SEQUENCE of each key. */
function selectNewest(
  entries: readonly IcsEntry[],
  getKey: (entry: IcsEntry) => string,
): readonly IcsEntry[] {
  const by_sequence = entries.toSorted((a, b) => a.sequence - b.sequence);
  const newest = new Set(new Map(by_sequence.map((entry) => [getKey(entry), entry])).values());
  return entries.filter((entry) => newest.has(entry));
}

/**
 * Joins events that are equal except for their day to one: programs without rules write a series
 * so. Its UID is a hash of its content, so that the next import recognizes it.
 */
function joinEqualEntries(entries: readonly IcsEntry[]): readonly IcsEntry[] {
  const by_uid = Map.groupBy(entries, ({ uid }) => uid);
  const isSingle = ({ uid, replaced_start, block }: IcsEntry): boolean =>
    by_uid.get(uid)?.length === 1 &&
    replaced_start === null &&
    !block.lines.some(({ name }) => name === 'RRULE' || name === 'RDATE');
  const groups = Map.groupBy(entries, (entry) => {
    const { facts, start, duration, uid } = entry;
    if (!isSingle(entry)) return uid;
    const hour = start.is_day ? '' : start.wall.toPlainTime().toString();
    // The Events Calendar plugin appends the day to the URL of each date.
    const url = facts.url?.replace(/\d{4}-\d\d-\d\d\/?$/, '');
    return JSON.stringify([{ ...facts, url }, hour, start.zone, duration]);
  });
  return [...groups].flatMap(([key, members]) => {
    const [first, ...others] = members;
    if (first === undefined || others.length === 0 || !isSingle(first)) return members;
    return { ...first, uid: normalizeUid(key), extra_starts: others.map(({ start }) => start) };
  });
}

/**
 * Builds the events of a series: one for each group of dates with the same hours and facts. Empty
 * if all dates are over.
 * @returns a failure if its rule is invalid or all its dates are excluded.
 */
function buildSeriesEvents(
  [master, ...replacements]: Series,
  context: IcsParseContext,
): readonly ImportedEvent[] | ImportFailure {
  const { block } = master;
  const rule = icsValue(block.lines, 'RRULE');
  const rule_starts = rule === '' ? [master.start] : expandRule(rule, master.start, context);
  const { starts, has_starts } = listStarts(master, rule_starts ?? [master.start], context);
  const replaced = new Set(
    replacements.flatMap(({ replaced_start }) =>
      replaced_start ? formatIcsTime(replaced_start) : [],
    ),
  );
  const unreplaced_starts = starts.filter((start) => !replaced.has(formatIcsTime(start)));
  const rests = createRestTest(master, rule, rule_starts ?? []);
  const master_starts = unreplaced_starts.filter((start) => !rests(start));
  const moved = replacements.filter(({ facts }) => !facts.is_cancelled);
  const upcoming = [
    ...master_starts.map((start) => buildDate(master, start)),
    ...moved.map((entry) => buildDate(entry, entry.start)),
  ].filter((date) => isUpcoming(date, context.now));
  const resting = listRestingDays(
    unreplaced_starts.filter(rests).map((start) => buildDate(master, start)),
    upcoming,
    context,
  );
  if (upcoming.length === 0) {
    if (resting.length > 0) return createFailure('only_rest_days', block, resting.join(', '));
    if (rule_starts === null) return createFailure('bad_rule', block, rule);
    const is_all_excluded = has_starts && master_starts.length === 0 && moved.length === 0;
    return is_all_excluded ? createFailure('all_left_out', block) : [];
  }
  const doubts = listImportWarnings([['rule_ignored', rule_starts === null, rule]]);
  const off = listCancelledDays(replacements, context);
  return groupByHours(upcoming).map((dates, index) => ({
    ...withRestingDays(buildEvent(dates, doubts, index), index === 0 ? resting : []),
    off: index === 0 && !master.facts.is_cancelled ? off : [],
  }));
}

/**
 * Creates a test for the starts of a rule on customary rest days. Its first start and the days of a
 * yearly rule are named by the calendar (contract 14.58).
 */
function createRestTest(
  { start: first_start }: IcsEntry,
  rule: string,
  rule_starts: readonly IcsTime[],
): (start: IcsTime) => boolean {
  const first_key = formatIcsTime(first_start);
  const unnamed = new Set(/FREQ=YEARLY/i.test(rule) ? [] : rule_starts);
  return (start) =>
    unnamed.has(start) &&
    formatIcsTime(start) !== first_key &&
    isCustomaryRestDay(toTownTime(start).toPlainDate());
}

/** Adds resting days to an event, except those after its last date if it has too many dates. */
function withRestingDays<T extends Pick<ImportedEvent, 'dates'>>(
  event: T,
  days: readonly string[],
): T & Pick<ImportedEvent, 'resting'> {
  const last_day = event.dates[SUBMISSION_LIMITS.dates - 1] ?? days.at(-1) ?? '';
  const resting = days.filter((day) => day <= last_day);
  return { ...event, ...(resting.length > 0 && { resting }) };
}

/** Lists the upcoming days of dates on which no other date takes place. */
function listRestingDays(
  dates: readonly EventDate[],
  upcoming: readonly EventDate[],
  { now }: IcsParseContext,
): string[] {
  const days = dates.filter((date) => isUpcoming(date, now)).map(({ day }) => day.toString());
  return days.filter((day) => !upcoming.some((date) => date.day.toString() === day));
}

/** Groups dates with the same start time, duration and facts. */
function groupByHours(dates: readonly EventDate[]): readonly EventDate[][] {
  const facts = new Map(dates.map(({ entry }) => [entry, JSON.stringify(entry.facts)]));
  const groups = Map.groupBy(dates, ({ entry, hour, day, end }) => {
    const length = end && `${day.until(end.slice(0, 10)).days} ${end.slice(10)}`;
    return `${hour} ${length} ${facts.get(entry)}`;
  });
  return [...groups.values()];
}

/** Lists the days from today on whose occurrence a replacement cancels. */
function listCancelledDays(replacements: readonly IcsEntry[], { now }: IcsParseContext): string[] {
  const today = now.toPlainDate().toString();
  return replacements
    .flatMap(({ facts, replaced_start }) =>
      facts.is_cancelled && replaced_start ? [replaced_start] : [],
    )
    .map((start) => toTownTime(start).toPlainDate().toString())
    .filter((day) => day >= today);
}

/**
 * Expands a rule to its starts from now on, in its own time zone.
 * @returns null if the rule is invalid.
 */
function expandRule(
  text: string,
  start: IcsTime,
  { zones, now, budget }: IcsParseContext,
): IcsTime[] | null {
  const rule = parseRecurrenceRule(text);
  const until = rule?.UNTIL === undefined ? null : parseIcsTime(rule.UNTIL, undefined, zones);
  if (rule === null || (rule.UNTIL !== undefined && until === null)) return null;
  // Days as numbers. Expands from yesterday, the present day in some other time zones.
  const first = toDayNumber(start.wall.toPlainDate());
  const from = toDayNumber(now.toPlainDate()) - 1;
  // UNTIL counts as a whole day here; isWithin then compares the exact time.
  const until_day =
    until === null ? Number.POSITIVE_INFINITY : toDayNumber(until.wall.toPlainDate());
  const last = Math.min(Math.max(first, from) + HORIZON_DAYS, until_day);
  const start_time = start.wall.toPlainTime();
  const isWithin = (occurrence_start: IcsTime): boolean =>
    until === null ||
    until.is_day ||
    toTownTime(occurrence_start).until(toTownTime(until)).sign >= 0;
  const days = iterateRuleDays(rule, { first, from, last, includes_first: true }, budget)
    .take(MAX_RULE_DAYS)
    .toArray();
  budget.remaining -= days.length * MATCH_COST;
  if (budget.remaining < 0) return null;
  return days
    .map((number) => ({ ...start, wall: fromDayNumber(number).toPlainDateTime(start_time) }))
    .filter(isWithin);
}

/** Lists the starts of a series from its rule and its RDATE lines, without its EXDATE lines. */
function listStarts(
  { start, extra_starts, block: { lines } }: IcsEntry,
  rule_starts: readonly IcsTime[],
  { zones }: IcsParseContext,
) {
  const listTimes = (name: string): IcsTime[] => {
    const named_lines = lines.filter((line) => line.name === name);
    const size = named_lines.reduce((sum, { value }) => sum + value.length, 0);
    if (size > MAX_DATE_LIST_LENGTH) throw new RangeError(`${name} has too many dates`);
    return named_lines.flatMap((line) => parseIcsTimes(line, zones));
  };
  const added = listTimes('RDATE').map((time) => ({ ...time, is_day: start.is_day }));
  const all = [...rule_starts, ...extra_starts, ...added];
  const excluded = new Set(listTimes('EXDATE').map(formatIcsTime));
  const isExcluded = (key: string): boolean => excluded.has(key) || excluded.has(key.slice(0, 10));
  const starts = excluded.size === 0 ? all : all.filter((time) => !isExcluded(formatIcsTime(time)));
  return { starts, has_starts: all.length > 0 };
}

type EventDate = ReturnType<typeof buildDate>;

/**
 * Builds one date of an event in the town's local time. `hour` is `T20:00`, or empty if it lasts
 * all day; `end` is null if it is unknown, or if the date is a single whole day.
 */
function buildDate(entry: IcsEntry, start: IcsTime) {
  const { duration } = entry;
  const local_start = toTownTime(start);
  const day = local_start.toPlainDate();
  if (!start.is_day) {
    // The duration is added in the event's own zone, because the town's clock may change in
    // between.
    const start_text = formatLocalMinute(local_start);
    const end_text =
      duration && formatLocalMinute(toTownTime({ ...start, wall: start.wall.add(duration) }));
    const end = end_text && end_text > start_text ? end_text : null;
    return { entry, day, hour: start_text.slice(10), end };
  }
  // The end of an all-day event is exclusive.
  const last_day =
    duration === null ? day : day.add({ days: Math.ceil(duration.total('days')) - 1 });
  return { entry, day, hour: '', end: last_day.equals(day) ? null : last_day.toString() };
}

const isUpcoming = ({ day, hour, end }: EventDate, now: Temporal.PlainDateTime): boolean =>
  end !== null && hour !== ''
    ? end > formatLocalMinute(now)
    : (end ?? day.toString()) >= now.toPlainDate().toString();

/**
 * Builds the event of dates with the same hours.
 * @param index Position of the event within its series, from 0.
 */
function buildEvent(
  event_dates: readonly EventDate[],
  series_doubts: readonly ImportWarning[],
  index: number,
): Omit<ImportedEvent, 'off'> {
  const [first, ...others] = event_dates.toSorted((a, b) =>
    Temporal.PlainDate.compare(a.day, b.day),
  );
  if (first === undefined) throw new Error('event without dates');
  const { entry, hour, end } = first;
  // The UID of a replacement contains the start that it replaces.
  const is_replacement = event_dates.every((date) => date.entry.replaced_start !== null);
  const replaced_start = is_replacement ? entry.replaced_start : null;
  const uid_suffix =
    replaced_start === null ? `${hour.slice(1)}.${index}` : formatIcsTime(replaced_start);
  const day = first.day.toString();
  const other_days = others.map((date) => date.day.toString());
  const dates = [...new Set(other_days)].filter((date) => date !== day);
  const max = SUBMISSION_LIMITS.dates;
  return {
    ...entry.facts,
    uid: index === 0 ? entry.uid : `${entry.uid}.${uid_suffix}`,
    line: entry.block.line,
    start: `${day}${hour}`,
    end,
    all_day: hour === '',
    dates: dates.slice(0, max),
    doubts: [
      ...entry.doubts,
      ...(entry.replaced_start === null ? series_doubts : []),
      ...listImportWarnings([['dates_cut', dates.length > max, dates[max - 1] ?? null]]),
    ],
  };
}
