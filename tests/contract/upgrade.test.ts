// Newer code beside the older, and back: no request fails (docs/operations.md, Upgrading).
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORE_VERSION } from '../../src/inbox/database-engine.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { findSnapshot, getCurrentName, dataLayout } from '../../src/releases/snapshots.ts';
import { publish } from '../fixtures/approved.ts';
import {
  type BuiltServer,
  type ServerSettings,
  startServer,
  buildToolCall,
} from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { queryValue } from '../fixtures/inbox.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';
import { useFolder } from '../fixtures/folder.ts';

const folder = useFolder();
const settings: ServerSettings = { data_dir: join(folder, 'data'), content_dir: FIXTURE_DIR };
const layout = dataLayout(settings.data_dir);
const begun: BuiltServer[] = [];
let port = 0;
const start = async (order: ServerSettings): Promise<BuiltServer> => {
  const env = port === 0 ? order.env : { ...order.env, PORT: String(port) };
  const server = await startServer({ ...order, ...(env ? { env } : {}) });
  begun.push(server);
  return server;
};
beforeAll(() => copySharedRelease(settings), 180_000);
afterAll(() => Promise.all(begun.map((one) => one.stop())));

const PROJECT = resolve(import.meta.dirname, '..', '..');
const CODE = ['src', 'scripts', 'public', 'package.json', 'package-lock.json', 'astro.config.mjs'];
/** What it changes: a column and a table more. */
const CHANGE = `alter table changes add column later text not null default '';
create table later (id text primary key) without rowid;
`;

/** This code as its next version might be: the same, with one more change of inbox.db, in a folder of its own. */
function writeNewerCode(): string {
  const project = join(folder, 'newer');
  mkdirSync(project, { recursive: true });
  for (const name of CODE) cpSync(join(PROJECT, name), join(project, name), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'), 'dir');
  const inbox = join(project, 'src/inbox');
  writeFileSync(join(inbox, 'migrations', `${STORE_VERSION + 1}.sqlite.sql`), CHANGE);
  const open = join(inbox, 'engine.ts');
  const text = readFileSync(open, 'utf8');
  const is = `export const VERSION = ${STORE_VERSION};`;
  if (!text.includes(is)) throw new Error(`${open} does not say ${is}`);
  writeFileSync(open, text.replace(is, `export const VERSION = ${STORE_VERSION + 1};`));
  return project;
}

function askOnce(path: string, { method = 'GET', headers = {}, body = '' } = {}): Promise<string> {
  return new Promise((resolve) => {
    const to = { host: '127.0.0.1', port, path, method, headers, agent: false };
    const asked = request(to, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(String(answer.statusCode)));
      answer.on('error', (error) => resolve(error.message));
    });
    asked.on('error', (error) => resolve(error.message));
    asked.end(body);
  });
}

/** The same, again where a connection was reset that nobody had taken: net.ipv4.tcp_migrate_req may be 0 here. */
async function ask(path: string, init: Parameters<typeof askOnce>[1] = {}): Promise<string> {
  const answer = await askOnce(path, init);
  const is_reset = /^(read|connect) ECONNRESET\b/.test(answer);
  return is_reset && init.method === undefined ? askOnce(path) : answer;
}

let sent = 0;
const send = (): Promise<string> => {
  sent += 1;
  const event = {
    title: `Noche de jazz número ${sent}`,
    description: 'Una noche inventada para probar una actualización.',
    ...{ category: 'live-music', start: `2026-12-${sent + 10}T20:00` },
    ...{ venue: 'malecon-inventado', free: true, contact_email: `ana${sent}@correo.mx` },
  };
  return ask('/mcp', buildToolCall('enviar_evento', event));
};

function load() {
  const answers: string[] = [];
  let is_on = true;
  const run = async (paths: readonly string[]): Promise<void> => {
    for (let i = 0; is_on; i++) {
      answers.push(await ask(paths[i % paths.length] ?? '/'));
      await sleep(30);
    }
  };
  const running = Promise.all([
    run(['/hoy', '/en/today.md', '/api/v1/events?limit=2']),
    run(['/api/v1/events.ics', '/buscar?q=jazz', '/feeds/novedades.atom']),
  ]);
  return async () => {
    is_on = false;
    await running;
    return answers;
  };
}

const readMaker = (): string | undefined =>
  findSnapshot(layout, getCurrentName(layout))?.meta.made_by;

test('an upgrade and the way back, with a changed inbox.db, and no request fails', {
  timeout: 240_000,
}, async () => {
  const project = writeNewerCode();
  const inbox = await openInbox(join(settings.data_dir, 'inbox.db'));
  const older = await start(settings);
  ({ port } = older);
  const endLoad = load();
  const made_by_older = readMaker();
  expect(await send()).toBe('200');

  const newer = await start({ ...settings, project });
  expect(await queryValue(inbox, 'pragma user_version')).toBe(STORE_VERSION + 1);
  // Both answer, and the older one takes what is sent in, into a file that has changed since.
  for (let at = 0; at < 6; at++) expect(await send()).toBe('200');
  // What is decided meanwhile is served by both.
  await publish(inbox, { title: 'Noche entre dos', dates: [] });
  const isServed = async () =>
    (await Promise.all(Array.from({ length: 8 }, () => ask('/eventos/noche-entre-dos')))).every(
      (status) => status === '200',
    );
  await expect.poll(isServed, { timeout: 60_000 }).toBe(true);
  expect(await older.stop()).toBe(0);
  expect(await send()).toBe('200');
  // Once it is alone, its own release serves.
  await expect.poll(readMaker, { timeout: 60_000 }).not.toBe(made_by_older);

  const again = await start(settings);
  expect(await newer.stop()).toBe(0);
  expect(await send()).toBe('200');
  await expect.poll(readMaker, { timeout: 60_000 }).toBe(made_by_older);
  expect(await isServed()).toBe(true);

  const answers = await endLoad();
  expect([answers.length > 50, [...new Set(answers)]]).toEqual([true, ['200']]);
  expect(await queryValue(inbox, 'select count(*) from changes')).toBe(sent + 1);
  await inbox.close();
  expect(await again.stop()).toBe(0);
});
