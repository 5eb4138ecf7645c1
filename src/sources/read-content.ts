// The content folder: every file (YAML, or JSON, which is YAML) parsed against its schema; all issues
// at once, each with its line.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
import { type ContentIssue, toIssues } from './issues.ts';

export interface Content {
  readonly categories: TaxaFile;
  readonly zones: TaxaFile;
  readonly search_words: SearchWordsFile;
  /** Null where it is missing or faulty. */
  readonly calendar: ContentFile<CalendarFile> | null;
  readonly venues: readonly ContentFile<VenueFile>[];
  readonly organizers: readonly ContentFile<OrganizerFile>[];
  readonly events: readonly ContentFile<EventFile>[];
  readonly notices: readonly ContentFile<NoticeFile>[];
}

const FOLDERS = ['venues', 'organizers', 'events', 'notices'] as const;

/** Reads `folder`. The issues of every file are pushed; the content then lacks those files. */
export function readContent(folder: string, issues: ContentIssue[]): Content {
  const read = <S extends v.GenericSchema>(
    kind: (typeof FOLDERS)[number],
    schema: S,
  ): ContentFile<v.InferOutput<S>>[] =>
    listFiles(folder, kind, issues).flatMap((file) => {
      const { parsed, issues: found } = readContentFile(folder, file, schema);
      issues.push(...found);
      return parsed ? [parsed] : [];
    });
  return {
    categories: readTaxa(folder, 'categories.yml', CategoriesSchema, issues),
    zones: readTaxa(folder, 'zones.yml', ZonesSchema, issues),
    search_words: readOne(folder, 'search-words.yml', SearchWordsSchema, issues)?.value ?? {
      same: [],
      free: [],
    },
    calendar: readOne(folder, 'calendar.yml', CalendarSchema, issues),
    venues: read('venues', VenueSchema),
    organizers: read('organizers', OrganizerSchema),
    events: read('events', EventSchema),
    notices: read('notices', NoticeSchema),
  };
}

function readTaxa(
  folder: string,
  file: string,
  schema: typeof CategoriesSchema | typeof ZonesSchema,
  issues: ContentIssue[],
): TaxaFile {
  return readOne(folder, file, schema, issues)?.value ?? [];
}

/** A file that every content folder has; null and an issue where it has not. */
function readOne<S extends v.GenericSchema>(
  folder: string,
  file: string,
  schema: S,
  issues: ContentIssue[],
): ContentFile<v.InferOutput<S>> | null {
  if (!existsSync(`${folder}/${file}`)) {
    issues.push({ file, line: null, field: '', message: 'is missing' });
    return null;
  }
  const { parsed, issues: found } = readContentFile(folder, file, schema);
  issues.push(...found);
  return parsed;
}

/**
 * The .yml files of a folder in the order of their names; anything else there is an issue, so that
 * no file is passed over unseen.
 */
function listFiles(folder: string, kind: string, issues: ContentIssue[]): string[] {
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

/** A file past this size is refused: nothing an editor writes comes near it. */
export const MAX_FILE_BYTES = 256 * 1024;

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
  return { data: issues.length > 0 ? null : document.toJS({ maxAliasCount: 20 }), issues };
}

/** Reads and checks one file. `file` is its path from `folder`. */
export function readContentFile<S extends v.GenericSchema>(
  folder: string,
  file: string,
  schema: S,
): Read<S> {
  const text = readFileSync(`${folder}/${file}`, 'utf8');
  if (Buffer.byteLength(text) > MAX_FILE_BYTES)
    return {
      parsed: null,
      issues: [{ file, line: null, field: '', message: `has more than ${MAX_FILE_BYTES} bytes` }],
    };
  const { data, issues } = parseText(file, text);
  if (issues.length > 0) return { parsed: null, issues };
  const result = v.safeParse(schema, data);
  const stem = file.slice(file.lastIndexOf('/') + 1).replace(/\.ya?ml$/, '');
  let positions: ((path: Path) => number | null) | undefined;
  const lineOf = (path: Path): number | null => {
    positions ??= toLineOf(text);
    return positions(path);
  };
  if (result.success) return { parsed: { file, stem, value: result.output, lineOf }, issues: [] };
  return { parsed: null, issues: result.issues.flatMap((issue) => toIssues(file, issue, lineOf)) };
}
