// Somebody's calendar file, read event by event: one that is broken loses no other (contract 14.34). A
// series is read with everything that the file says of its days: its rule, what is left out, what was
// moved, what was called off; as days ahead, those with the same hours together.
import { Temporal } from 'temporal-polyfill';
import {
  FEED_LIMITS,
  type FeedDoubt,
  type FeedEvent,
  type FeedFailure,
  type FeedProblem,
  type FeedReading,
} from '../../domain/batch/feed-event.ts';
import { fromDayNumber, toCancun, toDayNumber } from '../../domain/cancun-time.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/rules.ts';
import { doubt, fail, type FeedEntry, readEntry, toDigest } from './feed-entry.ts';
import { decodeFeed, splitFeed, valueIn } from './feed-lines.ts';
import {
  type FeedMoment,
  type FeedZones,
  readZones,
  toLocal,
  toMinuteText,
  toMoment,
  toMoments,
} from './feed-moment.ts';
import { type DayBudget, listRuleDays, parseRule } from './feed-rule.ts';
import { toFeedLine } from './feed-text.ts';

const MAX_NAME = 120;
/** Days looked at for all rules of a file: two hundred that repeat each week, or half a second. */
const DAY_BUDGET = 300_000;
/** How far ahead a rule is followed. */
const HORIZON_DAYS = 366;

/** What every series of a file is read with. */
interface FeedSetting {
  readonly zones: FeedZones;
  /** The local moment at which it is read. */
  readonly now: Temporal.PlainDateTime;
  readonly budget: DayBudget;
}

/** What is read of the bytes of a file at `now_ms`, or why nothing is. Never throws. */
export function readFeed(
  bytes: Uint8Array,
  now_ms: number,
): { readonly problem: FeedProblem } | { readonly reading: FeedReading } {
  if (bytes.length > FEED_LIMITS.bytes) return { problem: 'too_large' };
  const text = decodeFeed(bytes);
  if (text.trim() === '') return { problem: 'empty' };
  const { has_calendar, lines, blocks } = splitFeed(text);
  const all = blocks.filter(({ kind }) => kind === 'VEVENT');
  if (all.length === 0) {
    if (has_calendar) return { problem: 'no_events' };
    return { problem: /<(!doctype|html|head|body)\b/i.test(text) ? 'is_page' : 'not_calendar' };
  }
  const zones = readZones(blocks);
  const now = toCancun(now_ms).toPlainDateTime();
  const setting = { zones, now, budget: { left: DAY_BUDGET } };
  const name = lines.find((line) => line.name === 'X-WR-CALNAME' || line.name === 'NAME');
  const failures: FeedFailure[] = [];
  const entries: FeedEntry[] = [];
  for (const block of all.slice(0, FEED_LIMITS.looked_at)) {
    const entry = readEntry(block, zones);
    if ('rule' in entry) failures.push(entry);
    else entries.push(entry);
  }
  const unseen = all[FEED_LIMITS.looked_at];
  if (unseen) failures.push(fail('too_many', unseen));
  const series = listSeries(entries).map(([first, instead]) => readSeries(first, instead, setting));
  const events = series
    .flatMap((one) => one.events)
    .sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.line - b.line));
  const beyond = events
    .slice(FEED_LIMITS.events)
    .map(({ line, title, start }): FeedFailure => ({ rule: 'too_many', line, title, text: start }));
  return {
    reading: {
      name: toFeedLine(name?.value ?? '', MAX_NAME).text,
      events: events.slice(0, FEED_LIMITS.events),
      failures: [...failures, ...series.flatMap(({ failure }) => failure ?? []), ...beyond].sort(
        (a, b) => a.line - b.line,
      ),
      over: series.filter((one) => one.failure === null && one.events.length === 0).length,
    },
  };
}

