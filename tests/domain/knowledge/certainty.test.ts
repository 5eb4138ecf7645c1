// How well a date is known: on both sides of each edge.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  carriesHigh,
  toCertainty,
  toDueDay,
  toEvidenceDay,
  toLastVouchedDay,
} from '../../../src/domain/knowledge/certainty.ts';

const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);

describe('evidence', () => {
  test('is as old as its publication, however often it is looked at again', () => {
    expect(toEvidenceDay([{ published: '2024-03-01', checked: '2026-11-20' }]).toString()).toBe(
      '2024-03-01',
    );
  });

  test('is as old as the last look where the source has no date', () => {
    expect(toEvidenceDay([{ published: null, checked: '2026-11-20' }]).toString()).toBe(
      '2026-11-20',
    );
  });

  test('counts by the newest of several sources', () => {
    const sources = [
      { published: '2024-03-01', checked: '2026-11-20' },
      { published: null, checked: '2025-06-01' },
      { published: '2025-01-01', checked: '2026-11-20' },
    ] as const;
    expect(toEvidenceDay(sources).toString()).toBe('2025-06-01');
  });
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

  test('on the day after it was due, and not before', () => {
    const due = toDueDay('weekly', day('2026-06-01'));
    expect(due.toString()).toBe('2026-11-28');
    expect(toCertainty('usual', 'weekly', day('2026-06-01'), due)).toBe('usual');
    expect(toCertainty('usual', 'weekly', day('2026-06-01'), due.add({ days: 1 }))).not.toBe(
      'usual',
    );
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
