// Content with faults, as releases take it one after the other: what was good stands, all else goes on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import { EMPTY_LEDGER, type Ledger } from '../../src/domain/ledger.ts';
import {
  openPreviousContent,
  loadReleaseContent,
  logContentIssues,
} from '../../src/releases/release-content.ts';
import { deriveId } from '../../src/sources/identity.ts';
import { type InboxRecords, NO_INBOX_RECORDS } from '../../src/sources/inbox/load-inbox.ts';
import type { LenientContent } from '../../src/sources/load-content-leniently.ts';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { readSnapshotMeta } from '../../src/snapshot/snapshot-meta.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { startTown } from '../fixtures/released-town.ts';
import { makeTestFolder } from '../fixtures/folder.ts';

const FERIA = 'events/feria-diaria';
const FERIA_ID = deriveId('event', 'feria-diaria');
let folder = '';
let town: Awaited<ReturnType<typeof startTown>>;
let ledger: Ledger;
let kept: LenientContent['files'];
beforeEach(() => {
  folder = makeTestFolder();
  town = startTown(join(folder, 'content'));
  ledger = EMPTY_LEDGER;
  kept = new Map();
});

const find = (file: string) => {
  const known = kept.get(file);
  return known === undefined ? null : { ...known, is_of_this_code: true };
};
const read = (records: InboxRecords = NO_INBOX_RECORDS): LenientContent =>
  loadReleaseContent(
    join(folder, 'content'),
    { ledger, now_ms: FRIDAY_NOON_MS, records },
    { find, findEvent: () => null },
    false,
  );
function release(): LenientContent {
  const taken = read();
  kept = taken.files;
  ({ ledger } = taken.dataset);
  return taken;
}
function tell({ faults }: LenientContent): string[] {
  const lines: string[] = [];
  logContentIssues((line) => lines.push(line.trim()), faults);
  return lines.slice(1).sort();
}
const titleOf = ({ events }: Dataset, id: string): string | undefined =>
  events.find((event) => event.id === id)?.title.es;
const STANDS = 'what it last said stands';
const OUT = 'left out, for it never was good';

describe('a faulty file', () => {
  test('says what it last said, is named with file, line and field, and all others go on', () => {
    const before = release();
    town.edit(FERIA, /Feria diaria/, 'Otro nombre');
    town.edit(FERIA, /category: markets/, 'category: mercado');
    town.edit('events/concierto-unico', /^title: .*$/m, 'title: { es: Nuevo, en: New }');
    const after = release();
    expect(tell(after)).toEqual([
      expect.stringMatching(`^events/feria-diaria\\.yml:3 category: must be one of .*; ${STANDS}$`),
    ]);
    expect(titleOf(after.dataset, FERIA_ID)).toBe('Feria diaria');
    expect(titleOf(after.dataset, deriveId('event', 'concierto-unico'))).toBe('Nuevo');
    expect(after.dataset.events).toHaveLength(before.dataset.events.length);
    // A second release does not forget what the first one knew.
    expect(titleOf(release().dataset, FERIA_ID)).toBe('Feria diaria');
    town.edit(FERIA, /category: mercado/, 'category: markets');
    const mended = release();
    expect([tell(mended), titleOf(mended.dataset, FERIA_ID)]).toEqual([[], 'Otro nombre']);
  });

  test('keeps no cancellation from being published', () => {
    release();
    town.write(FERIA, 'title: [');
    const override = { event: FERIA_ID, date: '', record: { status: 'cancelled' } } as const;
    const records = { ...NO_INBOX_RECORDS, overrides: [override] };
    const { dataset, faults } = read(records);
    expect(dataset.events.find(({ id }) => id === FERIA_ID)?.status).toBe('cancelled');
    expect(faults[0]).toMatchObject({ file: `${FERIA}.yml`, line: 1, is_left_out: false });
  });

  test('that never was good is left out; what is not read at all is named too', () => {
    release();
    town.write('events/nueva', 'title: { es: Nueva, en: New }\n');
    writeFileSync(join(folder, 'content', 'events', 'Apuntes.txt'), 'nada');
    const after = release();
    expect(after.dataset.events.map(({ id }) => id)).not.toContain(deriveId('event', 'nueva'));
    expect(new Set(tell(after).map((line) => line.split(/[: ]/)[0]))).toEqual(
      new Set(['events/Apuntes.txt', 'events/nueva.yml']),
    );
    expect(tell(after).every((line) => line.endsWith(OUT))).toBe(true);
  });

  test('on which everything depends stands too; where it never was good, nothing is built', () => {
    const { dataset } = release();
    for (const file of ['zones', 'categories', 'calendar', 'search-words']) town.write(file, '- [');
    const after = release();
    expect(after.dataset.taxonomy).toEqual(dataset.taxonomy);
    expect(tell(after).every((line) => line.endsWith(STANDS))).toBe(true);
    town.remove('zones');
    expect(release().dataset.taxonomy).toEqual(dataset.taxonomy);
    kept = new Map();
    expect(() => read()).toThrow(/zones\.yml is missing/);
  });
});

describe('files that do not pass together', () => {
  test('a place that is gone and still named stands; the event that names it is named', () => {
    const before = release();
    town.remove('venues/malecon-inventado');
    const after = release();
    expect(after.dataset.venues).toEqual(before.dataset.venues);
    expect(tell(after)).toContainEqual(
      expect.stringMatching(`^events/feria-diaria\\.yml:5 venue: .*${STANDS}$`),
    );
  });

  test('an address goes on leading to what had it; the newcomer is left out', () => {
    release();
    town.write('events/aaa', town.read(FERIA));
    const after = release();
    const isOut = (line: string) => line.startsWith('events/aaa.yml') && line.endsWith(OUT);
    expect(tell(after).every(isOut)).toBe(true);
    expect(titleOf(after.dataset, FERIA_ID)).toBe('Feria diaria');
  });

  test('what broke others that are as they were goes back itself', () => {
    const before = release();
    town.edit('calendar', /key: christmas/, 'key: xmas');
    const after = release();
    expect(tell(after)).toEqual([
      expect.stringMatching(`^venues/malecon-inventado\\.yml:20 .*'christmas'.*${STANDS}$`),
    ]);
    expect(after.dataset.calendar).toEqual(before.dataset.calendar);
  });
});

function build() {
  const path = join(folder, 'snapshot.db');
  const { dataset, files } = release();
  buildSnapshot(path, dataset, { now_ms: FRIDAY_NOON_MS, made_by: 'code', content: files });
  const meta = readSnapshotMeta(path);
  if (meta === null) throw new Error('no snapshot');
  return { dataset, found: { name: '', path, meta } };
}

test('what a snapshot was made of is not parsed again, says the same, and is looked at anew by other code', () => {
  const { dataset, found } = build();
  const order = { ledger, now_ms: FRIDAY_NOON_MS, records: NO_INBOX_RECORDS };
  for (const code of ['code', 'other code']) {
    const known = openPreviousContent(found, code);
    expect(known.find(`${FERIA}.yml`)?.is_of_this_code).toBe(code === 'code');
    expect(loadReleaseContent(join(folder, 'content'), order, known, true).dataset).toEqual(
      dataset,
    );
    town.write(FERIA, 'title: [');
    const { dataset: stands } = loadReleaseContent(join(folder, 'content'), order, known, false);
    expect(titleOf(stands, FERIA_ID)).toBe('Feria diaria');
    town.write(FERIA, kept.get(`${FERIA}.yml`)?.text ?? '');
  }
  expect(openPreviousContent(null, 'code').find(`${FERIA}.yml`)).toBeNull();
});
