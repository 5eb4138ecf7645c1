// Facts due for review: tests which facts are listed, with their sources, and the summary line.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import type { FactDue } from '../../src/domain/fact-freshness.ts';
import { loadFactsDue, formatFactsDue } from '../../src/sources/facts-due.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';

const TODAY = Temporal.PlainDate.from('2027-05-14');

test('facts checked the day before are not due', () => {
  const { overdue, soon } = loadFactsDue(FIXTURE_DIR, Temporal.PlainDate.from('2026-11-21'));
  expect([overdue.map(({ file }) => file), soon]).toEqual([['venues/foro-sin-punto.yml'], []]);
  expect(formatFactsDue({ overdue: [], soon: [] })).toBeNull();
  expect(formatFactsDue({ overdue, soon })).toMatch(/^1 fact is due .*, 1 of them overdue: /);
});

test('half a year later dates, prices, hours and notices are due with their sources, longest overdue first', () => {
  const due = loadFactsDue(FIXTURE_DIR, TODAY);
  const format = (facts: readonly FactDue[]) =>
    facts.map((fact) => `${fact.day} ${fact.kind} ${fact.shelf} ${fact.file}`);
  expect([...format(due.overdue), 'soon', ...format(due.soon)]).toMatchInlineSnapshot(`
    [
      "2026-07-09 hours weekly venues/foro-sin-punto.yml",
      "2027-01-23 admission price venues/malecon-inventado.yml",
      "2027-02-18 dates club events/fiesta-de-viernes.yml",
      "2027-02-18 price price events/fiesta-de-viernes.yml",
      "2027-04-23 hours weekly venues/malecon-inventado.yml",
      "soon",
      "2027-05-19 dates weekly events/feria-diaria.yml",
      "2027-05-19 notice weekly notices/obra-vial.yml",
    ]
  `);
  expect(due.overdue[1]?.sources).toMatchObject([{ published: '2026-10-25' }]);
  expect(formatFactsDue(due)).toMatch(/^7 facts are due .*, 5 of them overdue: npm run due$/);
});
