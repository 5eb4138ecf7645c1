// Hostile input over HTTP: no request causes a 5xx response, reveals internals or poisons later responses.
import { request as httpRequest } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import { randomBytes, randomRequest } from '../fixtures/any-request.ts';
import {
  parseReply,
  sendBytes,
  type RawRequest,
  SHORT_TIMEOUT_MS,
  serializeRequest,
} from '../fixtures/bare-connection.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { serveSharedRelease } from '../fixtures/shared-release.ts';

const server = await serveSharedRelease({ content_dir: FIXTURE_DIR, env: { TRUST_PROXY: '1' } });

/** Internals that no response may reveal: names of modules, libraries, exceptions and files. */
const INTERNALS =
  /SQLITE|node:internal|node_modules|\.ts:\d|\.mjs:\d|\n\s+at \S+ \(|TypeError|RangeError|SyntaxError|ValiError|Cannot read prop|is not a function|Invalid time value|root:x:0/;

function expectValidResponse(sent: RawRequest, text: string): void {
  const request_text = JSON.stringify(sent).slice(0, 400);
  const { status, headers, body } = parseReply(text);
  expect(status, `${request_text}\n${text.slice(0, 300)}`).toBeGreaterThanOrEqual(200);
  expect(status, `${request_text}\n${text.slice(0, 300)}`).toBeLessThan(500);
  if (headers['content-encoding'] !== undefined || body === '') return;
  expect(body, request_text).not.toMatch(INTERNALS);
  if (!/^\/api(\/|$)/.test(sent.path)) return;
  if (status >= 400) {
    expect(headers['content-type'], request_text).toBe('application/json; charset=utf-8');
    const { message } = v.parse(ErrorSchema, JSON.parse(body)).error;
    expect(message, request_text).toMatch(/^[^:]+: \S/);
  }
}

test('any request gets a valid response below 500', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(randomRequest, async (sent) =>
      expectValidResponse(sent, await sendBytes(server.port, serializeRequest(sent))),
    ),
    { numRuns: 1_500 },
  );
});

test('any bytes get a response below 500, or a closed connection', {
  timeout: 240_000,
}, async () => {
  // The server waits for incomplete requests; ten at a time shorten the test.
  await fc.assert(
    fc.asyncProperty(fc.array(randomBytes, { minLength: 10, maxLength: 10 }), async (all) => {
      const replies = all.map((bytes) => sendBytes(server.port, bytes, SHORT_TIMEOUT_MS));
      for (const text of await Promise.all(replies)) {
        if (text === '') continue;
        expect(parseReply(text).status, text.slice(0, 300)).toBeLessThan(500);
        expect(text).not.toMatch(INTERNALS);
      }
    }),
    { numRuns: 20 },
  );
});

const GET = 'GET /hoy HTTP/1.1\r\nhost: agenda.example\r\nconnection: close\r\n';
const HEAD = 'HTTP/1.1\r\nhost: agenda.example\r\nconnection: close\r\n';
const FORM = `POST /publicar ${HEAD}content-type: application/x-www-form-urlencoded\r\n`;
const PARTS = `POST /publicar ${HEAD}content-type: multipart/form-data; boundary=`;
const CHUNKED = 'transfer-encoding: chunked\r\n';

// Content after a blank line could be parsed as a second request by another server.
const SHAPES: readonly string[] = [
  `${FORM}content-length: 6\r\n${CHUNKED}\r\n0\r\n\r\nGET /revision ${HEAD}\r\n`,
  `${FORM}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`,
  `${FORM}content-length: 99999999999999999999\r\n\r\n`,
  `${FORM}${CHUNKED}\r\nfffffffffffffffff\r\na\r\n0\r\n\r\n`,
  `${FORM}${CHUNKED}\r\n3;${'x'.repeat(40_000)}\r\na=b\r\n0\r\n\r\n`,
  `${FORM}content-length: 400000\r\n\r\n${'a=b&'.repeat(100_000)}`,
  `${PARTS}${'x'.repeat(5000)}\r\ncontent-length: 0\r\n\r\n`,
  `${PARTS}f\r\ncontent-length: 66000\r\n\r\n${'--f\r\n'.repeat(13_200)}`,
  `${GET}X: a\r\n b: folded\r\n\r\n`,
  `${GET}X\u0000: a\r\n\r\n`,
  `${GET}range: bytes=${'0-1,'.repeat(2000)}5-6\r\n\r\n`,
  `${GET}accept-encoding: ${'gzip;q=0.1,'.repeat(2000)}br\r\n\r\n`,
  `${GET}cookie: ${'desk=x; '.repeat(3000)}\r\n\r\n`,
  `${GET}if-none-match: ${'"x", '.repeat(4000)}"y"\r\n\r\n`,
  `GET /${'a/'.repeat(4000)} ${HEAD}\r\n`,
  `GET /hoy?${'a=b&'.repeat(2000)} ${HEAD}\r\n`,
  `GET /..%2f..%2fetc/passwd ${HEAD}\r\n`,
  `GET /_astro/..%5c..%5cpackage.json ${HEAD}\r\n`,
  `TRACE /hoy ${HEAD}cookie: desk=secret\r\n\r\n`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `POST /mcp ${HEAD}content-type: application/json\r\ncontent-length: 60000\r\n\r\n${'['.repeat(60_000)}`,
];

test.concurrent.each(SHAPES)(
  'request shape %# causes no failure and reveals no internals',
  async (shape) => {
    const reply = await sendBytes(server.port, Buffer.from(shape, 'latin1'), 5 * SHORT_TIMEOUT_MS);
    const { status, headers } = parseReply(reply);
    expect(status === 500 || status > 503, reply).toBe(false);
    expect(reply).not.toMatch(INTERNALS);
    if (reply !== '') expect(headers['x-content-type-options'], reply).toBe('nosniff');
  },
);

const EVIL = 'evil.example';
const FALSE_NAMES: readonly Readonly<Record<string, string>>[] = [
  { host: EVIL },
  { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
  { forwarded: `for=192.0.2.1;host=${EVIL};proto=http` },
  { 'x-original-url': `https://${EVIL}/`, 'x-rewrite-url': '/revision' },
  { 'x-forwarded-prefix': `/${EVIL}`, 'x-host': EVIL },
];
const PATHS = ['/', '//hoy', '/hoy.md', '/nada', '/api/v1/events?limit=2', '/feeds/novedades.atom'];

/** Returns headers and body of a response. Uses node:http because fetch cannot set Host. */
const fetchWithHeaders = (
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<string> =>
  new Promise((resolve, reject) => {
    httpRequest(
      { host: '127.0.0.1', port: server.port, path, headers, agent: false },
      (response) => {
        readText(response).then((body) => resolve(JSON.stringify(response.headers) + body), reject);
      },
    )
      .on('error', reject)
      .end();
  });

test('a forged Host or X-Forwarded-Host appears neither in its response nor in the next one', async () => {
  for (const path of PATHS)
    for (const headers of FALSE_NAMES) {
      expect(await fetchWithHeaders(path, headers), path).not.toContain(EVIL);
      expect(await fetchWithHeaders(path, {}), path).not.toContain(EVIL);
    }
});

test('the log has no errors', () => {
  expect(server.output()).not.toMatch(/"level":(50|60)/);
});
