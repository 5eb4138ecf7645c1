// The rows of a snapshot that a status decision touches: read, written anew, or taken out. Of a copy
// alone: what serves is never written again.
import type { Database } from 'better-sqlite3';
import * as v from 'valibot';
import type { OverrideText } from '../domain/dataset.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { History } from '../domain/history.ts';
import { CERTAINTIES } from '../domain/knowledge/certainty.ts';
import { LocalTextSchema } from '../domain/lang.ts';
import { dropFromArrays, type PatchedDate, patchIndex } from './amend-arrays.ts';
import { writeHistories } from './list-changes.ts';
import { STATUSES } from './memory-index.ts';

/** Writes what a decision is laid over, one row an event. */
export function writeBases(db: Database, bases: ReadonlyMap<string, string>): void {
  const insert = db.prepare('insert or replace into bases values (?, ?)');
  for (const [event, record] of bases) insert.run(event, record);
}

/** Writes the decisions that a snapshot is made with, in place of those before. */
export function writeOverrides(db: Database, overrides: readonly OverrideText[]): void {
  db.exec('delete from overrides');
  const insert = db.prepare('insert into overrides values (?, ?, ?)');
  for (const { event, date, record } of overrides) insert.run(event, date, record);
}

const OverrideRows = v.array(v.object({ event: v.string(), date: v.string(), record: v.string() }));

/** The decisions that a snapshot is made with. */
export const readOverrideTexts = (db: Database): readonly OverrideText[] =>
  v.parse(
    OverrideRows,
    db.prepare('select event, date, record from overrides order by event, date').all(),
  );

const EventRow = v.object({ position: v.number(), record: v.string(), basis: v.string() });
const flag = v.pipe(
  v.number(),
  v.transform((number) => number === 1),
);
const DateRow = v.object({
  position: v.number(),
  id: v.string(),
  start: v.string(),
  end: v.string(),
  start_ms: v.number(),
  end_ms: v.number(),
  first_day: v.number(),
  last_day: v.number(),
  all_day: flag,
  time_known: flag,
  end_known: flag,
  certainty: v.picklist(CERTAINTIES),
  status: v.picklist(STATUSES),
  notes: v.nullable(
    v.pipe(
      v.string(),
      v.transform((text): unknown => JSON.parse(text)),
      LocalTextSchema,
    ),
  ),
  updated_at: v.string(),
  sequence: v.number(),
});

/** An event as it lies in a snapshot. */
export interface EventRows {
  /** JSON. */
  readonly record: string;
  readonly basis: string;
  /** In their order. */
  readonly occurrences: readonly OccurrenceRecord[];
}

/** An event by id; null where the snapshot has none. */
export function readEventRows(db: Database, id: string): EventRows | null {
  const found: unknown = db
    .prepare(
      'select e.position, e.record, b.record as basis from events e join bases b on b.event = e.id where e.id = ?',
    )
    .get(id);
  if (found === undefined) return null;
  const { position, record, basis } = v.parse(EventRow, found);
  const rows = db.prepare('select * from occurrences where event = ? order by position');
  const dates = v.parse(v.array(DateRow), rows.all(position));
  return {
    record,
    basis,
    occurrences: dates.map(({ position: _, ...o }) => ({ ...o, event: id })),
  };
}

/** A row's record by id, as JSON; null where there is none. */
export function readRecordText(
  db: Database,
  table: 'venues' | 'organizers',
  id: string,
): string | null {
  const text: unknown = db.prepare(`select record from ${table} where id = ?`).pluck().get(id);
  return v.parse(v.nullable(v.string()), text ?? null);
}

/** The records of all categories and zones by key, as JSON. */
export const readTaxonTexts = (db: Database): ReadonlyMap<string, string> =>
  new Map(
    v.parse(
      v.array(v.tuple([v.string(), v.string()])),
      db.prepare('select key, record from taxa').raw().all(),
    ),
  );

