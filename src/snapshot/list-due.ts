// What is due to be looked at again, as a release holds it for its editors.
import type { Database } from 'better-sqlite3';
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import {
  DUE_DAYS,
  type DueFact,
  DueFactSchema,
  type DueSplit,
  splitDue,
} from '../domain/knowledge/due.ts';
import type { Snapshot } from './open.ts';

/** Writes one row a fact. */
export function writeDue(db: Database, due: readonly DueFact[]): void {
  const insert = db.prepare('insert into due values (?, ?, ?)');
  for (const [position, fact] of due.entries())
    insert.run(position, fact.day, JSON.stringify(fact));
}

/** Whose day is over or comes within a week. */
export function listDue({ db }: Snapshot, today: Temporal.PlainDate): DueSplit {
  const last = today.add({ days: DUE_DAYS }).toString();
  const rows = db.prepare('select record from due where day <= ?').pluck().all(last);
  return splitDue(
    rows.map((row) => v.parse(DueFactSchema, JSON.parse(v.parse(v.string(), row)))),
    today,
  );
}

/** How many those are, without reading them. */
export function countDue({ db }: Snapshot, today: Temporal.PlainDate): number {
  const last = today.add({ days: DUE_DAYS }).toString();
  return v.parse(
    v.number(),
    db.prepare('select count(*) from due where day <= ?').pluck().get(last),
  );
}
