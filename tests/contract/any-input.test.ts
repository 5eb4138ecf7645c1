// No input is a fault of ours: nothing is 5xx, says what is foreign, or keeps a false name.
import { request as ask } from 'node:http';
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

/** What no answer may say, whatever was sent: names of our parts, of our libraries, of our files. */
const FOREIGN =
  /SQLITE|node:internal|node_modules|\.ts:\d|\.mjs:\d|\n\s+at \S+ \(|TypeError|RangeError|SyntaxError|ValiError|Cannot read prop|is not a function|Invalid time value|root:x:0/;

function expectOurs(sent: RawRequest, text: string): void {
  const shown = JSON.stringify(sent).slice(0, 400);
  const { status, headers, body } = parseReply(text);
  expect(status, `${shown}\n${text.slice(0, 300)}`).toBeGreaterThanOrEqual(200);
  expect(status, `${shown}\n${text.slice(0, 300)}`).toBeLessThan(500);
  if (headers['content-encoding'] !== undefined || body === '') return;
  expect(body, shown).not.toMatch(FOREIGN);
  if (!/^\/api(\/|$)/.test(sent.path)) return;
  if (status >= 400) {
    expect(headers['content-type'], shown).toBe('application/json; charset=utf-8');
    const { message } = v.parse(ErrorSchema, JSON.parse(body)).error;
    expect(message, shown).toMatch(/^[^:]+: \S/);
  }
}

test('any question', { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(randomRequest, async (sent) =>
      expectOurs(sent, await sendBytes(server.port, serializeRequest(sent))),
    ),
    { numRuns: 1_500 },
  );
});

test('any bytes: an answer below 500, or a closed connection', { timeout: 240_000 }, async () => {
  // Half-sent requests are waited for; ten at a time keep that short.
  await fc.assert(
    fc.asyncProperty(fc.array(randomBytes, { minLength: 10, maxLength: 10 }), async (all) => {
      const asked = all.map((bytes) => sendBytes(server.port, bytes, SHORT_TIMEOUT_MS));
      for (const text of await Promise.all(asked)) {
        if (text === '') continue;
        expect(parseReply(text).status, text.slice(0, 300)).toBeLessThan(500);
        expect(text).not.toMatch(FOREIGN);
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

// What stands behind a blank line is what another server might take for a second request.
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

test.concurrent.each(SHAPES)('%# breaks nothing, and is told nothing of insides', async (shape) => {
  const reply = await sendBytes(server.port, Buffer.from(shape, 'latin1'), 5 * SHORT_TIMEOUT_MS);
  const { status, headers } = parseReply(reply);
  expect(status === 500 || status > 503, reply).toBe(false);
  expect(reply).not.toMatch(FOREIGN);
  if (reply !== '') expect(headers['x-content-type-options'], reply).toBe('nosniff');
});

const EVIL = 'evil.example';
const FALSE_NAMES: readonly Readonly<Record<string, string>>[] = [
  { host: EVIL },
  { 'x-forwarded-host': EVIL, 'x-forwarded-proto': 'http', 'x-forwarded-port': '81' },
  { forwarded: `for=192.0.2.1;host=${EVIL};proto=http` },
  { 'x-original-url': `https://${EVIL}/`, 'x-rewrite-url': '/revision' },
  { 'x-forwarded-prefix': `/${EVIL}`, 'x-host': EVIL },
];
const PATHS = ['/', '//hoy', '/hoy.md', '/nada', '/api/v1/events?limit=2', '/feeds/novedades.atom'];

/** All of an answer, headers too; fetch would not send a Host. */
const tell = (path: string, headers: Readonly<Record<string, string>>): Promise<string> =>
  new Promise((done, fail) => {
    ask({ host: '127.0.0.1', port: server.port, path, headers, agent: false }, (response) => {
      readText(response).then((body) => done(JSON.stringify(response.headers) + body), fail);
    })
      .on('error', fail)
      .end();
  });

test('a false Host or X-Forwarded-Host is in no answer, nor in what the next one gets', async () => {
  for (const path of PATHS)
    for (const headers of FALSE_NAMES) {
      expect(await tell(path, headers), path).not.toContain(EVIL);
      expect(await tell(path, {}), path).not.toContain(EVIL);
    }
});

test('and the log knows of no fault', () => {
  expect(server.output()).not.toMatch(/"level":(50|60)/);
});
