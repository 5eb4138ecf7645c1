// Change log: lists changes of records since an instant, oldest first for clients that stay in sync and newest first for
// visitors (contract 8.31); also the events and notices that are new or recently changed.
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
  lastReportedAt,
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
  readonly since: string;
  readonly after: ChangeLogCursor;
  readonly kinds: readonly RecordKind[];
  readonly limit: number;
}

/** Lists at most `limit` changes after a position, oldest first, and the position of the last one. */
export function listChangeLog(
  snapshot: Snapshot,
  { since, after, kinds, limit }: ChangesQuery,
  now_ms: number,
): {
  readonly changes: readonly ChangeLogEntry[];
  readonly end: ChangeLogCursor;
  readonly has_more: boolean;
} {
  // The index serves the first condition, but not the second one.
  const sql = `where unixepoch(changed_at) >= unixepoch(?)
    and (unixepoch(changed_at), id) > (unixepoch(?), ?)
    and kind in (${kinds.map(() => '?').join(', ')}) order by unixepoch(changed_at), id limit ?`;
  const { changed_at, id } = after;
  const histories = loadHistories(snapshot, sql, changed_at, changed_at, id, ...kinds, limit + 1);
  const rows = histories.slice(0, limit);
  const last = rows.at(-1);
  const has_more = histories.length > limit;
  return {
    changes: rows.flatMap((row) => listEntries(snapshot, row, since, now_ms)),
    end:
      has_more && last
        ? { changed_at: last.changed_at, id: last.id }
        : { changed_at: findLastChange(snapshot, after.changed_at), id: LAST_ID_OF_TIMESTAMP },
    has_more,
  };
}

/** Returns the timestamp of the last change, or `minimum` if that is later. */
function findLastChange({ db }: Snapshot, minimum: string): string {
  const sql =
    'select changed_at from histories order by unixepoch(changed_at) desc, id desc limit 1';
  const last = v.parse(v.optional(v.string(), minimum), db.prepare(sql).pluck().get());
  return isLater(last, minimum) ? last : minimum;
}

export interface RecentChangesQuery {
  readonly since: string;
  readonly limit: number;
  /** End of the previous page: the time of the report, and the id; absent for the first page. */
  readonly after?: ChangeLogCursor | null;
  readonly passes?: (change: ChangeLogEntry) => boolean;
}

/** Lists a page of the changes reported to visitors since an instant, newest first, with the total. */
export function listRecentChanges(
  snapshot: Snapshot,
  { since, limit, after = null, passes = () => true }: RecentChangesQuery,
  now_ms: number,
): {
  readonly changes: readonly ChangeLogEntry[];
  readonly total: number;
  readonly next: ChangeLogCursor | null;
} {
  const sql = 'where unixepoch(told_at) > unixepoch(?) order by unixepoch(told_at) desc, id';
  const all = loadHistories(snapshot, sql, since).flatMap((history) =>
    listEntries(snapshot, history, since, now_ms)
      .filter(passes)
      .map((change) => ({ change, changed_at: lastReportedAt(history), id: history.id })),
  );
  const rest = all.filter(
    ({ changed_at, id }) =>
      after === null ||
      isLater(after.changed_at, changed_at) ||
      (changed_at === after.changed_at && id > after.id),
  );
  const page = rest.slice(0, limit);
  const { changed_at = '', id = '' } = page.at(-1) ?? {};
  return {
    changes: page.map(({ change }) => change),
    total: all.length,
    next: rest.length > page.length ? { changed_at, id } : null,
  };
}

/** Returns the entry of a record's history since an instant, or an empty list if nothing changed. */
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
  return [{ id, kind, ...change, changed_at, thing }];
}

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
/** A notice is listed from a month before its start until a week after its end. */
const NOTICE_DAYS = { ahead: 30, behind: 7 } as const;

/** Lists at most `limit` upcoming events, the last changed first, then by start. */
export function listNewEvents(
  snapshot: Snapshot,
  now_ms: number,
  limit: number,
): readonly EventCard[] {
  const { cards, dates } = snapshot.index;
  const upcoming = cards.flatMap(({ event: { updated_at } }, position) => {
    const next = dates[position]?.find(({ end_ms }) => end_ms > now_ms);
    return next ? [{ position, updated_at, start_ms: next.start_ms }] : [];
  });
  upcoming.sort((a, b) => compareTexts(b.updated_at, a.updated_at) || a.start_ms - b.start_ms);
  return upcoming
    .slice(0, limit)
    .map(({ position }) => getUpcomingCard(snapshot, position, now_ms));
}

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
    .sort((a, b) => compareTexts(b.updated_at, a.updated_at) || b.start_ms - a.start_ms)
    .slice(0, limit);

/** Compares timestamps as text: within the repeated hour of a clock change, by the local clock. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
