// Content folder: loads every file and validates it against its schema, and reports all issues with
// their lines. Files are YAML (or JSON, which is YAML), or Markdown and SVG as their lines.
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

/** A valid content file, with the line of each field for the issues of later checks. */
export interface ParsedContentFile<T> {
  /** Path from the content folder. */
  readonly file: string;
  /** File name without its extension: the identity of the record. */
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

/** A content file as stored in the snapshot that was built from it. */
export interface StoredContentFile {
  /** sha-256 of its bytes, base64url. A file with the same digest is not parsed again. */
  readonly digest: string;
  /** Empty if the bytes are not UTF-8. */
  readonly text: string;
  /** The output of its schema when the snapshot was built. */
  readonly value: unknown;
}

/** A content file as stored in the live snapshot. */
export interface CachedContentFile extends StoredContentFile {
  /** True if this version of the code validated it: its value is valid without a new check. */
  readonly is_of_this_code: boolean;
}

/**
 * Content and events of the live snapshot: unchanged files are not parsed again, and a file that
 * has become invalid keeps its last valid version.
 */
export interface PreviousContent {
  /** Finds a file by its path from the content folder. */
  readonly find: (file: string) => CachedContentFile | null;
  /** Finds an event by the digest of its inputs (build-dataset.ts). */
  readonly findEvent: (input_digest: string) => BuiltEvent | null;
}

export const NO_PREVIOUS_CONTENT: PreviousContent = { find: () => null, findEvent: () => null };

/** Returns true if this code has validated a cached file, which then has the type of its schema. */
export const isValidated = <S extends v.GenericSchema>(
  _schema: S,
  cached: CachedContentFile,
): cached is CachedContentFile & { readonly value: v.InferOutput<S> } => cached.is_of_this_code;

/** Folders of the record kinds. A snapshot does not contain an empty folder. */
export const FOLDERS = ['venues', 'organizers', 'events', 'notices'] as const;
type Folder = (typeof FOLDERS)[number];

/** Access to content files: the current ones, or their last valid versions. */
export interface ContentReader {
  /** Lists the files of a folder by name, as paths from the content folder. */
  readonly list: (kind: Folder) => readonly string[];
  /** Reads a file; returns null and collects the issue if the file is missing or invalid. */
  readonly read: <S extends v.GenericSchema>(
    file: string,
    schema: S,
  ) => ParsedContentFile<v.InferOutput<S>> | null;
}

export type Content = Readonly<ReturnType<typeof loadAllContent>>;

/** Loads all content from a reader. Single files such as `town` are null if missing or invalid. */
export function loadAllContent({ list, read }: ContentReader) {
  const readAll = <S extends v.GenericSchema>(
    kind: Folder,
    schema: S,
  ): readonly ParsedContentFile<v.InferOutput<S>>[] =>
    list(kind).flatMap((file) => read(file, schema) ?? []);
  const categories = read('categories.yml', CategoriesSchema);
  const events: readonly ParsedContentFile<EventFile>[] = readAll('events', EventSchema);
  // motifs.yml is required only if a category or event has a motif.
  const has_motifs = [...(categories?.value ?? []), ...events.map(({ value }) => value)].some(
    ({ motif }) => motif !== undefined,
  );
  const motifs = has_motifs ? read('motifs.yml', MotifsSchema) : null;
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

/** Loads the content of `folder`, without its invalid files. Pushes the issues of every file. */
export const loadContent = (
  folder: string,
  issues: ContentIssue[],
  previous: PreviousContent = NO_PREVIOUS_CONTENT,
): Content =>
  loadAllContent({
    list: (kind) => listFiles(folder, kind, issues),
    read: (file, schema) => {
      const { parsed, issues: file_issues } = loadContentFile(folder, file, schema, previous);
      issues.push(...file_issues);
      return parsed;
    },
  });

/**
 * Lists the .yml files of a folder by name. Pushes an issue for any other file, so that none is
 * silently ignored.
 */
export function listFiles(folder: string, kind: string, issues: ContentIssue[]): string[] {
  if (!existsSync(`${folder}/${kind}`)) {
    issues.push(createFileIssue(`${kind}/`, 'is missing'));
    return [];
  }
  const names = readdirSync(`${folder}/${kind}`).filter((name) => !name.startsWith('.'));
  return names.sort().flatMap((name) => {
    if (/^[a-z0-9]+(-[a-z0-9]+)*\.yml$/.test(name)) return [`${kind}/${name}`];
    const message =
      'is not a valid file name. Use lower-case words joined by hyphens, and the extension .yml';
    issues.push(createFileIssue(`${kind}/${name}`, message));
    return [];
  });
}

/** Larger files are rejected: no editor writes a file of this size. */
const MAX_FILE_BYTES = 256 * 1024;

interface ContentFileResult<S extends v.GenericSchema> {
  readonly parsed: ParsedContentFile<v.InferOutput<S>> | null;
  readonly issues: readonly ContentIssue[];
}
type LoadedContentFile<S extends v.GenericSchema> = ContentFileResult<S> &
  Pick<StoredContentFile, 'digest' | 'text'>;

/**
 * Loads and validates one file of `folder`. If its bytes are unchanged, reuses the previous value.
 */
export function loadContentFile<S extends v.GenericSchema>(
  folder: string,
  file: string,
  schema: S,
  previous: PreviousContent = NO_PREVIOUS_CONTENT,
): LoadedContentFile<S> {
  const path = file.startsWith(DOCS_FOLDER)
    ? fileURLToPath(new URL(file, DOCS_ROOT_URL))
    : `${folder}/${file}`;
  const bytes = readBytes(path);
  const digest = bytes === null ? '' : hash('sha256', bytes, 'base64url');
  const reject = (message: string, line: number | null = null): LoadedContentFile<S> => ({
    parsed: null,
    issues: [createFileIssue(file, message, line)],
    digest,
    text: '',
  });
  if (bytes === null) return reject('is missing');
  if (bytes.length > MAX_FILE_BYTES) return reject(`has more than ${MAX_FILE_BYTES} bytes`);
  // Lines are rarely needed, so the file is read again for them instead of holding all texts in
  // memory.
  const lineOf = createFileLineLookup(file, () => readBytes(path)?.toString() ?? '');
  const cached = previous.find(file);
  if (cached?.digest === digest && isValidated(schema, cached)) {
    const parsed = parsedContentFile(file, cached.value, lineOf);
    return { parsed, issues: [], digest, text: cached.text };
  }
  const text = decodeText(bytes);
  if (text === null) {
    const message = 'is not UTF-8, perhaps Latin-1 or Windows-1252. Save it as UTF-8';
    return reject(message, findInvalidLine(bytes));
  }
  return { ...parseContentFile(file, text, schema, lineOf), digest, text };
}

/** Returns true for files that are parsed as an array of lines; all others are YAML. */
const isLineFile = (file: string): boolean => /\.(md|svg)$/.test(file);

const createFileLineLookup = (
  file: string,
  readText: () => string,
): ParsedContentFile<unknown>['lineOf'] =>
  isLineFile(file) ? ([at]) => (typeof at === 'number' ? at + 1 : 1) : createLineLookup(readText);

export function parseContentFile<S extends v.GenericSchema>(
  file: string,
  text: string,
  schema: S,
  lineOf = createFileLineLookup(file, () => text),
): ContentFileResult<S> {
  const { value, issues } = isLineFile(file)
    ? validateData({ file, lineOf }, text.split('\n'), schema)
    : parseYaml({ file, lineOf }, text, schema);
  const parsed = value === null ? null : parsedContentFile(file, value, lineOf);
  return {
    parsed,
    issues: isLineFile(file) ? issues.map((issue) => ({ ...issue, field: '' })) : issues,
  };
}

/** Reads a file. @returns null if it does not exist or is a folder. */
function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : '';
    if (code === 'ENOENT' || code === 'EISDIR') return null;
    throw thrown;
  }
}

/** Decodes bytes as UTF-8. @returns null if they are in another encoding. */
function decodeText(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const findInvalidLine = (bytes: Buffer): number =>
  bytes
    .toString('latin1')
    .split('\n')
    .findIndex((line) => decodeText(Buffer.from(line, 'latin1')) === null) + 1;
