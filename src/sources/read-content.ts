// The content folder: every file (YAML, or JSON, which is YAML; Markdown as its lines) parsed against its
// schema; all issues at once, each with its line.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { type CalendarFile, CalendarSchema } from './calendar-schema.ts';
import {
  CategoriesSchema,
  type EventFile,
  EventSchema,
  type NoticeFile,
  NoticeSchema,
  type OrganizerFile,
  OrganizerSchema,
  type SearchWordsFile,
  SearchWordsSchema,
  type TaxaFile,
  type VenueFile,
  VenueSchema,
  ZonesSchema,
} from './content-schema.ts';
import { DOCS_FILES, DOCS_FOLDER, DOCS_HOME, DocsSchema } from './docs.ts';
import { type ContentIssue, toIssues } from './issues.ts';
import { type KeptFile, type KeptSources, NOTHING_KEPT, toBytesDigest } from './kept-sources.ts';

export interface Content {
  readonly categories: TaxaFile;
  readonly zones: TaxaFile;
  readonly search_words: SearchWordsFile;
  /** Null where it is missing or faulty. */
  readonly calendar: ContentFile<CalendarFile> | null;
  /** Lines of Markdown. */
  readonly docs: readonly ContentFile<readonly string[]>[];
  readonly venues: readonly ContentFile<VenueFile>[];
  readonly organizers: readonly ContentFile<OrganizerFile>[];
  readonly events: readonly ContentFile<EventFile>[];
  readonly notices: readonly ContentFile<NoticeFile>[];
}

/** The folders of content, one for each kind of thing. */
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
  ) => ContentFile<v.InferOutput<S>> | null;
}

/** All of content, as a reader has it. */
export function collectContent({ list, read }: ContentReader): Content {
  const readAll = <S extends v.GenericSchema>(
    kind: Folder,
    schema: S,
  ): ContentFile<v.InferOutput<S>>[] => list(kind).flatMap((file) => read(file, schema) ?? []);
  return {
    categories: read('categories.yml', CategoriesSchema)?.value ?? [],
    zones: read('zones.yml', ZonesSchema)?.value ?? [],
    search_words: read('search-words.yml', SearchWordsSchema)?.value ?? { same: [], free: [] },
    calendar: read('calendar.yml', CalendarSchema),
    docs: DOCS_FILES.flatMap((file) => read(file, DocsSchema) ?? []),
    venues: readAll('venues', VenueSchema),
    organizers: readAll('organizers', OrganizerSchema),
    events: readAll('events', EventSchema),
    notices: readAll('notices', NoticeSchema),
  };
}

/** Reads `folder`. The issues of every file are pushed; the content then lacks those files. */
export const readContent = (
  folder: string,
  issues: ContentIssue[],
  kept: KeptSources = NOTHING_KEPT,
): Content =>
  collectContent({
    list: (kind) => listFiles(folder, kind, issues),
    read: (file, schema) => {
      const { parsed, issues: found } = readContentFile(folder, file, schema, kept);
      issues.push(...found);
      return parsed;
    },
  });

/**
 * The .yml files of a folder in the order of their names; anything else there is an issue, so that
 * no file is passed over unseen.
 */
export function listFiles(folder: string, kind: string, issues: ContentIssue[]): string[] {
  if (!existsSync(`${folder}/${kind}`)) {
    issues.push({ file: `${kind}/`, line: null, field: '', message: 'is missing' });
    return [];
  }
  const names = readdirSync(`${folder}/${kind}`)
    .filter((name) => !name.startsWith('.'))
    .sort();
  return names.flatMap((name) => {
    if (/^[a-z0-9]+(-[a-z0-9]+)*\.yml$/.test(name)) return [`${kind}/${name}`];
    issues.push({
      file: `${kind}/${name}`,
      line: null,
      field: '',
      message:
        'is not read: a file here is named in lower-case words joined by hyphens and ends in .yml',
    });
    return [];
  });
}

/** More of them make a small file a huge one. */
const MAX_ALIASES = 20;
/** A file past this size is refused: nothing an editor writes comes near it. */
const MAX_FILE_BYTES = 256 * 1024;

/** A parsed file, with the line of any field for the checks that come later. */
export interface ContentFile<T> {
  /** Path from the content folder. */
  readonly file: string;
  /** The file's name without its ending: the identity of the thing. */
  readonly stem: string;
  readonly value: T;
  readonly lineOf: (path: readonly (string | number)[]) => number | null;
}

type Path = readonly (string | number)[];
type Read<S extends v.GenericSchema> = {
  readonly parsed: ContentFile<v.InferOutput<S>> | null;
  readonly issues: readonly ContentIssue[];
  /** Of its bytes; empty where there are none. */
  readonly digest: string;
  /** Empty where it is no text. */
  readonly text: string;
};

