// The calendar of a snapshot: one row, read once when it is opened.
import type { Database } from 'better-sqlite3';
import * as v from 'valibot';
import { type CalendarRecord, CalendarRecordSchema } from '../domain/day/calendar.ts';

/** Writes it beside the other records. */
export const writeCalendar = (db: Database, calendar: CalendarRecord): void => {
  db.prepare('insert into calendar values (0, ?)').run(JSON.stringify(calendar));
};

/** Throws where the snapshot has none. */
export const readCalendar = (db: Database): CalendarRecord =>
  v.parse(
    CalendarRecordSchema,
    JSON.parse(v.parse(v.string(), db.prepare('select record from calendar').pluck().get())),
  );
