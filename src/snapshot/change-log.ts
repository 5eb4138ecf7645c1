// Change log: lists the records that were added, changed or withdrawn since an instant, oldest
// first for API clients that stay in sync and newest first for visitors (contract 8.31); also the
// events and notices that changed last, for news feeds. A record has one history, so it appears at
// most once in a list, with its latest change.
import * as v from 'valibot';
import type { EventCard } from '../domain/agenda.ts';
import {
  type ChangedRecord,
  type ChangeLogEntry,
  LAST_ID_OF_TIMESTAMP,
  findChangeSince,
  type RecordHistory,
  HistorySchema,
  type RecordKind,
  type ChangeLogCursor,
} from '../domain/record-history.ts';
import { isLater } from '../domain/local-time.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import { getUpcomingCard } from './get-record.ts';
import { loadRecords, type Snapshot } from './open-snapshot.ts';

const loadHistories = (
  { db }: Snapshot,
  conditions: string,
  ...params: readonly (string | number)[]
): readonly RecordHistory[] =>
  loadRecords(db, HistorySchema, `select record from histories ${conditions}`, ...params);

export interface ChangesQuery {
  /** Timestamp with offset; an entry compares the record with its state at this instant. */
  readonly since: string;
  /** End of the previous page. */
  readonly after: ChangeLogCursor;
  readonly kinds: readonly RecordKind[];
  /** Maximum number of histories; unchanged ones are omitted, so a page may have fewer entries. */
  readonly limit: number;
}

/**
 * Lists at most `limit` changes after a cursor, oldest first. `end` is the cursor to continue from:
 * the last history of the page, or after the last page the time of the newest change.
 */
export function listChangeLog(
  snapshot: Snapshot,
  { since, after, kinds, limit }: ChangesQuery,
  now_ms: number,
): {
  readonly changes: readonly ChangeLogEntry[];
  readonly end: ChangeLogCursor;
  readonly has_more: boolean;
} {
  // SQLite uses its index only for the first condition; the second one is the exact cursor.
  const sql = `where unixepoch(changed_at) >= unixepoch(?)
    and (unixepoch(changed_at), id) > (unixepoch(?), ?)
    and kind in (${kinds.map(() => '?').join(', ')}) order by unixepoch(changed_at), id limit ?`;
  const { changed_at, id } = after;
  const histories = loadHistories(snapshot, sql, changed_at, changed_at, id, ...kinds, limit + 1);
  const page = histories.slice(0, limit);
  const last_history = page.at(-1);
  const has_more = histories.length > limit;
  return {
    changes: page.flatMap((history) => listEntries(snapshot, history, since, now_ms)),
    end:
      has_more && last_history
        ? { changed_at: last_history.changed_at, id: last_history.id }
        : { changed_at: findLastChangeTime(snapshot, after.changed_at), id: LAST_ID_OF_TIMESTAMP },
    has_more,
  };
}

/** Returns the timestamp of the last change, or `minimum` if that is later. */
function findLastChangeTime({ db }: Snapshot, minimum: string): string {
  const sql =
    'select changed_at from histories order by unixepoch(changed_at) desc, id desc limit 1';
  const last_changed_at = v.parse(v.optional(v.string(), minimum), db.prepare(sql).pluck().get());
  return isLater(last_changed_at, minimum) ? last_changed_at : minimum;
}

export interface RecentChangesQuery {
  /** Timestamp with offset. */
  readonly since: string;
  readonly limit: number;
  /** Time of the change and id of the last record on the previous page; null or absent for the first. */
  readonly after?: ChangeLogCursor | null;
  /** A further condition; `total` counts only the changes that pass it. */
  readonly passes?: (change: ChangeLogEntry) => boolean;
}

/**
 * Lists a page of the changes that visitors see since an instant, newest first. `total` counts all
 * pages; `next` is the cursor of the next page, null on the last one.
 */
