// Snapshot metadata: writes and reads the metadata of a snapshot and the content files from which it was built.
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import { formatTimestamp } from '../domain/local-time.ts';
import type { BuiltEvent } from '../domain/dataset.ts';
import { TOWN } from '../town.ts';

/** Stored in every snapshot. A snapshot with another number is rejected. */
export const SCHEMA_VERSION = 15;

export interface SnapshotContentFile {
  readonly digest: string;
  readonly text: string;
  readonly value: unknown;
}

export type SnapshotContentFiles = ReadonlyMap<string, SnapshotContentFile>;

export interface SnapshotInputs {
  /** Time at which the sources were read; rounded down to the second it becomes `generated_at`. */
  readonly now_ms: number;
  /** Number of the last included decision of the desk; 0 for none. */
  readonly decision?: number;
  readonly made_by?: string;
  /** For a rollback: timestamp of the release whose content it restores; otherwise empty. */
  readonly rolled_back?: string;
  readonly content?: SnapshotContentFiles;
}

const integer = v.pipe(v.string(), v.transform(Number), v.integer());

const number = v.fallback(integer, 0);
const text = v.fallback(v.string(), '');

/** Metadata of a snapshot of any version; missing values are 0 or empty. */
const MetaSchema = v.object({
  schema_version: integer,
  /** Build time, as a timestamp with offset and as epoch ms. */
  generated_at: text,
  generated_ms: number,
  /** Digest of the dataset; the same sources and clock give the same. */
  version: text,
  decision: number,
  made_by: text,
  rolled_back: text,
  /** Digest of the names and digests of the content files. */
  content_digest: text,
  /** Digest of the town.yml of the build. */
  town: text,
});
export interface SnapshotMeta extends Readonly<v.InferOutput<typeof MetaSchema>> {}

const TOWN_DIGEST = createHash('sha256')
  .update(JSON.stringify(TOWN))
  .digest('base64url')
  .slice(0, 22);

/** Tests whether a snapshot was built with this process's town.yml, which determines time zone and place names. */
export const isOfThisTown = ({ town }: SnapshotMeta): boolean => ['', TOWN_DIGEST].includes(town);

/** Computes a digest of the names and digests of content files, independent of their order. */
export function digestContentFiles(files: SnapshotContentFiles): string {
  const pairs = [...files].map(([file, { digest }]) => JSON.stringify([file, digest])).sort();
  return createHash('sha256').update(pairs.join('\n')).digest('base64url').slice(0, 22);
}

/**
 * Writes the metadata and the content files.
 * @param version Digest of the dataset.
 */
export function writeSnapshotMeta(
  db: Database.Database,
  version: string,
  inputs: SnapshotInputs,
): void {
  const { now_ms, decision = 0, made_by = '', rolled_back = '', content = new Map() } = inputs;
  const generated_ms = Math.floor(now_ms / 1000) * 1000;
  const meta: Readonly<Record<keyof SnapshotMeta, string>> = {
    schema_version: String(SCHEMA_VERSION),
    generated_at: formatTimestamp(generated_ms),
    generated_ms: String(generated_ms),
    version,
    decision: String(decision),
    made_by,
    rolled_back,
    content_digest: digestContentFiles(content),
    town: TOWN_DIGEST,
  };
  const insert = db.prepare('insert into meta values (?, ?)');
  for (const pair of Object.entries(meta)) insert.run(pair);
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

/** Opens the snapshot at a path for one query. @returns null if it cannot be read. */
export function querySnapshot<T>(
  path: string,
  query: (file: { db: Database.Database }) => T,
): T | null {
  try {
    const db = new Database(path, { readonly: true, fileMustExist: true });
    try {
      return query({ db });
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

/** Reads the metadata of a snapshot of any version. @returns null if the file cannot be read. */
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

/** Loads the content files of the snapshot at a path; empty for a snapshot of another version. */
export const loadContentRows = (path: string): readonly ContentRow[] =>
  querySnapshot(path, listContent) ?? [];

const TextPairs = v.array(v.tuple([v.string(), v.string()]));

/**
 * Creates a lookup of built events by the digest of their inputs, from a snapshot written by this code. Parses an event
 * only on request. The lookup is empty for a snapshot of another version.
 */
export function createBuiltEventLookup(path: string): (made_of: string) => BuiltEvent | null {
  const [events, dates, due] = querySnapshot(path, ({ db }) => {
    const list = (sql: string) => v.parse(TextPairs, db.prepare(sql).raw().all());
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
