// Event: family, online and nightclub events, untranslated texts, and the next date of a list (contract 7.12, 7.19).
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  addDate,
  type DateSummary,
  filterDates,
  filterNotEnded,
  summarizeDates,
  findUntranslatedTexts,
  isFamily,
  isNightclub,
  isOnline,
  isSubmittedAsOnline,
  isUpcoming,
  listSubscriptionDates,
  type OccurrenceRecord,
  separateNightclubs,
} from '../../../src/domain/event/event.ts';
import { toDayNumber } from '../../../src/domain/local-time.ts';
import { CONCERT, CONCERT_DATE } from '../../fixtures/concert.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';

const TODAY = Temporal.PlainDate.from('2026-11-20');
const HOUR_MS = 3_600_000;

/** A date `days` from today that lasts `length` days. */
function dateAt(days: number, length = 1, status: OccurrenceRecord['status'] = 'scheduled') {
  const first_day = toDayNumber(TODAY) + days;
  const end_ms = FRIDAY_NOON_MS + days * 24 * HOUR_MS + HOUR_MS;
  return {
    ...CONCERT_DATE,
    ...{ id: `${days}`, status, first_day, end_ms },
    last_day: first_day + length - 1,
  };
}
const ids = (dates: readonly OccurrenceRecord[]) => dates.map(({ id }) => Number(id));

test.each([
  ['family', [], true],
  ['live-music', ['familia'], true],
  ['live-music', ['familiar'], false],
  [null, [], false],
])('an event of category %s with tags %j is a family event: %s', (category, tags, expected) => {
  expect(isFamily({ category, tags })).toBe(expected);
});

test.each([
  ['party', ['antro'], true],
  ['party', [], false],
  ['live-music', ['antro'], false],
])('an event of category %s with tags %j is at a nightclub: %s', (category, tags, expected) => {
  expect(isNightclub({ category, tags })).toBe(expected);
  const card = { event: { ...CONCERT, category, tags } };
  const { others, nightclubs } = separateNightclubs([card]);
  expect([others.length, nightclubs.length]).toEqual(expected ? [0, 1] : [1, 0]);
});

const ONLINE = { venue: null, zone: null, location_note: { es: 'En línea', en: 'Online' } };
test.each([
  [{}, true],
  [{ zone: 'downtown' }, false],
  [{ venue: 've_1' }, false],
  [{ location_note: null }, false],
  [{ location_note: { es: 'En línea', en: 'Online course' } }, false],
])('a published event with %j is online: %s', (changed, expected) => {
  expect(isOnline({ ...ONLINE, ...changed })).toBe(expected);
});

test.each([
  [{ venue_name: ' EN LINEA ' }, true],
  [{ venue_name: 'online' }, true],
  [{ venue_name: 'Online Gaming' }, false],
  [{ venue_name: 'Online', venue_address: 'Av. Tulum 1' }, false],
  [{ venue_name: 'Online', zone: 'downtown' }, false],
  [{ venue_name: 'Online', venue: 've_1' }, false],
  [{}, false],
])('a submission with %j is online: %s', (location, expected) => {
  expect(isSubmittedAsOnline(location)).toBe(expected);
});

test.each([
  [null, 'es', {}],
  [{ title: 'es', summary: 'en', description: null } as const, 'es', { summary: 'en' }],
  [{ title: 'es', summary: 'en', description: null } as const, 'en', { title: 'es' }],
] as const)('with originals %j, the texts not in %s are %j', (originals, lang, expected) => {
  const untranslated = findUntranslatedTexts({ originals }, lang);
  expect(JSON.parse(JSON.stringify(untranslated))).toEqual(expected);
});

test('an occurrence is upcoming until it ends, unless it is cancelled', () => {
  const { end_ms } = dateAt(0);
  expect(isUpcoming(dateAt(0), end_ms - 1)).toBe(true);
  expect(isUpcoming(dateAt(0), end_ms)).toBe(false);
  expect(isUpcoming(dateAt(0, 1, 'cancelled'), end_ms - 1)).toBe(false);
  expect(filterNotEnded([dateAt(0, 1, 'cancelled')], end_ms - 1)).toHaveLength(1);
  expect(filterNotEnded([dateAt(0)], end_ms)).toEqual([]);
});

describe('the next date', () => {
  const find = (...dates: OccurrenceRecord[]) => {
    const { next, more_dates } = summarizeDates(dates, FRIDAY_NOON_MS);
    return [next && Number(next.id), more_dates];
  };
  test('is the first upcoming one, with the upcoming ones after it', () => {
    expect(find()).toEqual([null, 0]);
    expect(find(dateAt(1), dateAt(2))).toEqual([1, 1]);
    expect(find(dateAt(1, 1, 'cancelled'), dateAt(2), dateAt(3))).toEqual([2, 1]);
    expect(find(dateAt(1), dateAt(2, 1, 'postponed'), dateAt(3))).toEqual([1, 1]);
  });
  test('is the first one if none is upcoming', () => {
    expect(find(dateAt(1, 1, 'cancelled'), dateAt(2, 1, 'cancelled'))).toEqual([1, 0]);
  });
  test('of a past range is the first one, with all others after it', () => {
    const dates = [dateAt(-5), dateAt(-4, 1, 'cancelled'), dateAt(-3)];
    let summary: DateSummary<string> | undefined;
    for (const date of dates) summary = addDate(summary, date.id, date, FRIDAY_NOON_MS, true);
    expect(summary).toEqual({ next: '-5', is_ahead: false, more_dates: 2, called_off: ['-4'] });
  });
  test('has all cancelled and postponed ones beside it, itself too', () => {
    const list = (...dates: OccurrenceRecord[]) =>
      ids(summarizeDates(dates, FRIDAY_NOON_MS).called_off);
    expect(list(dateAt(1), dateAt(2, 1, 'postponed'), dateAt(3))).toEqual([2]);
    expect(list(dateAt(1, 1, 'cancelled'), dateAt(2), dateAt(3, 1, 'cancelled'))).toEqual([1, 3]);
    expect(list(dateAt(1))).toEqual([]);
  });
});

test('filterDates selects the dates that touch a range', () => {
  const dates = [dateAt(-2), dateAt(-2, 3), dateAt(0), dateAt(1, 5), dateAt(2)];
  const range = { from: TODAY, to: TODAY.add({ days: 1 }) };
  expect(ids(filterDates(dates, range))).toEqual([-2, 0, 1]);
  expect(filterDates(dates, null)).toBe(dates);
});

describe('a subscription', () => {
  const list = (...dates: OccurrenceRecord[]) => listSubscriptionDates(dates, TODAY);
  test('includes the dates of the last week', () => {
    const { dates, is_truncated } = list(dateAt(-8), dateAt(-7), dateAt(-1), dateAt(0));
    expect([ids(dates), is_truncated]).toEqual([[-7, -1, 0], false]);
    // By its last day.
    expect(ids(list(dateAt(-9, 3)).dates)).toEqual([-9]);
  });
  test.each([
    [60, 60, false],
    [61, 60, true],
  ])('of %d dates has %d, truncated: %s', (count, expected, is_truncated) => {
    const listed = list(...Array.from({ length: count }, (_, days) => dateAt(days)));
    expect([listed.dates.length, listed.is_truncated]).toEqual([expected, is_truncated]);
  });
});
