// A release renders only what changed, and is byte for byte what a whole one is: after every kind of
// change, each page that was taken over is as the bundle renders it afresh.
import { mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { Dataset } from '../../src/domain/dataset.ts';
import { formatTimestamp } from '../../src/domain/cancun-time.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import { toSite } from '../../src/domain/site.ts';
import { toTag } from '../../src/releases/file-facts.ts';
import { type Form, toStoredPath } from '../../src/releases/file-store.ts';
import { type FileEntry, writeManifest } from '../../src/releases/manifest.ts';
import { createBundleLoader } from '../../src/server/http/site-bundle.ts';
import { listBuiltPaths } from '../../src/site/prebuilt.ts';
import { closeSnapshot, openSnapshot } from '../../src/snapshot/open.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { addHistories } from '../../src/sources/to-histories.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { sayOtherwise } from '../fixtures/otherwise.ts';
import { type MadeSite, startSites } from '../fixtures/released-site.ts';
import { type ReleasedTown, startTown } from '../fixtures/released-town.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const folder = mkdtempSync(join(tmpdir(), 'hoy-changed-'));
const content_dir = join(folder, 'content');
const sites = startSites(join(folder, 'data'));
let town: ReleasedTown;
let ledger: Ledger = EMPTY_LEDGER;
let now_ms = FRIDAY_NOON_MS;
let made_with = 'code';
const SITE = toSite(readConfig());

/** The site of the town as it stands, over the one before. */
async function release(): Promise<MadeSite> {
  const dataset = readTown();
  ({ ledger } = dataset);
  return sites.make(dataset, now_ms, made_with);
}

const readTown = (): Dataset => addHistories(readDataset(content_dir, ledger, now_ms), now_ms);

const loadBundle = createBundleLoader();
/**
 * The paths that a site must have, and what was taken over from the one before as the bundle renders
 * it now: all else was rendered just so.
 */
async function renderAfresh(site: MadeSite) {
  const { render } = await loadBundle(site.entry, 'the one of these tests');
  const state = { snapshot: openSnapshot(site.snapshot), site: SITE, now_ms };
  const paths = listBuiltPaths(state);
  const there = new Set(paths);
  const pages = new Map<string, Buffer>();
  for (const { path, last_modified_ms } of site.files)
    if (last_modified_ms !== now_ms && there.has(path)) {
      const { body } = await render(encodeURI(path), state);
      pages.set(path, Buffer.from(body ?? ''));
    }
  closeSnapshot(state.snapshot);
  return { paths, pages };
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync } as const;
const CODINGS = ['br', 'gzip', 'zstd'] as const;

/** What is stored of a file: its bytes, and those that its compressed forms stand for. */
function readForms({ store_dir }: MadeSite, { tag, encodings }: FileEntry): readonly Buffer[] {
  const read = (form: Form): Buffer => readFileSync(toStoredPath(store_dir, tag, form));
  return [
    read('identity'),
    ...CODINGS.filter((coding) => encodings[coding] !== undefined).map((coding) =>
      DECODERS[coding](read(coding)),
    ),
  ];
}

beforeAll(async () => {
  town = startTown(content_dir);
  await release();
});
afterAll(() => {
  town.stop();
  sites.stop();
});

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

/** What is changed, by what it is called. */
const OTHER_CODE = 'the code: a template, a language file';
const CHANGES: readonly (readonly [string, () => void])[] = [
  ['nothing', () => {}],
  ['a title', () => town.edit(FAIR, /Everyday Fair/, 'Daily Fair')],
  ['a summary', () => town.edit(FAIR, /música y niños/, 'y mucha música')],
  ['a description', () => town.edit('events/exposicion-larga', /Segundo/, 'Otro')],
  ['an hour', () => town.edit('events/concierto-unico', /19:00/, '19:30')],
  [
    'a further date',
    () => town.edit('events/concierto-unico', /\[2026-11-20\]/, '[2026-11-20, 2026-12-04]'),
  ],
  [
    'a date left out',
    () => town.edit(FAIR, /except: \[2026-11-22\]/, 'except: [2026-11-22, 2026-12-01]'),
  ],
  [
    'a date called off',
    () => town.edit(FAIR, /changes:/, 'changes:\n  - { date: 2026-11-24, status: cancelled }'),
  ],
  [
    'an event called off',
    () => town.edit('events/exposicion-larga', /^category/m, 'status: cancelled\ncategory'),
  ],
  [
    'a postponement taken back',
    () => town.edit('events/obra-pospuesta', /status: postponed\n/, ''),
  ],
  ['a price', () => town.edit('events/obra-pospuesta', /min: 120/, 'min: 150')],
  ['a category', () => town.edit('events/obra-pospuesta', /theater/, 'culture')],
  ['tags', () => town.edit(FAIR, /\[familia\]/, '[familia, mercado]')],
  ['where it is', () => town.edit('events/obra-pospuesta', /foro-sin-punto/, 'malecon-inventado')],
  [
    'who makes it',
    () => town.edit('events/obra-pospuesta', /^price/m, 'organizer: colectivo-de-prueba\nprice'),
  ],
  ['a ticket link', () => town.edit('events/concierto-unico', /concierto$/m, 'otro')],
  [
    'how sure it is',
    () => town.edit('events/fiesta-de-viernes', /confidence: high/, 'confidence: low'),
  ],
  ['a new event', () => town.write('events/noche-nueva', NEW_EVENT)],
  ['an event removed', () => town.remove('events/taller-pasado')],
  [
    'a venue’s name',
    () => town.edit('venues/malecon-inventado', /Malecón Inventado/, 'Malecón Soñado'),
  ],
  [
    'a venue’s zone',
    () => town.edit('venues/malecon-inventado', /zone: tajamar/, 'zone: downtown'),
  ],
  [
    'a venue’s hours',
    () => town.edit('venues/malecon-inventado', /"18:00", last/, '"19:00", last'),
  ],
  [
    'an organizer’s name',
    () => town.edit('organizers/colectivo-de-prueba', /Colectivo de Prueba/, 'Colectivo Nuevo'),
  ],
  ['a zone’s word', () => town.edit('zones', /es: "Centro"/, 'es: "El Centro"')],
  ['a category’s word', () => town.edit('categories', /en: "Live music"/, 'en: "Concerts"')],
  ['a notice’s words', () => town.edit('notices/oleaje', /Evita nadar/, 'No nades')],
  ['a notice’s gravity', () => town.edit('notices/oleaje', /warning/, 'alert')],
  ['a notice removed', () => town.remove('notices/obra-vial')],
  ['a holiday', () => town.edit('calendar', /Our Lady of Guadalupe/, 'Day of Our Lady')],
  [
    'six hours',
    () => {
      now_ms += 6 * HOUR_MS;
    },
  ],
  [
    'a day',
    () => {
      now_ms += 24 * HOUR_MS;
    },
  ],
  [
    OTHER_CODE,
    () => {
      made_with = 'other code';
    },
  ],
];

/** Every file that it must have is there, and is what the bundle renders. */
async function expectAsAfresh(site: MadeSite): Promise<void> {
  const { paths, pages } = await renderAfresh(site);
  const there = new Set(site.files.map(({ path }) => path));
  expect(paths.filter((path) => !there.has(path))).toEqual([]);
  for (const file of site.files) {
    const rendered = pages.get(file.path);
    if (rendered) expect(file.tag, file.path).toBe(toTag(rendered));
    // What was taken over was looked at before.
    if (file.last_modified_ms === now_ms)
      for (const form of readForms(site, file)) expect(toTag(form), file.path).toBe(file.tag);
  }
}

test.each(CHANGES)('after %s', async (what, change) => {
  if (what !== 'nothing') now_ms += MINUTE_MS;
  change();
  const site = await release();
  await expectAsAfresh(site);
  // A change that no page shows would prove nothing; what only says to be other code renders the same.
  expect(site.written > 0).toBe(what !== 'nothing' && what !== OTHER_CODE);
});

test('after a title of one event, only what says it was written', async () => {
  town.edit(FAIR, /Daily Fair/, 'The Fair');
  const { written, files } = await release();
  expect(written).toBeGreaterThan(2);
  expect(written).toBeLessThan(files.length / 2);
});

test('what is missing from the disk, or cut, is made anew', async () => {
  const { files, store_dir } = await release();
  const [cut, gone] = files.filter(
    ({ path, encodings }) => path.startsWith('/fecha/') && encodings.br !== undefined,
  );
  if (cut === undefined || gone === undefined) throw new Error('no lists were made');
  truncateSync(toStoredPath(store_dir, cut.tag, 'br'), 10);
  rmSync(toStoredPath(store_dir, gone.tag, 'identity'));
  now_ms += MINUTE_MS;
  const site = await release();
  for (const file of site.files)
    for (const form of readForms(site, file)) expect(toTag(form), file.path).toBe(file.tag);
});

test('after a decision of the desk, what only counted its event is rendered too', async () => {
  const { id = '' } = readTown().events.find(({ slug }) => slug.es === 'noche-nueva') ?? {};
  town.remove('events/noche-nueva');
  await sites.amend(readTown(), now_ms, id);
  now_ms += MINUTE_MS;
  await expectAsAfresh(await release());
});

test.each([
  ['in es', 'es', 100],
  ['in en', 'en', 100],
  // The sitemap, and the public data.
  ['in no word, at another time', null, 2],
] as const)('after everything was said otherwise %s', async (_, lang, written) => {
  now_ms += MINUTE_MS;
  const otherwise = sayOtherwise(readTown(), lang, formatTimestamp(now_ms));
  const site = await sites.make(otherwise, now_ms, made_with);
  await expectAsAfresh(site);
  expect(site.written).toBeGreaterThan(written);
});

test('other code sends the same bytes as what it takes them for, not as what they were sent before', async () => {
  const typeOf = ({ files }: MadeSite) => files.find(({ path }) => path === '/llms.txt')?.type;
  const before = await release();
  const plain = before.files.map((file) =>
    file.path === '/llms.txt' ? { ...file, type: 'text/plain; charset=utf-8' } : file,
  );
  writeManifest(before.list, plain);
  [made_with, now_ms] = ['code that knows llms.txt', now_ms + MINUTE_MS];
  expect(typeOf(before)).not.toBe('text/plain; charset=utf-8');
  expect(typeOf(await release())).toBe(typeOf(before));
});

test('after a decision of the desk, who makes more than one page has room for is rendered too', async () => {
  const write = (name: string, days: string, more = ''): void => {
    const text = NEW_EVENT.replace(/Noche nueva|A New Night/g, name)
      .replace('price', 'organizer: colectivo-de-prueba\nprice')
      .replace('2026-11-27', days);
    town.write(`events/${name}`, text + more);
  };
  for (let at = 0; at < 101; at += 1) write(`noche-${at}`, `2026-12-${10 + (at % 20)}`);
  write(
    'la-ultima',
    '2026-12-05, 2027-01-15',
    'changes: [{ date: 2026-12-05, status: cancelled }]',
  );
  now_ms += MINUTE_MS;
  await release();
  write('la-ultima', '2026-12-05, 2027-01-15');
  const amended = readTown();
  ({ ledger } = amended);
  const { id = '' } = amended.events.find(({ slug }) => slug.es === 'la-ultima') ?? {};
  await sites.amend(amended, now_ms, id);
  now_ms += MINUTE_MS;
  await expectAsAfresh(await release());
});
