// Requests that are nearly right or no HTTP, and requests under false names: each is answered below 500 or
// closed, and nothing of a false name is kept for others.
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { parseReply, send, SHORT_PATIENCE_MS } from '../fixtures/bare-connection.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { serveShared } from '../fixtures/shared-release.ts';

const server = await serveShared({ content_dir: FIXTURE_DIR, env: { TRUST_PROXY: '1' } });

/** What no answer may say. */
const FOREIGN = /SQLITE|node:internal|node_modules|\.ts:\d|\.mjs:\d|\n\s+at \S+ \(|root:x:0/;

const GET = 'GET /hoy HTTP/1.1\r\nhost: agenda.example\r\nconnection: close\r\n';
const HEAD = 'HTTP/1.1\r\nhost: agenda.example\r\nconnection: close\r\n';
const FORM = `POST /publicar ${HEAD}content-type: application/x-www-form-urlencoded\r\n`;
const PARTS = `POST /publicar ${HEAD}content-type: multipart/form-data; boundary=`;
const CHUNKED = 'transfer-encoding: chunked\r\n';

// What stands behind a blank line is what another server might take for a second request.
const SHAPES: readonly string[] = [
  `${FORM}content-length: 6\r\n${CHUNKED}\r\n0\r\n\r\nGET /revision ${HEAD}\r\n`,
  `${FORM}${CHUNKED}transfer-encoding: identity\r\n\r\n0\r\n\r\n`,
  `${FORM}transfer-encoding : chunked\r\n\r\n0\r\n\r\n`,
  `${FORM}content-length: 5\r\ncontent-length: 6\r\n\r\na=b&cd`,
  `${FORM}content-length: 0x5\r\n\r\na=b&c`,
  `${FORM}content-length: 99999999999999999999\r\n\r\n`,
  `${FORM}${CHUNKED}\r\nfffffffffffffffff\r\na\r\n0\r\n\r\n`,
  `${FORM}${CHUNKED}\r\n3;${'x'.repeat(40_000)}\r\na=b\r\n0\r\n\r\n`,
  `${FORM}content-length: 400000\r\n\r\n${'a=b&'.repeat(100_000)}`,
  `${PARTS}${'x'.repeat(5000)}\r\ncontent-length: 0\r\n\r\n`,
  `${PARTS}f\r\ncontent-length: 66000\r\n\r\n${'--f\r\n'.repeat(13_200)}`,
  `${GET}X: a\r\n b: folded\r\n\r\n`,
  `${GET}X\u0000: a\r\n\r\n`,
  `${GET}host: agenda.example\r\n\r\n`,
  `${GET}range: bytes=${'0-1,'.repeat(2000)}5-6\r\n\r\n`,
  `${GET}accept-encoding: ${'gzip;q=0.1,'.repeat(2000)}br\r\n\r\n`,
  `${GET}cookie: ${'desk=x; '.repeat(3000)}\r\n\r\n`,
  `${GET}if-none-match: ${'"x", '.repeat(4000)}"y"\r\n\r\n`,
  'GET /hoy HTTP/1.1\nhost: agenda.example\n\n',
  `GET http://evil.example/hoy ${HEAD}\r\n`,
  `GET /${'a/'.repeat(4000)} ${HEAD}\r\n`,
  `GET /hoy?${'a=b&'.repeat(2000)} ${HEAD}\r\n`,
  `GET /500 ${HEAD}\r\n`,
  `GET /..%2f..%2fetc/passwd ${HEAD}\r\n`,
  `GET /_astro/..%5c..%5cpackage.json ${HEAD}\r\n`,
  `GET //evil.example/%2e%2e ${HEAD}\r\n`,
  `TRACE /hoy ${HEAD}cookie: desk=secret\r\n\r\n`,
  'CONNECT evil.example:443 HTTP/1.1\r\nhost: agenda.example\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  `POST /mcp ${HEAD}content-type: application/json\r\ncontent-length: 60000\r\n\r\n${'['.repeat(60_000)}`,
];

test.concurrent.each(SHAPES)('%# breaks nothing, and is told nothing of insides', async (shape) => {
  const reply = await send(server.port, Buffer.from(shape, 'latin1'), 5 * SHORT_PATIENCE_MS);
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
    request({ host: '127.0.0.1', port: server.port, path, headers, agent: false }, (response) => {
      text(response).then((body) => done(JSON.stringify(response.headers) + body), fail);
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
