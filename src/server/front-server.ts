// The front server: a node:http request becomes a question, its answer goes out.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { toHttpDate } from '../http/etag.ts';
import type { Question } from '../http/exchange.ts';
import type { Finished } from '../http/representation.ts';
import { answerQuestion } from './answer-question.ts';
import type { House } from './asked.ts';
import { answerClientError } from './client-error.ts';
import { readBody } from './read-body.ts';
import { borrow, giveBack, type ReleaseState } from './release-state.ts';

/** A request's line and headers together; what is longer gets 414 or 431. */
const MAX_HEADER_BYTES = 32 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the 60 seconds that common proxies keep idle connections, so that they close first. */
const KEEP_ALIVE_MS = 65_000;

export interface Front {
  readonly house: House;
  /** The release that serves now. */
  readonly current: () => ReleaseState;
  readonly clock: () => number;
}

/** A server that does not listen yet. */
export function createFrontServer(front: Front): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: HEADERS_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS, joinDuplicateHeaders: true,
  }, (request, response) => void answer(front, server, request, response));
  server.on('clientError', (error, socket) => answerClientError(error, socket, front.house.site));
  return server;
}

async function answer(front: Front, server: Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const state = front.current();
  const now_ms = front.clock();
  borrow(state);
  try {
    const finished = await answerQuestion({
      question: toQuestion(request), socket_address: request.socket.remoteAddress, state, now_ms, house: front.house,
      readBody: (max_bytes) => readBody(request, max_bytes),
    });
    send(response, finished, now_ms, !server.listening);
  } catch (thrown) {
    front.house.onFault(thrown, request.url ?? '');
    response.destroy();
  } finally {
    giveBack(state);
  }
}

/** The question of a request; an absolute-form target (RFC 9112 3.2.2) means its path. */
export function toQuestion(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): Question {
  const url = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const cut = url.indexOf('?');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
  const path = cut < 0 ? url : url.slice(0, cut);
  return { method: request.method ?? 'GET', path: path === '' ? '/' : path, query: cut < 0 ? '' : url.slice(cut + 1), headers };
}

/** `date` comes from the one clock, so that it agrees with Last-Modified; a draining server closes what it answers. */
function send(response: ServerResponse, { status, headers, body }: Finished, now_ms: number, is_draining: boolean): void {
  response.writeHead(status, { ...headers, date: toHttpDate(now_ms), ...(is_draining ? { connection: 'close' } : {}) });
  response.end(body);
}
