// What an editor is told: which facts are due, and what becomes of them.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { type DueFact, splitDue, toFall } from '../../src/domain/knowledge/due.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { countDue, listDue } from '../../src/snapshot/list-things.ts';
import { readDue, toDueLine } from '../../src/sources/due.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { FIXTURE_DIR, openFixture, FRIDAY_NOON_MS } from '../fixtures/fixture.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

test('nothing is due that was looked at the day before', () => {
  const { overdue, soon } = readDue(FIXTURE_DIR, day('2026-11-21'));
  expect([overdue.map(({ file }) => file), soon]).toEqual([['venues/foro-sin-punto.yml'], []]);
  expect(toDueLine({ overdue: [], soon: [] })).toBeNull();
  expect(toDueLine({ overdue, soon })).toMatch(
    /^1 fact is due .*, 1 of them overdue: npm run due$/,
  );
});

test('half a year later dates, prices, hours and notices are due, the longest overdue first, each with its sources', () => {
  const today = day('2027-05-14');
  const due = readDue(FIXTURE_DIR, today);
  const say = (facts: readonly DueFact[]) =>
    facts.map((fact) => `${fact.day} ${fact.kind} ${fact.shelf} ${fact.file}`);
  expect([say(due.overdue), say(due.soon)]).toMatchInlineSnapshot(`
    [
      [
        "2026-07-09 hours weekly venues/foro-sin-punto.yml",
        "2027-01-23 admission price venues/malecon-inventado.yml",
        "2027-02-18 dates club events/fiesta-de-viernes.yml",
        "2027-02-18 price price events/fiesta-de-viernes.yml",
        "2027-04-23 hours weekly venues/malecon-inventado.yml",
      ],
      [
        "2027-05-19 dates weekly events/feria-diaria.yml",
        "2027-05-19 notice weekly notices/obra-vial.yml",
      ],
    ]
  `);
  const admission = due.overdue.find(({ kind }) => kind === 'admission');
  expect(admission?.sources).toEqual([
    {
      url: null,
      name: 'Inventado para las pruebas',
      published: '2026-10-25',
      checked: '2026-11-20',
    },
  ]);
  expect(toDueLine(due)).toMatch(
    /^\d+ facts are due to be looked at again, \d of them overdue: npm run due$/,
  );
});

describe('where nobody looks', () => {
  const FACT: DueFact = {
    file: 'events/x.yml',
    id: 'ev_x',
    name: { es: 'X', en: 'X' },
    kind: 'dates',
    shelf: 'club',
    stated: 'confirmed',
    evidence_day: '2026-01-01',
    day: '2026-04-01',
    sources: [],
  };
  test.each([
    ['2026-04-01', 'confirmed', 'confirmed', 'usual from 2026-04-02'],
    ['2026-04-02', 'confirmed', 'usual', 'last_known from 2026-07-01'],
    ['2026-07-01', 'confirmed', 'last_known', null],
    ['2026-04-01', 'usual', 'usual', 'last_known from 2026-04-02'],
    ['2026-04-02', 'usual', 'last_known', null],
  ] as const)('on %s what was %s is %s and becomes %s', (today, stated, now, next) => {
    const fall = toFall({ ...FACT, stated }, day(today));
    const becomes = fall?.next && `${fall.next.worth} from ${fall.next.from.toString()}`;
    expect([fall?.now, becomes]).toEqual([now, next]);
  });
  test.each([
    ['price', 'price', '2026-04-01', 'confirmed', 'dated from 2026-04-02'],
    ['price', 'price', '2026-04-02', 'dated', null],
    ['hours', 'weekly', '2027-02-01', 'confirmed', 'weekdays from 2027-02-02'],
    ['hours', 'weekly', '2027-02-02', 'weekdays', null],
    ['admission', 'price', '2026-04-01', 'confirmed', 'dated from 2026-04-02'],
    ['admission', 'price', '2026-04-02', 'dated', 'untold from 2027-02-02'],
    ['admission', 'price', '2027-02-01', 'dated', 'untold from 2027-02-02'],
    ['admission', 'price', '2027-02-02', 'untold', null],
  ] as const)('a %s (%s) on %s is %s and becomes %s', (kind, shelf, today, now, next) => {
    const fall = toFall({ ...FACT, kind, shelf }, day(today));
    const becomes = fall?.next && `${fall.next.worth} from ${fall.next.from.toString()}`;
    expect([fall?.now, becomes]).toEqual([now, next]);
  });
  test('a notice is said on as it is', () => {
    expect(toFall({ ...FACT, kind: 'notice' }, day('2030-01-01'))).toBeNull();
  });
});

test('a release holds what is due for its desk, the same as the content says', () => {
  const { snapshot, close } = openFixture();
  const today = day('2027-05-14');
  const { due } = readDataset(FIXTURE_DIR, EMPTY_LEDGER, FRIDAY_NOON_MS);
  expect(listDue(snapshot, today)).toEqual(splitDue(due, today));
  const { overdue, soon } = listDue(snapshot, today);
  expect(countDue(snapshot, today)).toBe(overdue.length + soon.length);
  close();
});
