// Events taken as the release before has them: what comes of it is what is made without them, whatever changed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Ledger } from '../../src/domain/ledger.ts';
import { findMadeEvents } from '../../src/snapshot/meta.ts';
import { toId } from '../../src/sources/identity.ts';
import { NO_INBOX_RECORDS } from '../../src/sources/inbox/read-inbox.ts';
import { NOTHING_KEPT } from '../../src/sources/read-content.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { type ReleasedTown, startTown } from '../fixtures/released-town.ts';

const DAY_MS = 86_400_000;
const FAIR = toId('event', 'feria-diaria');
let folder = '';
let town: ReleasedTown;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-kept-'));
  town = startTown(folder);
});
afterEach(() => {
  town.stop();
  rmSync(folder, { recursive: true });
});

/** The town read again with the events of a snapshot, and without; the ids of those that were found there. */
function readAgain(path: string, ledger: Ledger, now_ms: number) {
  const find = findMadeEvents(path);
  const kept: string[] = [];
  const findEvent = (made_of: string) => {
    const event = find(made_of);
    if (event !== null) kept.push(event.record.id);
    return event;
  };
  const read = (sources = NOTHING_KEPT) =>
    readDataset(folder, ledger, now_ms, NO_INBOX_RECORDS, sources);
  const [with_kept, without] = [read({ ...NOTHING_KEPT, findEvent }), read()];
  // As it is written: what is not said is not there.
  expect(JSON.parse(JSON.stringify(with_kept))).toEqual(JSON.parse(JSON.stringify(without)));
  expect([...with_kept.ledger.revisions]).toEqual([...without.ledger.revisions]);
  return { kept, without };
}

test('where nothing has changed no event is made again', () => {
  const { town: before, snapshot } = town.release(FRIDAY_NOON_MS);
  const { kept } = readAgain(snapshot.path, before.ledger, FRIDAY_NOON_MS + 60_000);
  expect(kept.sort()).toEqual(before.events.map(({ id }) => id));
});

test.each<readonly [string, () => void, number]>([
  ['its file', () => town.edit('events/feria-diaria', /Puestos/, 'Mesas'), 0],
  [
    'its venue',
    () => town.edit('venues/malecon-inventado', /^name: .*$/m, 'name: Otro malecón'),
    0,
  ],
  [
    'its organizer',
    () => town.edit('organizers/colectivo-de-prueba', /^name: .*$/m, 'name: Otro colectivo'),
    0,
  ],
  ['a day of rest', () => town.edit('calendar', /feast: true/, 'feast: false'), 0],
  ['the day', () => {}, DAY_MS],
])('is made again: %s has changed', (_, change, later_ms) => {
  const { town: before, snapshot } = town.release(FRIDAY_NOON_MS);
  change();
  const { kept } = readAgain(snapshot.path, before.ledger, FRIDAY_NOON_MS + later_ms);
  expect(kept).not.toContain(FAIR);
});

test('is made again: the ledger remembers something else', () => {
  const { town: before, snapshot } = town.release(FRIDAY_NOON_MS);
  town.edit('events/feria-diaria', /Puestos/, 'Mesas');
  // Written into the ledger, and then never let serve.
  const { ledger } = readDataset(folder, before.ledger, FRIDAY_NOON_MS + 60_000);
  town.edit('events/feria-diaria', /Mesas/, 'Puestos');
  const { without } = readAgain(snapshot.path, ledger, FRIDAY_NOON_MS + 120_000);
  expect(without.ledger.revisions.get(FAIR)?.sequence).toBe(2);
});
