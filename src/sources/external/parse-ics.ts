// Imported calendars: parses an iCalendar file to events with their upcoming dates (contract
// 14.34). Applies rules, exclusions, moved and cancelled dates of a series. An invalid event does
// not affect the others.
import { hash } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import { splitCalledOff } from '../../domain/called-off.ts';
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
import { listJoinLinks } from '../../domain/submission/links.ts';
import { isGarbled, readAsByteText } from './decode-text.ts';
import { type IcsBlock, type IcsLine, findIcsLine, splitIcsBlocks, icsValue } from './ics-lines.ts';
import {
  castToTypeOf,
  hasOtherDay,
  type IcsTime,
  type IcsTimeZones,
  isMidnight,
  listOtherZones,
  parseDurationSeconds,
  parseIcsLineTime,
  parseTimeZones,
  dropTime,
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
  hasClearStart,
} from '../../domain/event/recurrence-rule.ts';
import { cleanExternalLine, cleanExternalText, parseExternalUrl } from './clean-external-text.ts';
import { hasAllDayFlag, listUnknownIcsProperties, parseEventState } from './known-properties.ts';
import { parseSafely } from './parse-safely.ts';
import { skipPastEvents } from './skip-past-events.ts';

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
/**
 * Longer events have a mistake in their end, which is ignored; unless they began in the past and are
 * not over.
 */
const MAX_DURATION_SECONDS = HORIZON_DAYS * 86_400;

/** Inputs shared by all events of a file. */
interface IcsParseContext {
  readonly zones: IcsTimeZones;
  /** Local time of the import. */
  readonly now: Temporal.PlainDateTime;
  readonly budget: DayBudget;
  /** UIDs of series with a replaced date that could not be parsed. */
  readonly broken_uids: ReadonlySet<string>;
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
  const kept_bytes = skipPastEvents(bytes, now_ms);
  if (kept_bytes.length > IMPORT_LIMITS.bytes) return { problem: 'too_large' };
  const text = readAsByteText(kept_bytes);
  if (text.trim() === '') return { problem: 'empty' };
  const { has_calendar, is_whole, lines, blocks } = splitIcsBlocks(text);
  const event_blocks = blocks.filter(({ kind }) => kind === 'VEVENT');
  if (event_blocks.length === 0) {
    if (has_calendar) return { problem: is_whole ? 'no_events' : 'cut_off' };
    return { problem: /<(!doctype|html|head|body)\b/i.test(text) ? 'is_page' : 'not_calendar' };
  }
  const now = toZoned(now_ms).toPlainDateTime();
  const zones = parseTimeZones(blocks, zone);
  const entries = event_blocks
    .slice(0, IMPORT_LIMITS.looked_at)
    .map((block) => orFailure(block, () => parseEntry(block, zones, now)));
  const broken_uids = new Set(
    event_blocks.flatMap((block, index) =>
      'rule' in (entries[index] ?? {}) && findIcsLine(block.lines, 'RECURRENCE-ID')
        ? computeUid(block)
        : [],
    ),
  );
  const context = { zones, now, budget: { remaining: DAY_BUDGET }, broken_uids };
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
      is_whole,
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
  /** Time at which it was saved, as in the file; may be empty. */
  readonly saved: string;
  readonly start: IcsTime;
  /** Further starts, from equal events of the file that joinEqualEntries joined. */
  readonly extra_starts: readonly IcsTime[];
  /** Cancelled starts of such events. */
  readonly cancelled_starts: readonly IcsTime[];
  /** Null if unknown. */
  readonly duration: Temporal.Duration | null;
  /** The start of the occurrence that it replaces (RECURRENCE-ID); null for the series itself. */
  readonly replaced_start: IcsTime | null;
  /** True if it also replaces all later occurrences. */
  readonly replaces_later: boolean;
  readonly block: IcsBlock;
  readonly facts: Pick<
    ImportedEvent,
    'title' | 'description' | 'location' | 'url' | 'categories' | 'is_cancelled' | 'is_postponed'
  >;
  readonly doubts: readonly ImportWarning[];
}