/** The line of a field; of what encloses it where it is not there. */
function toLineOf(text: string): (path: Path) => number | null {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  return (path) => {
    for (let depth = path.length; depth > 0; depth -= 1) {
      const parent = document.getIn(path.slice(0, depth - 1), true) ?? document.contents;
      const name = path[depth - 1];
      const pair = isMap(parent)
        ? parent.items.find((item) => isScalar(item.key) && item.key.value === name)
        : undefined;
      const node: unknown =
        pair && isScalar(pair.key) ? pair.key : document.getIn(path.slice(0, depth), true);
      if (hasRange(node)) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
}

function hasRange(node: unknown): node is { range: [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}

function parseText(
  file: string,
  text: string,
): { readonly data: unknown; readonly issues: readonly ContentIssue[] } {
  if (text.startsWith('{') || text.startsWith('[')) {
    try {
      return { data: JSON.parse(text), issues: [] };
    } catch {
      // Not JSON: YAML says where it fails.
    }
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const issues = document.errors.map((error) => ({
    file,
    line: lines.linePos(error.pos[0]).line,
    field: '',
    message: `is not YAML: ${error.message}`,
  }));
  if (issues.length > 0) return { data: null, issues };
  try {
    return { data: document.toJS({ maxAliasCount: MAX_ALIASES }), issues };
  } catch {
    const line = lines.linePos(text.search(/[&*]\w/)).line;
    const message = `repeats more by aliases (&, *) than ${MAX_ALIASES} times. Write it out`;
    return { data: null, issues: [{ file, line, field: '', message }] };
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

/** The first line that is no UTF-8. */
const findBrokenLine = (bytes: Buffer): number =>
  bytes
    .toString('latin1')
    .split('\n')
    .findIndex((line) => decodeText(Buffer.from(line, 'latin1')) === null) + 1;

/** A file with its value. `lineOf` finds the lines of what it says now. */
export const toContentFile = <T>(
  file: string,
  value: T,
  lineOf: (path: Path) => number | null,
): ContentFile<T> => ({
  file,
  stem: file.slice(file.lastIndexOf('/') + 1).replace(/\.ya?ml$/, ''),
  value,
  lineOf,
});

/** What this code's schema made of a file is of its type: it was checked before it was kept. */
export const isValidated = <S extends v.GenericSchema>(
  _schema: S,
  kept: KeptFile,
): kept is KeptFile & { readonly value: v.InferOutput<S> } => kept.is_of_this_code;

/** A file of lines: an issue stands in the line that it is of. */
export function readLines<S extends v.GenericSchema>(
  file: string,
  text: string,
  schema: S,
  digest: string,
): Read<S> {
  const lineOf = ([at]: Path): number => (typeof at === 'number' ? at + 1 : 1);
  const result = v.safeParse(schema, text.split('\n'));
  const parsed = result.success ? toContentFile(file, result.output, lineOf) : null;
  const issues = (result.issues ?? [])
    .flatMap((issue) => toIssues(file, issue, lineOf))
    .map((issue) => ({ ...issue, field: '' }));
  return { parsed, issues, digest, text };
}

/** Null where there is no such file. */
function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') return null;
    throw thrown;
  }
}

/**
 * Reads and checks one file; where its bytes are those of `kept`, that is its value. `file` is its
 * path from `folder`.
 */
export function readContentFile<S extends v.GenericSchema>(
  folder: string,
  file: string,
  schema: S,
  kept: KeptSources = NOTHING_KEPT,
): Read<S> {
  const is_markdown = file.startsWith(DOCS_FOLDER);
  const path = is_markdown ? fileURLToPath(new URL(file, DOCS_HOME)) : `${folder}/${file}`;
  const fail = (message: string, digest = ''): Read<S> => ({
    parsed: null,
    issues: [{ file, line: null, field: '', message }],
    digest,
    text: '',
  });
  const bytes = readBytes(path);
  if (bytes === null) return fail('is missing');
  const digest = toBytesDigest(bytes);
  if (bytes.length > MAX_FILE_BYTES) return fail(`has more than ${MAX_FILE_BYTES} bytes`, digest);
  let positions: ((at: Path) => number | null) | undefined;
  const lineOf = (at: Path): number | null => {
    // Hardly ever asked: it is read again then, for all files at once are much to keep.
    positions ??= toLineOf(readBytes(path)?.toString() ?? '');
    return positions(at);
  };
  const known = kept.find(file);
  if (known?.digest === digest && isValidated(schema, known)) {
    const parsed = toContentFile(file, known.value, lineOf);
    return { parsed, issues: [], digest, text: known.text };
  }
  const text = decodeText(bytes);
  if (text === null) {
    const message = 'is not UTF-8, perhaps Latin-1 or Windows-1252. Save it as UTF-8';
    const line = findBrokenLine(bytes);
    return { ...fail(message, digest), issues: [{ file, line, field: '', message }] };
  }
  if (is_markdown) return readLines(file, text, schema, digest);
  const { data, issues } = parseText(file, text);
  const read = { digest, text };
  if (issues.length > 0) return { parsed: null, issues, ...read };
  const result = v.safeParse(schema, data);
  if (result.success)
    return { parsed: toContentFile(file, result.output, lineOf), issues: [], ...read };
  const found = result.issues.flatMap((issue) => toIssues(file, issue, lineOf));
  return { parsed: null, issues: found, ...read };
}
