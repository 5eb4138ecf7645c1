// When an organizer is asked, and about which dates (contract 14.41).
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { toDayNumber } from '../../../src/domain/local-time.ts';
import {
  isConfirmationDay,
  listDatesToConfirm,
} from '../../../src/domain/event/confirmation-schedule.ts';
import type { OccurrenceRecord } from '../../../src/domain/event/event.ts';
import { CONCERT_DATE } from '../../fixtures/concert.ts';

const toDay = (short: string) => Temporal.PlainDate.from(`2026-${short}`);

/** `12-05`, `12-05 off`, `12-05 11-30` for one that was confirmed on a day. */
const toDate = (text: string): OccurrenceRecord => {
  const [short = '', more] = text.split(' ');
  const first_day = toDayNumber(toDay(short));
  const start = `2026-${short}T20:00:00-05:00`;
  const own = { id: short, start, first_day, last_day: first_day, end_ms: Date.parse(start) };
  const confirmed_on = more && more !== 'off' ? `2026-${more}` : null;
  const status = more === 'off' ? 'cancelled' : 'scheduled';
  return { ...CONCERT_DATE, ...own, confirmed_on, status };
};

test.each([
  ['one date', '12-05', '12-03', '12-05'],
  ['one date, earlier', '12-05', '12-02', ''],
  ['one date, later', '12-05', '12-04', ''],
  ['what is off', '12-05 off', '12-03', ''],
  ['a series, about its month', '12-05,12-12,12-19,12-26', '12-03', '12-05,12-12,12-19,12-26'],
  ['a series, in the middle of it', '12-05,12-12,12-19', '12-10', ''],
  ['a series whose first is off', '12-05 off,12-12,12-19', '12-10', '12-12,12-19'],
  ['what lies within thirty days', '11-03,12-02,12-03', '11-01', '11-03,12-02'],
  ['each of what comes once a month', '11-05,12-10', '12-08', '12-10'],
  ['a date confirmed within two days', '12-05 12-01', '12-03', ''],
  ['a date confirmed before that', '12-05 11-30', '12-03', '12-05'],
  ['a series confirmed within a month', '12-05 11-03,12-12', '12-03', ''],
  ['a series confirmed before that', '12-05 11-02,12-12', '12-03', '12-05,12-12'],
])('%s: of %s a letter of %s asks about %s', (_, dates, day, asked) => {
  const all = dates.split(',').map(toDate);
  const found = isConfirmationDay(all, toDay(day)) ? listDatesToConfirm(all, toDay(day)) : [];
  expect(found.map(({ id }) => id).join()).toBe(asked);
});
