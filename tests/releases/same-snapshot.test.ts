// Where nothing has changed since the release before, its snapshot serves again, of the new time.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { putDeskNotice } from '../../src/inbox/desk-notices.ts';
import { writeLedger } from '../../src/inbox/ledger.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { makeSnapshot } from '../../src/releases/make-snapshot.ts';
import { storePicture, writeOutcomes } from '../../src/releases/picture-store.ts';
import { takeGood, type TakeSources } from '../../src/releases/take-sources.ts';
import { closeSnapshot, openSnapshot } from '../../src/snapshot/open.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { type ReleasedTown, startTown } from '../fixtures/released-town.ts';

const HOUR_MS = 3_600_000;
/** A notice as the desk writes it. */
const TIDE = {
  type: 'health',
  severity: 'alert',
  title: { es: 'Alerta de prueba', en: 'Test alert' },
  body: { es: 'Solo una prueba.', en: 'Only a test.' },
  when: [{ dates: ['2026-11-27'], start: '00:00', end: '23:59' }],
  sources: [{ name: 'Inventado para las pruebas', checked: '2026-11-20' }],
  confidence: 'high',
};
const folder = mkdtempSync(join(tmpdir(), 'hoy-same-'));
const content_dir = join(folder, 'content');
const pictures_dir = join(folder, 'pictures');
let town: ReleasedTown;
let inbox: Inbox;
beforeAll(() => {
  town = startTown(content_dir);
  inbox = openInbox(':memory:');
});
afterAll(() => {
  inbox.close();
  town.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** How often content was read. */
let reads = 0;
/** What somebody does before it is. */
let meanwhile = (): void => {};
const takeAndCount: TakeSources = (config, order) => {
  reads++;
  meanwhile();
  return takeGood(config, order);
};

/** The snapshot of a release made some hours after noon, over that of an earlier one. */
async function make(hours: number, before: string | null): Promise<string> {
  const path = join(folder, `release-${hours}`, 'snapshot.db');
  mkdirSync(join(path, '..'));
  const order = {
    config: readConfig({ CONTENT_DIR: content_dir, DATA_DIR: folder, PICTURES: '0' }),
    now_ms: FRIDAY_NOON_MS + hours * HOUR_MS,
    say: () => {},
  };
  const { ledger } = await makeSnapshot(order, path, inbox, takeAndCount, {
    pictures_dir,
    before,
  });
  writeLedger(inbox, ledger);
  return path;
}

function read(path: string) {
  const snapshot = openSnapshot(path);
  const { version, generated_at } = snapshot;
  closeSnapshot(snapshot);
  return { version, generated_at, file: statSync(path).ino };
}

let before: string | null = null;
/** How often a release over the one before reads content. */
async function readsOf(hours: number): Promise<number> {
  const was = reads;
  before = await make(hours, before);
  return reads - was;
}

test('content is read where it changed, where the desk or the day did, and else not', async () => {
  before = null;
  expect([await readsOf(100), await readsOf(101), await readsOf(106)]).toEqual([1, 0, 0]);
  town.edit('events/obra-pospuesta', /min: 120/, 'min: 150');
  expect([await readsOf(107), await readsOf(107.5)]).toEqual([1, 0]);
  putDeskNotice(inbox, 'no_marea00', TIDE);
  expect([await readsOf(107.6), await readsOf(107.7)]).toEqual([1, 0]);
  // What is said of the snapshot before may be damaged: then content is read, and all goes on.
  writeFileSync(join(folder, 'release-107.7', 'sources.json'), '{"digest":');
  expect(await readsOf(107.8)).toBe(1);
  // Midnight in Cancún is between them.
  expect([await readsOf(107.9), await readsOf(108), await readsOf(109)]).toEqual([0, 1, 0]);
});

test('what was saved while content was read, and taken back, is not what was digested', async () => {
  before = null;
  expect(await readsOf(200)).toBe(1);
  const was = town.read('events/obra-pospuesta');
  town.write('notices/oleaje', `${town.read('notices/oleaje')}\n`);
  meanwhile = () => town.edit('events/obra-pospuesta', /min: \d+/, 'min: 1');
  expect(await readsOf(201)).toBe(1);
  meanwhile = () => {};
  town.write('events/obra-pospuesta', was);
  expect([await readsOf(202), await readsOf(203)]).toEqual([1, 0]);
});

test('content is read again where a picture that an event shows is not there any more', async () => {
  const [url, held] = [
    'https://example.org/a.jpg',
    { digest: 'a'.repeat(32), widths: [480], height: 300 },
  ];
  const files = ['480.avif', '480.webp', '480.jpg'].map(
    (name) => [name, Buffer.from(name)] as const,
  );
  storePicture(pictures_dir, held, new Map(files));
  writeOutcomes(pictures_dir, new Map([[url, held]]));
  town.edit(
    'events/feria-diaria',
    /^category/m,
    `image: { url: "${url}", alt: { es: Uno, en: One } }\ncategory`,
  );
  before = null;
  expect([await readsOf(300), await readsOf(301)]).toEqual([1, 0]);
  rmSync(join(pictures_dir, held.digest), { recursive: true });
  expect([await readsOf(302), await readsOf(303)]).toEqual([1, 0]);
});

test('of another hour it is the same file, and what changed makes another', async () => {
  const noon = await make(0, null);
  const one = await make(1, noon);
  expect(read(noon).generated_at).toBe('2026-11-20T12:00:00-05:00');
  expect(read(one)).toEqual({ ...read(noon), generated_at: '2026-11-20T13:00:00-05:00' });
  const two = await make(2, one);
  expect(read(two)).toEqual({ ...read(noon), generated_at: '2026-11-20T14:00:00-05:00' });
  town.edit('events/feria-diaria', /Everyday Fair/, 'Daily Fair');
  const three = read(await make(3, two));
  expect(three.file).not.toBe(read(noon).file);
  expect(three.version).not.toBe(read(noon).version);
  expect(three.generated_at).toBe('2026-11-20T15:00:00-05:00');
});
