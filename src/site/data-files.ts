// Public data files: build the files with all public records (one SQLite database, and a CSV and a
// JSON Lines file of each table) from a snapshot, and their SHA-256 digests (contract 17).
import { createHash } from 'node:crypto';
import { DATA_TABLES, type DataTableName } from '../domain/dataset.ts';
import { dataFilePath } from '../i18n/paths.ts';
import {
  type DataTableWithColumns,
  toCsv,
  buildDataTables,
  toJsonLines,
} from '../serializers/data-tables.ts';
import { listEvents, listOrganizers, listVenues } from '../snapshot/list-records.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { buildDataFile } from '../snapshot/build-data-file.ts';
import type { PageContext } from './page-context.ts';

/** A file to download. `size` is in bytes, `sha256` in hexadecimal. */
export interface DataFile {
  readonly name: string;
  readonly form: 'sqlite' | 'csv' | 'jsonl';
  /** Null for the database, which has all tables. */
  readonly table: DataTableName | null;
  readonly size: number;
  readonly sha256: string;
}

/** File with the digests, in the format of sha256sum. */
export const CHECKSUMS_NAME = 'SHA256SUMS';
/** Text formats, each with its serializer of a table. */
const TEXT_FORMS = [
  { form: 'csv', serialize: toCsv },
  { form: 'jsonl', serialize: toJsonLines },
] as const;

type Tables = readonly DataTableWithColumns[];
/** A file before it is built. */
type FileBuilder = Pick<DataFile, 'name' | 'form' | 'table'> & {
  readonly build: (tables: Tables) => Buffer;
};

/** All files, in the order of the page. */
const FILE_BUILDERS: readonly FileBuilder[] = [
  { name: 'agenda.sqlite', form: 'sqlite', table: null, build: buildDataFile },
  ...TEXT_FORMS.flatMap(({ form, serialize }) =>
    DATA_TABLES.map((name): FileBuilder => {
      const build = (tables: Tables): Buffer =>
        Buffer.from(
          tables.flatMap((table) => (table.name === name ? serialize(table) : [])).join(''),
        );
      return { name: `${name}.${form}`, form, table: name, build };
    }),
  ),
];

/** Names of all files, with the digests. */
export const DATA_NAMES: readonly string[] = [
  ...FILE_BUILDERS.map(({ name }) => name),
  CHECKSUMS_NAME,
];

type DataFileContext = Pick<PageContext, 'snapshot' | 'site'>;

/** Cached while files are built: a large town's rows take 100 MB, its files 500 MB. */
const table_cache = new WeakMap<Snapshot, Tables>();
const TABLE_CACHE_MS = 60_000;

/** Returns the rows of all tables, from the cache if another file needed them lately. */
function getTables({ snapshot, site }: DataFileContext): Tables {
  const cached = table_cache.get(snapshot);
  if (cached) return cached;
  const tables = buildDataTables(
    {
      taxonomy: snapshot.taxonomy,
      events: listEvents(snapshot),
      occurrences: snapshot.index.dates.flat(),
      venues: listVenues(snapshot),
      organizers: listOrganizers(snapshot),
      notices: [...snapshot.notices.values()],
    },
    site,
  );
  table_cache.set(snapshot, tables);
  setTimeout(() => table_cache.delete(snapshot), TABLE_CACHE_MS).unref();
  return tables;
}

/** Sizes and digests of the files built so far, by snapshot and file name. */
const built_files = new WeakMap<Snapshot, Map<string, DataFile>>();

/** Builds a file, and records its size and digest. */
function buildFile(context: DataFileContext, { build, ...file }: FileBuilder): Buffer {
  const bytes = build(getTables(context));
  const files = built_files.get(context.snapshot) ?? new Map<string, DataFile>();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  built_files.set(context.snapshot, files.set(file.name, { ...file, size: bytes.length, sha256 }));
  return bytes;
}

/** Lists all files. Builds those not requested yet, for their digests. */
function listFiles(context: DataFileContext): readonly DataFile[] {
  for (const builder of FILE_BUILDERS)
    if (!built_files.get(context.snapshot)?.has(builder.name)) buildFile(context, builder);
  const files = built_files.get(context.snapshot);
  return FILE_BUILDERS.flatMap(({ name }) => files?.get(name) ?? []);
}

/** Lists the tables, without their rows, and the files. */
export const buildPublicData = (context: DataFileContext) => ({
  tables: getTables(context).map(({ rows, ...table }) => ({ ...table, row_count: rows.length })),
  files: listFiles(context),
});

/** Returns the bytes of the file at a path; null if the path is not a data file. */
export function getDataFileAt(context: DataFileContext, path: string): Buffer | null {
  const name = DATA_NAMES.find((file_name) => dataFilePath(file_name) === path);
  return name === undefined ? null : getDataFile(context, name);
}

/** Returns the bytes of a file by its name; null if there is no such file. */
export function getDataFile(context: DataFileContext, name: string): Buffer | null {
  if (name === CHECKSUMS_NAME)
    return Buffer.from(
      listFiles(context)
        .map((file) => `${file.sha256}  ${file.name}\n`)
        .join(''),
    );
  const builder = FILE_BUILDERS.find((candidate) => candidate.name === name);
  return builder ? buildFile(context, builder) : null;
}
