// A few questions to a release's snapshot by a process that serves none: where an event is, and which dates
// of a day are not sure. The file is opened for each question; nothing of it stays in memory.
import Database from 'better-sqlite3';
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { toDayNumber } from '../domain/cancun-time.ts';
import { type LocalText, LocalTextSchema } from '../domain/lang.ts';

/** The events of the release that serves. */
export interface ReleasedEvents {
  /** When its sources were read. */
  readonly generated_ms: number;
  /** Null where it has no such event. */
  readonly findSlug: (id: string) => LocalText | null;
  /**
   * The ids of events that begin on a day, as scheduled, and of which that is not sure: by certainty, for
   * want of an hour, or because nobody has looked since `checked_before` (a day).
   */
  readonly listUnsure: (day: Temporal.PlainDate, checked_before: Temporal.PlainDate) => string[];
}

const RecordSchema = v.object({ slug: LocalTextSchema, source_checked: v.string() });
const UnsureRow = v.object({ id: v.string(), is_sure: v.number(), record: v.string() });

/** Those of the snapshot at a path. */
export function toReleasedEvents(path: string, generated_ms: number): ReleasedEvents {
  const ask = <T>(question: (db: Database.Database) => T): T => {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return question(db);
    } finally {
      db.close();
    }
  };
  const parse = (json: unknown) => v.parse(RecordSchema, JSON.parse(v.parse(v.string(), json)));
  return {
    generated_ms,
    findSlug: (id) =>
      ask((db) => {
        const json = db.prepare('select record from events where id = ?').pluck().get(id);
        return json === undefined ? null : parse(json).slug;
      }),
    listUnsure: (day, checked_before) =>
      ask((db) =>
        v
          .parse(
            v.array(UnsureRow),
            db
              .prepare(
                `select e.id, min(o.certainty = 'confirmed' and o.time_known) as is_sure, e.record
                   from occurrences o join events e on e.position = o.event
                   where o.first_day = ? and o.status = 'scheduled' group by e.position`,
              )
              .all(toDayNumber(day)),
          )
          .filter(
            ({ is_sure, record }) =>
              is_sure === 0 || parse(record).source_checked < checked_before.toString(),
          )
          .map(({ id }) => id),
      ),
  };
}