/** Each series with what stands for its times, whichever the file has first; known by its name. */
function listSeries(
  entries: readonly FeedEntry[],
): readonly (readonly [FeedEntry, readonly FeedEntry[]])[] {
  return [...Map.groupBy(joinAlike(entries), ({ uid }) => uid).values()].flatMap((all) => {
    const instead = keepNewest(
      all.filter(({ instead_of }) => instead_of !== null),
      ({ instead_of }) => instead_of?.wall.toString() ?? '',
    );
    const masters = all.filter(({ instead_of }) => instead_of === null);
    // Of versions with a number the highest is the event; without, those of other times are others.
    const is_numbered = new Set(masters.map(({ sequence }) => sequence)).size > 1;
    const newest = keepNewest(masters, ({ start }) => (is_numbered ? '' : start.wall.toString()));
    const [first, ...others] = newest.length > 0 ? newest : instead;
    if (first === undefined) return [];
    // What stands for a time of a series that is not in the file stands for itself.
    if (newest.length === 0) return [[first, others] as const];
    // Where a name stands for several events, which some programs write, each has one of its own.
    const renamed = others.map((one) => ({ ...one, uid: `${one.uid}.${one.start.wall}` }));
    return [[first, instead] as const, ...renamed.map((one) => [one, []] as const)];
  });
}

/** The newest version of each. */
function keepNewest(
  entries: readonly FeedEntry[],
  toKey: (entry: FeedEntry) => string,
): readonly FeedEntry[] {
  const found = new Map<string, FeedEntry>();
  for (const entry of entries) {
    const before = found.get(toKey(entry));
    if (before === undefined || before.sequence <= entry.sequence) found.set(toKey(entry), entry);
  }
  return [...found.values()];
}

/**
 * Events that say the same but for their day, as programs without rules write a series, are one; it is known
 * again by what it says. Of those with one name the newest is looked for first.
 */
function joinAlike(entries: readonly FeedEntry[]): readonly FeedEntry[] {
  const named = Map.groupBy(entries, ({ uid }) => uid);
  const isAlone = ({ uid, instead_of, block }: FeedEntry): boolean =>
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
    return { ...first, uid: toDigest(said), also: others.map(({ start }) => start) };
  });
}

/** One time that an event takes place, in Cancún. */
interface Time {
  readonly entry: FeedEntry;
  readonly day: Temporal.PlainDate;
  /** `T20:00`; empty where it lasts all day. */
  readonly hour: string;
  readonly end: string | null;
}

function toTime(entry: FeedEntry, moment: FeedMoment): Time {
  const { lasts } = entry;
  const local = toLocal(moment);
  const day = local.toPlainDate();
  if (!moment.is_day) {
    const end = lasts === null ? null : toMinuteText(local.add(lasts));
    return { entry, day, hour: toMinuteText(local).slice(10), end };
  }
  const last = lasts === null ? day : day.add({ days: Math.ceil(lasts.total('days')) - 1 });
  return { entry, day, hour: '', end: last.equals(day) ? null : last.toString() };
}

/** Whether something of it is still to come. */
const isAhead = ({ day, hour, end }: Time, now: Temporal.PlainDateTime): boolean =>
  end !== null && hour !== ''
    ? end > toMinuteText(now)
    : (end ?? day.toString()) >= now.toPlainDate().toString();

/** What a series gives: events with the same hours each, or why there is none. */
interface SeriesReading {
  readonly events: readonly FeedEvent[];
  readonly failure: FeedFailure | null;
}

function readSeries(
  master: FeedEntry,
  instead: readonly FeedEntry[],
  setting: FeedSetting,
): SeriesReading {
  const { block } = master;
  const rule = valueIn(block.lines, 'RRULE');
  const followed = rule === '' ? [master.start] : followRule(rule, master.start, setting);
  const { days, has_days } = listDays(master, followed ?? [master.start], setting);
  const taken = new Set(instead.map(({ instead_of }) => toKey(instead_of)));
  const own = days.filter((moment) => !taken.has(toKey(moment)));
  const others = instead.filter(({ facts }) => !facts.is_cancelled);
  const ahead = [
    ...own.map((moment) => toTime(master, moment)),
    ...others.map((entry) => toTime(entry, entry.start)),
  ].filter((time) => isAhead(time, setting.now));
  if (ahead.length === 0) {
    const is_gone = has_days && own.length === 0 && others.length === 0;
    const why = followed === null ? 'bad_rule' : is_gone ? 'all_left_out' : null;
    return { events: [], failure: why && fail(why, block, why === 'bad_rule' ? rule : '') };
  }
  const facts = new Map([master, ...instead].map((one) => [one, JSON.stringify(one.facts)]));
  const groups = Map.groupBy(
    ahead,
    (time) => `${time.hour} ${lengthOf(time)} ${facts.get(time.entry)}`,
  );
  const doubts = doubt('rule_ignored', followed === null, rule);
  const events = [...groups.values()].map((times, at) => toEvent(times, doubts, at));
  return { events, failure: null };
}

