// Date keywords: the days of each keyword, on every day of a week.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { isSingleDay, resolveAgendaKeyword } from '../../src/domain/date-keywords.ts';

test.each([
  // November 16, 2026 is a Monday.
  ['2026-11-16', '2026-11-20', '2026-11-22'],
  ['2026-11-19', '2026-11-20', '2026-11-22'],
  ['2026-11-20', '2026-11-20', '2026-11-22'],
  ['2026-11-21', '2026-11-21', '2026-11-22'],
  ['2026-11-22', '2026-11-22', '2026-11-22'],
  ['2026-11-23', '2026-11-27', '2026-11-29'],
])('on %s, the weekend is %s to %s', (today, from, to) => {
  const range = resolveAgendaKeyword('weekend', Temporal.PlainDate.from(today));
  expect([`${range?.from}`, `${range?.to}`]).toEqual([from, to]);
});

test.each([
  ['today', '2026-12-31', '2026-12-31'],
  ['tomorrow', '2027-01-01', '2027-01-01'],
  ['week', '2026-12-31', '2027-01-06'],
])('%s on the last day of the year is %s to %s', (word, from, to) => {
  const range = resolveAgendaKeyword(word, Temporal.PlainDate.from('2026-12-31'));
  expect([`${range?.from}`, `${range?.to}`]).toEqual([from, to]);
});

test('an unknown keyword resolves to null', () => {
  expect(resolveAgendaKeyword('month', Temporal.PlainDate.from('2026-12-31'))).toBeNull();
});

test('only a day, today and tomorrow are single days', () => {
  const kinds = ['day', 'days', 'festivity', 'today', 'tomorrow', 'weekend', 'week'] as const;
  expect(kinds.filter(isSingleDay)).toEqual(['day', 'today', 'tomorrow']);
});
