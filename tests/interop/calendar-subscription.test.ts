// A subscription kept by a real client over HTTP: through an edit, a cancellation and a postponement it shows each
// change, nothing twice.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltServer, runCommand, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { createSubscriber, type Shown } from './calendar/clients.ts';
import { makeFolder } from '../fixtures/folder.ts';

const folder = makeFolder();
const settings = { data_dir: join(folder, 'data'), content_dir: join(folder, 'content') };
let server: BuiltServer;
let subscriber: Awaited<ReturnType<typeof createSubscriber>>;
beforeAll(async () => {
  cpSync(FIXTURE_DIR, settings.content_dir, { recursive: true });
  server = await startServer(settings);
  const home = join(folder, 'home');
  mkdirSync(home);
  subscriber = await createSubscriber(home, 'America/Cancun', `${server.origin}/api/v1/events.ics`);
  await subscriber.subscribe();
});
afterAll(() => server.stop());

/** Changes a content file, as an editor does. */
function edit(name: string, from: string, to: string): void {
  const file = join(settings.content_dir, 'events', `${name}.yml`);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

const HealthSchema = v.looseObject({ release: v.string() });
const readRelease = async (): Promise<string> =>
  v.parse(HealthSchema, await (await server.get('/healthz')).json()).release;

let hour = 12;
/** A new release an hour later, once it serves: what the client shows of it, none twice, by whatever name. */
async function release(): Promise<readonly Shown[]> {
  const before = await readRelease();
  const clock_start = `2026-11-20T${++hour}:00:00-05:00`;
  const { code } = await runCommand('release', [], { ...settings, clock_start });
  expect(code).toBe(0);
  await expect.poll(readRelease, { timeout: 20_000 }).not.toBe(before);
  return readCalendar();
}

async function readCalendar(): Promise<readonly Shown[]> {
  await subscriber.sync();
  const shown = await subscriber.show('2026-11-20', '2026-12-13');
  const names = shown.map(({ start, location, title }) =>
    [start, location, title.replace(/^(CANCELADO|POSPUESTO): /, '')].join(' '),
  );
  for (const keys of [shown.map(({ uid }) => uid), names])
    expect(new Set(keys).size, 'nothing twice').toBe(shown.length);
  return shown;
}

/** The revision of each entry of the feed, by UID. */
async function readRevisions(): Promise<ReadonlyMap<string, number>> {
  const feed = await (await server.get('/api/v1/events.ics')).text();
  const entries = feed.matchAll(/^UID:(.*)\r\n[\s\S]*?^SEQUENCE:(\d+)\r$/gm);
  return new Map(Array.from(entries, ([, uid = '', sequence]) => [uid, Number(sequence)]));
}

const find = (all: readonly Shown[], word: string): readonly string[] =>
  all
    .filter(({ title }) => title.includes(word))
    .map(({ start, title, status }) => `${start} ${title} ${status}`);
const without = (all: readonly Shown[], ...words: readonly string[]): readonly Shown[] =>
  all.filter(({ title }) => !words.some((word) => title.includes(word)));

test('through an edit, another hour, a cancellation, a postponement and back', {
  timeout: 240_000,
}, async () => {
  const first = await readCalendar();
  expect(find(first, 'Concierto')).toEqual(['2026-11-20T19:00 Concierto único; "a", b CONFIRMED']);
  expect(find(first, 'Obra')).toEqual(['2026-11-28T20:00 POSPUESTO: Obra pospuesta TENTATIVE']);
  expect(find(first, 'Fiesta')).toEqual(
    ['2026-11-20', '2026-11-27', '2026-12-04', '2026-12-11'].map(
      (day) => `${day}T22:00 ¡Fiesta de viernes! CONFIRMED`,
    ),
  );
  expect(await release(), 'nothing has changed').toEqual(first);

  edit('concierto-unico', 'Concierto único; \\"a\\", b', 'Concierto, con otro nombre');
  edit('concierto-unico', 'start: "19:00"', 'start: "20:30"');
  const edited = await release();
  expect(find(edited, 'Concierto')).toEqual([
    '2026-11-20T20:30 Concierto, con otro nombre CONFIRMED',
  ]);
  expect(without(edited, 'Concierto')).toEqual(without(first, 'Concierto'));

  const revisions = await readRevisions();
  edit(
    'fiesta-de-viernes',
    'sources:',
    'changes:\n  - { date: 2026-11-27, status: cancelled }\n  - { date: 2026-12-04, status: postponed }\nsources:',
  );
  edit('obra-pospuesta', 'status: postponed', 'status: published');
  const changed = await release();
  expect(find(changed, 'Fiesta')).toEqual([
    '2026-11-20T22:00 ¡Fiesta de viernes! CONFIRMED',
    '2026-11-27T22:00 CANCELADO: ¡Fiesta de viernes! CANCELLED',
    '2026-12-04T22:00 POSPUESTO: ¡Fiesta de viernes! TENTATIVE',
    '2026-12-11T22:00 ¡Fiesta de viernes! CONFIRMED',
  ]);
  expect(find(changed, 'Obra')).toEqual(['2026-11-28T20:00 Obra pospuesta CONFIRMED']);
  expect(without(changed, 'Fiesta', 'Obra')).toEqual(without(edited, 'Fiesta', 'Obra'));
  const revised = await readRevisions();
  expect([...revised.keys()], 'the same entries').toEqual([...revisions.keys()]);
  const newer = [...revised].filter(([uid, sequence]) => sequence !== revisions.get(uid));
  expect(
    newer.map(([uid, sequence]) => [uid.slice(14, 22), sequence - (revisions.get(uid) ?? 0)]),
  ).toEqual([
    ['20261127', 1],
    ['20261128', 1],
    ['20261204', 1],
  ]);

  edit('fiesta-de-viernes', '  - { date: 2026-11-27, status: cancelled }\n', '');
  expect(find(await release(), 'Fiesta')[1]).toBe('2026-11-27T22:00 ¡Fiesta de viernes! CONFIRMED');
});
