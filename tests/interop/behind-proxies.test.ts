// Caddy: the service behind Caddy with the configuration of tools/operate.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findCaddy } from '../fixtures/programs.ts';
import {
  type BuiltServer,
  findFreePort,
  type ServerSettings,
  SITE_URL,
  startServer,
} from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';
import { stopProcess, listenOnLocalhost, useFolder, waitUntil } from '../fixtures/folder.ts';

const HOST = new URL(SITE_URL).host;
const CADDYFILE = resolve(import.meta.dirname, '../../tools/operate/Caddyfile');
const CONFIG = ['--config', CADDYFILE, '--adapter', 'caddyfile'];
const localAddress = (port: number): string => `127.0.0.1:${port}`;
const folder = useFolder();
const settings: ServerSettings = { data_dir: join(folder, 'data'), content_dir: FIXTURE_DIR };
/** Starts Caddy with certificates of its internal authority. It sends requests to the first upstream that is ready. */
async function startCaddy(UPSTREAMS: string) {
  const [port, http_port] = [await findFreePort(), await findFreePort()];
  const names = { SITE_HOST: `${HOST}:${port}`, HTTPS_PORT: `${port}`, HTTP_PORT: `${http_port}` };
  const homes = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn(await findCaddy(), ['run', ...CONFIG], {
    stdio: 'ignore',
    env: { ...names, ...homes, ADMIN: 'off', TLS: 'internal', UPSTREAMS },
  });
  const certificate = join(folder, 'caddy', 'certificates', 'local', HOST, `${HOST}.key`);
  await waitUntil('Caddy has a certificate', () => existsSync(certificate));
  /** `port` uses TLS. */
  return { port, stop: () => stopProcess(child, 'SIGTERM') };
}
type FrontProxy = Awaited<ReturnType<typeof startCaddy>>;

let server: BuiltServer;
let proxy: FrontProxy;
beforeAll(async () => {
  await copySharedRelease(settings);
  server = await startServer({ ...settings, env: { TRUST_PROXY: '1' } });
  proxy = await startCaddy(localAddress(server.port));
}, 180_000);
afterAll(async () => {
  await proxy.stop();
  await server.stop();
});

/** Sends a request over TLS, without verification: no client trusts Caddy's internal authority. */
async function ask(
  { port }: FrontProxy,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
) {
  const client_request = request({
    host: '127.0.0.1',
    port,
    path,
    servername: HOST,
    rejectUnauthorized: false,
    method: body === undefined ? 'GET' : 'POST',
    headers: { host: HOST, ...headers },
  });
  client_request.end(body);
  const [response]: IncomingMessage[] = await once(client_request, 'response');
  if (response === undefined) throw new Error('no response');
  const bytes = Buffer.concat(await response.toArray());
  return { status: response.statusCode, headers: response.headers, body: bytes };
}

test('the Caddyfile requires only the host name of the site', async () => {
  const caddy = await findCaddy();
  const adapted = execFileSync(caddy, ['adapt', ...CONFIG], {
    env: { HOME: folder, SITE_HOST: 'hoy.example' },
    stdio: 'pipe',
  }).toString();
  for (const text of ['hoy.example', '127.0.0.1:4321', '"module":"acme"'])
    expect(adapted).toContain(text);
});

test('Caddy sends requests to the first ready upstream, and switches when another becomes ready', async () => {
  let is_ready = false;
  const other = createServer((incoming, response) => {
    response.statusCode = incoming.url === '/readyz' && !is_ready ? 503 : 200;
    response.end('the other');
  });
  const port = await listenOnLocalhost(other);
  // An unresolvable name: a service that is not running.
  const caddy = await startCaddy(
    `hoy-next.invalid:4321 ${localAddress(port)} ${localAddress(server.port)}`,
  );
  const read = (): Promise<string> =>
    ask(caddy, '/livez').then(({ body }) => body.toString(), String);
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
