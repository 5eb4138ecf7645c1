// What became of things since a moment: in the order of it, for who keeps in step, and the last of it
// first, for who reads (contract 8.31).
import type { Database } from 'better-sqlite3';
import * as v from 'valibot';
import type { ChangedThing, ChangeRecord } from '../domain/changed-thing.ts';
import {
  END_OF_MOMENT,
  findChange,
  type Histories,
  type History,
  HistorySchema,
  type HistoryKind,
  type Place,
  toToldAt,
} from '../domain/history.ts';
import { readNotice, readOrganizer, readUpcomingCard, readVenue } from './get-thing.ts';
import type { Snapshot } from './open.ts';

/** Writes one row a thing. */
export function writeHistories(db: Database, histories: Histories): void {
  const insert = db.prepare('insert into histories values (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  for (const row of toHistoryRows(histories)) insert.run(...row);
}

/** What is written of each, its id first. */
export const toHistoryRows = (histories: Histories): [string, ...(string | number)[]][] =>
  [...histories.values()].map((h) => [
    h.id,
    h.kind,
    h.added_at,
    h.said_at,
    h.status,
    h.status_at,
    h.changed_at,
    Number(h.is_gone),
    toToldAt(h),
  ]);

const COLUMNS = "id, kind, '' as digest, added_at, said_at, status, status_at, changed_at, is_gone";
/** The same with SQLite's word for true. */
const Row = v.object({
  ...HistorySchema.entries,
  is_gone: v.pipe(
    v.number(),
    v.transform((flag) => flag === 1),
  ),
});

/** At most `limit` changes after a place in order of time, and where the list stands then. */
export function listChanges(
  snapshot: Snapshot,
  {
    since,
    after,
    kinds,
    limit,
  }: {
    readonly since: string;
    readonly after: Place;
    readonly kinds: readonly HistoryKind[];
    readonly limit: number;
  },
  now_ms: number,
): { readonly changes: readonly ChangeRecord[]; readonly end: Place; readonly has_more: boolean } {
  const found = v.parse(
    v.array(Row),
    snapshot.db
      .prepare(
        `select ${COLUMNS} from histories where (changed_at, id) > (?, ?) and kind in (${kinds.map(() => '?').join(', ')})
         order by changed_at, id limit ?`,
      )
      .all(after.changed_at, after.id, ...kinds, limit + 1),
  );
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const has_more = found.length > limit;
  return {
    changes: rows.flatMap((row) => toChange(snapshot, row, since, now_ms)),
    end:
      has_more && last
        ? { changed_at: last.changed_at, id: last.id }
        : { changed_at: findLast(snapshot, after.changed_at), id: END_OF_MOMENT },
    has_more,
  };
}

/** The last moment at which anything changed, or `known` where that is later. */
function findLast({ db }: Snapshot, known: string): string {
  const last = v.parse(
    v.nullable(v.string()),
    db.prepare('select max(changed_at) from histories').pluck().get(),
  );
  return last !== null && last > known ? last : known;
}

/**
 * What people were told of since a moment, the last first: at most `limit`, and how many there are.
 */
export function listTold(
  snapshot: Snapshot,
  since: string,
  limit: number,
  now_ms: number,
): { readonly changes: readonly ChangeRecord[]; readonly total: number } {
  const rows = v.parse(
    v.array(Row),
    snapshot.db
      .prepare(
        `select ${COLUMNS} from histories where told_at > ? order by told_at desc, id limit ?`,
      )
      .all(since, limit),
  );
  const total = v.parse(
    v.number(),
    snapshot.db.prepare('select count(*) from histories where told_at > ?').pluck().get(since),
  );
  return { changes: rows.flatMap((row) => toChange(snapshot, row, since, now_ms)), total };
}

function toChange(
  snapshot: Snapshot,
  history: History,
  since: string,
  now_ms: number,
): readonly ChangeRecord[] {
  const found = findChange(history, since);
  if (found === null) return [];
  const { id, kind, changed_at } = history;
  const thing = found.change === 'withdrawn' ? null : readThing(snapshot, kind, id, now_ms);
  return [{ id, kind, ...found, changed_at, thing }];
}

function readThing(
  snapshot: Snapshot,
  kind: HistoryKind,
  id: string,
  now_ms: number,
): ChangedThing | null {
  switch (kind) {
    case 'event':
      return readEvent(snapshot, id, now_ms);
    case 'venue': {
      const record = readVenue(snapshot, id);
      return record && { kind, record };
    }
    case 'organizer': {
      const record = readOrganizer(snapshot, id);
      return record && { kind, record };
    }
    case 'notice': {
      const record = readNotice(snapshot, id);
      return record && { kind, record };
    }
  }
}

function readEvent(snapshot: Snapshot, id: string, now_ms: number): ChangedThing | null {
  const position = snapshot.positionOf(id);
  return position === null
    ? null
    : { kind: 'event', card: readUpcomingCard(snapshot, position, now_ms) };
}
