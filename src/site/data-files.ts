// The public data as files of the release, with their digests: made one after the other, when the site is built
// (contract 17).
import { createHash } from 'node:crypto';
import { DATA_TABLES, type DataTableName } from '../domain/dataset.ts';
import {
  type DescribedTable,
  toCsv,
  toDataTables,
  toJsonLines,
} from '../serializers/data-tables.ts';
import { listEvents, listOrganizers, listVenues } from '../snapshot/list-things.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { toDataFile } from '../snapshot/write-data-file.ts';
import { toDataPath } from '../i18n/paths.ts';
import type { SiteState } from './state.ts';

/** The forms; what ends the name of a file. */
const DATA_FORMS = ['sqlite', 'csv', 'jsonl'] as const;
type DataForm = (typeof DATA_FORMS)[number];

/** The list of digests, as sha256sum reads it. */
export const CHECKSUMS_NAME = 'SHA256SUMS';
const DATABASE_NAME = 'agenda.sqlite';

const TABLE_FILES = [
  ...DATA_TABLES.map((table) => ({ form: 'csv', table, name: `${table}.csv` }) as const),
  ...DATA_TABLES.map((table) => ({ form: 'jsonl', table, name: `${table}.jsonl` }) as const),
] as const;

export interface DataFile {
  readonly name: string;
  readonly form: DataForm;
  /** Null where it has all. */
  readonly table: DataTableName | null;
  /** Bytes. */
  readonly size: number;
  readonly sha256: string;
}

interface MadeFile extends DataFile {
  readonly bytes: Buffer;
}

export interface TableOutline extends Omit<DescribedTable, 'rows'> {
  readonly row_count: number;
}

interface PublicData {
  readonly tables: readonly TableOutline[];
  readonly files: readonly DataFile[];
}

/** What is made of it so far; the bytes of a file are let go once the next is made, for a big town's are half a gigabyte. */
interface MadeData {
  readonly tables: readonly TableOutline[];
  readonly files: DataFile[];
  last: MadeFile | null;
  /** Makes the next of its files; holds the rows until the last is made. */
  readonly rest: Iterator<MadeFile>;
  readonly timer: NodeJS.Timeout;
}

const MADE = new WeakMap<Snapshot, MadeData>();
/** How long rows wait for the rest of the files once nobody asks: a big town's are a hundred megabytes. */
const KEPT_MS = 60_000;

function letGo(snapshot: Snapshot): void {
  clearTimeout(MADE.get(snapshot)?.timer);
  MADE.delete(snapshot);
}

function begin({ snapshot, site }: Pick<SiteState, 'snapshot' | 'site'>): MadeData {
  const known = MADE.get(snapshot);
  if (known) {
    known.timer.refresh();
    return known;
  }
  const tables = toDataTables(
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
  const outlines = tables.map(({ rows, ...table }) => ({ ...table, row_count: rows.length }));
  const timer = setTimeout(letGo, KEPT_MS, snapshot).unref();
  const made = { tables: outlines, files: [], last: null, rest: writeFiles(tables), timer };
  MADE.set(snapshot, made);
  return made;
}

/** The next file; null where there is none. What could not be made is begun anew by whoever asks next. */
function makeNext({ snapshot }: Pick<SiteState, 'snapshot'>, made: MadeData): MadeFile | null {
  try {
    const next = made.rest.next();
    if (next.done === true) return null;
    const { bytes: _, ...file } = next.value;
    made.files.push(file);
    made.last = next.value;
    return next.value;
  } catch (thrown) {
    letGo(snapshot);
    throw thrown;
  }
}

/** The data of a snapshot, made on first use and kept while it is asked for. */
export function readPublicData(state: Pick<SiteState, 'snapshot' | 'site'>): PublicData {
  const made = begin(state);
  while (makeNext(state, made) !== null);
  return made;
}

const WRITERS: Readonly<Record<Exclude<DataForm, 'sqlite'>, (table: DescribedTable) => string>> = {
  csv: toCsv,
  jsonl: toJsonLines,
};

const toFile = (name: string, form: DataForm, table: DataTableName | null, bytes: Buffer) => ({
  ...{ name, form, table, bytes, size: bytes.length },
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** One after the other, in the order of their names below. */
function* writeFiles(tables: readonly DescribedTable[]): Generator<MadeFile> {
  yield toFile(DATABASE_NAME, 'sqlite', null, toDataFile(tables));
  for (const { form, table, name } of TABLE_FILES)
    for (const described of tables)
      if (described.name === table)
        yield toFile(name, form, table, Buffer.from(WRITERS[form](described)));
}

/** A line for each file, so that `sha256sum --check SHA256SUMS` holds them. */
const toChecksums = (files: readonly DataFile[]): string =>
  files.map(({ sha256, name }) => `${sha256}  ${name}\n`).join('');

export const DATA_NAMES: readonly string[] = [
  DATABASE_NAME,
  ...TABLE_FILES.map(({ name }) => name),
  CHECKSUMS_NAME,
];

const NAMES: ReadonlyMap<string, string> = new Map(
  DATA_NAMES.map((name) => [toDataPath(name), name]),
);

/** The bytes of the file at a path; null for any other path. */
export function readDataAt(state: SiteState, path: string): Buffer | null {
  const name = NAMES.get(path);
  return name === undefined ? null : readDataFile(state, name);
}

/**
 * The bytes of one of the files; null for any other name. Whoever asks for all of them in the order of their names
 * has each made once.
 */
export function readDataFile(state: SiteState, name: string): Buffer | null {
  if (name === CHECKSUMS_NAME) return Buffer.from(toChecksums(readPublicData(state).files));
  if (!DATA_NAMES.includes(name)) return null;
  const { files, last } = begin(state);
  if (last?.name === name) return last.bytes;
  if (files.some((file) => file.name === name)) letGo(state.snapshot);
  const made = begin(state);
  for (let file = makeNext(state, made); file !== null; file = makeNext(state, made))
    if (file.name === name) return file.bytes;
  return null;
}
