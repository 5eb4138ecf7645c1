// Who may have a page made: each address has so many a minute, and takes its turn among the others; files of
// a release are nobody's to wait for (contract 10.10).
import { AppError } from '../../domain/app-error.ts';
import type { HttpResponse } from '../../http/message.ts';
import { toSender } from './client-address.ts';
import { type Allowance, toRateHeaders } from './rates.ts';
import { toRefusal } from './refusal-page.ts';
import type { RequestContext } from './request-context.ts';
import { createTurns, type TakeTurn, TurnRefused } from './turns.ts';

/** The queues of a process: a page is made at one go, a form waits for passwords and calendars. */
export interface Queues {
  /** Somebody came: a connection, or a request. */
  readonly arrive: () => void;
  readonly page: TakeTurn;
  readonly form: TakeTurn;
}

export function createQueues(): Queues {
  let arrived = 0;
  const countArrivals = (): number => arrived;
  return {
    arrive: () => {
      arrived++;
    },
    page: createTurns({ at_once: 2, of_one: 32, of_all: 256 }, countArrivals),
    form: createTurns({ at_once: 64, of_one: 32, of_all: 256 }, countArrivals),
  };
}

/** Thrown where an address has had its pages of this minute. */
class TooManyPages extends Error {
  readonly allowance: Allowance;
  constructor(allowance: Allowance) {
    super('Too many pages in a minute');
    this.allowance = allowance;
  }
}

/** Does what makes a page, for the sender of a request. Throws what isRefusedPage knows, and what it throws. */
export async function admit<T>(
  { request, socket_address, service }: RequestContext,
  queue: 'page' | 'form',
  work: () => Promise<T>,
): Promise<T> {
  const { access, queues } = service;
  const sender = toSender(request, socket_address, access);
  const allowance = await access.count('page', sender);
  if (allowance.is_exceeded) throw new TooManyPages(allowance);
  return queues[queue](sender, work);
}

/** The answer to a request whose page is not made now, for whatever was thrown; null of anything else. */
export function toBusyResponse(
  thrown: unknown,
  { request, service }: Pick<RequestContext, 'request' | 'service'>,
): HttpResponse | null {
  const { site } = service;
  if (thrown instanceof TooManyPages)
    return toRefusal(429, 'error.too_many_pages', request, site, toRateHeaders(thrown.allowance));
  if (thrown instanceof TurnRefused)
    return toRefusal(thrown.status, 'error.busy', request, site, {
      'retry-after': String(thrown.retry_seconds),
    });
  if (thrown instanceof AppError && thrown.code === 'unavailable')
    return toRefusal(503, 'error.unavailable', request, site, { 'retry-after': '30' });
  return null;
}
