// Lenient content over several releases: invalid files are replaced by their last valid version, all others are used.
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
import { createReleasedTown } from '../fixtures/released-town.ts';
import { createTestFolder } from '../fixtures/folder.ts';

const FERIA = 'events/feria-diaria';
const FERIA_ID = deriveId('event', 'feria-diaria');
let folder = '';
let town: Awaited<ReturnType<typeof createReleasedTown>>;
let ledger: Ledger;
let previous_files: LenientContent['files'];
beforeEach(() => {
  folder = createTestFolder();
  town = createReleasedTown(join(folder, 'content'));
  ledger = EMPTY_LEDGER;
  previous_files = new Map();
});

const find = (file: string) => {
  const previous = previous_files.get(file);
  return previous === undefined ? null : { ...previous, is_of_this_code: true };
};
const load = (records: InboxRecords = NO_INBOX_RECORDS): LenientContent =>
  loadReleaseContent(
    join(folder, 'content'),
    { ledger, now_ms: FRIDAY_NOON_MS, records },
    { find, findEvent: () => null },
    false,
  );
function release(): LenientContent {
  const content = load();
  previous_files = content.files;
  ({ ledger } = content.dataset);
  return content;
}
function logLines({ faults }: LenientContent): string[] {
  const lines: string[] = [];
  logContentIssues((line) => lines.push(line.trim()), faults);
  return lines.slice(1).sort();
}
const titleOf = ({ events }: Dataset, id: string): string | undefined =>
  events.find((event) => event.id === id)?.title.es;
const LAST_VALID = 'still using the last valid version';
const LEFT_OUT = 'left out, no valid version exists';

describe('an invalid file', () => {
  test('is replaced by its last valid version and logged with file, line and field; others are used', () => {
    const before = release();
    town.edit(FERIA, /Feria diaria/, 'Otro nombre');
    town.edit(FERIA, /category: markets/, 'category: mercado');
    town.edit('events/concierto-unico', /^title: .*$/m, 'title: { es: Nuevo, en: New }');
    const after = release();
    expect(logLines(after)).toEqual([
      expect.stringMatching(
        `^events/feria-diaria\\.yml:3 category: must be one of .*; ${LAST_VALID}$`,
      ),
    ]);
    expect(titleOf(after.dataset, FERIA_ID)).toBe('Feria diaria');
    expect(titleOf(after.dataset, deriveId('event', 'concierto-unico'))).toBe('Nuevo');
    expect(after.dataset.events).toHaveLength(before.dataset.events.length);
    // A second release still has the last valid version.
    expect(titleOf(release().dataset, FERIA_ID)).toBe('Feria diaria');
    town.edit(FERIA, /category: mercado/, 'category: markets');
    const fixed = release();
    expect([logLines(fixed), titleOf(fixed.dataset, FERIA_ID)]).toEqual([[], 'Otro nombre']);
  });

  test('does not prevent its event from being cancelled', () => {
    release();
    town.write(FERIA, 'title: [');
    const override = { event: FERIA_ID, date: '', record: { status: 'cancelled' } } as const;
    const records = { ...NO_INBOX_RECORDS, overrides: [override] };
    const { dataset, faults } = load(records);
    expect(dataset.events.find(({ id }) => id === FERIA_ID)?.status).toBe('cancelled');
    expect(faults[0]).toMatchObject({ file: `${FERIA}.yml`, line: 1, is_left_out: false });
  });

  test('without a valid version is left out and logged, as are files of other types', () => {
    release();
    town.write('events/nueva', 'title: { es: Nueva, en: New }\n');
    writeFileSync(join(folder, 'content', 'events', 'Apuntes.txt'), 'nada');
    const after = release();
    expect(after.dataset.events.map(({ id }) => id)).not.toContain(deriveId('event', 'nueva'));
    expect(new Set(logLines(after).map((line) => line.split(/[: ]/)[0]))).toEqual(
      new Set(['events/Apuntes.txt', 'events/nueva.yml']),
    );
    expect(logLines(after).every((line) => line.endsWith(LEFT_OUT))).toBe(true);
  });

  test('that others depend on is replaced too; without a valid version the build fails', () => {
    const { dataset } = release();
    for (const file of ['zones', 'categories', 'calendar', 'search-words']) town.write(file, '- [');
    const after = release();
    expect(after.dataset.taxonomy).toEqual(dataset.taxonomy);
    expect(logLines(after).every((line) => line.endsWith(LAST_VALID))).toBe(true);
    town.remove('zones');
    expect(release().dataset.taxonomy).toEqual(dataset.taxonomy);
    previous_files = new Map();
    expect(() => load()).toThrow(/zones\.yml is missing/);
  });
});

describe('files that are invalid together', () => {
  test('a deleted venue that an event refers to stays; the event is logged', () => {
    const before = release();
    town.remove('venues/malecon-inventado');
    const after = release();
    expect(after.dataset.venues).toEqual(before.dataset.venues);
    expect(logLines(after)).toContainEqual(
      expect.stringMatching(`^events/feria-diaria\\.yml:5 venue: .*${LAST_VALID}$`),
    );
  });

  test('a slug stays with its event; a new event with the same slug is left out', () => {
    release();
    town.write('events/aaa', town.read(FERIA));
    const after = release();
    const isNewEventLeftOut = (line: string) =>
      line.startsWith('events/aaa.yml') && line.endsWith(LEFT_OUT);
    expect(logLines(after).every(isNewEventLeftOut)).toBe(true);
    expect(titleOf(after.dataset, FERIA_ID)).toBe('Feria diaria');
  });

  test('a changed file that invalidates unchanged ones is itself replaced', () => {
    const before = release();
    town.edit('calendar', /key: christmas/, 'key: xmas');
    const after = release();
    expect(logLines(after)).toEqual([
      expect.stringMatching(`^venues/malecon-inventado\\.yml:20 .*'christmas'.*${LAST_VALID}$`),
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
  return { dataset, snapshot: { name: '', path, meta } };
}

test('files stored in a snapshot are reused with the same result, and parsed again by other code', () => {
  const { dataset, snapshot } = build();
  const options = { ledger, now_ms: FRIDAY_NOON_MS, records: NO_INBOX_RECORDS };
  for (const code of ['code', 'other code']) {
    const previous = openPreviousContent(snapshot, code);
    expect(previous.find(`${FERIA}.yml`)?.is_of_this_code).toBe(code === 'code');
    const content_dir = join(folder, 'content');
    expect(loadReleaseContent(content_dir, options, previous, true).dataset).toEqual(dataset);
    town.write(FERIA, 'title: [');
    const lenient = loadReleaseContent(content_dir, options, previous, false);
    expect(titleOf(lenient.dataset, FERIA_ID)).toBe('Feria diaria');
    town.write(FERIA, previous_files.get(`${FERIA}.yml`)?.text ?? '');
  }
  expect(openPreviousContent(null, 'code').find(`${FERIA}.yml`)).toBeNull();
});
