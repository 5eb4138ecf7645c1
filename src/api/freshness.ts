// How long an API answer may be kept: a minute, then five more while it is asked again (RFC 5861),
// never past midnight in Cancún.
import { findToday } from '../domain/today.ts';
import { capCacheControl } from '../http/response-headers.ts';

/** The Cache-Control of a success at `now_ms`. */
export const toFreshness = (now_ms: number): string =>
  capCacheControl(
    'public, max-age=60, stale-while-revalidate=300',
    now_ms,
    findToday(now_ms).end_ms,
  );
