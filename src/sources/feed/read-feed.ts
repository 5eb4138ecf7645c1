// Somebody's calendar file, read event by event: one that is broken loses no other (contract 14.34).
import {
  FEED_LIMITS,
  type FeedEvent,
  type FeedFailure,
  type FeedProblem,
  type FeedReading,
} from '../../domain/batch/feed-event.ts';
import { toCancun } from '../../domain/cancun-time.ts';
import { decodeFeed, splitFeed } from './feed-blocks.ts';
import { readZones } from './feed-moment.ts';
import { fail, type FeedEntry, type FeedSetting, readEntry, toDigest } from './feed-entry.ts';
import { readSeries } from './feed-series.ts';
import { toFeedLine } from './feed-text.ts';

const MAX_NAME = 120;
/** Days looked at for all rules of a file: two hundred that repeat each week, or half a second. */
const DAY_BUDGET = 300_000;

/** What is read of the bytes of a file at `now_ms`, or why nothing is. Never throws. */
export function readFeed(
  bytes: Uint8Array,
  now_ms: number,
): { readonly problem: FeedProblem } | { readonly reading: FeedReading } {
  if (bytes.length > FEED_LIMITS.bytes) return { problem: 'too_large' };
  const text = decodeFeed(bytes);
  if (text.trim() === '') return { problem: 'empty' };
  const { has_calendar, lines, blocks } = splitFeed(text);
  const events = blocks.filter(({ kind }) => kind === 'VEVENT');
  if (events.length === 0) {
    if (has_calendar) return { problem: 'no_events' };
    return { problem: /<(!doctype|html|head|body)\b/i.test(text) ? 'is_page' : 'not_calendar' };
  }
  const setting: FeedSetting = {
    zones: readZones(blocks),
    now: toCancun(now_ms).toPlainDateTime(),
    budget: { left: DAY_BUDGET },
  };
  const name = lines.find((line) => line.name === 'X-WR-CALNAME' || line.name === 'NAME');
  const failures: FeedFailure[] = [];
  const entries: FeedEntry[] = [];
  for (const block of events.slice(0, FEED_LIMITS.looked_at)) {
    const entry = readEntry(block, setting);
    if ('rule' in entry) failures.push(entry);
    else entries.push(entry);
  }
  const beyond = events[FEED_LIMITS.looked_at];
  if (beyond) failures.push(fail('too_many', beyond));
  const read = readAll(entries, setting);
  return {
    reading: {
      name: toFeedLine(name?.value ?? '', MAX_NAME).text,
      events: read.events.slice(0, FEED_LIMITS.events),
      failures: [
        ...failures,
        ...read.failures,
        ...read.events.slice(FEED_LIMITS.events).map(toBeyond),
      ].sort((a, b) => a.line - b.line),
      over: read.over,
    },
  };
}

const toBeyond = ({ line, title, start }: FeedEvent): FeedFailure => ({
  rule: 'too_many',
  line,
  title,
  text: start,
});

interface Read {
  readonly events: readonly FeedEvent[];
  readonly failures: readonly FeedFailure[];
  readonly over: number;
}

/** By their names: a series with what stands for its times, whichever the file has first. */
function readAll(entries: readonly FeedEntry[], setting: FeedSetting): Read {
  const [events, failures]: [FeedEvent[], FeedFailure[]] = [[], []];
  let over = 0;
  for (const all of Map.groupBy(joinAlike(entries), ({ uid }) => uid).values()) {
    const instead = newest(
      all.filter(({ instead_of }) => instead_of !== null),
      ({ instead_of }) => instead_of?.wall.toString() ?? '',
    );
    const masters = newestMasters(all.filter(({ instead_of }) => instead_of === null));
    // What stands for a time of a series that is not in the file stands for itself.
    const [first = null, ...others] = masters.length > 0 ? masters : instead;
    if (first === null) continue;
    const series = [
      readSeries(first, masters.length > 0 ? instead : others, setting),
      ...(masters.length > 0 ? others : []).map((other) => readSeries(toOther(other), [], setting)),
    ];
    for (const { events: found, failure } of series) {
      events.push(...found);
      if (failure) failures.push(failure);
      else if (found.length === 0) over += 1;
    }
  }
  events.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : a.line - b.line));
  return { events, failures, over };
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

/** Where a name stands for several events, which some programs write, each has one of its own. */
const toOther = (entry: FeedEntry): FeedEntry => ({
  ...entry,
  uid: `${entry.uid}.${entry.start.wall.toString()}`,
});

/** The newest version of each. */
function newest(
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

/** Of versions with a number the highest is the event; without, those of other times are others. */
function newestMasters(masters: readonly FeedEntry[]): readonly FeedEntry[] {
  const is_numbered = new Set(masters.map(({ sequence }) => sequence)).size > 1;
  return newest(masters, ({ start }) => (is_numbered ? '' : start.wall.toString()));
}
