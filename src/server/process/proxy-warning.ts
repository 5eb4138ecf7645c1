// The line about a proxy that nobody said stands in front: said once, whichever process meets it.
import type { Logger } from 'pino';

/** What a serving process sends its primary. */
export const FORWARDED = 'forwarded';

/** Tells the primary, which logs it for all. */
export const tellForwarded = (): void => void process.send?.(FORWARDED);

/** Says what that means and what to do. */
export function warnOfProxy(log: Logger): void {
  log.warn(
    'a request came with X-Forwarded-For, and TRUST_PROXY is 0: where a proxy stands in front, all its visitors are counted as one address. Set TRUST_PROXY to how many do; where none does, somebody made that header up',
  );
}
