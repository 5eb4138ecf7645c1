// What a ledger remembers does not move because the code is newer: neither for digests of another
// kind nor for a field that nobody has filled in yet (contract 5.8).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import * as v from 'valibot';
import { afterEach, expect, test, vi } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import { HistorySchema } from '../../src/domain/history.ts';
import type { Ledger } from '../../src/domain/ledger.ts';
import { readLedger, writeLedger } from '../../src/inbox/ledger.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { addHistories } from '../../src/sources/to-histories.ts';
import { makeFolder } from '../fixtures/folder.ts';

/** Fields that a record gets in code to come; events and venues in their midst. */
const added = vi.hoisted((): { fields: object } => ({ fields: {} }));
const NEW_FIELDS = { parking: null, perks: [], route: {}, dress_code: '' } as const;
vi.mock(import('../../src/sources/certainty.ts'), async (load) => {
  const real = await load();
  return {
    ...real,
    toEventKnowledge: (...of) => ({ ...added.fields, ...real.toEventKnowledge(...of) }),
    toKnownOpening: (...of) => ({ ...added.fields, ...real.toKnownOpening(...of) }),
  };
});
afterEach(() => {
  added.fields = {};
});

const folder = makeFolder();
const content = join(folder, 'content');
const Stored = v.object({
  now_ms: v.number(),
  files: v.record(v.string(), v.string()),
  revisions: v.array(
    v.tuple([
      v.string(),
      v.object({
        digest: v.string(),
        updated_at: v.string(),
        sequence: v.number(),
        status: v.picklist(['published', 'cancelled', 'postponed']),
        status_since_ms: v.number(),
      }),
    ]),
  ),
  histories: v.array(HistorySchema),
  slugs: v.array(
    v.object({
      kind: v.picklist(['event', 'venue', 'organizer']),
      slug: v.string(),
      id: v.string(),
    }),
  ),
});
/**
 * The ledger of a service of November 2026 and the content it was made of, with digests of all keys in their
 * order; written by the code of then after two releases three days apart.
 */
const packed = readFileSync(join(import.meta.dirname, '../fixtures/ledger-of-2026-11.json.br'));
const stored = v.parse(Stored, JSON.parse(brotliDecompressSync(packed).toString()));
for (const [file, text] of Object.entries(stored.files)) {
  mkdirSync(dirname(join(content, file)), { recursive: true });
  writeFileSync(join(content, file), text);
}
const { now_ms, slugs } = stored;
const old: Ledger = {
  revisions: new Map(stored.revisions),
  slugs,
  histories: new Map(stored.histories.map((history) => [history.id, history])),
};
const LATER_MS = now_ms + 60_000;

/** A release of the code of today a minute later, new fields on every record. */
function release(ledger: Ledger): Dataset {
  const read = readDataset(content, ledger, LATER_MS);
  const widen = <R extends object>(records: readonly R[]): R[] =>
    records.map((record) => ({ ...added.fields, ...record }));
  const { organizers, notices, taxonomy } = read;
  return addHistories(
    {
      ...read,
      organizers: widen(organizers),
      notices: widen(notices),
      taxonomy: { categories: widen(taxonomy.categories), zones: widen(taxonomy.zones) },
    },
    LATER_MS,
  );
}

/** What readers, calendars and followers see of a ledger. */
const toSeen = ({ revisions, histories }: Ledger) => ({
  revisions: [...revisions]
    .map(([id, { digest: _, former_digest: __, ...seen }]) => ({ id, ...seen }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
  histories: [...histories.values()]
    .map(({ digest: _, ...seen }) => seen)
    // What was renamed was called restored then.
    .map((seen) => (seen.kind === 'event' ? seen : { ...seen, status_at: '' }))
    .sort((a, b) => (a.id < b.id ? -1 : 1)),
});

test('the ledger of November 2026 stays as it was, also where the records have new fields that are empty', () => {
  added.fields = NEW_FIELDS;
  expect(toSeen(release(old).ledger)).toEqual(toSeen(old));
});

test('the ledger after it is stored, and moves for empty fields no more than that', async () => {
  const inbox = await openInbox(join(folder, 'inbox.db'));
  await writeLedger(inbox, old);
  await writeLedger(inbox, release(await readLedger(inbox)).ledger);
  const renewed = await readLedger(inbox);
  await inbox.close();
  expect(toSeen(renewed)).toEqual(toSeen(old));
  added.fields = NEW_FIELDS;
  const { ledger } = release(renewed);
  for (const [id, revision] of ledger.revisions)
    expect(revision, id).toBe(renewed.revisions.get(id));
  for (const [id, history] of ledger.histories) expect(history, id).toBe(renewed.histories.get(id));
});

test('what does say something else is told, and nothing besides', () => {
  const file = join(content, 'events', 'aniversario-del-planetario.yml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace('es: Aniversario del planetario', 'es: Otro nombre'));
  const { events, ledger } = release(old);
  writeFileSync(file, text);
  const id = events.find(({ title }) => title.es === 'Otro nombre')?.id ?? '';
  const isOfIt = (other: string): boolean => other.split('-')[0] === id;
  for (const [other, { sequence, updated_at }] of ledger.revisions) {
    const before = old.revisions.get(other);
    expect(sequence - (before?.sequence ?? 0), other).toBe(isOfIt(other) ? 1 : 0);
    expect(updated_at === before?.updated_at, other).toBe(!isOfIt(other));
  }
  const moved = [...ledger.histories.values()].filter(
    (history) => history.changed_at !== old.histories.get(history.id)?.changed_at,
  );
  expect(moved.map((history) => history.id)).toEqual([id]);
});