export function listRecentChanges(
  snapshot: Snapshot,
  { since, limit, after = null, passes = () => true }: RecentChangesQuery,
  now_ms: number,
): {
  readonly changes: readonly ChangeLogEntry[];
  readonly total: number;
  readonly next: ChangeLogCursor | null;
} {
  // `told_at`: time of the last change that visitors can notice.
  const sql = 'where unixepoch(told_at) > unixepoch(?) order by id';
  const all_changes = loadHistories(snapshot, sql, since)
    .flatMap((history) => listEntries(snapshot, history, since, now_ms))
    .filter(passes)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const remaining = all_changes.filter(
    ({ at, id }) =>
      after === null || isLater(after.changed_at, at) || (at === after.changed_at && id > after.id),
  );
  const changes = remaining.slice(0, limit);
  const { at = '', id = '' } = changes.at(-1) ?? {};
  return {
    changes,
    total: all_changes.length,
    next: remaining.length > changes.length ? { changed_at: at, id } : null,
  };
}

/**
 * Returns a list with the entry of a record's history since an instant; empty if the record did not
 * change. The field `thing` is the record itself, null if it was withdrawn.
 */
function listEntries(
  snapshot: Snapshot,
  history: RecordHistory,
  since: string,
  now_ms: number,
): readonly ChangeLogEntry[] {
  const change = findChangeSince(history, since);
  if (change === null) return [];
  const { id, kind, changed_at } = history;
  const thing = change.change === 'withdrawn' ? null : getRecord(snapshot, kind, id, now_ms);
  const event_dates = snapshot.index.dates[snapshot.index.positions.get(id) ?? -1] ?? [];
  const dates = event_dates.filter((date) => change.dates.includes(date.id));
  const is_called_off = history.status !== 'published' && change.change === history.status;
  const coming = is_called_off ? event_dates.filter(({ end_ms }) => end_ms > now_ms) : [];
  return [{ id, kind, ...change, changed_at, dates, coming, thing }];
}

/** Returns a record with its kind, an event as a card with its next date; null if missing. */
function getRecord(
  snapshot: Snapshot,
  kind: RecordKind,
  id: string,
  now_ms: number,
): ChangedRecord | null {
  if (kind === 'event') {
    const position = snapshot.index.positions.get(id);
    return position === undefined
      ? null
      : { kind, card: getUpcomingCard(snapshot, position, now_ms) };
  }
  if (kind === 'venue') return withKind(kind, snapshot.venues.get(id));
  if (kind === 'organizer') return withKind(kind, snapshot.organizers.get(id));
  return withKind(kind, snapshot.notices.get(id));
}

const withKind = <K extends RecordKind, T>(kind: K, record: T | undefined) =>
  record === undefined ? null : { kind, record };

const DAY_MS = 86_400_000;
/** A notice counts as new from a month before its start until a week after its end. */
const NOTICE_DAYS = { ahead: 30, behind: 7 } as const;

/** Lists at most `limit` events that have not ended, the last changed first, then by start. */
export function listNewEvents(
  snapshot: Snapshot,
  now_ms: number,
  limit: number,
): readonly EventCard[] {
  const { cards, dates } = snapshot.index;
  const upcoming = cards.flatMap(({ event: { updated_at } }, position) => {
    const next_date = dates[position]?.find(({ end_ms }) => end_ms > now_ms);
    return next_date ? [{ position, updated_at, start_ms: next_date.start_ms }] : [];
  });
  upcoming.sort((a, b) => compareTimestamps(b.updated_at, a.updated_at) || a.start_ms - b.start_ms);
  return upcoming
    .slice(0, limit)
    .map(({ position }) => getUpcomingCard(snapshot, position, now_ms));
}

/** Lists at most `limit` current or recent notices, the last changed first, then by start. */
export const listNewNotices = (
  { notices }: Snapshot,
  now_ms: number,
  limit: number,
): readonly NoticeRecord[] =>
  [...notices.values()]
    .filter(
      ({ start_ms, end_ms }) =>
        start_ms < now_ms + NOTICE_DAYS.ahead * DAY_MS &&
        (end_ms === null || end_ms > now_ms - NOTICE_DAYS.behind * DAY_MS),
    )
    .sort((a, b) => compareTimestamps(b.updated_at, a.updated_at) || b.start_ms - a.start_ms)
    .slice(0, limit);

/** Compares timestamps as text: within the repeated hour of a clock change, by the local clock. */
function compareTimestamps(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
