// Connection limits: limit connections per client address and in total. A new connection replaces
// the one that has been idle longest, or else the one with the slowest unfinished body. Closes
// connections of clients that do not read a response or keep sending after it. Malformed requests
// get a JSON error on the raw socket, because their path is unknown.
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createErrorResponse } from '../../api/error-response.ts';
import type { ErrorCode } from '../../domain/app-error.ts';
import type { Site } from '../../domain/site.ts';
import { type HttpResponse, JSON_TYPE, MAX_URL_LENGTH } from '../../http/message.ts';
import { CORS_HEADERS, securityHeaders } from '../../http/response-headers.ts';
import { rateLimitAddress } from './client-address.ts';
import type { OnRejected } from './error-pages.ts';

export const CONNECTION_LIMITS = {
  /** Infinity behind a proxy, because then all connections have its address. */
  per_address: 256,
  total: 4_000,
  /**
   * After the response ends, the client has this long to read it and finish its request, plus the
   * time for unsent bytes at the minimum rate. A slow phone reads 30 kB a second.
   */
  exchange_timeout_ms: 20_000,
  min_bytes_per_second: 8_000,
  check_interval_ms: 1_000,
};

export type ConnectionLimits = Readonly<typeof CONNECTION_LIMITS>;

/** A request and its response on a connection. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly started_ms: number;
  /** Bytes that the connection had received before the body. */
  readonly bytes_before: number;
  /** Null until the response has ended. */
  deadline_ms: number | null;
}

interface Connection {
  readonly socket: Socket;
  /** Address or network that rate limits count (client-address.ts). */
  readonly address: string;
  exchanges: Exchange[];
}

const isComplete = ({ request, response }: Exchange): boolean =>
  response.writableFinished && request.complete;

/**
 * Applies the limits to a server. Must be called before other handlers are attached, so that it
 * sees each request.
 */
