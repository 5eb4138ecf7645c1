// Reused events: tests that a dataset with events of the previous release equals one that is built from scratch.
import { cpSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import type { Ledger } from '../../src/domain/ledger.ts';
import { createBuiltEventLookup } from '../../src/snapshot/snapshot-meta.ts';
import { deriveId } from '../../src/sources/identity.ts';
import { NO_INBOX_RECORDS } from '../../src/sources/inbox/load-inbox.ts';
import { NO_PREVIOUS_CONTENT } from '../../src/sources/load-content.ts';
import { loadDataset } from '../../src/sources/build-dataset.ts';
import { FIXTURE_DIR, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { useFolder } from '../fixtures/folder.ts';
import { createReleasedTown } from '../fixtures/released-town.ts';

const DAY_MS = 86_400_000;
const FAIR = deriveId('event', 'feria-diaria');
const folder = useFolder();
const town = createReleasedTown(folder);
afterAll(town.stop);
const { town: before, snapshot } = town.release(FRIDAY_NOON_MS);

/** Builds the dataset again with and without events of the release, and returns the ids of the reused events. */
function rebuild(ledger: Ledger, later_ms: number) {
  const find = createBuiltEventLookup(snapshot.path);
  const reused: string[] = [];
  const findEvent = (input_digest: string) => {
    const event = find(input_digest);
    if (event !== null) reused.push(event.record.id);
    return event;
  };
  const read = (previous = NO_PREVIOUS_CONTENT) =>
    loadDataset(folder, ledger, FRIDAY_NOON_MS + later_ms, NO_INBOX_RECORDS, previous);
  const [with_reuse, from_scratch] = [read({ ...NO_PREVIOUS_CONTENT, findEvent }), read()];
  // Compares JSON, without undefined fields.
  expect(JSON.parse(JSON.stringify(with_reuse))).toEqual(JSON.parse(JSON.stringify(from_scratch)));
  expect([...with_reuse.ledger.revisions]).toEqual([...from_scratch.ledger.revisions]);
  return { reused, from_scratch };
}

test('all events are reused if nothing has changed', () => {
  const { reused } = rebuild(before.ledger, 60_000);
  expect(reused.sort()).toEqual(before.events.map(({ id }) => id));
});

test.each<readonly [string, () => void, number]>([
  ['its venue', () => town.edit('venues/malecon-inventado', /^name: .*$/m, 'name: Otro'), 0],
  ['a day of rest', () => town.edit('calendar', /feast: true/, 'feast: false'), 0],
  ['the day', () => {}, DAY_MS],
])('an event is rebuilt after a change of %s', (_, change, later_ms) => {
  cpSync(FIXTURE_DIR, folder, { recursive: true });
  change();
  expect(rebuild(before.ledger, later_ms).reused).not.toContain(FAIR);
});

test('an event is rebuilt if the ledger has another revision of it', () => {
  cpSync(FIXTURE_DIR, folder, { recursive: true });
  town.edit('events/feria-diaria', /Puestos/, 'Mesas');
  // Recorded in the ledger by a release that never goes live.
  const { ledger } = loadDataset(folder, before.ledger, FRIDAY_NOON_MS + 60_000);
  town.edit('events/feria-diaria', /Mesas/, 'Puestos');
  expect(rebuild(ledger, 120_000).from_scratch.ledger.revisions.get(FAIR)?.sequence).toBe(2);
});
