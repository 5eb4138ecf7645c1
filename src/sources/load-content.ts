// The content folder: every file (YAML, or JSON, which is YAML; Markdown as its lines) parsed against its
// schema; all issues at once, each with its line.
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type * as v from 'valibot';
import type { BuiltEvent } from '../domain/dataset.ts';
import { TownSchema } from '../town.ts';
import {
  CalendarSchema,
  CategoriesSchema,
  type EventFile,
  EventSchema,
  NoticeSchema,
  OrganizerSchema,
  SearchWordsSchema,
  VenueSchema,
  ZonesSchema,
} from './content-schema.ts';
import { DOCS_FILES, DOCS_FOLDER, DOCS_ROOT_URL, DocsSchema } from './docs-content.ts';
import {
  validateData,
  type ContentIssue,
  createLineLookup,
  createFileIssue,
  parseYaml,
  type FieldPath,
} from '../yaml.ts';
import { DrawingSchema, listDrawingFiles, MotifsSchema } from './motifs-content.ts';

/** A parsed file, with the line of any field for the checks that come later. */
export interface ParsedContentFile<T> {
  /** Path from the content folder. */
  readonly file: string;
  /** The file's name without its ending: the identity of the thing. */
  readonly stem: string;
  readonly value: T;
  readonly lineOf: (path: FieldPath) => number | null;
}

export const parsedContentFile = <T>(
  file: string,
  value: T,
  lineOf: (path: FieldPath) => number | null = () => null,
): ParsedContentFile<T> => ({
  file,
  stem: file.slice(file.lastIndexOf('/') + 1).replace(/\.ya?ml$/, ''),
  value,
  lineOf,
});

/** A file of content as a snapshot was made of it. */
export interface StoredContentFile {
  /** sha-256 of its bytes, base64url: what has the same needs no second reading. */
  readonly digest: string;
  /** Empty where it is no text. */
  readonly text: string;
  /** What its schema made of it then. */
  readonly value: unknown;
}

/** A file as the snapshot had it that serves. */
export interface CachedContentFile extends StoredContentFile {
  /** Whether that was the schema of this code: its value needs no second look. */
  readonly is_of_this_code: boolean;
}

/**
 * What was read before: what has not changed since is not parsed again, and a file that has become faulty
 * goes on saying what it last said.
 */
export interface PreviousContent {
  /** By path from the content folder; null for what is not known. */
  readonly find: (file: string) => CachedContentFile | null;
  /** By what it is made of (read-dataset.ts). */
  readonly findEvent: (made_of: string) => BuiltEvent | null;
}

export const NO_PREVIOUS_CONTENT: PreviousContent = { find: () => null, findEvent: () => null };

/** What this code's schema made of a file is of its type: it was checked before it was kept. */
export const isValidated = <S extends v.GenericSchema>(
  _schema: S,
  kept: CachedContentFile,
): kept is CachedContentFile & { readonly value: v.InferOutput<S> } => kept.is_of_this_code;

/** An empty one has no file in a snapshot. */
export const FOLDERS = ['venues', 'organizers', 'events', 'notices'] as const;
type Folder = (typeof FOLDERS)[number];

/** How the files of content are had: as they stand, or as they last were good. */
export interface ContentReader {
  /** The files of a folder, in the order of their names, as paths from the content folder. */
  readonly list: (kind: Folder) => readonly string[];
  /** Null where it is missing or faulty; the reader remembers why. */
  readonly read: <S extends v.GenericSchema>(
    file: string,
    schema: S,
  ) => ParsedContentFile<v.InferOutput<S>> | null;
}

export type Content = Readonly<ReturnType<typeof loadAllContent>>;

/** All of content, as a reader has it; of what there is one file of, null where that is missing or faulty. */
export function loadAllContent({ list, read }: ContentReader) {
  const readAll = <S extends v.GenericSchema>(
    kind: Folder,
    schema: S,
  ): readonly ParsedContentFile<v.InferOutput<S>>[] =>
    list(kind).flatMap((file) => read(file, schema) ?? []);
  const categories = read('categories.yml', CategoriesSchema);
  const events: readonly ParsedContentFile<EventFile>[] = readAll('events', EventSchema);
  // A town that draws nothing needs no drawings.
  const is_drawn = [...(categories?.value ?? []), ...events.map(({ value }) => value)].some(
    ({ motif }) => motif !== undefined,
  );
  const motifs = is_drawn ? read('motifs.yml', MotifsSchema) : null;
  return {
    town: read('town.yml', TownSchema),
    categories,
    zones: read('zones.yml', ZonesSchema)?.value ?? [],
    search_words: read('search-words.yml', SearchWordsSchema)?.value ?? { same: [], free: [] },
    calendar: read('calendar.yml', CalendarSchema),
    motifs,
    drawings: listDrawingFiles(motifs).flatMap((file) => read(file, DrawingSchema) ?? []),
    docs: DOCS_FILES.flatMap((file) => read(file, DocsSchema) ?? []),
    venues: readAll('venues', VenueSchema),
    organizers: readAll('organizers', OrganizerSchema),
    events,
    notices: readAll('notices', NoticeSchema),
  };
}

