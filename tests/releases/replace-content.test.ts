// Where only words of events changed, the snapshot of the release before is written over: it has every row of
// the whole build of the same sources, and so have the ledger, the desk and what is kept of content.
import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { writeLedger } from '../../src/inbox/ledger.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { putOverride } from '../../src/inbox/overrides.ts';
import { type MadeSnapshot, makeSnapshot } from '../../src/releases/make-snapshot.ts';
import { takeGood } from '../../src/releases/take-sources.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { lookAtContent } from '../../src/sources/content-digest.ts';
import { toId } from '../../src/sources/identity.ts';
import { NO_INBOX_RECORDS } from '../../src/sources/inbox/read-inbox.ts';
import { NOTHING_KEPT } from '../../src/sources/kept-sources.ts';
import { readChangedEvents } from '../../src/sources/read-changed.ts';
import { at } from '../fixtures/fixture.ts';
import { type ReleasedTown, startTown } from '../fixtures/released-town.ts';
import { readRows } from '../fixtures/snapshot-rows.ts';

const [BUILT_MS, CHANGED_MS] = [at('2026-11-20T12:00:00'), at('2026-11-20T12:31:10')];
const FAIR = 'events/feria-diaria';

let dir: string;
let town: ReleasedTown;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hoy-replace-'));
  town = startTown(join(dir, 'content'));
  town.edit(
    'events/exposicion-larga',
    /^title/m,
    'slug: { es: la-larga, en: the-long-one }\ntitle',
  );
  mkdirSync(join(dir, 'first'));
  await release('first', BUILT_MS, null);
});
afterEach(() => rmSync(dir, { recursive: true }));

const toSnapshot = (data: string): string => join(dir, data, 'snapshot.db');

interface Release extends MadeSnapshot {
  readonly lines: readonly string[];
}

/** A release of the town in a data folder, as far as its snapshot; it serves then. */
async function release(data: string, now_ms: number, before: string | null): Promise<Release> {
  const data_dir = join(dir, data);
  const config = readConfig({ DATA_DIR: data_dir, CONTENT_DIR: join(dir, 'content') });
  const lines: string[] = [];
  const order = { config, now_ms, say: (line: string) => void lines.push(line) };
  const path = join(data_dir, 'next.db');
  const made = await inInbox(data, (inbox) =>
    makeSnapshot(order, path, inbox, takeGood, { pictures_dir: null, before }),
  );
  await inInbox(data, async (inbox) => writeLedger(inbox, made.ledger, made.before));
  made.keep();
  renameSync(path, toSnapshot(data));
  return { ...made, lines };
}

async function inInbox<T>(data: string, work: (inbox: Inbox) => Promise<T>): Promise<T> {
  const inbox = openInbox(join(dir, data, 'inbox.db'));
  try {
    return await work(inbox);
  } finally {
    inbox.close();
  }
}

/** The same change released over the first release, and as if there were none to take from. */
async function releaseBoth() {
  for (const name of ['over', 'whole'])
    cpSync(join(dir, 'first'), join(dir, name), { recursive: true });
  rmSync(toSnapshot('over'));
  return {
    over: await release('over', CHANGED_MS, toSnapshot('first')),
    whole: await release('whole', CHANGED_MS, null),
  };
}

const isOver = ({ lines }: Release): boolean =>
  lines.some((line) => line.includes('otherwise on the same dates'));

/** All that a release leaves, but what it says of itself. */
function readAll(data: string) {
  const file = (name: string) => readRows(join(dir, data, name));
  const { files } = file('sources.db');
  const { revisions, slugs, histories, sources, left_out } = file('inbox.db');
  const kept = { files: files?.sort(), revisions, slugs, histories, left_out };
  return { ...file('snapshot.db'), ...kept, sources: sources?.sort() };
}

