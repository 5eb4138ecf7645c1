// An event of a calendar file with everything that the file says of its days: its rule, what is left
// out, what was moved, what was called off; as days ahead, those with the same hours together.
import { Temporal } from 'temporal-polyfill';
import type { FeedDoubt, FeedEvent, FeedFailure } from '../../domain/batch/feed-event.ts';
import { fromDayNumber, toDayNumber } from '../../domain/cancun-time.ts';
import { SUBMISSION_LIMITS } from '../../domain/submission/rules.ts';
import { doubt, fail, type FeedEntry, type FeedSetting, valueIn } from './feed-entry.ts';
import { type FeedMoment, toLocal, toMinuteText, toMoment, toMoments } from './feed-moment.ts';
import { listRuleDays, parseRule } from './feed-rule.ts';

/** How far ahead a rule is followed. */
const HORIZON_DAYS = 366;

/** One time that it takes place, in Cancún. */
interface Time {
  readonly day: Temporal.PlainDate;
  /** `T20:00`; empty where it lasts all day. */
  readonly hour: string;
  readonly end: string | null;
}

function toTime({ lasts }: FeedEntry, moment: FeedMoment): Time {
  const local = toLocal(moment);
  const day = local.toPlainDate();
  if (moment.is_day) {
    const last = lasts === null ? day : day.add({ days: Math.ceil(lasts.total('days')) - 1 });
    return { day, hour: '', end: last.equals(day) ? null : last.toString() };
  }
  return {
    day,
    hour: toMinuteText(local).slice(10),
    end: lasts === null ? null : toMinuteText(local.add(lasts)),
  };
}

/** Whether something of it is still to come. */
const isAhead = ({ day, hour, end }: Time, now: Temporal.PlainDateTime): boolean =>
  end !== null && hour !== '' ? end > toMinuteText(now) : (end ?? day.toString()) >= today(now);
const today = (now: Temporal.PlainDateTime): string => now.toPlainDate().toString();

/** What a series gives: events with the same hours each, or why there is none. */
export interface SeriesReading {
  readonly events: readonly FeedEvent[];
  readonly failure: FeedFailure | null;
}

/** A series with what stands for some of its times; both as the file has them. */
export function readSeries(
  master: FeedEntry,
  instead: readonly FeedEntry[],
  setting: FeedSetting,
): SeriesReading {
  const { days, doubts, is_rule_bad, has_days } = listDays(master, setting);
  const taken = new Set(instead.map(({ instead_of }) => toKey(instead_of)));
  const own = days
    .filter((moment) => taken.size === 0 || !taken.has(toKey(moment)))
    .map((moment) => ({ entry: master, time: toTime(master, moment) }));
  const others = instead
    .filter(({ facts }) => !facts.is_cancelled)
    .map((entry) => ({ entry, time: toTime(entry, entry.start) }));
  const all = [...own, ...others].filter(({ time }) => isAhead(time, setting.now));
  if (all.length === 0) {
    const is_gone = has_days && own.length === 0 && others.length === 0;
    const rule = valueIn(master.block.lines, 'RRULE');
    if (is_rule_bad) return { events: [], failure: fail('bad_rule', master.block, rule) };
    return { events: [], failure: is_gone ? fail('all_left_out', master.block) : null };
  }
  const facts = new Map([master, ...instead].map((one) => [one, JSON.stringify(one.facts)]));
  const groups = Map.groupBy(
    all,
    ({ entry, time }) => `${time.hour} ${lengthOf(time)} ${facts.get(entry)}`,
  );
  const events = [...groups.values()].map((times, at) => toEvent(times, doubts, at));
  return { events, failure: null };
}

const lengthOf = ({ day, end }: Time): string =>
  end === null ? '' : `${day.until(end.slice(0, 10)).total('days')} ${end.slice(10)}`;
