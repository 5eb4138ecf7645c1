// A subscription kept by a real client over HTTP: through an edit, a cancellation and a
// postponement it shows each change, nothing twice.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltServer, runCommand, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { createSubscriber, type Shown } from './calendar/clients.ts';

const folder = mkdtempSync(join(tmpdir(), 'hoy-subscription-'));
const settings = { data_dir: join(folder, 'data'), content_dir: join(folder, 'content') };
const [FROM, TO] = ['2026-11-20', '2026-12-13'];
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
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

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
/** A new release an hour later; resolves when it serves. */
async function release(): Promise<void> {
  const before = await readRelease();
  expect(
    await runCommand('release', [], {
      ...settings,
      clock_start: `2026-11-20T${++hour}:00:00-05:00`,
    }),
  ).toMatchObject({ code: 0 });
  await expect.poll(readRelease, { timeout: 20_000 }).not.toBe(before);
}

async function readCalendar(): Promise<Shown[]> {
  await subscriber.sync();
  const shown = await subscriber.show(FROM, TO);
  expect(new Set(shown.map(({ uid }) => uid)).size, 'nothing twice').toBe(shown.length);
  expect(
    new Set(
      shown.map(
        ({ start, location, title }) =>
          `${start} ${location} ${title.replace(/^(CANCELADO|POSPUESTO): /, '')}`,
      ),
    ).size,
    'nothing twice by another name',
  ).toBe(shown.length);
  return shown;
}
/**
 * The revision of each entry of the feed, by UID: vdirsyncer gives the entries names of its own.
 */
async function readRevisions(): Promise<ReadonlyMap<string, number>> {
  const feed = await (await server.get('/api/v1/events.ics')).text();
  return new Map(
    [...feed.matchAll(/^UID:(.*)\r\n[\s\S]*?^SEQUENCE:(\d+)\r$/gm)].map((match) => [
      match[1] ?? '',
      Number(match[2]),
    ]),
  );
}

const find = (all: readonly Shown[], word: string): string[] =>
  all
    .filter(({ title }) => title.includes(word))
    .map(({ start, title, status }) => `${start} ${title} ${status}`);
const without = (all: readonly Shown[], word: string): Shown[] =>
  all.filter(({ title }) => !title.includes(word));

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

  await release();
  expect(await readCalendar(), 'nothing has changed').toEqual(first);

  edit('concierto-unico', 'Concierto único; \\"a\\", b', 'Concierto, con otro nombre');
  edit('concierto-unico', 'start: "19:00"', 'start: "20:30"');
  await release();
  const edited = await readCalendar();
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
  await release();
  const changed = await readCalendar();
  expect(find(changed, 'Fiesta')).toEqual([
    '2026-11-20T22:00 ¡Fiesta de viernes! CONFIRMED',
    '2026-11-27T22:00 CANCELADO: ¡Fiesta de viernes! CANCELLED',
    '2026-12-04T22:00 POSPUESTO: ¡Fiesta de viernes! TENTATIVE',
    '2026-12-11T22:00 ¡Fiesta de viernes! CONFIRMED',
  ]);
  expect(find(changed, 'Obra')).toEqual(['2026-11-28T20:00 Obra pospuesta CONFIRMED']);
  const untouched = (all: readonly Shown[]): Shown[] => without(without(all, 'Fiesta'), 'Obra');
  expect(untouched(changed)).toEqual(untouched(edited));
  const revised = await readRevisions();
  expect([...revised.keys()], 'a change of status is the same entry').toEqual([
    ...revisions.keys(),
  ]);
  expect(
    [...revised]
      .filter(([uid, sequence]) => sequence !== revisions.get(uid))
      .map(([uid, sequence]) => [uid.slice(14, 22), sequence - (revisions.get(uid) ?? 0)]),
  ).toEqual([
    ['20261127', 1],
    ['20261128', 1],
    ['20261204', 1],
  ]);

  edit('fiesta-de-viernes', '  - { date: 2026-11-27, status: cancelled }\n', '');
  await release();
  expect(find(await readCalendar(), 'Fiesta')[1]).toBe(
    '2026-11-27T22:00 ¡Fiesta de viernes! CONFIRMED',
  );
});
