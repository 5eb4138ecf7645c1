// YAML: parses content files against a schema, and reports all issues at once, each with file,
// line, field and the accepted values.
import * as v from 'valibot';
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';

export interface ContentIssue {
  /** Path from the content folder: `events/paseo.yml`. */
  readonly file: string;
  /** From 1; null if the issue has no single position. */
  readonly line: number | null;
  /** `when[0].start`; empty for the whole file. */
  readonly field: string;
  readonly message: string;
  /** A referenced file that does not exist, if that is the issue. */
  readonly needs?: string;
  /** A URL path that another record already has, if that is the issue. */
  readonly address?: string;
}

/** Names and list indexes from the top of a file down to a field. */
export type FieldPath = readonly (string | number)[];

/** The path of a file, and a lookup of the line of each field (null if unknown) for issues. */
export interface LocatedFile {
  readonly file: string;
  readonly lineOf: (path: FieldPath) => number | null;
}

/** Creates the issue of a field. */
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

/** Creates the issue of a whole file, or of one of its lines. */
export const createFileIssue = (file: string, message: string, line: number | null = null) => ({
  file,
  line,
  field: '',
  message,
});

/** Formats a field path: `when[0].start`. */
const formatField = (path: FieldPath): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');

/** Formats an issue: `events/paseo.yml:12 when[0].start: must be a time …`. */
export function formatIssue({ file, line, field, message }: ContentIssue): string {
  const position = line === null ? file : `${file}:${line}`;
  return `${position} ${field === '' ? '' : `${field}: `}${message}`;
}

/** Error that carries all issues of the content. */
export class ContentError extends Error {
  readonly issues: readonly ContentIssue[];

  constructor(message: string, issues: readonly ContentIssue[]) {
    super(message);
    this.issues = issues;
  }
}

function compareIssues(a: ContentIssue, b: ContentIssue): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return (a.line ?? 0) - (b.line ?? 0);
}

/** Creates an error that lists all issues, by file and line. */
export function createContentError(issues: readonly ContentIssue[]): ContentError {
  const lines = [...issues].sort(compareIssues).map((issue) => `  ${formatIssue(issue)}`);
  const count = issues.length === 1 ? '1 issue' : `${issues.length} issues`;
  return new ContentError(
    `The content has ${count}; nothing was built:\n${lines.join('\n')}\ncontent/README.md describes each field.`,
    issues,
  );
}

/**
 * Lists the issues within an issue of the validation library. For a union of schemas, lists the
 * issues of the alternatives that matched further than the union itself, so that they name the
 * invalid field and not its parent.
 */
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
  return [{ path, is_missing, message: formatSchemaIssue(issue, is_missing) }];
}

/** Default messages, by expected type, for schemas that do not set a message. */
const TYPE_MESSAGES = new Map([
  ['Object', 'must be fields with their values'],
  ['Array', 'must be a list'],
  ['string', 'must be text'],
]);

/**
 * Formats the message of an issue: the schema's own or the default one, after `is missing` if the
 * field is missing.
 */
function formatSchemaIssue(issue: v.BaseIssue<unknown>, is_missing: boolean): string {
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return 'is not a field of this kind of file; check its spelling';
  const type_message =
    issue.message.startsWith('Invalid') && TYPE_MESSAGES.get(issue.expected ?? '');
  const message = type_message || issue.message;
  if (!is_missing) return message;
  return `is missing${message.startsWith('must') ? `: it ${message}` : ''}`;
}

interface ValidatedData<S extends v.GenericSchema> {
  /** Null if there are issues. */
  readonly value: v.InferOutput<S> | null;
  readonly issues: readonly ContentIssue[];
}

/** Validates the data of a file against a schema. */
export function validateData<S extends v.GenericSchema>(
  file: LocatedFile,
  data: unknown,
  schema: S,
): ValidatedData<S> {
  const result = v.safeParse(schema, data);
  if (result.success) return { value: result.output, issues: [] };
  const issues = result.issues
    .flatMap(listSchemaIssues)
    .map(({ path, message }) => createIssueAt(file, path, message));
  return { value: null, issues };
}

/** Protects from alias bombs: small files that expand to huge data. */
const MAX_ALIASES = 20;

/**
 * Parses a text (YAML, which includes JSON) and validates it against a schema. JSON is tried first:
 * it is faster.
 */
export function parseYaml<S extends v.GenericSchema>(
  located_file: LocatedFile,
  text: string,
  schema: S,
): ValidatedData<S> {
  const { file } = located_file;
  let data: unknown;
  if (text.startsWith('{') || text.startsWith('['))
    try {
      data = JSON.parse(text);
    } catch {
      // Not JSON: the YAML parser reports the position of the error.
    }
  if (data !== undefined) return validateData(located_file, data, schema);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lineAt = (position: number): number => lines.linePos(position).line;
  if (document.errors.length > 0) {
    const issues = document.errors.map(({ message, pos }) =>
      createFileIssue(file, `is not YAML: ${message}`, lineAt(pos[0])),
    );
    return { value: null, issues };
  }
  try {
    data = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    const message = `${error}`.includes('Unresolved')
      ? 'has an alias (*) without its anchor (&) before it'
      : `uses aliases (&, *) more than ${MAX_ALIASES} times. Write the values out`;
    return { value: null, issues: [createFileIssue(file, message, lineAt(text.search(/[&*]\w/)))] };
  }
  return validateData(located_file, data, schema);
}

/**
 * Creates a function that returns the line of a field, or of its closest existing parent if the
 * field is missing. Reads and parses the text only at the first call.
 */
export function createLineLookup(readText: () => string): (path: FieldPath) => number {
  let parsed:
    | { readonly lines: LineCounter; readonly document: ReturnType<typeof parseDocument> }
    | undefined;
  return (path) => {
    if (parsed === undefined) {
      const lines = new LineCounter();
      parsed = { lines, document: parseDocument(readText(), { lineCounter: lines }) };
    }
    const { lines, document } = parsed;
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

/** Schema of a non-empty text, trimmed. */
export const textSchema = (max: number) =>
  v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(max, `must have at most ${max} characters`),
  );
/** Pattern of keys, slugs and file names. */
export const HYPHENATED_WORDS_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Schema of a number from `min` to `max`, both included. */
export const numberSchema = (min: number, max: number, message = 'must be a number') =>
  v.pipe(
    v.number(message),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be ${max} or less`),
  );
/** Schema of one of the given texts. */
export const oneOf = <const K extends readonly string[]>(keys: K) =>
  v.picklist(keys, `must be one of ${keys.join(', ')}`);
