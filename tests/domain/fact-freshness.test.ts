// Fact freshness: certainty and decay on both sides of each edge.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
  supportsHighConfidence,
  type FactDue,
  computeCertainty,
  findEvidenceDay,
  computeDecay,
  computeLastSupportedDay,
} from '../../src/domain/fact-freshness.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const OLD = { published: '2024-03-01', checked: '2026-11-20' };
const SEEN = { checked: '2025-06-01' };

test('evidence dates from the newest publication, however often it is checked again', () => {
  expect(findEvidenceDay([OLD]).toString()).toBe('2024-03-01');
  expect(findEvidenceDay([SEEN, OLD]).toString()).toBe('2025-06-01');
});

test.each([
  ['confirmed', 'annual', '2026-01-01', '2027-02-01', 'confirmed'],
  ['confirmed', 'annual', '2026-01-01', '2027-02-02', 'usual'],
  ['confirmed', 'annual', '2026-01-01', '2028-03-01', 'usual'],
  ['confirmed', 'annual', '2026-01-01', '2028-03-02', 'last_known'],
  ['usual', 'weekly', '2026-06-01', '2026-11-28', 'usual'],
  ['usual', 'weekly', '2026-06-01', '2026-11-29', 'last_known'],
  ['usual', 'feast', '2023-11-21', '2026-11-21', 'usual'],
  ['usual', 'feast', '2023-11-20', '2026-11-21', 'last_known'],
  ['last_known', 'weekly', '2026-11-20', '2026-11-21', 'last_known'],
] as const)(
  'a %s fact (%s) with evidence of %s is on %s %s',
  (stated, kind, evidence, today, expected) => {
    expect(computeCertainty(stated, kind, day(evidence), day(today))).toBe(expected);
  },
);

test.each([
  ['confirmed', '2027-05-27'],
  ['usual', '2026-11-28'],
  ['last_known', '2026-06-01'],
] as const)('a %s recurrence yields no dates after %s', (stated, last) => {
  expect(computeLastSupportedDay(stated, 'weekly', day('2026-06-01')).toString()).toBe(last);
});

test('two sources, one younger than 24 months, support high confidence', () => {
  const young = { published: '2024-11-22', checked: '2026-11-20' };
  const cases = [[OLD, young], [young], [OLD, OLD]];
  const results = cases.map((sources) => supportsHighConfidence(sources, day('2026-11-21')));
  expect(results).toEqual([true, false, false]);
});

test.each([
  ['dates', 'club', '2026-04-01', 'confirmed', 'usual from 2026-04-02'],
  ['dates', 'club', '2026-04-02', 'usual', 'last_known from 2026-07-01'],
  ['dates', 'club', '2026-07-01', 'last_known', null],
  ['price', 'price', '2026-04-02', 'dated', null],
  ['hours', 'weekly', '2027-02-01', 'confirmed', 'weekdays from 2027-02-02'],
  ['admission', 'price', '2026-04-01', 'confirmed', 'dated from 2026-04-02'],
  ['admission', 'price', '2027-02-01', 'dated', 'untold from 2027-02-02'],
  ['admission', 'price', '2027-02-02', 'untold', null],
  ['notice', 'weekly', '2030-01-01', undefined, undefined],
] as const)('unreviewed %s (%s) are on %s %s, then %s', (kind, shelf, today, now, next) => {
  const fact: FactDue = {
    file: 'events/x.yml',
    id: 'ev_x',
    name: { es: 'X', en: 'X' },
    kind,
    shelf,
    stated: 'confirmed',
    evidence_day: '2026-01-01',
    day: '2026-04-01',
    sources: [],
  };
  const decay = computeDecay(fact, day(today));
  const becomes = decay?.next && `${decay.next.level} from ${decay.next.from.toString()}`;
  expect([decay?.now, becomes]).toEqual([now, next]);
});
