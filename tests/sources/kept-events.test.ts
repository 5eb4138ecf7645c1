// Events taken as the release before has them: the town is the same as when all are made again.
import { cpSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import type { Ledger } from '../../src/domain/ledger.ts';
import { createBuiltEventLookup } from '../../src/snapshot/snapshot-meta.ts';
import { deriveId } from '../../src/sources/identity.ts';
import { NO_INBOX_RECORDS } from '../../src/sources/inbox/load-inbox.ts';
import { NO_PREVIOUS_CONTENT } from '../../src/sources/load-content.ts';
import { loadDataset } from '../../src/sources/build-dataset.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { startTown } from '../fixtures/released-town.ts';

const DAY_MS = 86_400_000;
const FAIR = deriveId('event', 'feria-diaria');
const folder = makeFolder();
const town = startTown(folder);
afterAll(town.stop);
const { town: before, snapshot } = town.release(FRIDAY_NOON_MS);

/** The town read again with the events of the release, and without; the ids of those taken from it. */
function readAgain(ledger: Ledger, later_ms: number) {
  const find = createBuiltEventLookup(snapshot.path);
  const kept: string[] = [];
  const findEvent = (made_of: string) => {
    const event = find(made_of);
    if (event !== null) kept.push(event.record.id);
    return event;
  };
  const read = (sources = NO_PREVIOUS_CONTENT) =>
    loadDataset(folder, ledger, FRIDAY_NOON_MS + later_ms, NO_INBOX_RECORDS, sources);
  const [with_kept, without] = [read({ ...NO_PREVIOUS_CONTENT, findEvent }), read()];
  // As it is written: what is not said is not there.
  expect(JSON.parse(JSON.stringify(with_kept))).toEqual(JSON.parse(JSON.stringify(without)));
  expect([...with_kept.ledger.revisions]).toEqual([...without.ledger.revisions]);
  return { kept, without };
}

test('where nothing has changed no event is made again', () => {
  const { kept } = readAgain(before.ledger, 60_000);
  expect(kept.sort()).toEqual(before.events.map(({ id }) => id));
});

test.each<readonly [string, () => void, number]>([
  ['its venue', () => town.edit('venues/malecon-inventado', /^name: .*$/m, 'name: Otro'), 0],
  ['a day of rest', () => town.edit('calendar', /feast: true/, 'feast: false'), 0],
  ['the day', () => {}, DAY_MS],
])('is made again: %s has changed', (_, change, later_ms) => {
  cpSync(FIXTURE_DIR, folder, { recursive: true });
  change();
  expect(readAgain(before.ledger, later_ms).kept).not.toContain(FAIR);
});

test('is made again: the ledger remembers something else', () => {
  cpSync(FIXTURE_DIR, folder, { recursive: true });
  town.edit('events/feria-diaria', /Puestos/, 'Mesas');
  // Written into the ledger, and then never let serve.
  const { ledger } = loadDataset(folder, before.ledger, FRIDAY_NOON_MS + 60_000);
  town.edit('events/feria-diaria', /Mesas/, 'Puestos');
  expect(readAgain(ledger, 120_000).without.ledger.revisions.get(FAIR)?.sequence).toBe(2);
});