export function enforceConnectionLimits(
  server: Server,
  limits: ConnectionLimits,
  onRejected: OnRejected = () => {},
): void {
  const connections = new Map<Socket, Connection>();
  server.on('connection', (socket) => {
    const address = rateLimitAddress(socket.remoteAddress ?? 'unknown');
    const same_address = [...connections.values()].filter((other) => other.address === address);
    const makeRoom = (candidates: Iterable<Connection>): boolean => {
      const evicted = findIdle(candidates) ?? findSlowestBody(candidates, limits);
      if (evicted === null) return false;
      if (evicted.exchanges.some(isReceiving)) onRejected('connection');
      connections.delete(evicted.socket);
      evicted.socket.destroy();
      return true;
    };
    const is_accepted =
      (same_address.length < limits.per_address || makeRoom(same_address)) &&
      (connections.size < limits.total || makeRoom([...connections.values()]));
    if (!is_accepted) {
      onRejected('connection');
      socket.destroy();
      return;
    }
    connections.set(socket, { socket, address, exchanges: [] });
    socket.once('close', () => connections.delete(socket));
  });
  server.on('request', (request, response) => {
    const connection = connections.get(request.socket);
    const pending = connection?.exchanges.filter((exchange) => !isComplete(exchange)) ?? [];
    if (connection === undefined) return;
    const [started_ms, bytes_before] = [performance.now(), request.socket.bytesRead];
    const exchange = { request, response, started_ms, bytes_before, deadline_ms: null };
    connection.exchanges = [...pending, exchange];
  });
  const timer = setInterval(() => {
    const now_ms = performance.now();
    for (const { socket, exchanges } of connections.values())
      if (exchanges.some((exchange) => isOverdue(exchange, limits, now_ms))) {
        onRejected('slow_reader');
        socket.destroy();
      }
  }, limits.check_interval_ms);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

/** Finds the longest-connected idle connection. @returns null if none is idle. */
function findIdle(candidates: Iterable<Connection>): Connection | null {
  for (const connection of candidates)
    if (connection.exchanges.every(isComplete)) return connection;
  return null;
}

const isReceiving = ({ request }: Exchange): boolean => !request.complete;

/**
 * Finds the connection whose unfinished body is furthest behind the minimum rate, so that one that
 * has just begun is not taken for slow. @returns null if all bodies are complete.
 */
function findSlowestBody(
  candidates: Iterable<Connection>,
  { min_bytes_per_second }: ConnectionLimits,
): Connection | null {
  const now_ms = performance.now();
  const countMissingBytes = ({ socket, exchanges }: Connection): number => {
    const exchange = exchanges.findLast(isReceiving);
    if (exchange === undefined) return Number.NEGATIVE_INFINITY;
    const { started_ms, bytes_before } = exchange;
    const expected_bytes = ((now_ms - started_ms) / 1000) * min_bytes_per_second;
    return expected_bytes - (socket.bytesRead - bytes_before);
  };
  let [slowest, most_missing]: [Connection | null, number] = [null, Number.NEGATIVE_INFINITY];
  for (const connection of candidates) {
    const missing = countMissingBytes(connection);
    if (missing > most_missing) [slowest, most_missing] = [connection, missing];
  }
  return slowest;
}

/** Returns true if the client did not read the response or send the rest of its request in time. */
function isOverdue(exchange: Exchange, limits: ConnectionLimits, now_ms: number): boolean {
  const { writableEnded, writableLength } = exchange.response;
  if (!writableEnded || isComplete(exchange)) return false;
  const transfer_ms = (writableLength / limits.min_bytes_per_second) * 1000;
  exchange.deadline_ms ??= now_ms + limits.exchange_timeout_ms + transfer_ms;
  return now_ms > exchange.deadline_ms;
}

/** A client that keeps sending has this long to read the error. */
const LINGER_MS = 2000;

/** A byte of an unencoded non-ASCII character. */
const NON_ASCII_BYTE = /[\x80-\xff]/;

/**
 * Selects the error code and message for an error of Node's HTTP parser.
 * @param packet The bytes it was parsing.
 */
function describeParserError(code: unknown, packet: string): readonly [ErrorCode, string] {
  if (code === 'HPE_HEADER_OVERFLOW') {
    // Node has one error for both. If the packet has the request line, its length tells which limit
    // was exceeded.
    const line_length = /^[A-Z]+ /.test(packet) ? (packet.split('\r\n', 1)[0] ?? '').length : 0;
    return line_length > MAX_URL_LENGTH
      ? ['uri_too_long', 'url: too long. Request less at once']
      : ['headers_too_large', 'headers: too large. Send fewer or shorter ones'];
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['request_timeout', 'request: did not arrive in time'];
  if (code === 'HPE_INVALID_METHOD')
    return ['invalid_parameter', 'method: is not one of HTTP. To read, use GET'];
  const part = code === 'HPE_INVALID_URL' ? findUnencodedPart(packet) : null;
  if (part === null) return ['invalid_parameter', 'request: is not HTTP as RFC 9112 writes it'];
  const advice = 'Percent-encode it as UTF-8, as encodeURIComponent does';
  return ['invalid_parameter', `${part}: is not percent-encoded UTF-8. ${advice}`];
}

/**
 * Finds the part of a request target with unencoded non-ASCII characters, which URLs may not
 * contain (RFC 3986, 2).
 * @returns the name of a parameter, `query` or `path`; null if all is encoded.
 */
function findUnencodedPart(packet: string): string | null {
  const target = /^[A-Z]+ (\S+)/.exec(packet)?.[1] ?? '';
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  if (NON_ASCII_BYTE.test(path)) return 'path';
  const pair = query.split('&').find((candidate) => NON_ASCII_BYTE.test(candidate));
  if (pair === undefined) return null;
  const name = pair.split('=', 1)[0] ?? '';
  return /^[\w-]{1,40}$/.test(name) ? name : 'query';
}

/**
 * Responds to an error of Node's HTTP parser on the raw socket; closes a socket that cannot be
 * written.
 */
export function handleClientError(error: Error, socket: Duplex, site: Site): void {
  const code = 'code' in error ? error.code : '';
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const packet =
    'rawPacket' in error && error.rawPacket instanceof Uint8Array
      ? Buffer.from(error.rawPacket).toString('latin1')
      : '';
  rejectOnSocket(socket, ...describeParserError(code, packet), site);
}

/** Creates the response to a request that is rejected before it is routed. */
export const earlyRejection = (
  code: ErrorCode,
  message: string,
  site: Site,
  extra: Readonly<Record<string, string>> = {},
): HttpResponse =>
  createErrorResponse(code, message, site, '', {
    ...CORS_HEADERS,
    ...securityHeaders(JSON_TYPE, site.url),
    ...extra,
  });

/** Writes an error response to the raw socket and closes it. */
export function rejectOnSocket(
  socket: Duplex,
  ...rejection: Parameters<typeof earlyRejection>
): void {
  const { status, headers, body } = earlyRejection(...rejection);
  const text = String(body);
  const fields = { ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
