// The connections of a front server: so many of one address and in all, where those that wait for nothing go
// first; who does not read an answer, or goes on sending after it, is ended. What never becomes a request is
// answered on the bare socket in JSON, for its path is not known.
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
  /** Infinity where a proxy stands in front, whose address all of them have. */
  of_address: 256,
  all: 4_000,
  /**
   * Within this an answer is read and its request sent to the end, and more for what is left to be read; a slow
   * telephone reads 30 kB a second.
   */
  end_ms: 20_000,
  bytes_a_second: 8_000,
  look_ms: 1_000,
};

export type ConnectionLimits = Readonly<typeof CONNECTION_LIMITS>;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** When it must be over at the latest; null before it is answered. */
  until_ms: number | null;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  exchanges: Exchange[];
}

const isOver = ({ request, response }: Exchange): boolean =>
  response.writableFinished && request.complete;

export function enforceConnectionLimits(
  server: Server,
  limits: ConnectionLimits,
  onRefused: OnRejected = () => {},
): void {
  const known = new Map<Socket, Connection>();
  server.on('connection', (socket) => {
    const address = rateLimitAddress(socket.remoteAddress ?? 'unknown');
    const own = [...known.values()].filter((one) => one.address === address);
    const has_room =
      (own.length < limits.of_address || endIdle(own, known)) &&
      (known.size < limits.all || endIdle(known.values(), known));
    if (!has_room) {
      onRefused('connection');
      socket.destroy();
      return;
    }
    known.set(socket, { socket, address, exchanges: [] });
    socket.once('close', () => known.delete(socket));
  });
  server.on('request', (request, response) => {
    const connection = known.get(request.socket);
    const pending = connection?.exchanges.filter((exchange) => !isOver(exchange)) ?? [];
    if (connection) connection.exchanges = [...pending, { request, response, until_ms: null }];
  });
  const timer = setInterval(() => {
    const now_ms = performance.now();
    for (const { socket, exchanges } of known.values())
      if (exchanges.some((exchange) => isLate(exchange, limits, now_ms))) {
        onRefused('slow_reader');
        socket.destroy();
      }
  }, limits.look_ms);
  timer.unref();
  server.once('close', () => clearInterval(timer));
}

function endIdle(some: Iterable<Connection>, known: Map<Socket, Connection>): boolean {
  for (const connection of some)
    if (connection.exchanges.every(isOver)) {
      known.delete(connection.socket);
      connection.socket.destroy();
      return true;
    }
  return false;
}

/** Whether an answer is not read, or a request not sent, in the time there is for it. */
function isLate(exchange: Exchange, limits: ConnectionLimits, now_ms: number): boolean {
  const { writableEnded, writableLength } = exchange.response;
  if (!writableEnded || isOver(exchange)) return false;
  const more_ms = (writableLength / limits.bytes_a_second) * 1000;
  exchange.until_ms ??= now_ms + limits.end_ms + more_ms;
  return now_ms > exchange.until_ms;
}

/** How long a client that goes on sending may take to read the response. */
const LINGER_MS = 2000;

/** One byte of a letter outside ASCII. */
const RAW_LETTER = /[\x80-\xff]/;

/** The code and sentence for an error of Node's parser; `packet` is what it was reading. */
function toParserError(code: unknown, packet: string): readonly [ErrorCode, string] {
  if (code === 'HPE_HEADER_OVERFLOW') {
    // Node says the same of both: where the packet shows the request line, its length tells which it was.
    const line_length = /^[A-Z]+ /.test(packet) ? (packet.split('\r\n', 1)[0] ?? '').length : 0;
    return line_length > MAX_URL_LENGTH
      ? ['uri_too_long', 'url: is too long. Ask for less at once']
      : ['headers_too_large', 'headers: are too large. Send fewer or shorter ones'];
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return ['request_timeout', 'request: did not arrive in time'];
  if (code === 'HPE_INVALID_METHOD')
    return ['invalid_parameter', 'method: is not one of HTTP. To read, use GET'];
  const raw = code === 'HPE_INVALID_URL' ? findRawPart(packet) : null;
  if (raw === null) return ['invalid_parameter', 'request: is not HTTP as RFC 9112 writes it'];
  const how = 'Percent-encode it as UTF-8, as encodeURIComponent does';
  return ['invalid_parameter', `${raw}: is not percent-encoded UTF-8. ${how}`];
}

/**
 * Which part of a request's target has letters as they are, which an address may not (RFC 3986, 2):
 * a parameter by its name, or `query` or `path`; null where there is no such letter.
 */
function findRawPart(packet: string): string | null {
  const target = /^[A-Z]+ (\S+)/.exec(packet)?.[1] ?? '';
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  if (RAW_LETTER.test(path)) return 'path';
  const pair = query.split('&').find((each) => RAW_LETTER.test(each));
  if (pair === undefined) return null;
  const name = pair.split('=', 1)[0] ?? '';
  return /^[\w-]{1,40}$/.test(name) ? name : 'query';
}

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
  rejectOnSocket(socket, ...toParserError(code, packet), site);
}

/** Before anything of a request is known; `extra` is added. */
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

export function rejectOnSocket(socket: Duplex, ...said: Parameters<typeof earlyRejection>): void {
  const { status, headers, body } = earlyRejection(...said);
  const text = String(body);
  const fields = { ...headers, 'content-length': Buffer.byteLength(text), connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
