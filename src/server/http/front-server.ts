// The front server: a node:http request becomes a plain value, its response goes out.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { toErrorResponse } from '../../api/error-response.ts';
import type { HttpRequest } from '../../http/message.ts';
import {
  encodeResponse,
  type EncodedResponse,
  toHttpDate,
  toRepresentation,
} from '../../http/representation.ts';
import { isHost } from '../../http/own-host.ts';
import { CORS_HEADERS, toSecurityHeaders } from '../../http/response-headers.ts';
import { READINESS_PATH } from '../../i18n/paths.ts';
import type { RequestMeter, Work } from '../metrics/request-meter.ts';
import { handleClientError, refuseOnSocket } from './client-error.ts';
import { CONNECTION_LIMITS, type ConnectionLimits, watchConnections } from './connections.ts';
import { handleRequest } from './handle-request.ts';
import { readBody, RequestCutOff, streamBody } from './request-body.ts';
import { acquireLease, releaseLease, type ReleaseState } from './release-state.ts';
import { type OnRefused, toRefusalKind } from './refusals.ts';
import type { ServiceContext } from './request-context.ts';

/** A request's line and headers together; what is longer gets 414 or 431. */
const MAX_HEADER_BYTES = 32 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node looks whether a request is late: by so much more, at most. */
const LOOK_MS = 2_000;
/** A picture may come over a slow line; what is read whole has less (request-body.ts). */
const REQUEST_TIMEOUT_MS = 240_000;
/**
 * Longer than the 60 seconds that common proxies keep idle connections, so that they close first.
 */
const KEEP_ALIVE_MS = 65_000;

/** What a front server needs. */
export interface Front {
  readonly service: ServiceContext;
  /** The release that serves now. */
  readonly current: () => ReleaseState;
  readonly clock: () => number;
  /** Counts every response where something is measured. */
  readonly meter?: Pick<RequestMeter, 'count'> | undefined;
  /** What a connection may do, where it is not the usual. */
  readonly limits?: Partial<ConnectionLimits>;
  readonly onRefused?: OnRefused;
  /** Gets a line for every response. */
  readonly onResponse?: (line: RequestLog) => void;
}

/** One line of a log of responses. `path` is as it was sent: it may be secret. */
export interface RequestLog {
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly release: string;
  readonly duration_ms: number;
}

/** A server that does not listen yet. */
export function createFrontServer(front: Front): Server {
  const server = createServer({
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: LOOK_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    joinDuplicateHeaders: true,
    // Node would refuse without a body; we say what is missing.
    requireHostHeader: false,
  });
  // Before anything is answered, so that no answer goes unseen.
  watchConnections(server, { ...CONNECTION_LIMITS, ...front.limits }, front.onRefused);
  const { arrive } = front.service.queues;
  server.on('connection', arrive);
  server.on('request', (request, response) => {
    arrive();
    void respond(front, server, request, response);
  });
  // Whatever else is expected of us is passed over (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  const { site } = front.service;
  server.on('clientError', (error, socket) => {
    front.onRefused?.('malformed');
    handleClientError(error, socket, site);
  });
  server.on('connect', (_, socket) =>
    refuseOnSocket(socket, 'method_not_allowed', 'method: this is no proxy. Use GET', site, {
      allow: 'GET, HEAD, POST, OPTIONS',
    }),
  );
  return server;
}

async function respond(
  front: Front,
  server: Server,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const begun_ms = performance.now();
  const state = front.current();
  const now_ms = front.clock();
  let id: string | null = null;
  // Most requests need no id: it is made on first use.
  const identify = (): string => {
    id ??= randomUUID();
    return id;
  };
  const service: ServiceContext = {
    ...front.service,
    onError: (thrown, path) => front.service.onError(thrown, path, identify()),
  };
  const http_request = toHttpRequest(request);
  const work: Work = { route: 'other' };
  acquireLease(state);
  try {
    const wrong_host = findHostIssue(request);
    const encoded = wrong_host
      ? await refuseHost(http_request, service, wrong_host)
      : await handleRequest({
          request: http_request,
          socket_address: request.socket.remoteAddress,
          state,
          now_ms,
          service,
          work,
          readBody: (max_bytes) => readBody(request, max_bytes, service.site),
          streamBody: () => streamBody(request),
        });
    // A report of a failure can name it: the log has it under this id. 503 is no failure, and is not there.
    const extra: Record<string, string> = {
      ...(encoded.status === 500 ? { 'x-request-id': identify() } : {}),
      ...(server.listening ? {} : { connection: 'close' }),
    };
    send(response, encoded, now_ms, { ...toBareHeaders(encoded, service.site.url), ...extra });
    front.meter?.count(work.route, encoded.status, performance.now() - begun_ms);
    const { method, path } = http_request;
    const refused = toRefusalKind(encoded.status);
    // A balancer that is told to ask elsewhere is refused nothing.
    if (refused !== undefined && path !== READINESS_PATH) front.onRefused?.(refused);
    front.onResponse?.({
      request_id: identify(),
      method,
      path,
      status: encoded.status,
      release: state.id,
      duration_ms: Math.round(performance.now() - begun_ms),
    });
  } catch (thrown) {
    if (thrown instanceof RequestCutOff) front.onRefused?.('cut_off');
    else service.onError(thrown, http_request.path);
    // Where it is being told that it was late, it may read that.
    if (thrown instanceof RequestCutOff && response.socket?.writableEnded) return;
    response.destroy();
  } finally {
    releaseLease(state);
  }
}

/** HTTP/1.1 must name its host, and one only (RFC 9112, 3.2); HTTP/1.0 need not. Null where it does. */
function findHostIssue({ headers, httpVersion }: IncomingMessage): string | null {
  if (headers.host === undefined)
    return httpVersion === '1.0' ? null : 'host: is missing. Send the header Host';
  return isHost(headers.host) ? null : 'host: is not one name. Send the header Host once';
}

const refuseHost = (
  http_request: HttpRequest,
  { site }: ServiceContext,
  sentence: string,
): Promise<EncodedResponse> =>
  encodeResponse(
    http_request,
    toRepresentation(toErrorResponse('invalid_parameter', sentence, site, '', CORS_HEADERS)),
  );

/** What every answer says about safety, for one that says nothing yet. */
const toBareHeaders = (
  { headers }: EncodedResponse,
  site_url: string,
): Readonly<Record<string, string>> =>
  'content-security-policy' in headers
    ? {}
    : toSecurityHeaders(String(headers['content-type'] ?? ''), site_url);

/** A node:http request as a value; an absolute-form target (RFC 9112 3.2.2) means its path. */
export function toHttpRequest(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
): HttpRequest {
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
  const path = cut < 0 ? url : url.slice(0, cut);
  return {
    method: request.method ?? 'GET',
    path: path === '' ? '/' : path,
    query: cut < 0 ? '' : url.slice(cut + 1),
    headers,
  };
}

/**
 * `date` comes from the one clock, so that it agrees with Last-Modified; a draining server closes
 * the connection.
 */
function send(
  response: ServerResponse,
  { status, headers, body }: EncodedResponse,
  now_ms: number,
  extra: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { ...headers, date: toHttpDate(now_ms), ...extra });
  response.end(body);
}
