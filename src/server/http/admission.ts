// Whether a request may go on: counted first, then its key (contract 9.3: 429 before 401 before 400); what is
// made takes its turn (10.10); who needs the inbox waits while another program has it to itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { createErrorResponse } from '../../api/error-response.ts';
import { sha256Hex } from '../../inbox/secrets.ts';
import { type Inbox, ignoreDiskFull } from '../../inbox/open.ts';
import { AppError } from '../../domain/app-error.ts';
import type { HttpResponse } from '../../http/message.ts';
import { type RateLimitStatus, rateLimitHeaders } from '../rate-limits.ts';
import { QueueFullError } from '../fair-queue.ts';
import { errorPageResponse } from './error-pages.ts';
import type { RequestContext, ServiceContext } from './request-context.ts';

/**
 * Counts a request to /api or /mcp and checks its `x-api-key` (contract 10.5, 10.6, 10.8, 7.1). A live key is
 * counted by itself, everything else by client address, so a made-up key gains nothing. Gives the headers of any
 * response; the 429 or 401 where it may not go on, and of a 429 why, in a sentence.
 */
export async function authorize({
  request,
  sender,
  service: { take, isLiveKey, site },
}: Pick<RequestContext, 'request' | 'sender'> & {
  readonly service: Pick<ServiceContext, 'take' | 'isLiveKey' | 'site'>;
}) {
  const key = request.headers['x-api-key'];
  const hash = key === undefined || key === '' ? null : sha256Hex(key);
  const is_live = hash !== null && (await isLiveKey(hash));
  const allowance = is_live ? await take('key', hash) : await take('address', sender);
  const headers = rateLimitHeaders(allowance);
  if (allowance.is_exceeded) {
    const too_many = `rate: more than ${allowance.limit} requests in a minute. Try again in ${allowance.reset_seconds} seconds`;
    return { headers, refusal: createErrorResponse('rate_limited', too_many, site), too_many };
  }
  if (key === undefined || is_live) return { headers, refusal: null, too_many: null };
  const sentence = 'x-api-key: is not a live key. Leave the header out to read without one';
  const refusal = createErrorResponse('invalid_api_key', sentence, site);
  return { headers, refusal, too_many: null };
}

class TooManyPages extends Error {
  readonly allowance: RateLimitStatus;
  constructor(allowance: RateLimitStatus) {
    super('Too many pages in a minute');
    this.allowance = allowance;
  }
}

/**
 * Makes for the sender of a request a page that everybody is given at its address, one for this reader, or a
 * form. Throws what busyResponse knows, and what `work` throws.
 */
export async function runWithAdmission<T>(
  { sender, service: { take, queues } }: RequestContext,
  made: 'page' | 'narrowed' | 'form',
  work: () => Promise<T>,
): Promise<T> {
  if (made !== 'page') {
    const allowance = await take('page', sender);
    if (allowance.is_exceeded) throw new TooManyPages(allowance);
  }
  return queues[made === 'form' ? 'form' : 'page'](sender, work);
}

/** The answer to a request whose page is not made now, for whatever was thrown; null of anything else. */
export function busyResponse(
  thrown: unknown,
  { request, service: { site } }: RequestContext,
): HttpResponse | null {
  if (thrown instanceof TooManyPages)
    return errorPageResponse(
      429,
      'error.too_many_pages',
      request,
      site,
      rateLimitHeaders(thrown.allowance),
    );
  if (thrown instanceof QueueFullError) {
    const again = { 'retry-after': String(thrown.retry_seconds) };
    return errorPageResponse(thrown.status, 'error.busy', request, site, again);
  }
  if (thrown instanceof AppError && thrown.code === 'unavailable')
    return errorPageResponse(503, 'error.unavailable', request, site, { 'retry-after': '30' });
  return null;
}

/** How long one waits for the inbox, and how often is looked. */
const PATIENCE_MS = 3_000;
const LOOK_MS = 50;

/** Whether the inbox can be read now, or within the patience there is. */
export const waitUntilReadable = (inbox: Inbox): Promise<boolean> =>
  until(inbox, PATIENCE_MS, () => inbox.db.selectFrom('session').select('id').limit(1).execute());

/** Whether it can be written to now, or within the patience there is. */
export const waitUntilWritable = (inbox: Inbox, patience_ms = PATIENCE_MS): Promise<boolean> =>
  until(inbox, patience_ms, () => inbox.canWrite());

async function until(inbox: Inbox, patience_ms: number, look: () => Promise<unknown>) {
  const end_ms = performance.now() + patience_ms;
  for (;;) {
    const found = await ignoreDiskFull(() => inbox.withoutWaiting(async () => [await look()]));
    if (found !== null) return true;
    if (performance.now() >= end_ms) return false;
    await sleep(LOOK_MS);
    if (!inbox.is_open) return false;
  }
}
