// Upgrade and downgrade: two versions run side by side and no request fails (docs/operations.md, Upgrading).
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
const servers: BuiltServer[] = [];
let port = 0;
const start = async (options: ServerSettings): Promise<BuiltServer> => {
  const env = port === 0 ? options.env : { ...options.env, PORT: String(port) };
  const server = await startServer({ ...options, ...(env ? { env } : {}) });
  servers.push(server);
  return server;
};
beforeAll(() => copySharedRelease(settings), 180_000);
afterAll(() => Promise.all(servers.map((one) => one.stop())));

const PROJECT = resolve(import.meta.dirname, '..', '..');
const CODE = ['src', 'scripts', 'public', 'package.json', 'package-lock.json', 'astro.config.mjs'];
/** Migration of the newer version: adds a column and a table. */
const MIGRATION = `alter table changes add column later text not null default '';
create table later (id text primary key) without rowid;
`;

/** Copies this code as its next version, with one more migration of inbox.db. @returns its folder. */
function writeNewerCode(): string {
  const project = join(folder, 'newer');
  mkdirSync(project, { recursive: true });
  for (const name of CODE) cpSync(join(PROJECT, name), join(project, name), { recursive: true });
  symlinkSync(join(PROJECT, 'node_modules'), join(project, 'node_modules'), 'dir');
  const inbox = join(project, 'src/inbox');
  writeFileSync(join(inbox, 'migrations', `${STORE_VERSION + 1}.sqlite.sql`), MIGRATION);
  const engine_file = join(inbox, 'database-engine.ts');
  const text = readFileSync(engine_file, 'utf8');
  const declaration = `export const STORE_VERSION = ${STORE_VERSION};`;
  if (!text.includes(declaration))
    throw new Error(`${engine_file} does not contain ${declaration}`);
  writeFileSync(
    engine_file,
    text.replace(declaration, `export const STORE_VERSION = ${STORE_VERSION + 1};`),
  );
  return project;
}

function requestOnce(
  path: string,
  { method = 'GET', headers = {}, body = '' } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const to = { host: '127.0.0.1', port, path, method, headers, agent: false };
    const client_request = request(to, (response) => {
      response.resume();
      response.on('end', () => resolve(String(response.statusCode)));
      response.on('error', (error) => resolve(error.message));
    });
    client_request.on('error', (error) => resolve(error.message));
    client_request.end(body);
  });
}

/** Retries a GET whose connection was reset before accept: net.ipv4.tcp_migrate_req may be 0 here. */
async function requestWithRetry(
  path: string,
  init: Parameters<typeof requestOnce>[1] = {},
): Promise<string> {
  const response = await requestOnce(path, init);
  const is_reset = /^(read|connect) ECONNRESET\b/.test(response);
  return is_reset && init.method === undefined ? requestOnce(path) : response;
}

let submission_count = 0;
const submitEvent = (): Promise<string> => {
  submission_count += 1;
  const event = {
    title: `Noche de jazz número ${submission_count}`,
    description: 'Una noche inventada para probar una actualización.',
    ...{ category: 'live-music', start: `2026-12-${submission_count + 10}T20:00` },
    ...{
      venue: 'malecon-inventado',
      free: true,
      contact_email: `ana${submission_count}@correo.mx`,
    },
  };
  return requestWithRetry('/mcp', buildToolCall('enviar_evento', event));
};

function startLoad() {
  const statuses: string[] = [];
  let is_running = true;
  const run = async (paths: readonly string[]): Promise<void> => {
    for (let i = 0; is_running; i++) {
      statuses.push(await requestWithRetry(paths[i % paths.length] ?? '/'));
      await sleep(30);
    }
  };
  const running = Promise.all([
    run(['/hoy', '/en/today.md', '/api/v1/events?limit=2']),
    run(['/api/v1/events.ics', '/buscar?q=jazz', '/feeds/novedades.atom']),
  ]);
  return async () => {
    is_running = false;
    await running;
    return statuses;
  };
}

const readBuilderVersion = (): string | undefined =>
  findSnapshot(layout, getCurrentName(layout))?.meta.made_by;

test('an upgrade with a migration of inbox.db and a downgrade fail no request', {
  timeout: 240_000,
}, async () => {
  const project = writeNewerCode();
  const inbox = await openInbox(join(settings.data_dir, 'inbox.db'));
  const older = await start(settings);
  ({ port } = older);
  const endLoad = startLoad();
  const older_builder = readBuilderVersion();
  expect(await submitEvent()).toBe('200');

  const newer = await start({ ...settings, project });
  expect(await queryValue(inbox, 'pragma user_version')).toBe(STORE_VERSION + 1);
  // Both versions respond. The older one stores submissions in the migrated file.
  for (let at = 0; at < 6; at++) expect(await submitEvent()).toBe('200');
  // Both serve events published meanwhile.
  await publish(inbox, { title: 'Noche entre dos', dates: [] });
  const isServed = async () =>
    (
      await Promise.all(
        Array.from({ length: 8 }, () => requestWithRetry('/eventos/noche-entre-dos')),
      )
    ).every((status) => status === '200');
  await expect.poll(isServed, { timeout: 60_000 }).toBe(true);
  expect(await older.stop()).toBe(0);
  expect(await submitEvent()).toBe('200');
  // Once the older version stops, the newer one publishes its own release.
  await expect.poll(readBuilderVersion, { timeout: 60_000 }).not.toBe(older_builder);

  const older_again = await start(settings);
  expect(await newer.stop()).toBe(0);
  expect(await submitEvent()).toBe('200');
  await expect.poll(readBuilderVersion, { timeout: 60_000 }).toBe(older_builder);
  expect(await isServed()).toBe(true);

  const statuses = await endLoad();
  expect([statuses.length > 50, [...new Set(statuses)]]).toEqual([true, ['200']]);
  expect(await queryValue(inbox, 'select count(*) from changes')).toBe(submission_count + 1);
  await inbox.close();
  expect(await older_again.stop()).toBe(0);
});
