// Newer code beside the older over one data folder, behind nginx, while readers read and senders send: no
// request fails, and back again (docs/operations.md, Upgrading).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIGRATIONS, openInbox } from '../../src/inbox/open.ts';
import {
  type BuiltServer,
  runCommand,
  type ServerSettings,
  SITE_URL,
  startServer,
  toToolCall,
} from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { writeNewerCode } from '../fixtures/newer-code.ts';
import { type FrontProxy, startCaddy, startNginx } from '../fixtures/proxies.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-upgrade-'));
const settings: ServerSettings = { data_dir: join(folder, 'data'), content_dir: FIXTURE_DIR };
const inbox_file = join(settings.data_dir, 'inbox.db');
let older: BuiltServer;
let nginx: FrontProxy;
const begun: { readonly stop: () => Promise<unknown> }[] = [];
const start = async (order: ServerSettings): Promise<BuiltServer> => {
  const server = await startServer({ ...order, env: { TRUST_PROXY: '1', ...order.env } });
  begun.push(server);
  return server;
};
beforeAll(async () => {
  await copySharedRelease(settings);
  older = await start(settings);
  const caddy = await startCaddy(folder, [older.port]);
  nginx = await startNginx(folder, older.port);
  begun.push(caddy, nginx);
}, 180_000);
afterAll(async () => {
  await Promise.all(begun.map((one) => one.stop()));
  rmSync(folder, { recursive: true, force: true });
});

/** One request through nginx on a connection of its own; its status, or why there was none. */
function ask(path: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<string> {
  const host = new URL(SITE_URL).host;
  return new Promise((resolve) => {
    const asked = request(
      {
        ...{ host: '127.0.0.1', port: nginx.port, servername: host, rejectUnauthorized: false },
        ...{ path, method, headers: { host, ...headers }, agent: false },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () => resolve(String(answer.statusCode)));
        answer.on('error', (error) => resolve(error.message));
      },
    );
    asked.on('error', (error) => resolve(error.message));
    asked.end(body);
  });
}

let sent = 0;
/** Sends an event in by the tool of agents, which stores it before it answers. */
const send = (): Promise<string> => {
  sent += 1;
  const event = {
    title: `Noche de jazz número ${sent}`,
    description: 'Una noche inventada para probar una actualización.',
    ...{ category: 'live-music', start: `2026-12-${sent + 10}T20:00` },
    ...{ venue: 'malecon-inventado', free: true, contact_email: `ana${sent}@correo.mx` },
  };
  return ask('/mcp', toToolCall('enviar_evento', event));
};

/** Asks all the time until it is ended; then what was answered, and the longest time without an answer. */
function load() {
  const answers: string[] = [];
  let longest_ms = 0;
  let is_on = true;
  const run = async (paths: readonly string[]): Promise<void> => {
    let last_ms = performance.now();
    for (let i = 0; is_on; i++) {
      answers.push(await ask(paths[i % paths.length] ?? '/'));
      longest_ms = Math.max(longest_ms, performance.now() - last_ms);
      last_ms = performance.now();
      await sleep(60);
    }
  };
  const running = Promise.all([
    run(['/hoy', '/en/today.md', '/api/v1/events?limit=2']),
    run(['/api/v1/events.ics', '/buscar?q=jazz', '/feeds/novedades.atom']),
  ]);
  return async () => {
    is_on = false;
    await running;
    return { answers, longest_ms };
  };
}

const readRelease = async (server: BuiltServer): Promise<string> =>
  JSON.parse(await (await server.get('/healthz')).text()).release;
const readReadiness = async (server: BuiltServer) => (await server.get('/readyz')).status;
const readCurrent = (): string => readFileSync(join(settings.data_dir, 'current'), 'utf8').trim();
function readVersion(): unknown {
  const inbox = openInbox(inbox_file);
  try {
    return inbox.pragma('user_version', { simple: true });
  } finally {
    inbox.close();
  }
}

test('an upgrade and the way back, with a changed inbox.db, and no request fails', {
  timeout: 240_000,
}, async () => {
  const { project, bundles_dir } = writeNewerCode(folder);
  const endLoad = load();
  const before = readCurrent();
  expect(await send()).toBe('200');

  const newer = await start({ ...settings, project, env: { BUNDLES_DIR: bundles_dir } });
  expect(newer.output()).toContain(`on port ${older.port}. This one takes over`);
  const made = readCurrent();
  expect([await readRelease(newer), made === before]).toEqual([made, false]);
  // The older one serves what it had, and says that it is no longer the one to ask.
  expect(await readRelease(older)).toBe(before);
  expect([await readReadiness(older), await readReadiness(newer)]).toEqual([503, 200]);
  expect(readVersion()).toBe(MIGRATIONS.length + 1);
  // It still takes what is sent in, into a file that has changed since.
  expect(await send()).toBe('200');
  // Nobody makes a release of other code meanwhile.
  const { code, output } = await runCommand('release', [], settings);
  expect([code, output]).toEqual([
    1,
    expect.stringContaining(`port ${newer.port} runs with other`),
  ]);
  await nginx.pointAt(newer.port);
  expect(await older.stop()).toBe(0);
  expect(await send()).toBe('200');

  const again = await start(settings);
  expect([await readReadiness(newer), await readReadiness(again)]).toEqual([503, 200]);
  expect(await readRelease(again)).toBe(readCurrent());
  expect(readCurrent()).not.toBe(made);
  await nginx.pointAt(again.port);
  expect(await newer.stop()).toBe(0);
  expect(await send()).toBe('200');

  const { answers, longest_ms } = await endLoad();
  expect([answers.length > 50, [...new Set(answers)]]).toEqual([true, ['200']]);
  expect(longest_ms).toBeLessThan(20_000);
  const inbox = openInbox(inbox_file);
  expect(inbox.prepare('select count(*) from submissions').pluck().get()).toBe(sent);
  inbox.close();
  // A third one would have the folder as readily as the two of the next test.
  expect(await again.stop()).toBe(0);
});

test('two services of the same code take turns, and the older has it back when the newer ends', async () => {
  const first = await start(settings);
  const second = await start(settings);
  expect([await readReadiness(first), await readReadiness(second)]).toEqual([503, 200]);
  await second.stop();
  await expect.poll(() => readReadiness(first)).toBe(200);
  const owner = (): string => readFileSync(join(settings.data_dir, 'owner.json'), 'utf8');
  await expect.poll(owner).toContain(`"port":${first.port},"is_ready":true`);
});
