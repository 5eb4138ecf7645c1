// Build log: logs one line per step with counts and durations, and all issues if a build fails.

export type LogLine = (line: string) => void;

/** Formats a duration such as `0.4 s`, `12 s` or `2 min 5 s`. */
export function formatDuration(duration_ms: number): string {
  const seconds = duration_ms / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** Runs a step and logs its result with the duration. */
export async function runLoggedStep<T>(
  log: LogLine,
  step: () => T | Promise<T>,
  formatResult: (value: T) => string,
): Promise<T> {
  const started_ms = performance.now();
  const value = await step();
  log(`  ${formatResult(value)} (${formatDuration(performance.now() - started_ms)})`);
  return value;
}

const PROGRESS_INTERVAL_MS = 2_000;

/** Creates a function that logs progress such as `120 of 340 pages`, at most every two seconds. */
export function createProgressLogger(
  log: LogLine,
  noun: string,
): (done: number, total: number) => void {
  let logged_ms = performance.now();
  return (done, total) => {
    if (performance.now() - logged_ms < PROGRESS_INTERVAL_MS) return;
    logged_ms = performance.now();
    log(`  … ${done} of ${total} ${noun}`);
  };
}

/**
 * Throws an error with all issues, if any.
 * @param subject Name of the checked file: `release` or `snapshot`.
 */
export function failBuildIfIssues(subject: string, issues: readonly string[]): void {
  if (issues.length > 0)
    throw new Error(
      `The ${subject} failed its checks:\n${issues.map((issue) => `  ${issue}`).join('\n')}`,
    );
}

const DISK_FULL_PATTERN = /ENOSPC|EDQUOT|No space left on device|database or disk is full/;

/** Tells if an error was caused by a full disk; each library words it differently. */
export function isDiskFull(thrown: unknown): boolean {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return (
    thrown instanceof Error &&
    (DISK_FULL_PATTERN.test(thrown.message) || DISK_FULL_PATTERN.test(code))
  );
}

/** Builds the error of a failed build: for a full disk with advice, otherwise the cause itself. */
export function buildFailure(cause: unknown): unknown {
  if (!isDiskFull(cause)) return cause;
  const message =
    'The disk with DATA_DIR is full. Nothing has changed: free some space, then run npm run release';
  return new Error(message, { cause });
}
