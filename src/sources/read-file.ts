// One content file: YAML (or JSON, which is YAML) parsed against its schema; what is wrong with it,
// each issue with its line, all at once.
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';

/** A file past this size is refused: nothing an editor writes comes near it. */
export const MAX_FILE_BYTES = 256 * 1024;

export interface ContentIssue {
  /** Path from the content folder: `events/paseo.yml`. */
  readonly file: string;
  /** From 1; null where the issue is not in one place. */
  readonly line: number | null;
  /** `when[0].start`; empty for the whole file. */
  readonly field: string;
  readonly message: string;
}

/** `events/paseo.yml:12 when[0].start: must be a time …`. */
export function formatIssue(issue: ContentIssue): string {
  const place = issue.line === null ? issue.file : `${issue.file}:${issue.line}`;
  return issue.field === ''
    ? `${place} ${issue.message}`
    : `${place} ${issue.field}: ${issue.message}`;
}

/** One Error that lists every issue, in the order of files and lines. */
export function toContentError(issues: readonly ContentIssue[]): Error {
  const lines = [...issues]
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)))
    .map((issue) => `  ${formatIssue(issue)}`);
  const count = issues.length === 1 ? '1 fault' : `${issues.length} faults`;
  return new Error(
    `The content has ${count}; nothing was built from it:\n${lines.join('\n')}\ncontent/README.md says what each field takes.`,
  );
}

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

/** `when[0].start`. */
export function formatField(path: Path): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('');
}

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

const Key = v.union([v.string(), v.number()]);

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

/** A union's issue is that of the form which got furthest, so that the wrong field is named. */
function toIssues(
  file: string,
  issue: v.BaseIssue<unknown>,
  lineOf: (path: Path) => number | null,
): ContentIssue[] {
  const path = (issue.path ?? []).map((item) => v.parse(Key, 'key' in item ? item.key : ''));
  const deeper = (issue.issues ?? []).filter(
    (inner) => (inner.path?.length ?? 0) > (issue.path?.length ?? 0),
  );
  if (deeper.length > 0) return deeper.flatMap((inner) => toIssues(file, inner, lineOf));
  return [{ file, line: lineOf(path), field: formatField(path), message: toSentence(issue) }];
}

function toSentence(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return 'is not a field of this kind of file; look for a slip in its name';
  if (issue.input === undefined)
    return `is missing${issue.message.startsWith('must') ? `: it ${issue.message}` : ''}`;
  return issue.message;
}
