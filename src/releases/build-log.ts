// What a build says: one line a step, with how many and how long; all that is wrong where it fails.

export type LogLine = (line: string) => void;

/** `0.4 s`, `12 s`, `2 min 5 s`. */
export function formatDuration(duration_ms: number): string {
  const seconds = duration_ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

export async function runLoggedStep<T>(
  say: LogLine,
  step: () => T | Promise<T>,
  done: (value: T) => string,
): Promise<T> {
  const begun_ms = performance.now();
  const value = await step();
  say(`  ${done(value)} (${formatDuration(performance.now() - begun_ms)})`);
  return value;
}

const COUNT_MS = 2_000;

/** Says now and then how far a count has come: `120 of 340 pages`. */
export function createProgressLogger(
  say: LogLine,
  noun: string,
): (done: number, of: number) => void {
  let said_ms = performance.now();
  return (done, of) => {
    if (performance.now() - said_ms < COUNT_MS) return;
    said_ms = performance.now();
    say(`  … ${done} of ${of} ${noun}`);
  };
}

export function failBuildIfIssues(what: string, issues: readonly string[]): void {
  if (issues.length > 0)
    throw new Error(
      `The ${what} did not pass its checks:\n${issues.map((issue) => `  ${issue}`).join('\n')}`,
    );
}

const FULL = /ENOSPC|EDQUOT|No space left on device|database or disk is full/;

/** Whether that was thrown because a disk is full, which each step words differently. */
export function isDiskFull(thrown: unknown): boolean {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return thrown instanceof Error && (FULL.test(thrown.message) || FULL.test(code));
}

export function buildFailure(cause: unknown): unknown {
  if (!isDiskFull(cause)) return cause;
  const full =
    'The disk that holds DATA_DIR is full. Nothing has changed: free some space, then run npm run release';
  return new Error(full, { cause });
}
