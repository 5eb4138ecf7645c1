// A page that is kept is what would be rendered now, to the byte (contract 11.8).
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { createSite } from '../../src/domain/site.ts';
import { buildSiteCode, digestSourceCode } from '../../src/releases/site-code.ts';
import { renderWithoutCommonHeaders, pageCacheKeyOf } from '../../src/server/http/page-response.ts';
import { type LoadedCode, loadSiteCode } from '../../src/server/load-site-code.ts';
import { digestPageInputs } from '../../src/site/page-digest.ts';
import { listWarmPaths } from '../../src/site/resolve-path.ts';
import type { Snapshot } from '../../src/snapshot/open-snapshot.ts';
import { BUNDLES_DIR } from '../fixtures/built-server.ts';
import { localMs, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { type TestRelease, createReleasedTown } from '../fixtures/released-town.ts';
import { useFolder } from '../fixtures/folder.ts';

const MINUTE_MS = 60_000;
const folder = useFolder();
const town = createReleasedTown(join(folder, 'content'));
const SITE = createSite(loadConfig({}));
let code: LoadedCode;
let now_ms = FRIDAY_NOON_MS;
const kept = new Map<string, Buffer>();

/**
 * Looks at every page that is made ahead, and its Markdown: those kept are as they would be rendered now. Gives
 * those that are not kept yet, and keeps them.
 */
async function keepPages(snapshot: Snapshot): Promise<string[]> {
  const state = { snapshot, now_ms, site: SITE };
  const [made, untrue]: [string[], string[]] = [[], []];
  for (const path of listWarmPaths(state)) {
    // What is no page is kept for one snapshot only.
    if (digestPageInputs(state, path) === null) continue;
    const key = pageCacheKeyOf(state, code.renderer_digest, path, '');
    const body = Buffer.from((await renderWithoutCommonHeaders(state, code, path, '')).body ?? '');
    const known = kept.get(key);
    if (known === undefined) made.push(path);
    else if (!known.equals(body)) untrue.push(path);
    kept.set(key, body);
  }
  expect(untrue).toEqual([]);
  return made;
}
const release = (): TestRelease => town.release(now_ms);

beforeAll(async () => {
  const config = { ...loadConfig({}), bundles_dir: BUNDLES_DIR };
  code = await loadSiteCode(await buildSiteCode(config, digestSourceCode(), () => {}), 'code');
  expect((await keepPages(release().snapshot)).length).toBeGreaterThan(300);
});
afterAll(() => town.stop());

const FAIR = 'events/feria-diaria';
const NEW_EVENT = `title: { es: Noche nueva, en: A New Night }
summary: { es: Nunca vista., en: Never seen before. }
category: party
venue: foro-sin-punto
price: free
when: [{ dates: [2026-11-27], start: "20:00", end: "22:00" }]
sources: [{ name: Inventado para las pruebas, checked: 2026-11-20 }]
confidence: high
`;

const EDITS: readonly (readonly [string, string, RegExp, string])[] = [
  ['a title', FAIR, /Everyday Fair/, 'Daily Fair'],
  ['a further date', 'events/concierto-unico', /\[2026-11-20\]/, '[2026-11-20, 2026-12-04]'],
  ['a date called off', FAIR, /changes:/, 'changes:\n  - { date: 2026-11-24, status: cancelled }'],
  ['a postponement taken back', 'events/obra-pospuesta', /status: postponed\n/, ''],
  ['a price', 'events/obra-pospuesta', /min: 120/, 'min: 150'],
  ['where it is', 'events/obra-pospuesta', /foro-sin-punto/, 'malecon-inventado'],
  ['who makes it', 'events/obra-pospuesta', /^price/m, 'organizer: colectivo-de-prueba\nprice'],
  ['how sure it is', 'events/fiesta-de-viernes', /confidence: high/, 'confidence: low'],
  ['a venue’s zone', 'venues/malecon-inventado', /zone: tajamar/, 'zone: downtown'],
  ['a zone’s word', 'zones', /es: "Centro"/, 'es: "El Centro"'],
  ['a notice’s words', 'notices/oleaje', /Evita nadar/, 'No nades'],
  ['a holiday', 'calendar', /Our Lady of Guadalupe/, 'Day of Our Lady'],
];
const CHANGES: readonly (readonly [string, () => void])[] = [
  ...EDITS.map(([name, ...edit]) => [name, () => town.edit(...edit)] as const),
  ['a new event', () => town.write('events/noche-nueva', NEW_EVENT)],
  ['an event removed', () => town.remove('events/taller-pasado')],
];

test.each(CHANGES)('after %s', async (_, change) => {
  now_ms += MINUTE_MS;
  change();
  // A change that no page shows would prove nothing.
  expect((await keepPages(release().snapshot)).length).toBeGreaterThan(0);
});

test('without changes, a minute later only pages that show the minute are rendered', async () => {
  now_ms += MINUTE_MS;
  expect((await keepPages(release().snapshot)).length).toBeLessThan(30);
});

/** Until the very midnight. */
const toEvening = (name: string, dates: string): string =>
  NEW_EVENT.replace(/Noche nueva|A New Night/g, name)
    .replace('2026-11-27', dates)
    .replace('"22:00"', '"00:00"');

test('at every hour of a day', async () => {
  now_ms = localMs('2026-11-22T00:00:00');
  town.write('events/una-noche', toEvening('Una noche', '2026-11-22'));
  town.write('events/dos-noches', toEvening('Dos noches', '2026-11-22, 2026-11-28'));
  const { snapshot } = release();
  // Kept for a day: on the next, all are made anew.
  const all = await keepPages(snapshot);
  for (const hour of ['12:00:00', '20:30:00', '23:59:59']) {
    now_ms = localMs(`2026-11-22T${hour}`);
    expect((await keepPages(snapshot)).length).toBeLessThan(all.length / 2);
  }
});