/** Reads `folder`. The issues of every file are pushed; the content then lacks those files. */
export const loadContent = (
  folder: string,
  issues: ContentIssue[],
  kept: PreviousContent = NO_PREVIOUS_CONTENT,
): Content =>
  loadAllContent({
    list: (kind) => listFiles(folder, kind, issues),
    read: (file, schema) => {
      const { parsed, issues: found } = loadContentFile(folder, file, schema, kept);
      issues.push(...found);
      return parsed;
    },
  });

/** The .yml files of a folder by name; anything else there is an issue, so that no file is passed over unseen. */
export function listFiles(folder: string, kind: string, issues: ContentIssue[]): string[] {
  if (!existsSync(`${folder}/${kind}`)) {
    issues.push(createFileIssue(`${kind}/`, 'is missing'));
    return [];
  }
  const names = readdirSync(`${folder}/${kind}`).filter((name) => !name.startsWith('.'));
  return names.sort().flatMap((name) => {
    if (/^[a-z0-9]+(-[a-z0-9]+)*\.yml$/.test(name)) return [`${kind}/${name}`];
    const message =
      'is not read: a file here is named in lower-case words joined by hyphens and ends in .yml';
    issues.push(createFileIssue(`${kind}/${name}`, message));
    return [];
  });
}

/** A file past this size is refused: nothing an editor writes comes near it. */
const MAX_FILE_BYTES = 256 * 1024;

interface Parsed<S extends v.GenericSchema> {
  readonly parsed: ParsedContentFile<v.InferOutput<S>> | null;
  readonly issues: readonly ContentIssue[];
}
type Read<S extends v.GenericSchema> = Parsed<S> & Pick<StoredContentFile, 'digest' | 'text'>;

/** Reads and checks one file of `folder`; where its bytes are those of `kept`, that is its value. */
export function loadContentFile<S extends v.GenericSchema>(
  folder: string,
  file: string,
  schema: S,
  kept: PreviousContent = NO_PREVIOUS_CONTENT,
): Read<S> {
  const path = file.startsWith(DOCS_FOLDER)
    ? fileURLToPath(new URL(file, DOCS_ROOT_URL))
    : `${folder}/${file}`;
  const bytes = readBytes(path);
  const digest = bytes === null ? '' : hash('sha256', bytes, 'base64url');
  const refuse = (message: string, line: number | null = null): Read<S> => ({
    parsed: null,
    issues: [createFileIssue(file, message, line)],
    digest,
    text: '',
  });
  if (bytes === null) return refuse('is missing');
  if (bytes.length > MAX_FILE_BYTES) return refuse(`has more than ${MAX_FILE_BYTES} bytes`);
  // Hardly ever asked: it is read again then, for all files at once are much to keep.
  const lineOf = toLineOf(file, () => readBytes(path)?.toString() ?? '');
  const known = kept.find(file);
  if (known?.digest === digest && isValidated(schema, known)) {
    const parsed = parsedContentFile(file, known.value, lineOf);
    return { parsed, issues: [], digest, text: known.text };
  }
  const text = decodeText(bytes);
  if (text === null) {
    const message = 'is not UTF-8, perhaps Latin-1 or Windows-1252. Save it as UTF-8';
    return refuse(message, findBrokenLine(bytes));
  }
  return { ...parseContentFile(file, text, schema, lineOf), digest, text };
}

/** Of which a line is a value; all others are YAML. */
const isLines = (file: string): boolean => /\.(md|svg)$/.test(file);

const toLineOf = (file: string, readText: () => string): ParsedContentFile<unknown>['lineOf'] =>
  isLines(file) ? ([at]) => (typeof at === 'number' ? at + 1 : 1) : createLineLookup(readText);

/** What a text says as a file of content. */
export function parseContentFile<S extends v.GenericSchema>(
  file: string,
  text: string,
  schema: S,
  lineOf = toLineOf(file, () => text),
): Parsed<S> {
  const { value, issues } = isLines(file)
    ? validateData({ file, lineOf }, text.split('\n'), schema)
    : parseYaml({ file, lineOf }, text, schema);
  const parsed = value === null ? null : parsedContentFile(file, value, lineOf);
  return {
    parsed,
    issues: isLines(file) ? issues.map((found) => ({ ...found, field: '' })) : issues,
  };
}

/** Null where there is no such file; a folder of its name is none. */
function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    if (code === 'ENOENT' || code === 'EISDIR') return null;
    throw thrown;
  }
}

/** The text of a file; null where it is no UTF-8, as from an old editor. */
function decodeText(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const findBrokenLine = (bytes: Buffer): number =>
  bytes
    .toString('latin1')
    .split('\n')
    .findIndex((line) => decodeText(Buffer.from(line, 'latin1')) === null) + 1;
