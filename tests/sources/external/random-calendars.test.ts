// Random calendars: every date of a reading without a doubt is one that the calendar means, and none
// of them is missing (contract 14.59). CALENDARS sets their number, CALENDAR_SEED repeats a run.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { isCustomaryRestDay } from '../../../src/domain/day/holidays.ts';
import { toZoned } from '../../../src/domain/local-time.ts';
import type { ImportedEvent } from '../../../src/domain/imported-events.ts';
import { parseCalendar } from '../../../src/sources/external/parse-ics.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import {
  createRandomCalendars,
  type ExpectedDate,
  type RandomCalendar,
} from '../../fixtures/random-calendars.ts';

const DEFAULT_NUMBER = 100;
const NUMBER = Number(process.env.CALENDARS ?? DEFAULT_NUMBER);
const SEED = Number(process.env.CALENDAR_SEED ?? '1');
const HARMLESS: readonly string[] = ['dates_cut'];
const NOW = toZoned(FRIDAY_NOON_MS).toPlainDateTime();
/** Rules are expanded for a year. */
const LAST_DAY = NOW.toPlainDate().add({ days: 360 }).toString();
const NOW_TEXT = NOW.toString({ smallestUnit: 'minute' });

/** Name of the series of a renamed date. */
const nameOf = (title: string): string => title.replace(/ especial$/, '');
const isInRange = ({ start, end, is_cancelled }: ExpectedDate): boolean => {
  if (start.slice(0, 10) > LAST_DAY) return false;
  const is_day = start.length === 10;
  if (is_cancelled || is_day || end === null)
    return (is_cancelled ? start : (end ?? start)).slice(0, 10) >= NOW_TEXT.slice(0, 10);
  return end > NOW_TEXT;
};
const format = ({ title, start, end, is_cancelled }: ExpectedDate): string =>
  is_cancelled
    ? `${nameOf(title)} ${start.slice(0, 10)} cancelled`
    : `${title} ${start} ${end ?? ''}`;

/** Lists the dates of an event. */
function listDates(event: ImportedEvent): ExpectedDate[] {
  const { title, start, end, dates, off, is_cancelled } = event;
  const first = start.slice(0, 10);
  const length = end === null ? null : Date.parse(`${end.slice(0, 10)}Z`) - Date.parse(`${first}Z`);
  const days = [first, ...dates];
  const toEnd = (day: string): string | null =>
    length === null
      ? null
      : new Date(Date.parse(`${day}Z`) + length).toISOString().slice(0, 10) + (end ?? '').slice(10);
  const all = is_cancelled && off.length > 0 ? [] : days;
  return [
    ...all.map((day) => ({ title, start: day + start.slice(10), end: toEnd(day), is_cancelled })),
    ...off.map((day) => ({ title, start: day, end: null, is_cancelled: true })),
  ];
}

const counts = { calendars: 0, dates: 0, doubted: 0, series: 0 };

function checkCalendar({ bytes, expected }: RandomCalendar): void {
  const result = parseCalendar(bytes, FRIDAY_NOON_MS);
  if ('problem' in result) throw new Error(result.problem);
  const { events, failures } = result.reading;
  counts.calendars += 1;
  const by_title = Object.groupBy(events, ({ title }) => nameOf(title));
  for (const [name, all] of Object.entries(
    Object.groupBy(expected, (each) => nameOf(each.title)),
  )) {
    counts.series += 1;
    const read = by_title[name] ?? [];
    const has_doubt =
      failures.some(({ title }) => nameOf(title) === name) ||
      read.some(({ doubts }) => doubts.some(({ rule }) => !HARMLESS.includes(rule)));
    if (has_doubt) {
      counts.doubted += 1;
      continue;
    }
    const is_cut = read.some(({ doubts }) => doubts.length > 0);
    const right = new Set((all ?? []).filter(isInRange).map(format));
    const dates = read.flatMap(listDates).filter(isInRange).map(format);
    counts.dates += dates.length;
    const wrong = dates.filter((date) => !right.has(date));
    // A rule pauses on customary rest days.
    const missing = (all ?? [])
      .filter(isInRange)
      .filter((date) => !isCustomaryRestDay(Temporal.PlainDate.from(date.start.slice(0, 10))))
      .map(format)
      .filter((date) => !dates.includes(date));
    expect({ wrong, missing: is_cut ? [] : missing }, bytes.toString()).toEqual({
      wrong: [],
      missing: [],
    });
    expect(new Set(dates).size, bytes.toString()).toBe(dates.length);
  }
}

test('random calendars give the dates that they mean, or a doubt', { timeout: 600_000 }, () => {
  fc.assert(fc.property(createRandomCalendars(NOW), checkCalendar), {
    numRuns: NUMBER,
    seed: SEED,
  });
  if (NUMBER > DEFAULT_NUMBER) console.table(counts);
  expect(counts.doubted / counts.series).toBeLessThan(0.5);
});
