// Page cache: a cached page equals a fresh rendering, byte for byte (contract 11.8).
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
const cache = new Map<string, Buffer>();

/**
 * Renders every warm page and its Markdown, expects cached ones to be equal, and caches the others.
 * @returns the paths that were not cached.
 */
async function cachePages(snapshot: Snapshot): Promise<string[]> {
  const state = { snapshot, now_ms, site: SITE };
  const [rendered, outdated]: [string[], string[]] = [[], []];
  for (const path of listWarmPaths(state)) {
    // Other responses are cached for one snapshot only.
    if (digestPageInputs(state, path) === null) continue;
    const key = pageCacheKeyOf(state, code.renderer_digest, path, '');
    const body = Buffer.from((await renderWithoutCommonHeaders(state, code, path, '')).body ?? '');
    const cached = cache.get(key);
    if (cached === undefined) rendered.push(path);
    else if (!cached.equals(body)) outdated.push(path);
    cache.set(key, body);
  }
  expect(outdated).toEqual([]);
  return rendered;
}
const release = (): TestRelease => town.release(now_ms);

beforeAll(async () => {
  const config = { ...loadConfig({}), bundles_dir: BUNDLES_DIR };
  code = await loadSiteCode(await buildSiteCode(config, digestSourceCode(), () => {}), 'code');
  expect((await cachePages(release().snapshot)).length).toBeGreaterThan(300);
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
  ['a cancelled date', FAIR, /changes:/, 'changes:\n  - { date: 2026-11-24, status: cancelled }'],
  ['a postponement undone', 'events/obra-pospuesta', /status: postponed\n/, ''],
  ['a price', 'events/obra-pospuesta', /min: 120/, 'min: 150'],
  ['a venue', 'events/obra-pospuesta', /foro-sin-punto/, 'malecon-inventado'],
  ['an organizer', 'events/obra-pospuesta', /^price/m, 'organizer: colectivo-de-prueba\nprice'],
  ['a confidence', 'events/fiesta-de-viernes', /confidence: high/, 'confidence: low'],
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

test.each(CHANGES)('after a change of %s, cached pages are current', async (_, change) => {
  now_ms += MINUTE_MS;
  change();
  // The change must affect some page.
  expect((await cachePages(release().snapshot)).length).toBeGreaterThan(0);
});

test('without changes, a minute later only pages that show the minute are rendered', async () => {
  now_ms += MINUTE_MS;
  expect((await cachePages(release().snapshot)).length).toBeLessThan(30);
});

/** Formats an event that ends at midnight. */
const eveningEvent = (name: string, dates: string): string =>
  NEW_EVENT.replace(/Noche nueva|A New Night/g, name)
    .replace('2026-11-27', dates)
    .replace('"22:00"', '"00:00"');

test('cached pages are current at every hour of a day', async () => {
  now_ms = localMs('2026-11-22T00:00:00');
  town.write('events/una-noche', eveningEvent('Una noche', '2026-11-22'));
  town.write('events/dos-noches', eveningEvent('Dos noches', '2026-11-22, 2026-11-28'));
  const { snapshot } = release();
  // Pages are cached for one day, so a new day renders all of them.
  const all = await cachePages(snapshot);
  for (const hour of ['12:00:00', '20:30:00', '23:59:59']) {
    now_ms = localMs(`2026-11-22T${hour}`);
    expect((await cachePages(snapshot)).length).toBeLessThan(all.length / 2);
  }
});
