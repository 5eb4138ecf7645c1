// HTTP server: converts node:http requests to plain values, handles them and sends the responses.
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

/** A request body must arrive within this time. */
const BODY_TIMEOUT_MS = 30_000;

export interface HttpServerOptions {
  readonly service: ServiceContext;
  readonly getRelease: () => OpenRelease;
  readonly clock: () => number;
  readonly onResponse?: Metrics['recordResponse'] | undefined;
  readonly limits?: Partial<ConnectionLimits>;
  readonly onRejected?: OnRejected;
}

export function createHttpServer(options: HttpServerOptions): Server {
  const server = createServer({
    // Request line and headers together; longer ones get 414 or 431.
    maxHeaderSize: 32 * 1024,
    headersTimeout: 10_000,
    // Uploading a picture over a slow connection takes minutes.
    requestTimeout: 240_000,
    connectionsCheckingInterval: 2_000,
    // Common proxies close idle connections after 60 seconds. Be slower, so that they close first.
    keepAliveTimeout: 65_000,
    joinDuplicateHeaders: true,
    // Node would reject without a body; our error says that Host is missing.
    requireHostHeader: false,
  });
  // Before the request handler, so that it sees each response.
  enforceConnectionLimits(server, { ...CONNECTION_LIMITS, ...options.limits }, options.onRejected);
  const { site, queues } = options.service;
  server.on('connection', queues.recordArrival);
  server.on('request', (request, response) => {
    queues.recordArrival();
    const release = options.getRelease();
    void withOpenRelease(release, () => respond(options, release, server, request, response));
  });
  // Unknown expectations are ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error, socket) => {
    options.onRejected?.('malformed');
    handleClientError(error, socket, site);
  });
  server.on('connect', (_, socket) =>
    rejectOnSocket(socket, 'method_not_allowed', 'method: this is no proxy. Use GET', site, {
      allow: 'GET, HEAD, POST, OPTIONS',
    }),
  );
  return server;
}

/** The Date header is formatted once per second. */
let date_header = { second: 0, text: '' };
function getDateHeader(now_ms: number): string {
  const second = Math.floor(now_ms / 1000);
  if (date_header.second !== second) date_header = { second, text: formatHttpDate(now_ms) };
  return date_header.text;
}

async function respond(
  options: HttpServerOptions,
  release: OpenRelease,
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const start_ms = performance.now();
  const now_ms = options.clock();
  const { service } = options;
  const { site } = service;
  // Created on demand: most requests need no id.
  let request_id: string | null = null;
  const getRequestId = (): string => {
    request_id ??= randomUUID();
    return request_id;
  };
  const onError = (error: unknown, error_path: string): void =>
    service.onError(error, error_path, getRequestId());
  const http_request = parseRequest(request);
  const { path } = http_request;
  const work: RequestWork = { route: 'other' };
  try {
    const host_issue = findHostIssue(request);
    const context: RequestContext = {
      request: http_request,
      sender: senderOfRequest(http_request, request.socket.remoteAddress, service.trusted_proxies),
      ...{ release, now_ms, service, work, onError },
      readBody: (max_bytes) => readBody(request, max_bytes, site),
      streamBody: () => streamBody(request),
    };
    const { status, headers, body } = await (host_issue
      ? encodeForRequest(context, earlyRejection('invalid_parameter', host_issue, site))
      : handleRequest(context));
    response.writeHead(status, {
      ...headers,
      // From our clock, so that it is consistent with Last-Modified.
      date: getDateHeader(now_ms),
      // The log contains the error under this id. A 503 is not logged, so it has no id.
      ...(status === 500 ? { 'x-request-id': getRequestId() } : {}),
      // While draining, the server no longer listens.
      ...(server.listening ? {} : { connection: 'close' }),
    });
    response.end(body);
    options.onResponse?.(work.route, status, performance.now() - start_ms);
    const kind = rejectedRequestKind(status);
    // A 503 of /readyz is information for a load balancer, not a rejected request.
    if (kind !== undefined && path !== READINESS_PATH) options.onRejected?.(kind);
  } catch (error) {
    if (error instanceof RequestAbortedError) options.onRejected?.('cut_off');
    else onError(error, path);
    // After a timeout the error response is already on its way; let the client read it.
    if (error instanceof RequestAbortedError && response.socket?.writableEnded) return;
    response.destroy();
  }
}

/**
 * Checks that an HTTP/1.1 request has exactly one Host (RFC 9112, 3.2); HTTP/1.0 requests need
 * none.
 * @returns null if it is valid.
 */
function findHostIssue({ headers, httpVersion }: IncomingMessage): string | null {
  if (headers.host === undefined)
    return httpVersion === '1.0' ? null : 'host: is missing. Send the header Host';
  return isValidHost(headers.host) ? null : 'host: is not one name. Send the header Host once';
}

/**
 * Converts a node:http request. Of an absolute-form target (RFC 9112 3.2.2) only path and query
 * count.
 */
function parseRequest(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>): HttpRequest {
  const target = request.url ?? '/';
  const url =
    target.startsWith('/') && !target.includes('#')
      ? target
      : target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const query_start = url.indexOf('?');
  const headers: Record<string, string | undefined> = {};
  for (const name in request.headers) {
    const value = request.headers[name];
    headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return {
    method: request.method ?? 'GET',
    path: (query_start < 0 ? url : url.slice(0, query_start)) || '/',
    query: query_start < 0 ? '' : url.slice(query_start + 1),
    headers,
  };
}

/**
 * Reads the body until it exceeds `max_bytes`, including the chunk that does, and drops the rest. A
 * body that does not arrive in time gets 408 on the raw socket.
 * @throws RequestAbortedError if the client closes the connection before the end.
 */
async function readBody(
  request: IncomingMessage,
  max_bytes: number,
  site: ServiceContext['site'],
): Promise<Buffer> {
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    handleClientError(error, request.socket, site);
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

/**
 * Streams the body. The consumer may stop early and still respond.
 * @throws RequestAbortedError if the client closes the connection before the end.
 */
async function* streamBody(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch {
    throw new RequestAbortedError('The request was cut off');
  }
}
