// Rules that return all year rest on the days on which the town does.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { type Resting, skipQuietDays } from '../../../src/domain/day/quiet-days.ts';

const days = [
  '2025-12-25',
  '2026-04-03',
  '2026-12-23',
  '2026-12-24',
  '2026-12-25',
  '2026-12-26',
  '2026-12-31',
  '2027-01-01',
  '2027-01-02',
  '2027-03-26',
].map((day) => Temporal.PlainDate.from(day));
const left = (when: Resting): string[] => skipQuietDays(when, days).map(String);

describe('a rule', () => {
  test.each([['FREQ=DAILY'], ['FREQ=WEEKLY;BYDAY=FR'], ['FREQ=MONTHLY;BYDAY=-1FR']])(
    '%s rests from 21 November 2026 on, and what was told before stays',
    (rrule) => {
      expect(left({ rrule })).toEqual([
        '2025-12-25',
        '2026-04-03',
        '2026-12-23',
        '2026-12-26',
        '2027-01-02',
      ]);
    },
  );

  test.each<[string, Resting]>([
    ['a yearly rule', { rrule: 'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=25' }],
    ['dates', {}],
    ['a rule that a source says is open', { rrule: 'FREQ=DAILY', quiet_days: 'open' }],
  ])('%s does not rest', (_, when) => {
    expect(left(when)).toEqual(days.map(String));
  });
});
