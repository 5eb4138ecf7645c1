// The front server: a node:http request becomes a plain value, its response goes out.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { HttpRequest } from '../../http/message.ts';
import { formatHttpDate } from '../../http/representation.ts';
import { isValidHost } from '../../http/request-origin.ts';
import { READINESS_PATH } from '../../i18n/paths.ts';
import type { Metrics, RequestWork } from '../metrics.ts';
import {
  CONNECTION_LIMITS,
  type ConnectionLimits,
  handleClientError,
  rejectOnSocket,
  earlyRejection,
  enforceConnectionLimits,
} from './connections.ts';
import { senderOfRequest } from './client-address.ts';
import { handleRequest } from './handle-request.ts';
import { type OnRejected, rejectedRequestKind } from './error-pages.ts';
import {
  encodeForRequest,
  type OpenRelease,
  type RequestContext,
  RequestAbortedError,
  type ServiceContext,
  withOpenRelease,
} from './request-context.ts';

/** A body that is read whole is there within this time. */
const BODY_TIMEOUT_MS = 30_000;

export interface HttpServerOptions {
  readonly service: ServiceContext;
  readonly current: () => OpenRelease;
  readonly clock: () => number;
  readonly onAnswered?: Metrics['count'] | undefined;
  readonly limits?: Partial<ConnectionLimits>;
  readonly onRefused?: OnRejected;
}

export function createHttpServer(front: HttpServerOptions): Server {
  const server = createServer({
    // A request's line and headers together; what is longer gets 414 or 431.
    maxHeaderSize: 32 * 1024,
    headersTimeout: 10_000,
    // A picture may come over a slow line.
    requestTimeout: 240_000,
    connectionsCheckingInterval: 2_000,
    // Longer than the 60 seconds that common proxies keep idle connections, so that they close first.
    keepAliveTimeout: 65_000,
    joinDuplicateHeaders: true,
    // Node would refuse without a body; we say what is missing.
    requireHostHeader: false,
  });
  // Before anything is answered, so that no answer goes unseen.
  enforceConnectionLimits(server, { ...CONNECTION_LIMITS, ...front.limits }, front.onRefused);
  const { site, queues } = front.service;
  server.on('connection', queues.arrive);
  server.on('request', (request, response) => {
    queues.arrive();
    const state = front.current();
    void withOpenRelease(state, () => respond(front, state, server, request, response));
  });
  // Whatever else is expected of us is passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error, socket) => {
    front.onRefused?.('malformed');
    handleClientError(error, socket, site);
  });
  server.on('connect', (_, socket) =>
    rejectOnSocket(socket, 'method_not_allowed', 'method: this is no proxy. Use GET', site, {
      allow: 'GET, HEAD, POST, OPTIONS',
    }),
  );
  return server;
}

/** One text serves all answers of a second. */
let dated = { second: 0, text: '' };
function toDateField(now_ms: number): string {
  const second = Math.floor(now_ms / 1000);
  if (dated.second !== second) dated = { second, text: formatHttpDate(now_ms) };
  return dated.text;
}

async function respond(
  front: HttpServerOptions,
  state: OpenRelease,
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const begun_ms = performance.now();
  const now_ms = front.clock();
  const { service } = front;
  const { site } = service;
  // Most requests need no id.
  let id: string | null = null;
  const identify = (): string => {
    id ??= randomUUID();
    return id;
  };
  const onError = (thrown: unknown, at: string): void => service.onError(thrown, at, identify());
  const http_request = toHttpRequest(request);
  const { path } = http_request;
  const work: RequestWork = { route: 'other' };
  try {
    const wrong_host = findHostIssue(request);
    const context: RequestContext = {
      request: http_request,
      sender: senderOfRequest(http_request, request.socket.remoteAddress, service.trusted_proxies),
      ...{ state, now_ms, service, work, onError },
      readBody: (max_bytes) => readBody(request, max_bytes, site),
      streamBody: () => streamBody(request),
    };
    const { status, headers, body } = await (wrong_host
      ? encodeForRequest(context, earlyRejection('invalid_parameter', wrong_host, site))
      : handleRequest(context));
    response.writeHead(status, {
      ...headers,
      // From the one clock, so that it agrees with Last-Modified.
      date: toDateField(now_ms),
      // A report of a failure can name it: the log has it under this id. 503 is no failure, and is not there.
      ...(status === 500 ? { 'x-request-id': identify() } : {}),
      // Draining.
      ...(server.listening ? {} : { connection: 'close' }),
    });
    response.end(body);
    front.onAnswered?.(work.route, status, performance.now() - begun_ms);
    const refused = rejectedRequestKind(status);
    // A balancer that is told to ask elsewhere is refused nothing.
    if (refused !== undefined && path !== READINESS_PATH) front.onRefused?.(refused);
  } catch (thrown) {
    if (thrown instanceof RequestAbortedError) front.onRefused?.('cut_off');
    else onError(thrown, path);
    // Where it is being told that it was late, it may read that.
    if (thrown instanceof RequestAbortedError && response.socket?.writableEnded) return;
    response.destroy();
  }
}

/** HTTP/1.1 must name its host, and one only (RFC 9112, 3.2); HTTP/1.0 need not. Null where it does. */
function findHostIssue({ headers, httpVersion }: IncomingMessage): string | null {
  if (headers.host === undefined)
    return httpVersion === '1.0' ? null : 'host: is missing. Send the header Host';
  return isValidHost(headers.host) ? null : 'host: is not one name. Send the header Host once';
}

/** An absolute-form target (RFC 9112 3.2.2) means its path. */
function toHttpRequest(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): HttpRequest {
  const target = request.url ?? '/';
  const url =
    target.startsWith('/') && !target.includes('#')
      ? target
      : target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const cut = url.indexOf('?');
  const headers: Record<string, string | undefined> = {};
  for (const name in request.headers) {
    const value = request.headers[name];
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    method: request.method ?? 'GET',
    path: (cut < 0 ? url : url.slice(0, cut)) || '/',
    query: cut < 0 ? '' : url.slice(cut + 1),
    headers,
  };
}

/**
 * The body up to `max_bytes` and the chunk that passes them; the rest is dropped. One that does not come in time is
 * answered on the bare socket. Throws RequestAbortedError where its end does not come.
 */
async function readBody(
  request: IncomingMessage,
  max_bytes: number,
  site: ServiceContext['site'],
): Promise<Buffer> {
  const timer = setTimeout(() => {
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    handleClientError(late, request.socket, site);
  }, BODY_TIMEOUT_MS);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of streamBody(request)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > max_bytes) break;
    }
    return Buffer.concat(chunks);
  } finally {
    clearTimeout(timer);
    request.resume();
  }
}

/** Whoever stops asking for more can still respond. Throws RequestAbortedError where its end does not come. */
async function* streamBody(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw new RequestAbortedError('The request was cut off');
  }
}
