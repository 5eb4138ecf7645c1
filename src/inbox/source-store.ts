// data/sources.db: what each file of content last said in a release that served. It saves reading what
// has not changed, and stands in for what is faulty. May go: all is read anew then.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as v from 'valibot';

/** What a file of content last said. */
interface KeptRow {
  /** Of its bytes. */
  readonly digest: string;
  readonly value: unknown;
  /** Whether the code that read it was this one. */
  readonly is_of_this_code: boolean;
}

/** What to keep of a file; what is null is there already. */
interface NewRow extends Pick<KeptRow, 'digest'> {
  /** Its value as JSON. */
  readonly text: string | null;
}

/** The digest of a file, and by what the file system tells that it is the same file still. */
interface StampedDigest {
  /** Inode, size, and when it was written and changed, in nanoseconds. */
  readonly stamp: string;
  readonly digest: string;
}

/** By path from the content folder. */
export type StampedDigests = ReadonlyMap<string, StampedDigest>;

export interface SourceStore {
  /** By path from the content folder; null for what is not known, or cannot be read any more. */
  readonly find: (file: string) => KeptRow | null;
  /** The digest of all that is kept, by path; null for a file that other code read. */
  readonly listDigests: () => ReadonlyMap<string, string | null>;
  /** Keeps what was taken as it stands, and of the rest what `isNeeded`. */
  readonly keep: (good: ReadonlyMap<string, NewRow>, isNeeded: (file: string) => boolean) => void;
  /** The files that were looked at, by what the file system said of each then. */
  readonly listStamped: () => StampedDigests;
  readonly keepStamped: (now: StampedDigests) => void;
  readonly close: () => void;
}

const SCHEMA = `
  create table if not exists origin (one integer primary key check (one = 1), content_dir text not null);
  create table if not exists files (
    file text primary key, digest text not null, code text not null, value text not null
  );
  create table if not exists stamps (file text primary key, stamp text not null, digest text not null);`;

const RowSchema = v.object({ digest: v.string(), code: v.string(), value: v.string() });
const StampSchema = v.object({ file: v.string(), stamp: v.string(), digest: v.string() });
const HeadSchema = v.object({ file: v.string(), digest: v.string(), code: v.string() });

const toFile = (data_dir: string): string => join(data_dir, 'sources.db');

const isDamage = (thrown: unknown): boolean =>
  thrown instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(thrown.code);

/** Does what is asked; where the file turns out damaged, it goes first. */
function mended<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!isDamage(thrown)) throw thrown;
    for (const ending of ['', '-journal']) rmSync(path + ending, { force: true });
    return work();
  }
}

/** Opens it; a damaged one is begun afresh, and so is that of another folder of content. */
export function openSourceStore(data_dir: string, content_dir: string, code: string): SourceStore {
  const path = toFile(data_dir);
  return mended(path, () => open(path, content_dir, code));
}

/** Keeps what was taken as it stands, and of the rest what `isNeeded`. */
export function keepSources(
  data_dir: string,
  content_dir: string,
  code: string,
  good: ReadonlyMap<string, NewRow>,
  isNeeded: (file: string) => boolean,
): void {
  const path = toFile(data_dir);
  mended(path, () => {
    const store = open(path, content_dir, code);
    try {
      store.keep(good, isNeeded);
    } finally {
      store.close();
    }
  });
}

/** The same for whoever only reads: null where there is none yet. */
export const findSourceStore = (
  data_dir: string,
  content_dir: string,
  code: string,
): SourceStore | null =>
  existsSync(toFile(data_dir)) ? openSourceStore(data_dir, content_dir, code) : null;

function open(path: string, content_dir: string, code: string): SourceStore {
  const db = new Database(path);
  try {
    // No log beside it: reading it must not need room on the disk.
    db.exec(SCHEMA);
    db.transaction(() => forgetOthers(db, content_dir))();
    const find = db.prepare('select digest, code, value from files where file = ?');
    return {
      find: (file) => readRow(() => find.get(file), code),
      listDigests: () =>
        new Map(
          unlessDamaged(() => readHeads(db)).map((head) => [
            head.file,
            head.code === code ? head.digest : null,
          ]),
        ),
      keep: (good, isNeeded) => db.transaction(() => write(db, code, good, isNeeded))(),
      listStamped: () => new Map(unlessDamaged(() => readStamps(db)).map((row) => [row.file, row])),
      keepStamped: (now) => db.transaction(() => writeStamps(db, now))(),
      close: () => void db.close(),
    };
  } catch (thrown) {
    db.close();
    throw thrown;
  }
}

/** Records of another town must not stand in for those of this one. */
function forgetOthers(db: Database.Database, content_dir: string): void {
  const known = db.prepare('select content_dir from origin').pluck().get();
  if (known === content_dir) return;
  db.exec('delete from files; delete from stamps');
  db.prepare('insert or replace into origin values (1, ?)').run(content_dir);
}

/** Nothing where it is damaged: what is kept next mends it. */
function unlessDamaged<T>(list: () => readonly T[]): readonly T[] {
  try {
    return list();
  } catch (thrown) {
    if (isDamage(thrown)) return [];
    throw thrown;
  }
}

function readRow(read: () => unknown, code: string): KeptRow | null {
  let row: unknown;
  try {
    row = read();
  } catch (thrown) {
    if (isDamage(thrown)) return null;
    throw thrown;
  }
  if (row === undefined) return null;
  const { value, ...kept } = v.parse(RowSchema, row);
  const known: unknown = JSON.parse(value);
  return { digest: kept.digest, value: known, is_of_this_code: kept.code === code };
}

const readHeads = (db: Database.Database) =>
  v.parse(v.array(HeadSchema), db.prepare('select file, digest, code from files').all());

function write(
  db: Database.Database,
  code: string,
  good: ReadonlyMap<string, NewRow>,
  isNeeded: (file: string) => boolean,
): void {
  const insert = db.prepare('insert or replace into files values (?, ?, ?, ?)');
  const remove = db.prepare('delete from files where file = ?');
  const known = new Map(readHeads(db).map((head) => [head.file, head]));
  for (const file of known.keys()) if (!good.has(file) && !isNeeded(file)) remove.run(file);
  for (const [file, { digest, text }] of good) {
    const head = known.get(file);
    const is_there = head !== undefined && head.digest === digest && head.code === code;
    if (text !== null && !is_there) insert.run(file, digest, code, text);
  }
}

const readStamps = (db: Database.Database) =>
  v.parse(v.array(StampSchema), db.prepare('select file, stamp, digest from stamps').all());

function writeStamps(db: Database.Database, now: StampedDigests): void {
  const insert = db.prepare('insert or replace into stamps values (?, ?, ?)');
  const remove = db.prepare('delete from stamps where file = ?');
  const known = new Map(readStamps(db).map((row) => [row.file, row.stamp]));
  for (const file of known.keys()) if (!now.has(file)) remove.run(file);
  for (const [file, { stamp, digest }] of now)
    if (known.get(file) !== stamp) insert.run(file, stamp, digest);
}
