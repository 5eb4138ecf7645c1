// When a place is open.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { ZONE } from '../../src/domain/cancun-time.ts';
import {
  findOverlap,
  type OpeningHours,
  type OpeningRule,
  opensOnMostDays,
  toOpeningDay,
} from '../../src/domain/opening-hours.ts';

const rule = (
  days: OpeningRule['days'],
  open: string | null,
  close: string | null,
  more: Partial<OpeningRule> = {},
): OpeningRule => ({ days, open, close, last_entry: null, since: null, until: null, ...more });

const MUSEUM: OpeningHours = {
  rules: [
    rule(['tu', 'we', 'th', 'fr', 'sa', 'su'], '09:00', '18:00', { last_entry: '17:30' }),
    rule(['sa'], '20:00', '02:00', { since: '2026-06-01', until: '2026-12-31' }),
  ],
  exceptions: [
    {
      date: '2026-12-24',
      open: '09:00',
      close: '13:00',
      note: { es: 'Medio día', en: 'Half day' },
    },
    { date: '2026-12-01', open: null, close: null, note: null },
  ],
  closed_on: ['christmas'],
  free: [{ days: ['su'], visitors: ['national', 'resident'] }],
  note: null,
};

const on = (day: string, holidays: readonly string[] = []) => {
  const { spans, ...rest } = toOpeningDay(MUSEUM, Temporal.PlainDate.from(day), holidays);
  const clock = (ms: number | null): string =>
    ms === null
      ? '?'
      : Temporal.Instant.fromEpochMilliseconds(ms)
          .toZonedDateTimeISO(ZONE)
          .toPlainDateTime()
          .toString({ smallestUnit: 'minute' })
          .slice(8);
  return { ...rest, spans: spans.map((s) => `${clock(s.open_ms)}–${clock(s.close_ms)}`) };
};

describe('a museum', () => {
  test.each([
    ['2026-11-24', ['24T09:00–24T18:00']],
    ['2026-11-23', []],
    ['2026-11-21', ['21T09:00–21T18:00', '21T20:00–22T02:00']],
    ['2027-01-02', ['02T09:00–02T18:00']],
    ['2026-12-24', ['24T09:00–24T13:00']],
    ['2026-12-01', []],
  ])('on %s is open %j', (day, spans) => {
    expect(on(day).spans).toEqual(spans);
  });

  test('closes on its holidays and says which', () => {
    expect(on('2026-12-25', ['christmas'])).toEqual({
      is_open: false,
      is_unsure: false,
      spans: [],
      note: null,
      holiday: 'christmas',
      free_for: [],
    });
    expect(on('2026-12-08', ['immaculate-conception']).spans).toHaveLength(1);
  });

  test('says why a day is different, and who enters free', () => {
    expect(on('2026-12-24').note).toEqual({ es: 'Medio día', en: 'Half day' });
    expect(on('2026-11-22').free_for).toEqual(['national', 'resident']);
    expect(on('2026-11-24').free_for).toEqual([]);
  });

  test.each([
    ['2026-12-31', true],
    ['2027-01-01', true],
    ['2027-03-26', true],
    // What its hours name, and what is no quiet day.
    ['2026-12-24', false],
    ['2026-12-25', false],
    ['2026-12-26', false],
    ['2026-11-20', false],
  ])('on %s is not known to open as in other weeks: %s', (day, is_unsure) => {
    const holidays = day === '2026-12-25' ? ['christmas'] : [];
    const found = toOpeningDay(MUSEUM, Temporal.PlainDate.from(day), holidays);
    expect(found.is_unsure).toBe(is_unsure);
    if (is_unsure) expect(found).toMatchObject({ is_open: true, spans: [], free_for: [] });
    const with_source = { ...MUSEUM, quiet_days: 'open' } as const;
    const told = toOpeningDay(with_source, Temporal.PlainDate.from(day), holidays);
    expect(told).toMatchObject({ is_unsure: false, is_open: day !== '2026-12-25' });
    expect(told.spans.length > 0).toBe(day !== '2026-12-25');
  });

  test('on a quiet day that is its day off is closed', () => {
    const hours = { ...MUSEUM, closed_on: [], rules: [rule(['mo', 'tu'], '09:00', '18:00')] };
    expect(toOpeningDay(hours, Temporal.PlainDate.from('2026-12-25'), [])).toMatchObject({
      is_open: false,
      is_unsure: false,
    });
  });
});

test('a place that opens at an hour that nobody knows is open, and one whose close is not known has no end', () => {
  const market: OpeningHours = {
    rules: [rule(['mo'], null, null), rule(['tu'], '09:00', null)],
    exceptions: [],
    closed_on: [],
    free: [],
    note: null,
  };
  const [monday, tuesday, wednesday] = ['2026-11-23', '2026-11-24', '2026-11-25'].map((day) =>
    toOpeningDay(market, Temporal.PlainDate.from(day), []),
  );
  expect(monday).toMatchObject({ is_open: true, spans: [] });
  expect(tuesday?.spans).toMatchObject([{ close_ms: null, last_entry_ms: null }]);
  expect(wednesday).toMatchObject({ is_open: false, spans: [] });
});

describe('hours that overlap', () => {
  test.each([
    [
      'the same morning twice',
      [rule(['mo'], '09:00', '13:00'), rule(['mo'], '12:00', '18:00')],
      [0, 1],
    ],
    [
      'a night that runs into a late opening',
      [rule(['fr'], '22:00', '03:00'), rule(['fr'], '23:00', '23:30')],
      [0, 1],
    ],
    ['one after the other', [rule(['mo'], '09:00', '13:00'), rule(['mo'], '13:00', '18:00')], null],
    [
      'a morning inside a day of unknown hours',
      [rule(['mo'], null, null), rule(['mo'], '09:00', '10:00')],
      [0, 1],
    ],
    ['other days', [rule(['mo'], '09:00', '13:00'), rule(['tu'], '09:00', '13:00')], null],
    [
      'other seasons',
      [
        rule(['mo'], '09:00', '13:00', { until: '2026-05-31' }),
        rule(['mo'], '09:00', '14:00', { since: '2026-06-01' }),
      ],
      null,
    ],
  ] as const)('%s', (_, rules, expected) => {
    expect(findOverlap(rules)).toEqual(expected);
  });
});

test('a museum opens on most days, a Sunday market does not, however its rules are cut up', () => {
  const of = (...rules: OpeningRule[]): OpeningHours => ({ ...MUSEUM, rules });
  expect(opensOnMostDays(MUSEUM)).toBe(true);
  expect(opensOnMostDays(of(rule(['su'], null, null)))).toBe(false);
  expect(
    opensOnMostDays(
      of(rule(['fr', 'sa', 'su'], '09:00', '12:00'), rule(['fr', 'sa', 'su'], '18:00', '21:00')),
    ),
  ).toBe(false);
  expect(
    opensOnMostDays(of(rule(['mo', 'tu'], '09:00', '12:00'), rule(['fr', 'sa'], '18:00', '21:00'))),
  ).toBe(true);
});
