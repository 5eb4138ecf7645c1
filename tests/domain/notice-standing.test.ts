// A warning is one only where this year's bulletin announced it; the rest says which year it is from.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { type NoticeClaim, toStanding } from '../../src/domain/notice.ts';

const CLAIM: NoticeClaim = {
  severity: 'warning',
  is_season: false,
  is_yearly: true,
  bulletin: null,
  published: null,
};
const standing = (claim: Partial<NoticeClaim>, first = '2026-12-05', this_year = 2026) =>
  toStanding({ ...CLAIM, ...claim }, Temporal.PlainDate.from(first), this_year);

test.each(['warning', 'alert'] as const)('%s without a bulletin is info', (severity) => {
  expect(standing({ severity }).severity).toBe('info');
  expect(standing({ severity, bulletin: '2025-12-01' }).severity).toBe('info');
  expect(standing({ severity, bulletin: '2026-12-01' })).toEqual({
    severity,
    inferred: false,
    evidence: null,
  });
});

test('a bulletin of December speaks for the first days of January, and no further', () => {
  expect(standing({ bulletin: '2026-12-20' }, '2027-01-20').severity).toBe('warning');
  expect(standing({ bulletin: '2026-12-20' }, '2027-01-21').severity).toBe('info');
});

test.each([
  [{ published: '2025-12-09' }, { year: 2025, was_last_year: true }],
  [{ published: '2024-12-09' }, { year: 2024, was_last_year: false }],
  [
    { bulletin: '2025-11-30', published: '2024-12-09' },
    { year: 2025, was_last_year: true },
  ],
  [{}, null],
])('a yearly rule known by %j is inferred', (claim, evidence) => {
  expect(standing(claim)).toEqual({ severity: 'info', inferred: true, evidence });
});

test('"last year" is said of this year only', () => {
  const { evidence } = standing({ published: '2026-02-01' }, '2027-02-04', 2026);
  expect(evidence).toEqual({ year: 2026, was_last_year: false });
});

test.each([{ published: '2026-03-08' }, { is_season: true }, { is_yearly: false }])(
  '%j is not inferred',
  (claim) => {
    expect(standing(claim)).toEqual({ severity: 'info', inferred: false, evidence: null });
  },
);