/** An event without a UID gets one from its content, so that the next import recognizes it. */
function computeUid({ lines }: IcsBlock): string {
  const textOf = (name: string): string => icsValue(lines, name);
  return normalizeUid(textOf('UID') || ['SUMMARY', 'DTSTART', 'LOCATION'].map(textOf).join('\n'));
}

/** Parses an event block. @returns a failure if it has no title or no valid start. */
function parseEntry(
  block: IcsBlock,
  zones: IcsTimeZones,
  now: Temporal.PlainDateTime,
): IcsEntry | ImportFailure {
  const { lines, skipped, calendar } = block;
  const textOf = (name: string): string => icsValue(lines, name);
  const title = cleanExternalLine(textOf('SUMMARY'), SUBMISSION_LIMITS.title);
  const is_cancellation = /^CANCEL$/i.test(icsValue(calendar.lines, 'METHOD'));
  const state = is_cancellation ? 'cancelled' : parseEventState(textOf('STATUS'));
  const is_postponed = state === 'postponed';
  const is_cancelled = is_postponed || state === 'cancelled';
  const recurrence_id = findIcsLine(lines, 'RECURRENCE-ID');
  // A cancelled occurrence needs neither a start nor a title.
  const start_line = findIcsLine(lines, 'DTSTART') ?? (is_cancelled ? recurrence_id : undefined);
  if (start_line === undefined) return createFailure('no_start', block);
  const written_start = parseIcsLineTime(start_line, zones);
  if (written_start === null) return createFailure('bad_start', block, start_line.value);
  const replaced_start = recurrence_id
    ? parseIcsLineTime(recurrence_id, zones, written_start.zone ?? undefined)
    : null;
  if (recurrence_id && replaced_start === null)
    return createFailure('bad_start', block, recurrence_id.value);
  if (!is_cancelled && !/[\p{L}\p{N}]/u.test(title.text)) return createFailure('no_title', block);
  const description = cleanExternalText(textOf('DESCRIPTION'), SUBMISSION_LIMITS.description);
  const location = cleanExternalLine(textOf('LOCATION'), SUBMISSION_LIMITS.line);
  const written_duration = parseDuration(block, written_start, zones, now);
  const { is_ignored, is_lasting, unknown_zone } = written_duration;
  const has_flag = hasAllDayFlag(block);
  const span = { start: written_start, duration: written_duration.duration };
  const { start, duration } = has_flag ? findWholeDays(span, true) : span;
  const url = textOf('URL').replaceAll('&amp;', '&');
  const is_truncated = ![title, description, location].every(({ is_whole }) => is_whole);
  const texts = [title, description, location].map(({ text }) => text);
  const unknown = [
    ...listUnknownIcsProperties(block),
    ...(has_flag && !start.is_day ? ['ALLDAY'] : []),
    ...(state === 'unknown' ? [`STATUS:${textOf('STATUS')}`] : []),
  ];
  const zone = unknown_zone ?? listOtherZones(start_line, start, calendar.lines, zones)[0] ?? null;
  return {
    uid: computeUid(block),
    sequence: Number.parseInt(textOf('SEQUENCE'), 10) || 0,
    saved: textOf('LAST-MODIFIED') || textOf('DTSTAMP'),
    start,
    extra_starts: [],
    cancelled_starts: [],
    duration,
    replaced_start,
    replaces_later: /^THISANDFUTURE$/i.test(recurrence_id?.params.get('RANGE') ?? ''),
    block,
    doubts: listImportWarnings([
      ['zone_unknown', zone !== null, zone],
      ['dates_unread', unknown.length > 0, unknown.join(', ')],
      ['called_off', !is_cancelled && isCalledOff(title.text, description.text)],
      ['letters_unread', texts.some(isGarbled)],
      ['end_ignored', is_ignored],
      ['long_ago', is_lasting, start.wall.toPlainDate().toString()],
      ['not_closed', !block.is_closed],
      ['line_skipped', skipped.length > 0, skipped.join(', ')],
      ['text_cut', is_truncated],
      ['call_cut', description.had_invitation],
      ['join_link', listJoinLinks([title.text, description.text, location.text, url]).length > 0],
      ['tentative', state === 'tentative'],
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
      is_cancelled,
      is_postponed,
    },
  };
}

/** Returns true if the title, or the beginning of the description, calls an event off. */
export const isCalledOff = (title: string, description: string): boolean =>
  [title, description.slice(0, 40)].some((text) => splitCalledOff(text).called_off !== null);

/** Shortens any UID to a hash of 24 characters. */
export const normalizeUid = (uid: string): string => hash('sha256', uid, 'base64url').slice(0, 24);

/**
 * Computes the duration from DTEND or DURATION. Ignores an end that is invalid, before the start,
 * ambiguous, of another type than the start or too late. `is_lasting`: the event has begun, and
 * lasts very long.
 */
function parseDuration(
  { lines }: IcsBlock,
  start: IcsTime,
  zones: IcsTimeZones,
  now: Temporal.PlainDateTime,
) {
  const end_line = findIcsLine(lines, 'DTEND');
  const duration_text = icsValue(lines, 'DURATION');
  const has_end = end_line !== undefined || duration_text !== '';
  const end = end_line && parseIcsLineTime(end_line, zones, start.zone ?? undefined);
  const unknown_zone = start.unknown_zone ?? end?.unknown_zone ?? null;
  const lengths = [
    ...(end_line ? [end ? secondsUntil(start, end) : Number.NaN] : []),
    ...(duration_text === '' ? [] : [parseDurationSeconds(duration_text)]),
  ];
  const [seconds = 0, other_seconds = seconds] = lengths;
  // Some programs write an end equal to the start for a day without hours or an unknown end.
  if (!has_end || (seconds === 0 && other_seconds === 0))
    return { duration: null, is_ignored: false, is_lasting: false, unknown_zone };
  const is_valid = seconds === other_seconds && seconds > 0;
  const is_long = seconds > MAX_DURATION_SECONDS;
  const elapsed_seconds = start.wall.until(now).total('seconds');
  const is_lasting =
    is_valid && is_long && elapsed_seconds > 0 && elapsed_seconds < seconds && !isRepeated(lines);
  if (!is_valid || (is_long && !is_lasting))
    return { duration: null, is_ignored: true, is_lasting: false, unknown_zone };
  const duration = Temporal.Duration.from({ seconds: Math.round(seconds) });
  return { duration, is_ignored: false, is_lasting, unknown_zone };
}

const isRepeated = (lines: readonly IcsLine[]): boolean =>
  lines.some(({ name }) => name === 'RRULE' || name === 'RDATE');

/** Returns the seconds from a start to an end; NaN if only one of them is a day. */
function secondsUntil(start: IcsTime, end: IcsTime): number {
  // The exclusive end of a day may be written as midnight.
  const is_same_type = start.is_day === end.is_day || (start.is_day && isMidnight(end.wall));
  const end_wall = wallTimeIn({ ...end, is_day: start.is_day }, start.zone);
  return is_same_type ? start.wall.until(end_wall).total('seconds') : Number.NaN;
}

interface IcsSpan {
  readonly start: IcsTime;
  readonly duration: Temporal.Duration | null;
}
const DAY_SECONDS = 86_400;
/** Ends of a whole day that is written with times: 23:59 and 23:59:59. */
const LAST_SECONDS: readonly number[] = [DAY_SECONDS - 60, DAY_SECONDS - 1];

/**
 * Converts a span from 0:00 to 23:59 to whole days, and one from midnight to midnight if a program
 * marks it as all day.
 */
export function findWholeDays({ start, duration }: IcsSpan, has_flag: boolean): IcsSpan {
  const seconds = duration?.total('seconds') ?? 0;
  const rest = seconds % DAY_SECONDS;
  const is_span = LAST_SECONDS.includes(rest) || (has_flag && rest === 0);
  // Midnight in its own zone, or in the town if it is written in another one.
  const day = [start.wall, toTownTime(start)].find(isMidnight);
  if (start.is_day || !is_span || day === undefined) return { start, duration };
  const days = Math.ceil(seconds / DAY_SECONDS);
  return {
    start: dropTime({ ...start, wall: day }),
    duration: days === 0 ? null : Temporal.Duration.from({ seconds: days * DAY_SECONDS }),
  };
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

/** Selects the newest entry of each key. */
function selectNewest(
  entries: readonly IcsEntry[],
  getKey: (entry: IcsEntry) => string,
): readonly IcsEntry[] {
  // Of equal ones, the entry that was saved last.
  const by_sequence = entries.toSorted(
    (a, b) => a.sequence - b.sequence || (a.saved < b.saved ? -1 : a.saved > b.saved ? 1 : 0),
  );
  const newest = new Set(new Map(by_sequence.map((entry) => [getKey(entry), entry])).values());
  return entries.filter((entry) => newest.has(entry));
}

/**
 * Joins events that are equal except for their day to one: programs without rules write a series
 * so. A cancelled one becomes a cancelled date. Its UID is a hash of its content, so that the next
 * import recognizes it.
 */
function joinEqualEntries(entries: readonly IcsEntry[]): readonly IcsEntry[] {
  const by_uid = Map.groupBy(entries, ({ uid }) => uid);
  const isSingle = ({ uid, replaced_start, block }: IcsEntry): boolean =>
    by_uid.get(uid)?.length === 1 && replaced_start === null && !isRepeated(block.lines);
  const groups = Map.groupBy(entries, (entry) => {
    const { facts, start, duration, uid } = entry;
    if (!isSingle(entry)) return uid;
    const hour = start.is_day ? '' : start.wall.toPlainTime().toString();
    // The Events Calendar plugin appends the day to the URL of each date.
    const url = facts.url?.replace(/\d{4}-\d\d-\d\d\/?$/, '');
    const title = splitCalledOff(facts.title).rest;
    const equal_facts = { ...facts, title, url, is_cancelled: false, is_postponed: false };
    return JSON.stringify([equal_facts, hour, start.zone, duration]);
  });
  return [...groups].flatMap(([key, members]) => {
    const cancelled = members.filter(isCalledOffEntry);
    const others = members.filter((entry) => !isCalledOffEntry(entry));
    const [first, ...further] = others.length > 0 ? others : cancelled;
    if (first === undefined || members.length === 1 || !isSingle(first)) return members;
    return {
      ...first,
      uid: normalizeUid(key),
      extra_starts: further.map(({ start }) => start),
      cancelled_starts: others.length > 0 ? cancelled.map(({ start }) => start) : [],
      doubts: mergeDoubts(members),
    };
  });
}

/** Tests whether an entry is cancelled, or its title says so. */
const isCalledOffEntry = ({ facts }: IcsEntry): boolean =>
  facts.is_cancelled || splitCalledOff(facts.title).called_off !== null;

/** Lists the different doubts of entries. */
function mergeDoubts(entries: readonly Pick<IcsEntry, 'doubts'>[]): ImportWarning[] {
  const doubts = entries.flatMap((entry) => entry.doubts);
  return [...new Map(doubts.map((doubt) => [`${doubt.rule} ${doubt.text}`, doubt])).values()];
}

/** An entry that replaces an occurrence, with the start of that occurrence in the series. */
interface Replacement {
  readonly entry: IcsEntry;
  readonly replaced: IcsTime;
}

/** A date of a series; `replaced`: its start by the rule. */
interface SeriesDate extends Replacement {
  readonly start: IcsTime;
}

/**
 * Builds the events of a series: one for each group of dates with the same hours and facts. Empty
 * if all dates are over.
 * @returns a failure if its rule is invalid or all its dates are excluded.
 */
function buildSeriesEvents(
  [master, ...others]: Series,
  context: IcsParseContext,
): readonly ImportedEvent[] | ImportFailure {
  const { block } = master;
  // Without its series, a replacement is a single event.
  const is_lone = master.replaced_start !== null;
  const replacements = (is_lone ? [master, ...others] : others).flatMap((entry) => {
    const replaced = entry.replaced_start && castToTypeOf(master.start, entry.replaced_start);
    return replaced ? [{ entry, replaced }] : [];
  });
  const rule = is_lone ? '' : icsValue(block.lines, 'RRULE');
  const expanded =
    rule === '' ? { starts: [master.start], is_clear: true } : expandRule(rule, master, context);
  const listed = listStarts(master, expanded?.starts ?? [master.start], context);
  const replaced_keys = new Set(replacements.map(({ replaced }) => formatIcsTime(replaced)));
  const own_starts = is_lone
    ? []
    : listed.starts.filter((start) => !replaced_keys.has(formatIcsTime(start)));
  const own_dates = own_starts.map((start) => ({
    ...moveDate(master, start, replacements),
    replaced: start,
  }));
  const moved = replacements.map(({ entry, replaced }) => ({
    entry,
    start: entry.start,
    replaced,
  }));
  const rests = createRestTest(master, rule, expanded?.starts ?? []);
  const dates: readonly SeriesDate[] = [...own_dates, ...moved];
  // A cancelled series keeps its dates; a cancelled replacement removes one.
  const removes = ({ entry }: SeriesDate): boolean =>
    entry.facts.is_cancelled && (entry !== master || is_lone);
  const remaining = dates.filter((date) => !removes(date));
  const upcoming = listUpcoming(
    remaining.filter((date) => !rests(date)),
    context,
  );
  const resting = listRestingDays(listUpcoming(remaining.filter(rests), context), upcoming);
  const removed = dates.filter(removes).map(({ replaced }) => replaced);
  const cancelled = [...master.cancelled_starts, ...removed];
  const off = listCancelledDays(master, cancelled, context);
  const unread = is_lone
    ? ['RECURRENCE-ID']
    : [...listed.unread, ...listUnmatched(replacements, listed, context)];
  const is_broken = context.broken_uids.has(master.uid);
  if (expanded?.is_clear === false) unread.push(rule);
  const is_day_disputed =
    hasOtherDay(master.start) && others.some(({ replaced_start }) => replaced_start?.is_day);
  if (is_broken || is_day_disputed) unread.push('RECURRENCE-ID');
  const doubts = listImportWarnings([
    ['rule_ignored', expanded === null, rule],
    ['dates_unread', unread.length > 0, unread.slice(0, 3).join(', ')],
  ]);
  if (upcoming.length === 0) {
    if (expanded === null) return createFailure('bad_rule', block, rule);
    if (off.length > 0) return [buildCancellation(master, off, doubts)];
    if (resting.length > 0) return createFailure('only_rest_days', block, resting.join(', '));
    const is_all_excluded = listed.has_starts && own_starts.length + moved.length === 0;
    return is_all_excluded ? createFailure('all_left_out', block) : [];
  }
  const groups = groupByHours(upcoming);
  const hours = groups.map((group) => group[0]?.hour);
  return groups.map((group, index) => ({
    ...withRestingDays(buildEvent(group, doubts, index), index === 0 ? resting : []),
    // A cancelled day belongs to the dates with its hour.
    off: master.facts.is_cancelled
      ? []
      : off.filter(({ hour }) => index === Math.max(0, hours.indexOf(hour))).map(({ day }) => day),
  }));
}

/**
 * Creates a test for the dates of a rule on customary rest days. The calendar names the first start,
 * the days of a yearly rule, and the days of a rule with a count (contract 14.58).
 */
function createRestTest(
  { start: first_start }: IcsEntry,
  rule: string,
  rule_starts: readonly IcsTime[],
): (date: SeriesDate) => boolean {
  const first_key = formatIcsTime(first_start);
  const unnamed = new Set(/(?:FREQ=YEARLY|COUNT=\d)/i.test(rule) ? [] : rule_starts);
  return ({ replaced, start }) =>
    unnamed.has(replaced) &&
    formatIcsTime(replaced) !== first_key &&
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

/** Lists the days of resting dates on which no other date takes place. */
const listRestingDays = (
  resting: readonly EventDate[],
  upcoming: readonly EventDate[],
): readonly string[] =>
  resting
    .map(({ day }) => day.toString())
    .filter((day) => !upcoming.some((date) => date.day.toString() === day));

/** Applies the last replacement that also holds for later dates of a series to one of its dates. */
function moveDate(
  master: IcsEntry,
  start: IcsTime,
  replacements: readonly Replacement[],
): { readonly entry: IcsEntry; readonly start: IcsTime } {
  const [last] = replacements
    .filter(
      ({ entry, replaced }) =>
        entry.replaces_later && Temporal.PlainDateTime.compare(replaced.wall, start.wall) < 0,
    )
    .sort((a, b) => Temporal.PlainDateTime.compare(b.replaced.wall, a.replaced.wall));
  if (last === undefined) return { entry: master, start };
  const { entry, replaced } = last;
  if (entry.facts.is_cancelled) return { entry, start };
  const shift = replaced.wall.until(wallTimeIn(entry.start, start.zone), { largestUnit: 'day' });
  return { entry, start: { ...start, is_day: entry.start.is_day, wall: start.wall.add(shift) } };
}

/**
 * Lists the upcoming replaced starts that the series does not have, and later replacements of
 * another type, which cannot be shifted.
 */
function listUnmatched(
  replacements: readonly Replacement[],
  { all, last }: ReturnType<typeof listStarts>,
  { now }: IcsParseContext,
): string[] {
  const keys = new Set(all.map(formatIcsTime));
  const today = now.toPlainDate().toString();
  return replacements.flatMap(({ entry, replaced }) => {
    const key = formatIcsTime(replaced);
    const is_missing = key >= today && key <= last && !keys.has(key);
    const is_other_type =
      entry.replaces_later && !entry.facts.is_cancelled && entry.start.is_day !== replaced.is_day;
    return is_missing || is_other_type ? [`RECURRENCE-ID:${key}`] : [];
  });
}

/** Builds the event that cancels days of a series of which the file has no other upcoming date. */
function buildCancellation(
  { uid, block, facts, doubts }: IcsEntry,
  off: readonly CancelledDay[],
  series_doubts: readonly ImportWarning[],
): ImportedEvent {
  const days = off.map(({ day }) => day).sort();
  const [first] = off;
  return {
    ...facts,
    uid,
    line: block.line,
    start: `${first?.day}${first?.hour}`,
    end: null,
    all_day: first?.hour === '',
    dates: [],
    off: days,
    is_cancelled: true,
    doubts: mergeDoubts([{ doubts }, { doubts: series_doubts }]),
  };
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

interface CancelledDay {
  readonly day: string;
  /** `T20:00`; empty if it lasts all day. */
  readonly hour: string;
}

/** Lists the cancelled days of a series from today on. */
function listCancelledDays(
  master: IcsEntry,
  starts: readonly IcsTime[],
  { now }: IcsParseContext,
): CancelledDay[] {
  const today = now.toPlainDate().toString();
  const by_key = new Map(starts.map((start) => [formatIcsTime(start), start]));
  return [...by_key.values()]
    .map((start) => buildEventDate(master, start))
    .map(({ day, hour }) => ({ day: day.toString(), hour }))
    .filter(({ day }) => day >= today)
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

/**
 * Expands a rule to its starts from now on, in its own time zone. `is_clear` is false if
 * programs disagree about its first or last dates.
 * @returns null if the rule is invalid.
 */
function expandRule(
  text: string,
  { start }: IcsEntry,
  { zones, now, budget }: IcsParseContext,
): { readonly starts: IcsTime[]; readonly is_clear: boolean } | null {
  const rule = parseRecurrenceRule(text, start.wall);
  const until =
    rule?.UNTIL === undefined ? null : parseIcsTime(rule.UNTIL, start.zone ?? undefined, zones);
  if (rule === null || (rule.UNTIL !== undefined && until === null)) return null;
  // Days as numbers. Expands from yesterday, the present day in some other time zones.
  const first = toDayNumber(start.wall.toPlainDate());
  const from = toDayNumber(now.toPlainDate()) - 1;
  // The day of UNTIL as it is written, and where the series is.
  const until_days =
    until === null
      ? []
      : [until.wall, wallTimeIn(until, start.zone)].map((wall) => toDayNumber(wall.toPlainDate()));
  const until_day = until_days.length > 0 ? Math.max(...until_days) : Number.POSITIVE_INFINITY;
  const last = Math.min(Math.max(first, from) + HORIZON_DAYS, until_day);
  const start_time = start.wall.toPlainTime();
  const isWithin = (occurrence_start: IcsTime): boolean =>
    until === null ||
    until.is_day ||
    start.is_day ||
    toTownTime(occurrence_start).until(toTownTime(until)).sign >= 0;
  // Programs disagree about the last day if UNTIL is of another type than the start.
  const is_disputed =
    until !== null && (start.is_day ? new Set(until_days).size > 1 : until.is_day);
  const days = iterateRuleDays(rule, { first, from, last, includes_first: true }, budget)
    .take(MAX_RULE_DAYS)
    .toArray();
  budget.remaining -= days.length * MATCH_COST;
  if (budget.remaining < 0) return null;
  const by_days = days.map((number) => ({
    ...start,
    wall: fromDayNumber(number).toPlainDateTime(start_time),
  }));
  const is_clear = hasClearStart(rule, first) && !(is_disputed && days.includes(until_day));
  return { starts: by_days.filter(isWithin), is_clear };
}

/**
 * Lists the starts of a series from its rule and its RDATE lines (`all`), and those that its EXDATE
 * lines leave (`starts`). `last`: the last start that would be listed; `unread`: values that are not
 * understood.
 */
function listStarts(
  entry: IcsEntry,
  rule_starts: readonly IcsTime[],
  { zones, now }: IcsParseContext,
) {
  const { start, duration, extra_starts, block } = entry;
  const seconds = duration?.total('seconds') ?? 0;
  const unread: string[] = [];
  const listTimes = (name: string): IcsTime[] => {
    const named_lines = block.lines.filter((line) => line.name === name);
    const size = named_lines.reduce((sum, { value }) => sum + value.length, 0);
    if (size > MAX_DATE_LIST_LENGTH) throw new RangeError(`${name} has too many dates`);
    const lists = named_lines.map((line) => parseIcsTimes(line, zones, start, seconds));
    unread.push(...lists.flatMap((list) => list.unread.map((value) => `${name}:${value}`)));
    return lists.flatMap(({ times }) => times);
  };
  const all = [...rule_starts, ...extra_starts, ...listTimes('RDATE')];
  const excluded = new Set(listTimes('EXDATE').map(formatIcsTime));
  const starts = all.filter((time) => !excluded.has(formatIcsTime(time)));
  // An exclusion at another hour of a day of the series is a mistake.
  const keys = new Set(all.map(formatIcsTime));
  const days = new Set(starts.map((time) => formatIcsTime(time).slice(0, 10)));
  const today = now.toPlainDate().toString();
  for (const key of excluded)
    if (key >= today && !keys.has(key) && days.has(key.slice(0, 10))) unread.push(`EXDATE:${key}`);
  const is_cut = rule_starts.length >= MAX_RULE_DAYS;
  const horizon = now
    .toPlainDate()
    .add({ days: HORIZON_DAYS - 1 })
    .toString();
  const last = (is_cut && rule_starts.at(-1)?.wall.toPlainDate().toString()) || horizon;
  return { all, starts, last, unread, has_starts: all.length > 0 };
}

type EventDate = ReturnType<typeof buildEventDate>;
const buildEventDate = (entry: IcsEntry, start: IcsTime) => ({
  ...buildDate({ start, duration: entry.duration }),
  entry,
});

/**
 * Builds one date of an event in the town's local time. `hour` is `T20:00`, or empty if it lasts
 * all day; `end` is null if it is unknown, or if the date is a single whole day.
 */
export function buildDate({ start, duration }: IcsSpan) {
  const local_start = toTownTime(start);
  const day = local_start.toPlainDate();
  if (!start.is_day) {
    // The duration is added in the event's own zone, because the town's clock may change in
    // between.
    const start_text = formatLocalMinute(local_start);
    const end_text =
      duration && formatLocalMinute(toTownTime({ ...start, wall: start.wall.add(duration) }));
    const end = end_text && end_text > start_text ? end_text : null;
    return { day, hour: start_text.slice(10), end };
  }
  // The end of an all-day event is exclusive.
  const last_day =
    duration === null ? day : day.add({ days: Math.ceil(duration.total('days')) - 1 });
  return { day, hour: '', end: last_day.equals(day) ? null : last_day.toString() };
}

const listUpcoming = (dates: readonly SeriesDate[], { now }: IcsParseContext): EventDate[] =>
  dates
    .map(({ entry, start }) => buildEventDate(entry, start))
    .filter((date) => isUpcoming(date, now));

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
      ...mergeDoubts([...event_dates.map((date) => date.entry), { doubts: series_doubts }]),
      ...listImportWarnings([['dates_cut', dates.length > max, dates[max - 1] ?? null]]),
    ],
  };
}
