// When a place is open.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { formatTimestamp } from '../../src/domain/local-time.ts';
import {
  findOverlappingRules,
  type OpeningHours,
  type OpeningRule,
  isOpenMostDays,
  computeOpeningDay,
  WEEKDAYS,
} from '../../src/domain/opening-hours.ts';
import { CHRISTMAS } from '../fixtures/holiday.ts';

const rule = (
  days: string,
  open: string | null,
  close: string | null,
  more: Partial<OpeningRule> = {},
): OpeningRule => ({
  days: WEEKDAYS.filter((day) => days.split(' ').includes(day)),
  open,
  close,
  last_entry: null,
  since: null,
  until: null,
  ...more,
});
const MUSEUM: OpeningHours = {
  rules: [
    rule('tu we th fr sa su', '09:00', '18:00', { last_entry: '17:30' }),
    rule('sa', '20:00', '02:00', { since: '2026-06-01', until: '2026-12-31' }),
  ],
  exceptions: [
    { date: '2026-12-24', open: '09:00', close: '13:00', note: { es: 'Medio', en: 'Half' } },
    { date: '2026-12-01', open: null, close: null, note: null },
  ],
  closed_on: ['christmas'],
  free: [{ days: ['su'], visitors: ['national', 'resident'] }],
  note: null,
};

const CONCEPTION = { ...CHRISTMAS, key: 'immaculate-conception', rule: { month: 12, day: 8 } };
const HOLIDAYS = [CHRISTMAS, CONCEPTION];

/** `24T09:00 to 24T18:00`, `closed`, `unsure`, or `open` at unknown hours. */
function tell(hours: OpeningHours, day: string): string {
  const found = computeOpeningDay(hours, Temporal.PlainDate.from(day), HOLIDAYS);
  const clock = (ms: number | null) => (ms === null ? '?' : formatTimestamp(ms).slice(8, 16));
  const spans = found.spans.map((one) => `${clock(one.open_ms)} to ${clock(one.close_ms)}`);
  expect(found.is_open || spans.length === 0).toBe(true);
  if (found.is_unconfirmed) return 'unsure';
  return spans.join(', ') || (found.is_open ? 'open' : `closed ${found.holiday?.key ?? ''}`.trim());
}

const UNKNOWN = { ...MUSEUM, rules: [rule('mo', null, null), rule('tu', '09:00', null)] };
const DAY_OFF = { ...MUSEUM, closed_on: [], rules: [rule('mo tu', '09:00', '18:00')] };
const WITH_SOURCE = { ...MUSEUM, quiet_days: 'open' } as const;
test.each<[OpeningHours, string, string]>([
  [MUSEUM, '2026-11-24', '24T09:00 to 24T18:00'],
  [MUSEUM, '2026-11-23', 'closed'],
  [MUSEUM, '2026-11-21', '21T09:00 to 21T18:00, 21T20:00 to 22T02:00'],
  [MUSEUM, '2027-01-02', '02T09:00 to 02T18:00'],
  [MUSEUM, '2026-12-24', '24T09:00 to 24T13:00'],
  [MUSEUM, '2026-12-01', 'closed'],
  [MUSEUM, '2026-12-25', 'closed christmas'],
  [MUSEUM, '2026-12-08', '08T09:00 to 08T18:00'],
  // Quiet days: not known, unless the hours name them or a source says so (contract 4.13).
  [MUSEUM, '2026-12-31', 'unsure'],
  [WITH_SOURCE, '2026-12-31', '31T09:00 to 31T18:00'],
  [WITH_SOURCE, '2026-12-25', 'closed christmas'],
  [DAY_OFF, '2026-12-25', 'closed'],
  // It opens when nobody knows, or closes when nobody knows.
  [UNKNOWN, '2026-11-23', 'open'],
  [UNKNOWN, '2026-11-24', '24T09:00 to ?'],
])('with %j, %s is %s', (hours, day, told) => {
  expect(tell(hours, day)).toBe(told);
});

test.each([
  ['a night and late', rule('fr', '22:00', '03:00'), rule('fr', '23:00', '23:30'), [0, 1]],
  ['unknown hours', rule('mo', null, null), rule('mo', '09:00', '10:00'), [0, 1]],
  ['not one after the other', rule('mo', '09:00', '13:00'), rule('mo', '13:00', '18:00'), null],
  ['not other days', rule('mo', '09:00', '13:00'), rule('tu', '09:00', '13:00'), null],
  [
    'not other seasons',
    rule('mo', '09:00', '13:00', { until: '2026-05-31' }),
    rule('mo', '09:00', '14:00', { since: '2026-06-01' }),
    null,
  ],
])('hours that overlap: %s', (_, one, other, expected) => {
  expect(findOverlappingRules([one, other])).toEqual(expected);
});

test.each([
  [['mo tu', 'fr sa'], true],
  [['fr sa su', 'fr sa su'], false],
])('%j are most days: %s', (days, is_most) => {
  const rules = days.map((some) => rule(some, null, null));
  expect(isOpenMostDays({ ...MUSEUM, rules })).toBe(is_most);
});