const toKey = (moment: FeedMoment | null): string =>
  moment === null ? '' : toMinuteText(toLocal(moment)).slice(0, moment.is_day ? 10 : 16);

function toEvent(
  times: readonly { readonly entry: FeedEntry; readonly time: Time }[],
  of_series: readonly FeedDoubt[],
  at: number,
): FeedEvent {
  const sorted = [...times].sort((a, b) => Temporal.PlainDate.compare(a.time.day, b.time.day));
  const first = sorted[0] ?? times[0];
  if (first === undefined) throw new Error('a group has a time');
  const { entry, time } = first;
  const days = sorted.slice(1).map(({ time: { day } }) => day.toString());
  const dates = [...new Set(days)].filter((day) => day !== time.day.toString());
  const is_cut = dates.length > SUBMISSION_LIMITS.dates;
  const last = dates[SUBMISSION_LIMITS.dates - 1] ?? '';
  return {
    ...entry.facts,
    uid: at === 0 ? entry.uid : `${entry.uid}.${time.hour.slice(1)}.${at}`,
    line: entry.line,
    start: `${time.day.toString()}${time.hour}`,
    end: time.end,
    all_day: time.hour === '',
    dates: dates.slice(0, SUBMISSION_LIMITS.dates),
    doubts: [
      ...entry.doubts,
      ...(entry.instead_of === null ? of_series : []),
      ...(is_cut ? [doubt('dates_cut', last)] : []),
    ],
  };
}

interface Days {
  readonly days: readonly FeedMoment[];
  readonly doubts: readonly FeedDoubt[];
  readonly is_rule_bad: boolean;
  /** Whether there are any before some are left out. */
  readonly has_days: boolean;
}

/** The times of the series' own: by its rule and its list, without those left out. */
function listDays({ start, also, block }: FeedEntry, setting: FeedSetting): Days {
  const { zones } = setting;
  const named = (name: string): FeedMoment[] =>
    block.lines.filter((line) => line.name === name).flatMap((line) => toMoments(line, zones));
  const left_out = new Set(named('EXDATE').map(toKey));
  const text = valueIn(block.lines, 'RRULE');
  const followed = text === '' ? [start] : followRule(text, start, setting);
  const listed = named('RDATE').map((moment) => ({ ...moment, is_day: start.is_day }));
  const all = [...(followed ?? [start]), ...also, ...listed];
  const days = all.filter(
    (moment) =>
      left_out.size === 0 ||
      (!left_out.has(toKey(moment)) && !left_out.has(toKey(moment).slice(0, 10))),
  );
  return {
    days,
    doubts: followed === null ? [doubt('rule_ignored', text)] : [],
    is_rule_bad: followed === null,
    has_days: all.length > 0,
  };
}

/** The times of a rule from now on, by the clocks of its own zone; null where it is not understood. */
function followRule(
  text: string,
  start: FeedMoment,
  { zones, now, budget }: FeedSetting,
): FeedMoment[] | null {
  const rule = parseRule(text);
  if (rule === null) return null;
  const first = toDayNumber(start.wall.toPlainDate());
  const begin = toDayNumber(now.toPlainDate()) - 1;
  const until = rule.until === null ? null : toMoment(rule.until, undefined, zones);
  if (rule.until !== null && until === null) return null;
  // A day too many is filtered by its moment; a last day of hours counts as a whole.
  const last = until === null ? Number.POSITIVE_INFINITY : toDayNumber(until.wall.toPlainDate());
  const end = Math.min(Math.max(first, begin) + HORIZON_DAYS, last);
  const numbers = listRuleDays(rule, first, begin, end, budget);
  if (numbers === null) return null;
  const time = start.wall.toPlainTime();
  return numbers
    .map((number) => ({ ...start, wall: fromDayNumber(number).toPlainDateTime(time) }))
    .filter(
      (moment) => until === null || until.is_day || toLocal(moment).until(toLocal(until)).sign >= 0,
    );
}
