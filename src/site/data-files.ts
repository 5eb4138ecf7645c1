// The public data as files of the release, with their digests: made one after the other, when the site is built
// (contract 17).
import { createHash } from 'node:crypto';
import { DATA_TABLES, type DataTableName } from '../domain/dataset.ts';
import { toDataPath } from '../i18n/paths.ts';
import {
  type DescribedTable,
  toCsv,
  toDataTables,
  toJsonLines,
} from '../serializers/data-tables.ts';
import { listEvents, listOrganizers, listVenues } from '../snapshot/list-things.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { toDataFile } from '../snapshot/write-data-file.ts';
import type { SiteState } from './state.ts';

export interface DataFile {
  readonly name: string;
  readonly form: 'sqlite' | 'csv' | 'jsonl';
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

/** The list of digests, as sha256sum reads it. */
export const CHECKSUMS_NAME = 'SHA256SUMS';
const DATABASE_NAME = 'agenda.sqlite';
const FORMS = [
  { form: 'csv', write: toCsv },
  { form: 'jsonl', write: toJsonLines },
] as const;

export const DATA_NAMES: readonly string[] = [
  DATABASE_NAME,
  ...FORMS.flatMap(({ form }) => DATA_TABLES.map((table) => `${table}.${form}`)),
  CHECKSUMS_NAME,
];

/** One after the other, in the order of their names. */
function* writeFiles(tables: readonly DescribedTable[]): Generator<MadeFile> {
  yield toFile(DATABASE_NAME, 'sqlite', null, toDataFile(tables));
  for (const { form, write } of FORMS)
    for (const table of tables)
      yield toFile(`${table.name}.${form}`, form, table.name, Buffer.from(write(table)));
}

const toFile = (
  name: string,
  form: DataFile['form'],
  table: DataTableName | null,
  bytes: Buffer,
): MadeFile => ({
  name,
  form,
  table,
  bytes,
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

/** What is made so far; the bytes of a file are let go once the next is made, for a big town's are half a gigabyte. */
interface MadeData {
  readonly tables: readonly TableOutline[];
  readonly files: DataFile[];
  last: MadeFile | null;
  /** Holds the rows until the last is made. */
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

type Asked = Pick<SiteState, 'snapshot' | 'site'>;

function begin({ snapshot, site }: Asked): MadeData {
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
function makeNext({ snapshot }: Asked, made: MadeData): MadeFile | null {
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

/** What there is to download, made on first use and kept while it is asked for. */
export function readPublicData(
  state: Asked,
): Readonly<{ tables: readonly TableOutline[]; files: readonly DataFile[] }> {
  const made = begin(state);
  while (makeNext(state, made) !== null);
  return made;
}

/** The bytes of the file at a path; null for any other path. */
export function readDataAt(state: Asked, path: string): Buffer | null {
  const name = DATA_NAMES.find((one) => toDataPath(one) === path);
  return name === undefined ? null : readDataFile(state, name);
}

/**
 * The bytes of one of the files; null for any other name. Whoever asks for all of them in the order of their names
 * has each made once.
 */
export function readDataFile(state: Asked, name: string): Buffer | null {
  if (name === CHECKSUMS_NAME) {
    const lines = readPublicData(state).files.map((file) => `${file.sha256}  ${file.name}\n`);
    return Buffer.from(lines.join(''));
  }
  if (!DATA_NAMES.includes(name)) return null;
  const { files, last } = begin(state);
  if (last?.name === name) return last.bytes;
  if (files.some((file) => file.name === name)) letGo(state.snapshot);
  const made = begin(state);
  for (let file = makeNext(state, made); file !== null; file = makeNext(state, made))
    if (file.name === name) return file.bytes;
  return null;
}
