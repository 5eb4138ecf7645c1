// Requests that are nearly right or no HTTP, and requests under false names: each is answered below 500 or
// closed, and nothing of a false name is kept for others.
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseReply, send, SHORT_PATIENCE_MS } from '../fixtures/bare-connection.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { SHAPES } from '../fixtures/hostile-requests.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'hoy-hostile-'));
let server: BuiltServer;
beforeAll(async () => {
  const settings = { data_dir, content_dir: FIXTURE_DIR, env: { TRUST_PROXY: '1' } };
  await copySharedRelease(settings);
  server = await startServer(settings);
}, 120_000);
afterAll(async () => {
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

/** What no answer may say. */
const FOREIGN = /SQLITE|node:internal|node_modules|\.ts:\d|\.mjs:\d|\n\s+at \S+ \(|root:x:0/;

test('no shape of a request breaks it, or makes it tell of its insides', async () => {
  for (const shape of SHAPES) {
    const reply = await send(server.port, Buffer.from(shape, 'latin1'), 5 * SHORT_PATIENCE_MS);
    const { status, headers } = parseReply(reply);
    const said = `${shape.slice(0, 100)} → ${reply.slice(0, 200)}`;
    expect(status === 500 || status > 503, said).toBe(false);
    expect(FOREIGN.test(reply), said).toBe(false);
    if (reply !== '') expect(headers['x-content-type-options'], said).toBe('nosniff');
  }
  expect((await server.get('/hoy')).status).toBe(200);
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
