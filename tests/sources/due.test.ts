// What an editor is told: which facts are due, and what becomes of them.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { type DueFact, splitDue } from '../../src/domain/knowledge.ts';
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

test('a release holds what is due for its desk, the same as the content says', () => {
  const { snapshot, close } = openFixture();
  const today = day('2027-05-14');
  const { due } = readDataset(FIXTURE_DIR, EMPTY_LEDGER, FRIDAY_NOON_MS);
  expect(listDue(snapshot, today)).toEqual(splitDue(due, today));
  const { overdue, soon } = listDue(snapshot, today);
  expect(countDue(snapshot, today)).toBe(overdue.length + soon.length);
  close();
});
