// The file of a snapshot, looked into without its memory index, or written into before anybody reads
// it.
import { closeSync, fsyncSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { SnapshotCounts } from './build.ts';

/** A snapshot that is open for a look, or for writing. */
export type SnapshotFile = Database.Database;

/** Looks into it. Throws where it is none. */
export function inSnapshotFile<T>(path: string, look: (file: SnapshotFile) => T): T {
  const file = new Database(path, { readonly: true, fileMustExist: true });
  try {
    return look(file);
  } finally {
    file.close();
  }
}

/** Writes into it, all of `work` or nothing; on disk when this returns. */
export function writeSnapshotFile<T>(path: string, work: (file: SnapshotFile) => T): T {
  const file = new Database(path, { fileMustExist: true });
  try {
    file.pragma('journal_mode = memory');
    file.pragma('synchronous = off');
    // What was withdrawn is not to be read in the file's free pages either.
    file.pragma('secure_delete = on');
    // Positions are moved; that they lead somewhere is checked afterwards.
    file.pragma('foreign_keys = off');
    return file.transaction(() => work(file))();
  } finally {
    file.close();
    const handle = openSync(path, 'r+');
    fsyncSync(handle);
    closeSync(handle);
  }
}

/** The title of an event for its editors, in Spanish; null where there is no such event. */
export function findTitle(file: SnapshotFile, event: string): string | null {
  const sql = "select record ->> '$.title.es' from events where id = ?";
  return v.parse(v.nullable(v.string()), file.prepare(sql).pluck().get(event) ?? null);
}

/** A digest of what it says. */
export const readVersion = (file: SnapshotFile): string =>
  v.parse(v.string(), file.prepare("select value from meta where key = 'version'").pluck().get());

/** How many of each thing it holds. */
export function countRows(file: SnapshotFile): SnapshotCounts {
  const count = (table: keyof SnapshotCounts): number =>
    v.parse(v.number(), file.prepare(`select count(*) from ${table}`).pluck().get());
  return {
    events: count('events'),
    occurrences: count('occurrences'),
    venues: count('venues'),
    organizers: count('organizers'),
    notices: count('notices'),
  };
}
