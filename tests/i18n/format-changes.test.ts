// Change texts: the dates that a change is about, and how many of them it names.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { toDayNumber } from '../../src/domain/local-time.ts';
import type { ChangeLogEntry } from '../../src/domain/record-history.ts';
import { formatChangeDetail } from '../../src/i18n/format-changes.ts';
import { listRecentChanges } from '../../src/snapshot/change-log.ts';
import { CONCERT_DATE } from '../fixtures/concert.ts';
import { FRIDAY_NOON_MS, loadFixture, localMs, useFixture } from '../fixtures/fixture.ts';

const dateOn = (day: string) => {
  const day_number = toDayNumber(Temporal.PlainDate.from(day));
  return {
    ...CONCERT_DATE,
    ...{ id: day, first_day: day_number, last_day: day_number, status: 'cancelled' as const },
    ...{ start_ms: localMs(`${day}T19:00:00`), end_ms: localMs(`${day}T20:00:00`) },
    ...{ end_known: false, notes: { es: 'Por lluvia.', en: 'Because of rain.' } },
  };
};

const town = loadFixture();
const { id: event_id = '' } = town.events.find(({ slug }) => slug.es === 'feria-diaria') ?? {};
const { snapshot } = useFixture({
  ...town,
  events: town.events.map((event) =>
    event.id === event_id ? { ...event, status: 'cancelled' as const } : event,
  ),
  ledger: {
    ...town.ledger,
    histories: new Map(
      [...town.ledger.histories].map(([id, history]) => [
        id,
        id === event_id ? { ...history, status: 'cancelled' as const } : history,
      ]),
    ),
  },
});
const [CANCELLED] = listRecentChanges(
  snapshot,
  {
    since: '2026-11-01T00:00:00-05:00',
    limit: 9,
    passes: ({ change, id }) => change === 'cancelled' && id === event_id,
  },
  FRIDAY_NOON_MS,
).changes;
if (CANCELLED === undefined) throw new Error('the fair is cancelled');
const formatBoth = (entry: Partial<ChangeLogEntry>) =>
  LANGS.map((lang) => formatChangeDetail({ ...CANCELLED, ...entry }, lang));

describe('a change', () => {
  test('has the year of its dates if it is not that of the change', () => {
    const dates = [dateOn('2026-12-31'), dateOn('2027-01-02')];
    expect(formatBoth({ coming: dates, at: '2026-12-30T07:00:00-05:00' })).toEqual([
      'jue 31 dic, a las 19:00; sáb 2 ene 2027, a las 19:00 (Por lluvia)',
      'Thu, Dec 31, 7 p.m.; Sat, Jan 2, 2027, 7 p.m. (Because of rain)',
    ]);
    const entry = { dates: dates.slice(1), coming: [], at: '2026-12-30T07:00:00-05:00' };
    expect(formatBoth(entry)[1]).toContain('Sat, Jan 2, 2027, 7 p.m. (Because of rain)');
  });

  test('of a wholly cancelled event names three coming dates, and how many follow until when', () => {
    const dates = ['20', '21', '22', '27', '28'].map((day) => dateOn(`2026-11-${day}`));
    expect(formatBoth({ coming: dates, at: '2026-11-19T07:00:00-05:00' })).toEqual([
      'vie 20 nov, a las 19:00; sáb 21 nov, a las 19:00; dom 22 nov, a las 19:00 (Por lluvia) y 2 más, hasta el sáb 28 nov',
      'Fri, Nov 20, 7 p.m.; Sat, Nov 21, 7 p.m.; Sun, Nov 22, 7 p.m. (Because of rain) and 2 more until Sat, Nov 28',
    ]);
    expect(formatBoth({ coming: dates.slice(0, 4) })[1]).toMatch(/ and 1 more, on Fri, Nov 27$/);
  });

  test('of a wholly cancelled event lists the dates that have not ended', () => {
    const all = town.occurrences.filter(({ event }) => event === event_id);
    expect(CANCELLED.coming.map(({ id }) => id)).toEqual(
      all.filter(({ end_ms }) => end_ms > FRIDAY_NOON_MS).map(({ id }) => id),
    );
    expect(CANCELLED.coming.length).toBeGreaterThan(3);
  });
});
