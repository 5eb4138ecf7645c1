// What never became a request: too long, malformed, too slow. Answered in JSON, for its path is not
// known.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { toErrorResponse } from '../../api/error-response.ts';
import type { ErrorCode } from '../../domain/app-error.ts';
import type { Site } from '../../domain/site.ts';
import { MAX_URL_LENGTH } from '../../http/address.ts';
import { type HttpResponse, JSON_TYPE } from '../../http/message.ts';
import { CORS_HEADERS, toSecurityHeaders } from '../../http/response-headers.ts';

/** How long a client that goes on sending may take to read the response. */
const LINGER_MS = 2000;

/** One byte of a letter outside ASCII. */
const RAW_LETTER = /[\x80-\xff]/;

/** The code and sentence for an error of Node's parser; `packet` is what it was reading. */
function toParserError(error: Error, packet: string): readonly [ErrorCode, string] {
  const code = 'code' in error ? error.code : '';
  if (code === 'HPE_HEADER_OVERFLOW') {
    // Node says the same of both. Where the packet shows the request line, its length tells which
    // it was.
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
  return raw === null
    ? ['invalid_parameter', 'request: is not HTTP as RFC 9112 writes it']
    : [
        'invalid_parameter',
        `${raw}: is not percent-encoded UTF-8. Percent-encode it as UTF-8, as encodeURIComponent does`,
      ];
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

/** Responds on the bare socket and closes it. */
export function handleClientError(error: Error, socket: Duplex, site: Site): void {
  if (('code' in error && error.code === 'ECONNRESET') || !socket.writable) {
    socket.destroy();
    return;
  }
  const packet =
    'rawPacket' in error && error.rawPacket instanceof Uint8Array
      ? Buffer.from(error.rawPacket).toString('latin1')
      : '';
  refuseOnSocket(socket, ...toParserError(error, packet), site);
}

/** Says on the bare socket why there is no answer, and closes it. */
export function refuseOnSocket(
  socket: Duplex,
  code: ErrorCode,
  message: string,
  site: Site,
  extra: Readonly<Record<string, string>> = {},
): void {
  const headers = { ...CORS_HEADERS, ...toSecurityHeaders(JSON_TYPE, site.url), ...extra };
  socket.on('error', () => socket.destroy());
  socket.end(toBytes(toErrorResponse(code, message, site, '', headers)));
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function toBytes({ status, headers, body }: HttpResponse): string {
  const text = String(body ?? '');
  const fields = {
    ...headers,
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  };
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${text}`;
}
