// Issues in content: where each stands and what is accepted, all of them at once.

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
