// Refusing a release: with all that was found wrong, in words for whoever must mend it.

/** Throws one Error with every fault; does nothing where there is none. */
export function refuse(what: string, issues: readonly string[]): void {
  if (issues.length > 0)
    throw new Error(
      `The ${what} did not pass its checks:\n${issues.map((issue) => `  ${issue}`).join('\n')}`,
    );
}

const FULL = /ENOSPC|EDQUOT|No space left on device|database or disk is full/;

/** What was thrown, or one sentence for a full disk, which many steps say in words of their own. */
export function toBuildFailure(thrown: unknown): unknown {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const is_full = thrown instanceof Error && (FULL.test(thrown.message) || FULL.test(code));
  return is_full
    ? new Error(
        'The disk that holds DATA_DIR is full. Nothing has changed: free some space, then run npm run release',
        { cause: thrown },
      )
    : thrown;
}
