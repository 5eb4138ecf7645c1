// How long an API answer may be kept: a minute, then five more while it is asked again (RFC 5861), never past midnight in Cancún.
import { toSecondsToMidnight } from '../http/cache-control.ts';

const FRESH_SECONDS = 60;
const STALE_SECONDS = 300;

/** The Cache-Control of a success at `now_ms`. */
export function toFreshness(now_ms: number): string {
  const left = toSecondsToMidnight(now_ms);
  const fresh = Math.min(FRESH_SECONDS, left);
  return `public, max-age=${fresh}, stale-while-revalidate=${Math.min(STALE_SECONDS, left - fresh)}`;
}
