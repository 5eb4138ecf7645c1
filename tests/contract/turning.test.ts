// Pages that a release has ready turn with the clock: as long as one is held, it says what it would say
// if it were rendered anew, to the byte (contract 11.10).
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { toSite } from '../../src/domain/site.ts';
import { toTag } from '../../src/releases/file-facts.ts';
import { type FileEntry, isHeld } from '../../src/releases/manifest.ts';
import { createBundleLoader } from '../../src/server/http/site-bundle.ts';
import { listBuiltPaths } from '../../src/site/prebuilt.ts';
import { closeSnapshot, openSnapshot } from '../../src/snapshot/open.ts';
import { at } from '../fixtures/fixture.ts';
import { type MadeSite, startSites } from '../fixtures/released-site.ts';
import { startTown } from '../fixtures/released-town.ts';

const MADE = '2026-11-20T23:59:30';
const MIDNIGHT = '2026-11-21T00:00:00';
const SITE = toSite(readConfig());
const folder = mkdtempSync(join(tmpdir(), 'hoy-turning-'));
const sites = startSites(join(folder, 'data'));
const town = startTown(join(folder, 'content'));
const loadBundle = createBundleLoader();
/** Until the very midnight. */
const toEvening = (name: string, dates: string): string => `title: { es: ${name}, en: ${name} en }
summary: { es: Inventada., en: Made up. }
category: party
venue: foro-sin-punto
organizer: colectivo-de-prueba
price: free
when: [{ dates: [${dates}], start: "20:00", end: "00:00" }]
sources: [{ name: Inventado para las pruebas, checked: 2026-11-20 }]
confidence: high
`;
let made: MadeSite;
beforeAll(async () => {
  town.write('events/una-noche', toEvening('Una noche', '2026-11-20'));
  town.write('events/dos-noches', toEvening('Dos noches', '2026-11-20, 2026-11-28'));
  made = await sites.make(town.release(at(MADE)).town, at(MADE), 'code');
});
afterAll(() => {
  town.stop();
  sites.stop();
});

/** Those of a release's pages and documents that a path test lets through, by whether they are held. */
function split(now: string): { held: FileEntry[]; turned: FileEntry[] } {
  const state = { snapshot: openSnapshot(made.snapshot), site: SITE, now_ms: at(MADE) };
  const paths = new Set(listBuiltPaths(state));
  closeSnapshot(state.snapshot);
  const files = made.files.filter(({ path }) => paths.has(path));
  return {
    held: files.filter((file) => isHeld(file, at(now))),
    turned: files.filter((file) => !isHeld(file, at(now))),
  };
}

/** The paths of files that say something else than the bundle does at that moment. */
async function findUntrue(files: readonly FileEntry[], now: string): Promise<string[]> {
  const { render } = await loadBundle(made.entry, 'the one of these tests');
  const state = { snapshot: openSnapshot(made.snapshot), site: SITE, now_ms: at(now) };
  const untrue: string[] = [];
  for (const { path, tag } of files) {
    const { body } = await render(encodeURI(path), state);
    if (toTag(Buffer.from(body ?? '')) !== tag) untrue.push(path);
  }
  closeSnapshot(state.snapshot);
  return untrue;
}

describe('what a release made just before midnight has ready', () => {
  test('is true until midnight, all of it', async () => {
    const { held, turned } = split('2026-11-20T23:59:59');
    expect([held.length > 300, turned]).toEqual([true, []]);
    expect(await findUntrue(held, '2026-11-20T23:59:59')).toEqual([]);
  });

  test.each([
    MIDNIGHT,
    '2026-11-21T00:00:01',
    '2026-11-21T12:00:00',
    '2026-11-22T00:00:00',
    '2026-11-28T09:00:00',
    '2027-01-01T00:00:00',
  ])('is held at %s only where it is true then', async (now) => {
    const { held, turned } = split(now);
    expect(turned.length).toBeGreaterThan(0);
    expect(await findUntrue(held, now)).toEqual([]);
  });

  test('turns at midnight where there is need', async () => {
    const untrue = await findUntrue(split(MIDNIGHT).turned, MIDNIGHT);
    const pages = [
      '/eventos/una-noche',
      '/en/events/dos-noches-en',
      '/organizadores/colectivo-de-prueba',
      '/categorias/fiesta',
    ];
    expect(untrue).toEqual(
      expect.arrayContaining([...pages, '/eventos/dos-noches.md', '/sitemap.xml']),
    );
  });

  test('and nowhere else than on lists and pages of days', async () => {
    const held = new Set(split(MIDNIGHT).held.map(({ path }) => path));
    for (const path of ['/docs/errores', '/en/data', '/_avisos/2026-11-22', '/llms.txt'])
      expect(held, path).toContain(path);
    expect(held).toContain('/eventos/obra-pospuesta');
  });
});