/** An event with other words for its status. */
export interface AmendedRows extends EventRows {
  readonly id: string;
  readonly status: string;
  readonly updated_at: string;
}

/** Writes events over themselves; their dates are those that were there. */
export function writeAmended(db: Database, events: readonly AmendedRows[]): void {
  const event = db.prepare('update events set status = ?, updated_at = ?, record = ? where id = ?');
  const date = db.prepare(
    'update occurrences set status = ?, notes = ?, updated_at = ?, sequence = ? where id = ? returning position',
  );
  const patched = new Map<number, PatchedDate>();
  for (const { id, status, updated_at, record, occurrences } of events) {
    event.run(status, updated_at, record, id);
    if (status === 'cancelled') dropDue(db, id);
    for (const o of occurrences) {
      const notes = o.notes && JSON.stringify(o.notes);
      const row: unknown = date.pluck().get(o.status, notes, o.updated_at, o.sequence, o.id);
      patched.set(v.parse(v.number(), row), o);
    }
  }
  writeBases(db, new Map(events.map(({ id, basis }) => [id, basis])));
  patchIndex(db, patched);
}

/** Takes events out: nothing is left of them but that their addresses are gone (contract 5.5). */
export function dropEvents(db: Database, ids: readonly string[]): void {
  const gone = db.prepare('select position from events where id = ?').pluck();
  const positions = v.parse(
    v.array(v.number()),
    ids.map((id) => gone.get(id)),
  );
  const dates = db.prepare('delete from occurrences where event = ? returning position').pluck();
  const gone_dates = positions.flatMap((at) => v.parse(v.array(v.number()), dates.all(at)));
  for (const id of ids) {
    db.prepare('delete from events where id = ?').run(id);
    db.prepare('delete from bases where event = ?').run(id);
    db.prepare(
      "insert or ignore into withdrawn select kind, slug from slugs where kind = 'event' and id = ?",
    ).run(id);
    db.prepare("delete from slugs where kind = 'event' and id = ?").run(id);
    dropDue(db, id);
  }
  closeGaps(db, 'occurrences', 'event', positions);
  closeGaps(db, 'occurrences', 'position', gone_dates);
  closeGaps(db, 'events', 'position', positions);
  dropFromArrays(db, new Set(positions), new Set(gone_dates));
}

function dropDue(db: Database, id: string): void {
  const dropped = db
    .prepare("delete from due where record ->> '$.id' = ? returning position")
    .pluck()
    .all(id);
  closeGaps(db, 'due', 'position', v.parse(v.array(v.number()), dropped));
}

/** Moves positions down by as many of `gone` as were before them. */
function closeGaps(
  db: Database,
  table: 'events' | 'occurrences' | 'due',
  column: 'position' | 'event',
  gone: readonly number[],
): void {
  if (gone.length === 0) return;
  db.exec('create temp table gone (position integer primary key)');
  const insert = db.prepare('insert into gone values (?)');
  for (const position of gone) insert.run(position);
  const before = `(select count(*) from gone where gone.position < ${table}.${column})`;
  // By way of negative numbers, so that no two rows ever have the same.
  db.prepare(
    `update ${table} set ${column} = -1 - (${column} - ${before}) where ${column} > ?`,
  ).run(Math.min(...gone));
  db.exec(`update ${table} set ${column} = -1 - ${column} where ${column} < 0; drop table gone`);
}

/** Writes what became of things, over what was known of them. */
export function writeAmendedHistories(db: Database, histories: readonly History[]): void {
  const forget = db.prepare('delete from histories where id = ?');
  for (const { id } of histories) forget.run(id);
  writeHistories(db, new Map(histories.map((history) => [history.id, history])));
}

/** Says when it was amended, and that it says something else now. */
export function writeAmendedMeta(db: Database, meta: Readonly<Record<string, string>>): void {
  const update = db.prepare('update meta set value = ? where key = ?');
  for (const [key, value] of Object.entries(meta)) update.run(value, key);
}
