// Admission: decides if and when a request is handled. Applies rate limits, then checks the API key
// (contract 9.3: 429 before 401 before 400), queues rendering (10.10), and waits while another
// program locks the inbox.
import { setTimeout as sleep } from 'node:timers/promises';
import { createErrorResponse } from '../../api/error-response.ts';
import { sha256Hex } from '../../inbox/secrets.ts';
import { type Inbox, ignoreDiskFull } from '../../inbox/open.ts';
import { AppError, INVALID_KEY_MESSAGE } from '../../domain/app-error.ts';
import type { HttpResponse } from '../../http/message.ts';
import { type RateLimitName, type RateLimitStatus, rateLimitHeaders } from '../rate-limits.ts';
import { QueueFullError } from '../fair-queue.ts';
import { errorPageResponse } from './error-pages.ts';
import type { RequestContext, ServiceContext } from './request-context.ts';

/**
 * Rate-limits a request to /api or /mcp and checks its `x-api-key` (contract 10.5, 10.6, 10.8,
 * 7.1). A live key has its own limit; everything else is counted by client address, so an invented
 * key gains nothing. An empty key is none: hosts send optional headers that were left blank.
 * @param shared_limit Limit that replaces both, for requests of addresses that many people share.
 * @returns the rate limit headers for any response, and the 429 or 401 `rejection` if the request
 * is not allowed; for a 429 also its message.
 */
export async function authorize(
  {
    request,
    sender,
    service: { consumeAllowance, isLiveKey, site },
  }: Pick<RequestContext, 'request' | 'sender'> & {
    readonly service: Pick<ServiceContext, 'consumeAllowance' | 'isLiveKey' | 'site'>;
  },
  shared_limit: RateLimitName | null = null,
) {
  const { 'x-api-key': key = '' } = request.headers;
  const hash = key === '' ? null : sha256Hex(key);
  const is_live = hash !== null && (await isLiveKey(hash));
  const limit = is_live
    ? await consumeAllowance(shared_limit ?? 'key', hash)
    : await consumeAllowance(shared_limit ?? 'address', sender);
  const headers = rateLimitHeaders(limit);
  if (limit.is_exceeded) {
    const rate_limit_message = `rate: more than ${limit.limit} requests in a minute. Try again in ${limit.reset_seconds} seconds`;
    const rejection = createErrorResponse('rate_limited', rate_limit_message, site);
    return { headers, rejection, rate_limit_message };
  }
  if (hash === null || is_live) return { headers, rejection: null, rate_limit_message: null };
  const rejection = createErrorResponse('invalid_api_key', INVALID_KEY_MESSAGE, site);
  return { headers, rejection, rate_limit_message: null };
}

/** Thrown if a sender exceeds the rate limit of filtered pages and forms. */
class PageLimitError extends Error {
  readonly limit: RateLimitStatus;
  constructor(limit: RateLimitStatus) {
    super('Too many pages in a minute');
    this.limit = limit;
  }
}

/**
 * Runs a rendering task in the sender's turn. Filtered pages and forms count against the sender's
 * page limit; pages that are shared by all visitors do not.
 * @throws errors that busyResponse handles, and errors of the task.
 */
export async function runWithAdmission<T>(
  { sender, service: { consumeAllowance, queues } }: RequestContext,
  kind: 'page' | 'filtered_page' | 'form',
  task: () => Promise<T>,
): Promise<T> {
  if (kind !== 'page') {
    const limit = await consumeAllowance('page', sender);
    if (limit.is_exceeded) throw new PageLimitError(limit);
  }
  return queues[kind === 'form' ? 'form' : 'page'](sender, task);
}

/**
 * Creates the response for a request that is rejected because of load.
 * @returns null for any other error.
 */
export function busyResponse(
  error: unknown,
  { request, service: { site } }: RequestContext,
): HttpResponse | null {
  if (error instanceof PageLimitError)
    return errorPageResponse(
      429,
      'error.too_many_pages',
      request,
      site,
      rateLimitHeaders(error.limit),
    );
  if (error instanceof QueueFullError) {
    const headers = { 'retry-after': String(error.retry_seconds) };
    return errorPageResponse(error.status, 'error.busy', request, site, headers);
  }
  if (error instanceof AppError && error.code === 'unavailable')
    return errorPageResponse(503, 'error.unavailable', request, site, { 'retry-after': '30' });
  return null;
}

/** A request waits at most this long for a locked inbox. */
const INBOX_TIMEOUT_MS = 3_000;
const INBOX_POLL_MS = 50;

/** Waits until the inbox is readable. @returns false after the timeout. */
export const waitUntilReadable = (inbox: Inbox): Promise<boolean> =>
  pollInbox(inbox, INBOX_TIMEOUT_MS, () =>
    inbox.db.selectFrom('session').select('id').limit(1).execute(),
  );

/** Waits until the inbox is writable. @returns false after the timeout. */
export const waitUntilWritable = (inbox: Inbox, timeout_ms = INBOX_TIMEOUT_MS): Promise<boolean> =>
  pollInbox(inbox, timeout_ms, () => inbox.canWrite());

async function pollInbox(inbox: Inbox, timeout_ms: number, probe: () => Promise<unknown>) {
  const deadline_ms = performance.now() + timeout_ms;
  for (;;) {
    // The result is wrapped, because null means that the inbox was not available.
    const result = await ignoreDiskFull(() => inbox.withoutWaiting(async () => [await probe()]));
    if (result !== null) return true;
    if (performance.now() >= deadline_ms) return false;
    await sleep(INBOX_POLL_MS);
    if (!inbox.is_open) return false;
  }
}
