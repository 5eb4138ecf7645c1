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
import { CORS_HEADERS } from '../../http/response-headers.ts';
import type { RequestMeter, Work } from '../metrics/request-meter.ts';
import { handleClientError } from './client-error.ts';
import { handleRequest } from './handle-request.ts';
import { readBody, streamBody } from './request-body.ts';
import { acquireLease, releaseLease, type ReleaseState } from './release-state.ts';
import type { ServiceContext } from './request-context.ts';

/** A request's line and headers together; what is longer gets 414 or 431. */
const MAX_HEADER_BYTES = 32 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
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
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      joinDuplicateHeaders: true,
      // Node would refuse without a body; we say what is missing.
      requireHostHeader: false,
    },
    (request, response) => void respond(front, server, request, response),
  );
  server.on('clientError', (error, socket) => handleClientError(error, socket, front.service.site));
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
    const encoded = lacksHost(request)
      ? await refuseWithoutHost(http_request, service)
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
    // A report of a failure can name it: the log has it under this id.
    const extra: Record<string, string> = {
      ...(encoded.status >= 500 ? { 'x-request-id': identify() } : {}),
      ...(server.listening ? {} : { connection: 'close' }),
    };
    send(response, encoded, now_ms, extra);
    front.meter?.count(work.route, encoded.status, performance.now() - begun_ms);
    const { method, path } = http_request;
    front.onResponse?.({
      request_id: identify(),
      method,
      path,
      status: encoded.status,
      release: state.id,
      duration_ms: Math.round(performance.now() - begun_ms),
    });
  } catch (thrown) {
    service.onError(thrown, http_request.path);
    response.destroy();
  } finally {
    releaseLease(state);
  }
}

/** HTTP/1.1 must name its host (RFC 9112, 3.2); HTTP/1.0 need not. */
const lacksHost = ({ headers, httpVersion }: IncomingMessage): boolean =>
  headers.host === undefined && httpVersion !== '1.0';

const refuseWithoutHost = (
  http_request: HttpRequest,
  { site }: ServiceContext,
): Promise<EncodedResponse> =>
  encodeResponse(
    http_request,
    toRepresentation(
      toErrorResponse(
        'invalid_parameter',
        'host: is missing. Send the header Host',
        site,
        '',
        CORS_HEADERS,
      ),
    ),
  );

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
