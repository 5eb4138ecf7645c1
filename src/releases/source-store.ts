// data/sources.db: what each file of content last said in a release that served. It saves reading what
// has not changed, and stands in for what is faulty. May go: all is read anew then.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import type { KeptFile, KeptSources } from '../sources/kept-sources.ts';
import type { GoodFile } from '../sources/read-leniently.ts';

export interface SourceStore extends KeptSources {
  /** Keeps what was taken as it stands, and of the rest what `isNeeded`. */
  readonly keep: (good: ReadonlyMap<string, GoodFile>, isNeeded: (file: string) => boolean) => void;
  readonly close: () => void;
}

const SCHEMA = `
  create table if not exists origin (one integer primary key check (one = 1), content_dir text not null);
  create table if not exists files (
    file text primary key, digest text not null, code text not null, value text not null
  );`;

const RowSchema = v.object({ digest: v.string(), code: v.string(), value: v.string() });
const HeadSchema = v.object({ file: v.string(), digest: v.string(), code: v.string() });

const toFile = (data_dir: string): string => join(data_dir, 'sources.db');

/** Opens it; a damaged one is begun afresh, and so is that of another folder of content. */
export function openSourceStore(data_dir: string, content_dir: string, code: string): SourceStore {
  const path = toFile(data_dir);
  try {
    return open(path, content_dir, code);
  } catch {
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(path + ending, { force: true });
    return open(path, content_dir, code);
  }
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
    db.pragma('journal_mode = wal');
    db.exec(SCHEMA);
    db.transaction(() => forgetOthers(db, content_dir))();
    const find = db.prepare('select digest, code, value from files where file = ?');
    return {
      find: (file) => toKept(find.get(file), code),
      keep: (good, isNeeded) => db.transaction(() => write(db, code, good, isNeeded))(),
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
  db.exec('delete from files');
  db.prepare('insert or replace into origin values (1, ?)').run(content_dir);
}

function toKept(row: unknown, code: string): KeptFile | null {
  if (row === undefined) return null;
  const { value, ...kept } = v.parse(RowSchema, row);
  const known: unknown = JSON.parse(value);
  return { digest: kept.digest, value: known, is_of_this_code: kept.code === code };
}

function write(
  db: Database.Database,
  code: string,
  good: ReadonlyMap<string, GoodFile>,
  isNeeded: (file: string) => boolean,
): void {
  const insert = db.prepare('insert or replace into files values (?, ?, ?, ?)');
  const remove = db.prepare('delete from files where file = ?');
  const heads = v.parse(
    v.array(HeadSchema),
    db.prepare('select file, digest, code from files').all(),
  );
  const known = new Map(heads.map((head) => [head.file, head]));
  for (const file of known.keys()) if (!good.has(file) && !isNeeded(file)) remove.run(file);
  for (const [file, { digest, value }] of good) {
    const head = known.get(file);
    if (value !== null && (head?.digest !== digest || head.code !== code))
      insert.run(file, digest, code, JSON.stringify(value));
  }
}
