// What is wrong with content: where each issue stands and what is accepted, all of them at once.
import * as v from 'valibot';

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

/** `events/paseo.yml:12 when[0].start: must be a time …`. */
export function formatIssue(issue: Omit<ContentIssue, 'needs'>): string {
  const place = issue.line === null ? issue.file : `${issue.file}:${issue.line}`;
  return issue.field === ''
    ? `${place} ${issue.message}`
    : `${place} ${issue.field}: ${issue.message}`;
}

/** Content that cannot be taken: its message lists every issue. */
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

const Key = v.union([v.string(), v.number()]);

/** `when[0].start`. */
function formatField(path: readonly (string | number)[]): string {
  return path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`))
    .join('');
}

/** A union's issue is that of the form which got furthest, so that the wrong field is named. */
export function toIssues(
  file: string,
  issue: v.BaseIssue<unknown>,
  lineOf: (path: readonly (string | number)[]) => number | null,
): ContentIssue[] {
  const path = (issue.path ?? []).map((item) => v.parse(Key, 'key' in item ? item.key : ''));
  const deeper = (issue.issues ?? []).filter(
    (inner) => (inner.path?.length ?? 0) > (issue.path?.length ?? 0),
  );
  if (deeper.length > 0) return deeper.flatMap((inner) => toIssues(file, inner, lineOf));
  return [{ file, line: lineOf(path), field: formatField(path), message: toSentence(issue) }];
}

/** What is wrong, for an editor. */
export function toSentence(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'strict_object' && issue.expected === 'never')
    return 'is not a field of this kind of file; look for a slip in its name';
  if (issue.input === undefined)
    return `is missing${issue.message.startsWith('must') ? `: it ${issue.message}` : ''}`;
  return issue.message;
}
