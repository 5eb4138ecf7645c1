// The public data as files of the release, with their digests (contract 17).
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

export interface DataFile {
  readonly name: string;
  readonly form: 'sqlite' | 'csv' | 'jsonl';
  /** Null where it has all. */
  readonly table: DataTableName | null;
  readonly size: number;
  readonly sha256: string;
}

/** The list of digests, as sha256sum reads it. */
export const CHECKSUMS_NAME = 'SHA256SUMS';
const FORMS = [
  { form: 'csv', write: toCsv },
  { form: 'jsonl', write: toJsonLines },
] as const;

type Tables = readonly DataTableWithColumns[];
type Writer = Pick<DataFile, 'name' | 'form' | 'table'> & {
  readonly write: (tables: Tables) => Buffer;
};

const WRITERS: readonly Writer[] = [
  { name: 'agenda.sqlite', form: 'sqlite', table: null, write: buildDataFile },
  ...FORMS.flatMap(({ form, write }) =>
    DATA_TABLES.map((table): Writer => {
      const writeOne = (tables: Tables): Buffer =>
        Buffer.from(tables.flatMap((one) => (one.name === table ? write(one) : [])).join(''));
      return { name: `${table}.${form}`, form, table, write: writeOne };
    }),
  ),
];

export const DATA_NAMES: readonly string[] = [...WRITERS.map(({ name }) => name), CHECKSUMS_NAME];

type DataFileContext = Pick<PageContext, 'snapshot' | 'site'>;

/** Held while files are made of them: a big town's rows are a hundred megabytes, its files half a gigabyte. */
const TABLES = new WeakMap<Snapshot, Tables>();
const KEPT_MS = 60_000;

function readTables({ snapshot, site }: DataFileContext): Tables {
  const known = TABLES.get(snapshot);
  if (known) return known;
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
  TABLES.set(snapshot, tables);
  setTimeout(() => TABLES.delete(snapshot), KEPT_MS).unref();
  return tables;
}

/** What is known of each file once it was made, by name. */
const MADE = new WeakMap<Snapshot, Map<string, DataFile>>();

function makeFile(asked: DataFileContext, { write, ...file }: Writer): Buffer {
  const bytes = write(readTables(asked));
  const made = MADE.get(asked.snapshot) ?? new Map<string, DataFile>();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  MADE.set(asked.snapshot, made.set(file.name, { ...file, size: bytes.length, sha256 }));
  return bytes;
}

/** What there is to download; each file that nobody has asked for yet is made for its digest. */
function listFiles(asked: DataFileContext): readonly DataFile[] {
  for (const writer of WRITERS)
    if (!MADE.get(asked.snapshot)?.has(writer.name)) makeFile(asked, writer);
  const made = MADE.get(asked.snapshot);
  return WRITERS.flatMap(({ name }) => made?.get(name) ?? []);
}

export const buildPublicData = (asked: DataFileContext) => ({
  tables: readTables(asked).map(({ rows, ...table }) => ({ ...table, row_count: rows.length })),
  files: listFiles(asked),
});

export function getDataFileAt(asked: DataFileContext, path: string): Buffer | null {
  const name = DATA_NAMES.find((one) => dataFilePath(one) === path);
  return name === undefined ? null : getDataFile(asked, name);
}

export function getDataFile(asked: DataFileContext, name: string): Buffer | null {
  if (name === CHECKSUMS_NAME)
    return Buffer.from(
      listFiles(asked)
        .map((file) => `${file.sha256}  ${file.name}\n`)
        .join(''),
    );
  const writer = WRITERS.find((one) => one.name === name);
  return writer ? makeFile(asked, writer) : null;
}
