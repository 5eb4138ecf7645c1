// The service behind Caddy as tools/operate sets it up: what readers, editors, models and feed
// readers get through them, and as whom they are counted (contract 10.8).
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2';
import { join, resolve } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCaddy } from '../fixtures/programs.ts';
import {
  type BuiltServer,
  type ServerSettings,
  SITE_URL,
  startServer,
  toToolCall,
} from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { type FrontProxy, startCaddy } from '../fixtures/proxies.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';
import { listenHere, makeFolder } from '../fixtures/folder.ts';

const LIMIT = 30;
const HOST = new URL(SITE_URL).host;
const folder = makeFolder();
const settings: ServerSettings = { data_dir: join(folder, 'data'), content_dir: FIXTURE_DIR };
let server: BuiltServer;
let proxy: FrontProxy;
beforeAll(async () => {
  await copySharedRelease(settings);
  const env = { TRUST_PROXY: '1', RATE_LIMIT: String(LIMIT) };
  server = await startServer({ ...settings, env });
  proxy = await startCaddy(folder, [server.port]);
}, 180_000);
afterAll(async () => {
  await proxy.stop();
  await server.stop();
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A connection over HTTP/2 and TLS, from an address of this machine. */
async function open({ port }: FrontProxy, from: string): Promise<ClientHttp2Session> {
  const socket = connectTls({
    ...{ host: '127.0.0.1', port, localAddress: from, servername: HOST },
    // Of an authority that nobody else knows.
    ...{ ALPNProtocols: ['h2'], rejectUnauthorized: false },
  });
  await once(socket, 'secureConnect');
  expect(socket.alpnProtocol).toBe('h2');
  return connect(`https://${HOST}`, { createConnection: () => socket });
}

async function ask(
  session: ClientHttp2Session,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  const stream = session.request({ ':method': method, ':path': path, ...headers });
  stream.end(body);
  const chunks: Buffer[] = [];
  let answered: IncomingHttpHeaders & { ':status'?: number | undefined } = {};
  stream.on('response', (given) => {
    answered = given;
  });
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(stream, 'end');
  return { status: answered[':status'] ?? 0, headers: answered, body: Buffer.concat(chunks) };
}

test('the Caddyfile needs no more than the name of the site', async () => {
  const caddy = await findCaddy();
  const config = resolve(import.meta.dirname, '../../tools/operate/Caddyfile');
  const adapted = execFileSync(caddy, ['adapt', '--config', config, '--adapter', 'caddyfile'], {
    env: { HOME: folder, SITE_HOST: 'hoy.example' },
    stdio: 'pipe',
  }).toString();
  for (const text of ['hoy.example', '127.0.0.1:4321', '"module":"acme"'])
    expect(adapted).toContain(text);
});

test('Caddy asks the first that is ready, and follows by itself where another one is', async () => {
  let is_ready = false;
  const other = createServer((request, response) => {
    response.statusCode = request.url === '/readyz' && !is_ready ? 503 : 200;
    response.end('the other');
  });
  const port = await listenHere(other);
  // A name that nobody has: a service that was not started.
  const caddy = await startCaddy(folder, ['hoy-next.invalid:4321', port, server.port]);
  const read = async (): Promise<string> => {
    const session = await open(caddy, '127.0.0.8').catch(() => null);
    if (session === null) return 'it does not listen yet';
    const { body } = await ask(session, '/livez').finally(() => session.close());
    return body.toString();
  };
  try {
    for (const says of ['alive', 'the other', 'alive']) {
      is_ready = says === 'the other';
      await expect.poll(read, { timeout: 20_000, interval: 200 }).toContain(says);
    }
  } finally {
    await caddy.stop();
    other.close();
  }
});

describe('behind Caddy', () => {
  /** Each test from an address of its own, which is counted by itself. */
  const visit = async (from: string, use: (session: ClientHttp2Session) => Promise<void>) => {
    const session = await open(proxy, from);
    await use(session).finally(() => session.close());
  };

  test('pages come compressed by the service, with its headers, and feeds and calls as they are', () =>
    visit('127.0.0.2', async (session) => {
      const page = await ask(session, '/hoy', { 'accept-encoding': 'br' });
      expect(page).toMatchObject({
        status: 200,
        headers: {
          'content-encoding': 'br',
          'content-security-policy': expect.any(String),
          'strict-transport-security': 'max-age=31536000',
          etag: expect.stringMatching(/^"/),
        },
      });
      expect(brotliDecompressSync(page.body).toString()).toContain(`${SITE_URL}/hoy`);
      const etag = String(page.headers.etag);
      const again = { 'accept-encoding': 'br', 'if-none-match': etag };
      expect((await ask(session, '/hoy', again)).status).toBe(304);
      expect(await ask(session, '/feeds/novedades.atom')).toMatchObject({
        status: 200,
        headers: { 'content-type': expect.stringContaining('application/atom+xml') },
      });
      const { headers, body } = toToolCall('eventos_hoy', {});
      const called = await ask(session, '/mcp', headers, body);
      expect([called.status, called.body.toString()]).toEqual([
        200,
        expect.stringContaining('structuredContent'),
      ]);
    }));
});
