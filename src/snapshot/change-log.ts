// What became of things since a moment: in the order of it, for who keeps in step, and the last of it
// first, for who reads (contract 8.31); and what changed last of what is ahead.
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

const readHistories = (
  { db }: Snapshot,
  rest: string,
  ...params: readonly (string | number)[]
): readonly RecordHistory[] =>
  loadRecords(db, HistorySchema, `select record from histories ${rest}`, ...params);

export interface ChangesQuery {
  readonly since: string;
  readonly after: ChangeLogCursor;
  readonly kinds: readonly RecordKind[];
  readonly limit: number;
}

/** At most `limit` changes after a place in order of time, and where the list stands then. */
export function listChangeLog(
  snapshot: Snapshot,
  { since, after, kinds, limit }: ChangesQuery,
  now_ms: number,
): {
  readonly changes: readonly ChangeLogEntry[];
  readonly end: ChangeLogCursor;
  readonly has_more: boolean;
} {
  // The first term is what the index is searched by.
  const sql = `where unixepoch(changed_at) >= unixepoch(?)
    and (unixepoch(changed_at), id) > (unixepoch(?), ?)
    and kind in (${kinds.map(() => '?').join(', ')}) order by unixepoch(changed_at), id limit ?`;
  const { changed_at, id } = after;
  const found = readHistories(snapshot, sql, changed_at, changed_at, id, ...kinds, limit + 1);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const has_more = found.length > limit;
  return {
    changes: rows.flatMap((row) => toChange(snapshot, row, since, now_ms)),
    end:
      has_more && last
        ? { changed_at: last.changed_at, id: last.id }
        : { changed_at: findLast(snapshot, after.changed_at), id: LAST_ID_OF_TIMESTAMP },
    has_more,
  };
}

function findLast({ db }: Snapshot, known: string): string {
  const sql =
    'select changed_at from histories order by unixepoch(changed_at) desc, id desc limit 1';
  const last = v.parse(v.optional(v.string(), known), db.prepare(sql).pluck().get());
  return isLater(last, known) ? last : known;
}

export interface RecentChangesQuery {
  readonly since: string;
  readonly limit: number;
  /** The page before ended here: when it was told, and its id; absent for the first. */
  readonly after?: ChangeLogCursor | null;
  readonly passes?: (change: ChangeLogEntry) => boolean;
}

/** What people were told of since a moment, the last first: a page, and how many there are. */
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
  const all = readHistories(snapshot, sql, since).flatMap((history) =>
    toChange(snapshot, history, since, now_ms)
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

function toChange(
  snapshot: Snapshot,
  history: RecordHistory,
  since: string,
  now_ms: number,
): readonly ChangeLogEntry[] {
  const found = findChangeSince(history, since);
  if (found === null) return [];
  const { id, kind, changed_at } = history;
  const thing = found.change === 'withdrawn' ? null : readThing(snapshot, kind, id, now_ms);
  return [{ id, kind, ...found, changed_at, thing }];
}

function readThing(
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
  if (kind === 'venue') return toThing(kind, snapshot.venues.get(id));
  if (kind === 'organizer') return toThing(kind, snapshot.organizers.get(id));
  return toThing(kind, snapshot.notices.get(id));
}

const toThing = <K extends RecordKind, T>(kind: K, record: T | undefined) =>
  record === undefined ? null : { kind, record };

const DAY_MS = 86_400_000;
/** A notice is told a month before it begins and a week after its end. */
const NOTICE_DAYS = { ahead: 30, behind: 7 } as const;

/** The last changed first, then what comes soonest; at most `limit`. */
export function listNewEvents(
  snapshot: Snapshot,
  now_ms: number,
  limit: number,
): readonly EventCard[] {
  const { cards, dates } = snapshot.index;
  const ahead = cards.flatMap(({ event: { updated_at } }, position) => {
    const next = dates[position]?.find(({ end_ms }) => end_ms > now_ms);
    return next ? [{ position, updated_at, start_ms: next.start_ms }] : [];
  });
  ahead.sort((a, b) => compareTexts(b.updated_at, a.updated_at) || a.start_ms - b.start_ms);
  return ahead.slice(0, limit).map(({ position }) => getUpcomingCard(snapshot, position, now_ms));
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

/** In the hour that is there twice, by the clock. */
const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