const lengthOf = ({ day, end }: Time): string =>
  end === null ? '' : `${day.until(end.slice(0, 10)).total('days')} ${end.slice(10)}`;
const toKey = (moment: FeedMoment | null): string =>
  moment === null ? '' : toMinuteText(toLocal(moment)).slice(0, moment.is_day ? 10 : 16);

/** The times of the series' own: by its rule and its list, without those left out. */
function listDays(
  { start, also, block: { lines } }: FeedEntry,
  followed: readonly FeedMoment[],
  { zones }: FeedSetting,
): { readonly days: readonly FeedMoment[]; readonly has_days: boolean } {
  const named = (name: string): FeedMoment[] =>
    lines.filter((line) => line.name === name).flatMap((line) => toMoments(line, zones));
  const listed = named('RDATE').map((moment) => ({ ...moment, is_day: start.is_day }));
  const all = [...followed, ...also, ...listed];
  const left_out = new Set(named('EXDATE').map(toKey));
  const isLeft = (key: string): boolean => !left_out.has(key) && !left_out.has(key.slice(0, 10));
  const days = left_out.size === 0 ? all : all.filter((moment) => isLeft(toKey(moment)));
  return { days, has_days: all.length > 0 };
}

/** The times of a rule from now on, by the clocks of its own zone; null where it is not understood. */
function followRule(
  text: string,
  start: FeedMoment,
  { zones, now, budget }: FeedSetting,
): FeedMoment[] | null {
  const rule = parseRule(text);
  if (rule === null) return null;
  const until = rule.until === null ? null : toMoment(rule.until, undefined, zones);
  if (rule.until !== null && until === null) return null;
  const first = toDayNumber(start.wall.toPlainDate());
  const begin = toDayNumber(now.toPlainDate()) - 1;
  // A day too many is filtered by its moment; a last day of hours counts as a whole.
  const last = until === null ? Number.POSITIVE_INFINITY : toDayNumber(until.wall.toPlainDate());
  const end = Math.min(Math.max(first, begin) + HORIZON_DAYS, last);
  const time = start.wall.toPlainTime();
  const isWithin = (moment: FeedMoment): boolean =>
    until === null || until.is_day || toLocal(moment).until(toLocal(until)).sign >= 0;
  const numbers = listRuleDays(rule, first, begin, end, budget);
  return (
    numbers
      ?.map((number) => ({ ...start, wall: fromDayNumber(number).toPlainDateTime(time) }))
      .filter(isWithin) ?? null
  );
}

/** The event of times with the same hours; `at`: which of its series it is. */
function toEvent(times: readonly Time[], of_series: readonly FeedDoubt[], at: number): FeedEvent {
  const [first, ...others] = times.toSorted((a, b) => Temporal.PlainDate.compare(a.day, b.day));
  if (first === undefined) throw new Error('a group has a time');
  const { entry, hour, end } = first;
  const day = first.day.toString();
  const dates = [...new Set(others.map((one) => one.day.toString()))].filter((one) => one !== day);
  const max = SUBMISSION_LIMITS.dates;
  return {
    ...entry.facts,
    uid: at === 0 ? entry.uid : `${entry.uid}.${hour.slice(1)}.${at}`,
    line: entry.block.line,
    start: `${day}${hour}`,
    end,
    all_day: hour === '',
    dates: dates.slice(0, max),
    doubts: [
      ...entry.doubts,
      ...(entry.instead_of === null ? of_series : []),
      ...doubt('dates_cut', dates.length > max, dates[max - 1]),
    ],
  };
}
