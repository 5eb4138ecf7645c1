// Faults in content: where each stands and what is accepted, all of them at once.

export interface ContentFault {
  /** Path from the content folder: `events/paseo.yml`. */
  readonly file: string;
  /** From 1; null where the fault is not in one place. */
  readonly line: number | null;
  /** `when[0].start`; empty for the whole file. */
  readonly field: string;
  readonly message: string;
}

/** `events/paseo.yml:12 when[0].start: must be a time …`. */
export function formatFault(fault: ContentFault): string {
  const place = fault.line === null ? fault.file : `${fault.file}:${fault.line}`;
  return fault.field === ''
    ? `${place} ${fault.message}`
    : `${place} ${fault.field}: ${fault.message}`;
}

/** One Error that lists every fault, in the order of files and lines. */
export function toContentError(faults: readonly ContentFault[]): Error {
  const lines = [...faults]
    .sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : (a.line ?? 0) - (b.line ?? 0)))
    .map((fault) => `  ${formatFault(fault)}`);
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  return new Error(
    `The content has ${count}; nothing was built from it:\n${lines.join('\n')}\ncontent/README.md says what each field takes.`,
  );
}
