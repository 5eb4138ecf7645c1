// Snapshot metadata: writes and reads a snapshot's metadata and the content files of its build.
import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import * as v from 'valibot';
import { formatTimestamp } from '../domain/local-time.ts';
import type { BuiltEvent } from '../domain/dataset.ts';
import { TOWN } from '../town.ts';

/** Version of schema.sql, stored in every snapshot. A snapshot with another number is rejected. */
export const SCHEMA_VERSION = 15;

/** A content file of the build. */
export interface SnapshotContentFile {
  /** SHA-256 of its bytes. */
  readonly digest: string;
  readonly text: string;
  /** The parsed and validated file. */
  readonly value: unknown;
}

/** Content files by path from the content folder. */
export type SnapshotContentFiles = ReadonlyMap<string, SnapshotContentFile>;

/** Inputs of a snapshot besides the dataset. */
export interface SnapshotInputs {
  /** Time at which the sources were read; rounded down to the second it becomes `generated_at`. */
  readonly now_ms: number;
  /** Number of the last included decision of the desk; 0 for none. */
  readonly decision?: number;
  /**
   * Digest of the code that built the snapshot; its parsed files and events are reused only by the
   * same code.
   */
  readonly made_by?: string;
  /** For a rollback: timestamp of the release whose content it restores; otherwise empty. */
  readonly rolled_back?: string;
  /** Files of CONTENT_DIR; none if omitted. */
  readonly content?: SnapshotContentFiles;
}

const integerText = v.pipe(v.string(), v.transform(Number), v.integer());
const integerOrZero = v.fallback(integerText, 0);
const textOrEmpty = v.fallback(v.string(), '');

/**
 * Metadata of a snapshot of any version. Only `schema_version` is required; other missing values
 * are 0 or empty.
 */
const MetaSchema = v.object({
  schema_version: integerText,
  /** Build time, as a timestamp with offset and as epoch ms. */
  generated_at: textOrEmpty,
  generated_ms: integerOrZero,
  /** Digest of the dataset; the same sources and clock give the same. */
  version: textOrEmpty,
  /** Fields of SnapshotInputs. */
  decision: integerOrZero,
  made_by: textOrEmpty,
  rolled_back: textOrEmpty,
  /** Digest of the names and digests of the content files. */
  content_digest: textOrEmpty,
  /** Digest of the town.yml of the build. */
  town: textOrEmpty,
});
export interface SnapshotMeta extends Readonly<v.InferOutput<typeof MetaSchema>> {}

const TOWN_DIGEST = createHash('sha256')
  .update(JSON.stringify(TOWN))
  .digest('base64url')
  .slice(0, 22);

/**
 * Tells if a snapshot was built with this process's town.yml (time zone, place names and more). An
 * empty digest passes: the snapshot does not have this value.
 */
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
  const insert_file = db.prepare('insert into content values (?, ?, ?, ?)');
  for (const [name, { digest, text, value }] of content)
    insert_file.run(name, digest, text, JSON.stringify(value));
}

const TextPairsSchema = v.array(v.tuple([v.string(), v.string()]));

/** Loads the metadata of an open snapshot of any version. @throws if it has none. */
export const loadSnapshotMeta = (db: Database.Database): SnapshotMeta =>
  v.parse(
    MetaSchema,
    Object.fromEntries(
      v.parse(TextPairsSchema, db.prepare('select key, value from meta').raw().all()),
    ),
  );

/**
 * Opens the snapshot at a path for one query.
 * @returns null if the file cannot be opened or the query fails, as on tables of another version.
 */
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

/** A content file as stored in the table `content`. */
const ContentRow = v.object({
  file: v.string(),
  digest: v.string(),
  text: v.string(),
  /** The parsed file as JSON. */
  value: v.string(),
});
export type ContentRow = v.InferOutput<typeof ContentRow>;

/** Lists the content files of an open snapshot. */
export const listContent = ({ db }: { readonly db: Database.Database }): readonly ContentRow[] =>
  v.parse(v.array(ContentRow), db.prepare('select * from content').all());

/** Loads the content files of the snapshot at a path; empty if it has no such table. */
export const loadContentRows = (path: string): readonly ContentRow[] =>
  querySnapshot(path, listContent) ?? [];

/**
 * Creates a lookup of built events by the digest of their inputs (`made_of`), so that a build can
 * reuse unchanged events. Parses an event only on request, without validation: the caller checks by
 * `made_by` that the same code wrote the snapshot. The lookup is empty if its tables differ.
 */
export function createBuiltEventLookup(path: string): (made_of: string) => BuiltEvent | null {
  // Each row is a pair of `made_of` and the JSON of a record. `due`: the facts of an event to review.
  const [event_rows, occurrence_rows, due_rows] = querySnapshot(path, ({ db }) => {
    const list = (sql: string) => v.parse(TextPairsSchema, db.prepare(sql).raw().all());
    return [
      list("select made_of, record from events where made_of <> ''"),
      list(
        'select made_of, occurrences.record from occurrences join events on events.position = occurrences.event order by occurrences.position',
      ),
      list(
        "select made_of, due.record from due join events on events.id = due.record ->> '$.id' order by due.position",
      ),
    ] as const;
  }) ?? [[], [], []];
  const json_by_digest = new Map(event_rows);
  const groupByDigest = (rows: readonly (readonly [string, string])[]) =>
    Map.groupBy(rows, ([made_of]) => made_of);
  const occurrences_by_digest = groupByDigest(occurrence_rows);
  const due_by_digest = groupByDigest(due_rows);
  return (made_of) => {
    const event_json = json_by_digest.get(made_of);
    if (event_json === undefined) return null;
    const parseRows = (rows: readonly (readonly [string, string])[] = []) =>
      rows.map(([, json]) => JSON.parse(json));
    return {
      record: JSON.parse(event_json),
      occurrences: parseRows(occurrences_by_digest.get(made_of)),
      due: parseRows(due_by_digest.get(made_of)),
    };
  };
}