test.each<readonly [string, () => void]>([
  ['a title', () => town.edit('events/exposicion-larga', /Exposición larga/, 'Zumba de nada')],
  ['words that nobody else has', () => town.edit(FAIR, /música y niños/, 'y marimbas')],
  ['a description', () => town.edit('events/exposicion-larga', /Segundo/, 'Otro')],
  [
    'a date called off',
    () => town.edit(FAIR, /changes:/, 'changes:\n  - { date: 2026-11-24, status: cancelled }'),
  ],
  [
    'an event called off',
    () => town.edit('events/obra-pospuesta', /status: postponed/, 'status: cancelled'),
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
  [
    'an event that stays withdrawn',
    () =>
      town.edit(
        'events/retirado',
        /^summary: .*$/m,
        'summary: { es: Otra cosa., en: Something else. }',
      ),
  ],
  [
    'two events',
    () => {
      town.edit(FAIR, /música y niños/, 'y mucha música');
      town.edit('events/concierto-unico', /concierto$/m, 'otro');
    },
  ],
])('after %s', async (_, change) => {
  change();
  const { over, whole } = await releaseBoth();
  expect([isOver(over), isOver(whole)]).toEqual([true, false]);
  expect(readAll('over')).toEqual(readAll('whole'));
  expect(readAll('over')).not.toEqual(readAll('first'));
  expect(over.counts).toEqual(whole.counts);
  // The next one takes from it: nothing has changed since.
  expect(await release('over', CHANGED_MS + 60_000, toSnapshot('over'))).toMatchObject({
    is_same: true,
  });
});

test.each<readonly [string, () => void]>([
  [
    'a further date',
    () => town.edit('events/concierto-unico', /\[2026-11-20\]/, '[2026-11-20, 2026-12-04]'),
  ],
  ['an hour', () => town.edit('events/concierto-unico', /19:00/, '19:30')],
  [
    'dates that are known no more',
    () => town.edit('events/fiesta-de-viernes', /confidence: high/, 'confidence: low'),
  ],
  [
    'an address',
    () => town.edit(FAIR, /^title: .*$/m, 'title: { es: Otra feria, en: Another Fair }'),
  ],
  ['an event withdrawn', () => town.edit(FAIR, /^category/m, 'withdrawn: por ley\ncategory')],
  [
    'a picture',
    () =>
      town.edit(
        FAIR,
        /^category/m,
        'image: { url: "https://example.org/a.jpg", alt: { es: Uno, en: One } }\ncategory',
      ),
  ],
  ['an event removed', () => town.remove('events/taller-pasado')],
  [
    'an event of another name',
    () =>
      town.write(
        'events/otra-feria',
        town.read(FAIR).replace(/^title: .*$/m, 'title: { es: Otra feria, en: Another Fair }'),
      ),
  ],
  [
    'a venue’s hours',
    () => town.edit('venues/malecon-inventado', /"18:00", last/, '"19:00", last'),
  ],
  ['a zone’s word', () => town.edit('zones', /es: "Centro"/, 'es: "El Centro"')],
  ['a file that is faulty', () => town.edit(FAIR, /^category: .*$/m, 'category: ninguna')],
])('after %s, all is built anew', async (_, change) => {
  change();
  const { over } = await releaseBoth();
  expect(isOver(over)).toBe(false);
  expect(readAll('over')).toEqual(readAll('whole'));
});

test('what the desk says, or another day, builds all anew', async () => {
  town.edit(FAIR, /música y niños/, 'y mucha música');
  await inInbox('first', async (inbox) =>
    putOverride(inbox, toId('event', 'feria-diaria'), '', { status: 'cancelled' }),
  );
  const { over } = await releaseBoth();
  expect(isOver(over)).toBe(false);
  expect(readAll('over')).toEqual(readAll('whole'));
  town.edit(FAIR, /y mucha música/, 'y silencio');
  // The desk says something of it, though nothing new.
  expect(isOver(await release('over', CHANGED_MS + 60_000, toSnapshot('over')))).toBe(false);
  town.edit('events/obra-pospuesta', /min: 120/, 'min: 150');
  expect(isOver(await release('over', CHANGED_MS + 120_000, toSnapshot('over')))).toBe(true);
  town.edit('events/obra-pospuesta', /min: 150/, 'min: 130');
  const tomorrow = CHANGED_MS + 24 * 3_600_000;
  expect(isOver(await release('over', tomorrow, toSnapshot('over')))).toBe(false);
});

test('what somebody saved after content was digested is not read by itself', () => {
  const folder = join(dir, 'content');
  const files = new Set([`${FAIR}.yml`]);
  const order = { ledger: EMPTY_LEDGER, now_ms: CHANGED_MS, records: NO_INBOX_RECORDS };
  const { digests } = lookAtContent(folder, new Map(), CHANGED_MS);
  const readNow = () => readChangedEvents(folder, files, { ...order, digests }, NOTHING_KEPT);
  expect(readNow()?.ids.size).toBe(1);
  town.edit('venues/malecon-inventado', /Malecón Inventado/, 'Malecón Soñado');
  expect(readNow()).toBeNull();
});
