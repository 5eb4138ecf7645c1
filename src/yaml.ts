// A YAML file read against its schema. What is wrong with content: where each issue stands and what is accepted, all of
// them at once.
import * as v from 'valibot';
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';

export interface ContentIssue {
  /** Path from the content folder: `events/paseo.yml`. */
  readonly file: string;
  /** From 1; null where the issue is not in one place. */
  readonly line: number | null;
  /** `when[0].start`; empty for the whole file. */
  readonly field: string;
  readonly message: string;
  /** The file that it names and that is not there; absent where nothing is missing. */
  readonly needs?: string;
  /** The address that is another's already. */
  readonly address?: string;
}

export type FieldPath = readonly (string | number)[];

/** A file whose fields have lines. */
export interface LocatedFile {
  readonly file: string;
  readonly lineOf: (path: FieldPath) => number | null;
}

export const createIssueAt = (
  { file, lineOf }: LocatedFile,
  path: FieldPath,
  message: string,
): ContentIssue => ({
  file,
  line: lineOf(path),
  field: formatField(path),
  message,
});

export const createFileIssue = (file: string, message: string, line: number | null = null) => ({
  file,
  line,
  field: '',
  message,
});

/** `when[0].start`. */
const formatField = (path: FieldPath): string =>
  path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('');

/** `events/paseo.yml:12 when[0].start: must be a time …`. */
export function formatIssue({ file, line, field, message }: ContentIssue): string {
  const place = line === null ? file : `${file}:${line}`;
  return `${place} ${field === '' ? '' : `${field}: `}${message}`;
}

export class ContentError extends Error {
  readonly issues: readonly ContentIssue[];

  constructor(message: string, issues: readonly ContentIssue[]) {
    super(message);
    this.issues = issues;
  }
}

/** One Error that lists every issue, in the order of files and lines. */
export function createContentError(issues: readonly ContentIssue[]): ContentError {
  const lines = [...issues]
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)))
    .map((issue) => `  ${formatIssue(issue)}`);
  const count = issues.length === 1 ? '1 fault' : `${issues.length} faults`;
  return new ContentError(
    `The content has ${count}; nothing was built from it:\n${lines.join('\n')}\ncontent/README.md says what each field takes.`,
    issues,
  );
}

/** What a schema refuses. A union's issue is that of the form which got furthest, so that the wrong field is named. */
export function listSchemaIssues(
  issue: v.BaseIssue<unknown>,
): readonly { readonly path: FieldPath; readonly is_missing: boolean; readonly message: string }[] {
  const deeper = (issue.issues ?? []).filter(
    (inner) => (inner.path?.length ?? 0) > (issue.path?.length ?? 0),
  );
  if (deeper.length > 0) return deeper.flatMap(listSchemaIssues);
  const path = (issue.path ?? []).flatMap(({ key }) =>
    typeof key === 'string' || typeof key === 'number' ? [key] : [],
  );
  const is_missing = issue.input === undefined;
  return [{ path, is_missing, message: toSentence(issue, is_missing) }];
}

/** What a schema without a message of its own takes. */
const SHAPES = new Map([
  ['Object', 'must be fields with their values'],
  ['Array', 'must be a list'],
  ['string', 'must be text'],
]);

function toSentence(issue: v.BaseIssue<unknown>, is_missing: boolean): string {
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return 'is not a field of this kind of file; look for a slip in its name';
  const shape = issue.message.startsWith('Invalid') && SHAPES.get(issue.expected ?? '');
  const message = shape || issue.message;
  if (!is_missing) return message;
  return `is missing${message.startsWith('must') ? `: it ${message}` : ''}`;
}

interface CheckedData<S extends v.GenericSchema> {
  /** Null where there are issues. */
  readonly value: v.InferOutput<S> | null;
  readonly issues: readonly ContentIssue[];
}

/** What a schema makes of the data of a file. */
export function validateData<S extends v.GenericSchema>(
  located: LocatedFile,
  data: unknown,
  schema: S,
): CheckedData<S> {
  const result = v.safeParse(schema, data);
  if (result.success) return { value: result.output, issues: [] };
  const issues = result.issues
    .flatMap(listSchemaIssues)
    .map(({ path, message }) => createIssueAt(located, path, message));
  return { value: null, issues };
}

/** More of them make a small file a huge one. */
const MAX_ALIASES = 20;

/** What a text (YAML, or JSON, which is YAML) says under a schema. */
export function parseYaml<S extends v.GenericSchema>(
  located: LocatedFile,
  text: string,
  schema: S,
): CheckedData<S> {
  const { file } = located;
  let data: unknown;
  if (text.startsWith('{') || text.startsWith('['))
    try {
      data = JSON.parse(text);
    } catch {
      // Not JSON: YAML says where it fails.
    }
  if (data !== undefined) return validateData(located, data, schema);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const toLine = (position: number): number => lines.linePos(position).line;
  if (document.errors.length > 0) {
    const issues = document.errors.map(({ message, pos }) =>
      createFileIssue(file, `is not YAML: ${message}`, toLine(pos[0])),
    );
    return { value: null, issues };
  }
  try {
    data = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (thrown) {
    const message = `${thrown}`.includes('Unresolved')
      ? 'has an alias (*) without its anchor (&) before it'
      : `repeats more by aliases (&, *) than ${MAX_ALIASES} times. Write it out`;
    return { value: null, issues: [createFileIssue(file, message, toLine(text.search(/[&*]\w/)))] };
  }
  return validateData(located, data, schema);
}

/** The line of a field; of what encloses it where it is not there. */
export function createLineLookup(readText: () => string): (path: FieldPath) => number {
  let known:
    | { readonly lines: LineCounter; readonly document: ReturnType<typeof parseDocument> }
    | undefined;
  return (path) => {
    if (known === undefined) {
      const lines = new LineCounter();
      known = { lines, document: parseDocument(readText(), { lineCounter: lines }) };
    }
    const { lines, document } = known;
    for (let depth = path.length; depth > 0; depth -= 1) {
      const parent = document.getIn(path.slice(0, depth - 1), true) ?? document.contents;
      const name = path[depth - 1];
      const key = isMap(parent)
        ? parent.items.find((item) => isScalar(item.key) && item.key.value === name)?.key
        : undefined;
      const node = key ?? document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
}

/** Of keys, slugs and the names of files. */
/** A text that says something, with what is around it cut. */
export const textSchema = (max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(max, `must have at most ${max} characters`),
  );
export const HYPHENATED_WORDS_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;
export const numberSchema = (min: number, max: number, message = 'must be a number') =>
  v.pipe(
    v.number(message),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be ${max} or less`),
  );
export const oneOf = <const K extends readonly string[]>(keys: K) =>
  v.picklist(keys, `must be one of ${keys.join(', ')}`);
