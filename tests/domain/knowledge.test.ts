// How well a date is known: on both sides of each edge.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  carriesHigh,
  type DueFact,
  toCertainty,
  toEvidenceDay,
  toFall,
  toLastVouchedDay,
} from '../../src/domain/knowledge.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

test.each([
  [
    'its publication, however often it is looked at again',
    [['2024-03-01', '2026-11-20']],
    '2024-03-01',
  ],
  ['the last look where the source has no date', [[null, '2026-11-20']], '2026-11-20'],
  [
    'the newest of several',
    [
      ['2024-03-01', '2026-11-20'],
      [null, '2025-06-01'],
      ['2025-01-01', '2026-11-20'],
    ],
    '2025-06-01',
  ],
] as const)('evidence is as old as %s', (_, sources, expected) => {
  const [first, ...rest] = sources.map(([published, checked]) => ({ published, checked }));
  if (first === undefined) throw new Error('no source');
  expect(toEvidenceDay([first, ...rest]).toString()).toBe(expected);
});

describe('certainty falls by itself', () => {
  test.each([
    ['confirmed', 'annual', '2026-01-01', '2027-02-01', 'confirmed'],
    ['confirmed', 'annual', '2026-01-01', '2027-02-02', 'usual'],
    ['confirmed', 'annual', '2026-01-01', '2028-03-01', 'usual'],
    ['confirmed', 'annual', '2026-01-01', '2028-03-02', 'last_known'],
    ['usual', 'weekly', '2026-06-01', '2026-11-28', 'usual'],
    ['usual', 'weekly', '2026-06-01', '2026-11-29', 'last_known'],
    ['usual', 'club', '2026-08-23', '2026-11-21', 'usual'],
    ['usual', 'club', '2026-08-22', '2026-11-21', 'last_known'],
    ['usual', 'feast', '2023-11-21', '2026-11-21', 'usual'],
    ['usual', 'feast', '2023-11-20', '2026-11-21', 'last_known'],
    ['confirmed', 'price', '2026-06-01', '2026-11-21', 'usual'],
    ['last_known', 'weekly', '2026-11-20', '2026-11-21', 'last_known'],
  ] as const)('%s (%s) of %s is, on %s, %s', (stated, kind, evidence, today, expected) => {
    expect(toCertainty(stated, kind, day(evidence), day(today))).toBe(expected);
  });

  test.each([
    ['confirmed', '2027-05-27'],
    ['usual', '2026-11-28'],
    ['last_known', '2026-06-01'],
  ] as const)('and of %s nothing is said after %s', (stated, expected) => {
    const last = toLastVouchedDay(stated, 'weekly', day('2026-06-01'));
    expect(last.toString()).toBe(expected);
    if (stated === 'last_known') return;
    expect(toCertainty(stated, 'weekly', day('2026-06-01'), last)).not.toBe('last_known');
    expect(toCertainty(stated, 'weekly', day('2026-06-01'), last.add({ days: 1 }))).toBe(
      'last_known',
    );
  });
});

describe('high confidence', () => {
  const old = { published: '2022-01-01', checked: '2026-11-20' };
  const young = { published: '2025-01-01', checked: '2026-11-20' };
  test.each([
    ['two sources, one younger than 24 months', [old, young], true],
    ['one source alone', [young], false],
    ['two old sources', [old, old], false],
  ] as const)('is carried by %s: %o → %s', (_, sources, expected) => {
    const [first, ...rest] = sources;
    expect(carriesHigh([first, ...rest], day('2026-11-21'))).toBe(expected);
  });
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
