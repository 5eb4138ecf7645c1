// What is wrong with content: where each issue stands and what is accepted, all of them at once.
import type * as v from 'valibot';

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
}

export type Path = readonly (string | number)[];

/** A file whose fields have lines. */
export interface Located {
  readonly file: string;
  readonly lineOf: (path: Path) => number | null;
}

export const issueAt = ({ file, lineOf }: Located, path: Path, message: string): ContentIssue => ({
  file,
  line: lineOf(path),
  field: formatField(path),
  message,
});

export const issueOf = (file: string, message: string, line: number | null = null) => ({
  file,
  line,
  field: '',
  message,
});

/** `when[0].start`. */
const formatField = (path: Path): string =>
  path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('');

/** `events/paseo.yml:12 when[0].start: must be a time …`. */
export function formatIssue({ file, line, field, message }: Omit<ContentIssue, 'needs'>): string {
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
export function toContentError(issues: readonly ContentIssue[]): ContentError {
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
export function listRefusals(
  issue: v.BaseIssue<unknown>,
): readonly { readonly path: Path; readonly is_missing: boolean; readonly message: string }[] {
  const deeper = (issue.issues ?? []).filter(
    (inner) => (inner.path?.length ?? 0) > (issue.path?.length ?? 0),
  );
  if (deeper.length > 0) return deeper.flatMap(listRefusals);
  const path = (issue.path ?? []).flatMap(({ key }) =>
    typeof key === 'string' || typeof key === 'number' ? [key] : [],
  );
  const is_missing = issue.input === undefined;
  return [{ path, is_missing, message: toSentence(issue, is_missing) }];
}

function toSentence(issue: v.BaseIssue<unknown>, is_missing: boolean): string {
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return 'is not a field of this kind of file; look for a slip in its name';
  if (!is_missing) return issue.message;
  return `is missing${issue.message.startsWith('must') ? `: it ${issue.message}` : ''}`;
}
