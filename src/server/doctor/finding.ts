// What the doctor says of one thing: that it is well, worth knowing, or wrong, and then what to do.

/** One line of its report. */
export interface Finding {
  /** The thing, in a word: `disk`. */
  readonly about: string;
  readonly level: 'ok' | 'note' | 'wrong';
  /** What was found, and what to do about it. */
  readonly says: string;
}

const toFinding =
  (level: Finding['level']) =>
  (about: string, says: string): Finding => ({ about, level, says });

/** As it should be. */
export const ok = toFinding('ok');
/** Worth knowing; may be meant. */
export const note = toFinding('note');
/** To be mended. */
export const wrong = toFinding('wrong');

const MARKS = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' } as const;

/** The report, a line a finding, with how many are to be mended at its end. */
export function toReport(findings: readonly Finding[]): string {
  const lines = findings.map(
    ({ about, level, says }) => `${MARKS[level]}  ${about.padEnd(9)}  ${says}`,
  );
  const count = findings.filter(({ level }) => level === 'wrong').length;
  const verdict = count === 0 ? 'Nothing is wrong.' : `${count} to be mended.`;
  return [...lines, '', verdict].join('\n');
}
