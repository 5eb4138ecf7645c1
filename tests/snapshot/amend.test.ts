// A snapshot amended by decisions of the desk is, row by row, the one that a whole build makes of the
// same decisions (contract 14.9).
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Dataset, OverrideText } from '../../src/domain/dataset.ts';
import { readLedger, writeLedger } from '../../src/inbox/ledger.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { putOverride } from '../../src/inbox/overrides.ts';
import {
  amendSnapshot,
  countSnapshot,
  listUndecided,
  readDecided,
} from '../../src/releases/amend-snapshot.ts';
import { buildSnapshot } from '../../src/snapshot/build.ts';
import { checkSnapshot } from '../../src/snapshot/check.ts';
import { readInboxRecords } from '../../src/sources/inbox/read-inbox.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { addHistories } from '../../src/sources/to-histories.ts';
import { copyFixture } from '../fixtures/changing-content.ts';
import { at } from '../fixtures/fixture.ts';
import { readRows } from '../fixtures/snapshot-rows.ts';

const [BUILT_MS, DECIDED_MS, FOLLOWED_MS] = [
  at('2026-11-20T12:00:00'),
  at('2026-11-20T18:02:10'),
  at('2026-11-20T18:03:00'),
];

let dir: string;
let inbox: Inbox;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hoy-amend-'));
  copyFixture(join(dir, 'content'));
  inbox = openInbox(join(dir, 'inbox.db'));
});
afterEach(() => {
  inbox.close();
  rmSync(dir, { recursive: true });
});

/** A whole build of everything as it stands, as a release makes it. */
function build(name: string, now_ms: number): { path: string; town: Dataset } {
  const path = join(dir, name);
  const records = readInboxRecords(inbox);
  const read = readDataset(join(dir, 'content'), readLedger(inbox), now_ms, records);
  const town = addHistories(read, now_ms);
  buildSnapshot(path, town, now_ms);
  return { path, town };
}

/** A copy of a snapshot with what the inbox says now; the ledger knows of it. */
function amend(from: string, now_ms = DECIDED_MS) {
  const path = join(dir, 'amended.db');
  copyFileSync(from, path);
  const events = [...new Set(listUndecided(path, readDecided(inbox)).map(({ event }) => event))];
  const amended = amendSnapshot(path, events, inbox, now_ms);
  writeLedger(inbox, amended.ledger);
  return { path, ...amended };
}

const findId = ({ events }: Dataset, title: RegExp): string =>
  events.find((event) => title.test(event.title.es))?.id ?? '';
const CANCELLED = { status: 'cancelled' };
const WITHDRAWN = { status: 'withdrawn', date: '2026-11-20', reason: 'por ley' };

