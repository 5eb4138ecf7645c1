// What a snapshot says of itself, and the source files that it was made of.
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import { formatTimestamp } from '../domain/local-time.ts';
import type { BuiltEvent } from '../domain/dataset.ts';
import { TOWN } from '../town.ts';

/** Written into every snapshot; another number is not opened. */
export const SCHEMA_VERSION = 15;

export interface SnapshotContentFile {
  readonly digest: string;
  readonly text: string;
  readonly value: unknown;
}

export type SnapshotContentFiles = ReadonlyMap<string, SnapshotContentFile>;

export interface SnapshotInputs {
  /** When its sources were read; to the second it becomes `generated_at`. */
  readonly now_ms: number;
  /** The number of the last decision of the desk that it knows; 0 for none. */
  readonly decision?: number;
  readonly made_by?: string;
  /** When the content that it goes back to was released, as a timestamp; empty where it does not. */
  readonly rolled_back?: string;
  readonly content?: SnapshotContentFiles;
}

const integer = v.pipe(v.string(), v.transform(Number), v.integer());

const number = v.fallback(integer, 0);
const text = v.fallback(v.string(), '');

/** What a snapshot of any version says: 0 or empty is what it does not. */
const MetaSchema = v.object({
  schema_version: integer,
  /** When it was built, timestamp with offset and epoch ms. */
  generated_at: text,
  generated_ms: number,
  /** A digest of what it says; the same sources and clock give the same. */
  version: text,
  decision: number,
  made_by: text,
  rolled_back: text,
  /** Of the names and digests of its source files. */
  content_digest: text,
  /** A digest of the town by whose code it was made. */
  town: text,
});
export interface SnapshotMeta extends Readonly<v.InferOutput<typeof MetaSchema>> {}

const OWN_TOWN = createHash('sha256').update(JSON.stringify(TOWN)).digest('base64url').slice(0, 22);

/** Whether it is of this process's town: it would say its days and places as another's. */
export const isOfThisTown = ({ town }: SnapshotMeta): boolean => ['', OWN_TOWN].includes(town);

/** A digest of the names and digests of source files, whatever their order. */
export function digestContentFiles(files: SnapshotContentFiles): string {
  const pairs = [...files].map(([file, { digest }]) => JSON.stringify([file, digest])).sort();
  return createHash('sha256').update(pairs.join('\n')).digest('base64url').slice(0, 22);
}

/** Writes both. `version`: a digest of what the snapshot says. */
export function writeSnapshotMeta(
  db: Database.Database,
  version: string,
  made_of: SnapshotInputs,
): void {
  const { now_ms, decision = 0, made_by = '', rolled_back = '', content = new Map() } = made_of;
  const generated_ms = Math.floor(now_ms / 1000) * 1000;
  const said: Readonly<Record<keyof SnapshotMeta, string>> = {
    schema_version: String(SCHEMA_VERSION),
    generated_at: formatTimestamp(generated_ms),
    generated_ms: String(generated_ms),
    version,
    decision: String(decision),
    made_by,
    rolled_back,
    content_digest: digestContentFiles(content),
    town: OWN_TOWN,
  };
  const insert = db.prepare('insert into meta values (?, ?)');
  for (const pair of Object.entries(said)) insert.run(pair);
  const file = db.prepare('insert into content values (?, ?, ?, ?)');
  for (const [name, { digest, text, value }] of content)
    file.run(name, digest, text, JSON.stringify(value));
}

const Pairs = v.array(v.tuple([v.string(), v.string()]));

export const loadSnapshotMeta = (db: Database.Database): SnapshotMeta =>
  v.parse(
    MetaSchema,
    Object.fromEntries(v.parse(Pairs, db.prepare('select key, value from meta').raw().all())),
  );

/** Opens the snapshot at a path for one question; null where it cannot be read. */
export function querySnapshot<T>(
  path: string,
  ask: (file: { db: Database.Database }) => T,
): T | null {
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return ask({ db });
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

/** What the snapshot at a path says of itself, of another version too; null where it cannot be read. */
export const readSnapshotMeta = (path: string): SnapshotMeta | null =>
  querySnapshot(path, ({ db }) => loadSnapshotMeta(db));

const ContentRow = v.object({
  file: v.string(),
  digest: v.string(),
  text: v.string(),
  /** JSON. */
  value: v.string(),
});
export type ContentRow = v.InferOutput<typeof ContentRow>;

export const listContent = ({ db }: { readonly db: Database.Database }): readonly ContentRow[] =>
  v.parse(v.array(ContentRow), db.prepare('select * from content').all());

/** Those of the snapshot at a path; none of one of another version. */
export const loadContentRows = (path: string): readonly ContentRow[] =>
  querySnapshot(path, listContent) ?? [];

const Texts = v.array(v.tuple([v.string(), v.string()]));

/**
 * Finds events of the snapshot at a path, which this code has made, by what they were made of; each is parsed
 * when it is asked for. None of a snapshot of another version.
 */
export function createBuiltEventLookup(path: string): (made_of: string) => BuiltEvent | null {
  const [events, dates, due] = querySnapshot(path, ({ db }) => {
    const list = (sql: string) => v.parse(Texts, db.prepare(sql).raw().all());
    return [
      list("select made_of, record from events where made_of <> ''"),
      list(
        'select e.made_of, o.record from occurrences o join events e on e.position = o.event order by o.position',
      ),
      list(
        "select e.made_of, d.record from due d join events e on e.id = d.record ->> '$.id' order by d.position",
      ),
    ] as const;
  }) ?? [[], [], []];
  const records = new Map(events);
  const [dates_of, due_of] = [dates, due].map((rows) => Map.groupBy(rows, ([made_of]) => made_of));
  return (made_of) => {
    const record = records.get(made_of);
    if (record === undefined) return null;
    const parse = (rows: readonly (readonly [string, string])[] = []) =>
      rows.map(([, text]) => JSON.parse(text));
    return {
      record: JSON.parse(record),
      occurrences: parse(dates_of?.get(made_of)),
      due: parse(due_of?.get(made_of)),
    };
  };
}
