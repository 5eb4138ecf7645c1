// Opening hours: hours of a day, overlapping rules, and most weekdays.
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

/** Formats a day as `24T09:00 to 24T18:00`, `closed`, `unconfirmed`, or `open` at unknown hours. */
function formatDay(hours: OpeningHours, day: string): string {
  const opening = computeOpeningDay(hours, Temporal.PlainDate.from(day), HOLIDAYS);
  const clock = (ms: number | null) => (ms === null ? '?' : formatTimestamp(ms).slice(8, 16));
  const spans = opening.spans.map((span) => `${clock(span.open_ms)} to ${clock(span.close_ms)}`);
  expect(opening.is_open || spans.length === 0).toBe(true);
  if (opening.is_unconfirmed) return 'unconfirmed';
  return (
    spans.join(', ') || (opening.is_open ? 'open' : `closed ${opening.holiday?.key ?? ''}`.trim())
  );
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
  // Customary rest days: unconfirmed, unless an exception or a source confirms the hours (contract 4.13).
  [MUSEUM, '2026-12-31', 'unconfirmed'],
  [WITH_SOURCE, '2026-12-31', '31T09:00 to 31T18:00'],
  [WITH_SOURCE, '2026-12-25', 'closed christmas'],
  [DAY_OFF, '2026-12-25', 'closed'],
  // Unknown opening or closing time.
  [UNKNOWN, '2026-11-23', 'open'],
  [UNKNOWN, '2026-11-24', '24T09:00 to ?'],
])('with %j, %s is %s', (hours, day, expected) => {
  expect(formatDay(hours, day)).toBe(expected);
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
])('overlapping rules: %s', (_, first, second, expected) => {
  expect(findOverlappingRules([first, second])).toEqual(expected);
});

test.each([
  [['mo tu', 'fr sa'], true],
  [['fr sa su', 'fr sa su'], false],
])('%j cover most weekdays: %s', (days, is_most) => {
  const rules = days.map((weekdays) => rule(weekdays, null, null));
  expect(isOpenMostDays({ ...MUSEUM, rules })).toBe(is_most);
});
