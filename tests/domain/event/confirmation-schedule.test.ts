// Confirmation schedule: days on which an organizer gets an email, and the dates in it (contract 14.41).
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { toDayNumber } from '../../../src/domain/local-time.ts';
import {
  isConfirmationDay,
  listDatesToConfirm,
} from '../../../src/domain/event/confirmation-schedule.ts';
import type { OccurrenceRecord } from '../../../src/domain/event/event.ts';
import { CONCERT_DATE } from '../../fixtures/concert.ts';

const dayOf2026 = (short: string) => Temporal.PlainDate.from(`2026-${short}`);

/** Parses `12-05`, `12-05 off` for a cancelled date, and `12-05 11-30` for a date confirmed on 11-30. */
const parseDate = (text: string): OccurrenceRecord => {
  const [short = '', more] = text.split(' ');
  const first_day = toDayNumber(dayOf2026(short));
  const start = `2026-${short}T20:00:00-05:00`;
  const times = { id: short, start, first_day, last_day: first_day, end_ms: Date.parse(start) };
  const confirmed_on = more && more !== 'off' ? `2026-${more}` : null;
  const status = more === 'off' ? 'cancelled' : 'scheduled';
  return { ...CONCERT_DATE, ...times, confirmed_on, status };
};

test.each([
  ['one date', '12-05', '12-03', '12-05'],
  ['one date, earlier', '12-05', '12-02', ''],
  ['one date, later', '12-05', '12-04', ''],
  ['a cancelled date', '12-05 off', '12-03', ''],
  ['a series, about its month', '12-05,12-12,12-19,12-26', '12-03', '12-05,12-12,12-19,12-26'],
  ['a series, in the middle of it', '12-05,12-12,12-19', '12-10', ''],
  ['a series with its first date cancelled', '12-05 off,12-12,12-19', '12-10', '12-12,12-19'],
  ['dates within thirty days', '11-03,12-02,12-03', '11-01', '11-03,12-02'],
  ['each date of a monthly series', '11-05,12-10', '12-08', '12-10'],
  ['a date confirmed within two days', '12-05 12-01', '12-03', ''],
  ['a date confirmed before that', '12-05 11-30', '12-03', '12-05'],
  ['a series confirmed within a month', '12-05 11-03,12-12', '12-03', ''],
  ['a series confirmed before that', '12-05 11-02,12-12', '12-03', '12-05,12-12'],
])('%s: of %s, an email on %s asks about "%s"', (_, dates, day, expected) => {
  const all = dates.split(',').map(parseDate);
  const listed = isConfirmationDay(all, dayOf2026(day))
    ? listDatesToConfirm(all, dayOf2026(day))
    : [];
  expect(listed.map(({ id }) => id).join()).toBe(expected);
});