describe('an amended snapshot has every row of the whole build after it', () => {
  type Decide = (town: Dataset, put: (event: string, date: string, record: object) => void) => void;
  const toDay = (town: Dataset, event: string, nth = 0): string =>
    town.occurrences
      .filter((o) => o.event === event && o.start_ms > DECIDED_MS)
      [nth]?.start.slice(0, 10) ?? '';
  const change = (date: string, status: 'cancelled' | 'postponed') => ({
    change: { date, status, note: { es: 'Por lluvia.', en: 'Rain.' } },
  });

  test.each<readonly [string, Decide]>([
    [
      'every event cancelled',
      (t, put) => {
        for (const { id } of t.events) put(id, '', CANCELLED);
      },
    ],
    [
      'every event postponed',
      (t, put) => {
        for (const { id } of t.events) put(id, '', { status: 'postponed' });
      },
    ],
    [
      'the next day of every event called off',
      (t, put) =>
        t.events.forEach(({ id }) => {
          const day = toDay(t, id);
          if (day !== '') put(id, day, change(day, 'cancelled'));
        }),
    ],
    [
      'days that its file calls off taking place',
      (t, put) => {
        for (const o of t.occurrences)
          if (o.status !== 'scheduled') put(o.event, o.start.slice(0, 10), { change: null });
      },
    ],
    ['an event withdrawn', (t, put) => put(findId(t, /./), '', WITHDRAWN)],
    [
      'every third withdrawn, a day of the next, the next cancelled',
      (t, put) =>
        t.events.forEach(({ id }, nth) => {
          const day = toDay(t, id, 1);
          if (nth % 3 === 0) put(id, '', WITHDRAWN);
          else if (nth % 3 === 2) put(id, '', CANCELLED);
          else if (day !== '') put(id, day, change(day, 'postponed'));
        }),
    ],
    [
      'a day on which nothing takes place',
      (t, put) => put(findId(t, /./), '2026-11-19', change('2026-11-19', 'cancelled')),
    ],
  ])('%s', (_, decide) => {
    const first = build('first.db', BUILT_MS);
    writeLedger(inbox, first.town.ledger);
    decide(first.town, (event, date, record) => putOverride(inbox, event, date, record));
    const amended = amend(first.path);
    const whole = build('whole.db', FOLLOWED_MS);
    const [rows, expected] = [readRows(amended.path), readRows(whole.path)];
    for (const table of Object.keys(expected)) expect(rows[table], table).toEqual(expected[table]);
    expect(checkSnapshot(amended.path, countSnapshot(whole.path))).toEqual([]);
    expect(listUndecided(amended.path, readDecided(inbox))).toEqual([]);
    const { revisions, slugs, histories } = whole.town.ledger;
    expect(readLedger(inbox)).toEqual({ revisions, slugs, histories });
  });
});

test('what is decided and undone comes back as it was, with a sequence that only rose', () => {
  const first = build('first.db', BUILT_MS);
  writeLedger(inbox, first.town.ledger);
  const id = findId(first.town, /Jazz|Concierto|./);
  putOverride(inbox, id, '', CANCELLED);
  const cancelled = amend(first.path);
  expect(cancelled.amendments).toEqual([{ event: id, status: 'cancelled' }]);
  copyFileSync(cancelled.path, join(dir, 'cancelled.db'));
  inbox.prepare('delete from overrides').run();
  const restored = amend(join(dir, 'cancelled.db'), DECIDED_MS + 60_000);
  expect(restored.amendments).toEqual([{ event: id, status: 'published' }]);
  expect(restored.ledger.revisions.get(id)?.sequence).toBe(2);
  const rows = (path: string) =>
    readRows(path).events?.map((row) => row.replace(/20\d\d-\d\d-\d\dT[\d:]+-05:00/g, ''));
  expect(rows(restored.path)).toEqual(rows(first.path));
});

test('an older snapshot gets the cancellation as it was told, and nothing is told twice', () => {
  const first = build('first.db', BUILT_MS);
  writeLedger(inbox, first.town.ledger);
  const id = findId(first.town, /./);
  putOverride(inbox, id, '', CANCELLED);
  const second = build('second.db', DECIDED_MS);
  writeLedger(inbox, second.town.ledger);
  const amended = amend(first.path, FOLLOWED_MS);
  expect(amended.ledger.revisions.get(id)).toEqual(second.town.ledger.revisions.get(id));
  expect(amended.ledger.histories.get(id)).toEqual(second.town.ledger.histories.get(id));
});

test('which decisions a snapshot lacks is told by event, day and what they come to', () => {
  const { path, town } = build('first.db', BUILT_MS);
  const [one, other] = town.events.map(({ id }) => id);
  const row = (event = '', date: string, record: object): OverrideText => ({
    ...{ event, date, record: JSON.stringify(record) },
  });
  const day = { date: '2026-11-21', status: 'postponed', note: { es: 'Más tarde.', en: 'Later.' } };
  expect(listUndecided(path, [])).toEqual([]);
  expect(
    listUndecided(path, [
      row(one, '', CANCELLED),
      row(one, '2026-11-21', { change: day }),
      row(other, '', { status: 'published' }),
      row('ev_elsewhere', '', CANCELLED),
    ]).map(({ event, date, status }) => [event, date, status]),
  ).toEqual([
    [one, '', 'cancelled'],
    [one, '2026-11-21', 'postponed'],
    [other, '', 'restored'],
  ]);
});
