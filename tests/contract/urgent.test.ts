// What the desk decides over an event stands on every surface without a whole release, and stays so
// when an older release serves again (contract 14.9).
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inspectRelease } from '../../src/releases/check-release.ts';
import { readCurrent, toLayout, toReleasePaths } from '../../src/releases/layout.ts';
import { takeLock } from '../../src/releases/lock.ts';
import {
  type BuiltServer,
  runCommand,
  type ServerSettings,
  startServer,
} from '../fixtures/built-server.ts';
import { compareSurfaces, readDetail } from '../fixtures/event-surfaces.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'hoy-urgent-'));
const settings: ServerSettings = { data_dir, content_dir: FIXTURE_DIR };
const layout = toLayout(data_dir);
const FAIR = 'feria-diaria';
const PARTY = 'fiesta-de-viernes';
let server: BuiltServer;
let first = '';
let ids: readonly [string, string];
beforeAll(async () => {
  await copySharedRelease(settings);
  first = readCurrent(layout) ?? '';
  server = await startServer(settings);
  ids = [(await readDetail(server, FAIR, 'es')).id, (await readDetail(server, PARTY, 'es')).id];
});
afterAll(async () => {
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

const read = async (path: string): Promise<string> => (await server.get(path)).text();
const review = async (...args: string[]): Promise<void> => {
  const { code, output } = await runCommand('review', args, settings);
  expect(code, output).toBe(0);
};
/** Waits until a release other than `before` serves. */
const waitForOther = (before: string) =>
  expect
    .poll(async () => (await (await server.get('/healthz')).json()).release, { timeout: 60_000 })
    .not.toBe(before);

/** The fair is off, the party was never there, whoever asks. */
async function findEverywhere(): Promise<void> {
  const [fair, party] = ids;
  for (const lang of ['es', 'en'] as const) await compareSurfaces(server, fair, lang);
  const detail = await readDetail(server, FAIR, 'es');
  expect(detail.status).toBe('cancelled');
  expect(await read(`/eventos/${FAIR}`)).toContain('Se cayó el techo');
  expect(await read('/data/events.csv')).toMatch(new RegExp(`${fair}.*cancelled`));
  expect(await read('/feeds/cambios.atom')).toContain(detail.title);
  expect(await read('/cambios')).toContain(detail.title);
  for (const path of [`/eventos/${PARTY}`, `/eventos/${PARTY}.md`, `/api/v1/events/${party}`])
    expect((await server.get(path)).status, path).toBe(410);
  const lists = [
    ...['/hoy', '/hoy.md', '/semana', '/buscar?q=fiesta', '/sitemap.xml', '/llms-full.txt'],
    ...['/api/v1/events?limit=100', '/api/v1/events.ics', '/data/events.csv', '/data/events.jsonl'],
  ];
  for (const path of lists) {
    const text = await read(path);
    expect([path, text.includes(PARTY), text.includes(party)]).toEqual([path, false, false]);
  }
}

test('a cancellation and a withdrawal, while no release can be built', async () => {
  const unlock = takeLock(layout.lock_file);
  const note = ['--note-es', 'Se cayó el techo', '--note-en', 'The roof fell'];
  await review('cancel', ids[0], '--reason', 'Llamaron', ...note);
  await review('withdraw', ids[1], '--reason', 'Orden de un juez');
  await expect
    .poll(async () => (await server.get(`/eventos/${PARTY}`)).status, { timeout: 60_000 })
    .toBe(410);
  expect(await runCommand('review', ['restore', PARTY], settings)).toMatchObject({
    code: 1,
    output: expect.stringContaining(`'${PARTY}' was withdrawn. npm run review -- log`),
  });
  await findEverywhere();
  unlock();
});

test('and after the release that comes then, and one that serves again', async () => {
  await waitForOther(readCurrent(layout) ?? '');
  await findEverywhere();
  const whole = readCurrent(layout) ?? '';
  // At another second than that of the release that is gone back to.
  const later = { ...settings, clock_start: '2026-11-20T12:07:00-05:00' };
  const { code, output } = await runCommand('rollback', ['--to', first], later);
  expect(code, output).toBe(0);
  expect(output).toMatch(/keeps: cancelled/);
  expect(output).toMatch(/keeps: withdrawn/);
  await waitForOther(whole);
  await findEverywhere();
});

test('and where the snapshot that serves is damaged, with a whole release that is asked for by itself', async () => {
  const damaged = readCurrent(layout) ?? '';
  const { snapshot } = toReleasePaths(join(layout.releases_dir, damaged));
  // SQLite opens it still, and so does the terminal's desk.
  appendFileSync(snapshot, 'what a failing disk may add');
  const { id } = await readDetail(server, 'obra-pospuesta', 'es');
  await review('withdraw', id, '--reason', 'Orden de un juez');
  await expect
    .poll(async () => (await server.get('/eventos/obra-pospuesta')).status, { timeout: 60_000 })
    .toBe(410);
  expect(await inspectRelease(layout, readCurrent(layout) ?? '')).toMatchObject({ issue: null });
  await findEverywhere();
});
