// Event and venue freshness: tests the certainty of dates, hours and prices, and how it declines over time without
// edits.
import { describe, expect, test } from 'vitest';
import { toLocalDay, toDayNumber } from '../../src/domain/local-time.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import {
  formatConfirmedMark,
  formatConfirmAdvice,
  formatListUncertainty,
  formatPastDateNote,
} from '../../src/i18n/format-facts.ts';
import {
  formatAdmissionAdvice,
  formatAdmissionWithAge,
} from '../../src/i18n/format-opening-hours.ts';
import { useContentFolder } from '../fixtures/content-folder.ts';
import { localMs } from '../fixtures/fixture.ts';

const content = useContentFolder({ is_empty: true });

interface Draft {
  readonly when: string;
  readonly source?: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** Builds the event of a draft as of a day, with its upcoming dates. */
function readOn(day: string, { when, source = 'checked: 2026-11-20', more = {} }: Draft) {
  const fields = { when: `[{ ${when} }]`, sources: `[{ name: Prueba, ${source} }]` };
  const text = { ...fields, confidence: 'medium', ...more };
  const { event, occurrences } = content.readEvent(text, day);
  const now_ms = localMs(`${day}T12:00:00`);
  const today = toDayNumber(toLocalDay(now_ms));
  return {
    event,
    certainty: event.certainty,
    occurrences,
    days: occurrences.map(({ start }) => start.slice(0, 10)),
    later: occurrences.filter(({ first_day }) => first_day > today),
    upcoming: occurrences
      .filter(({ end_ms }) => end_ms > now_ms)
      .map(({ start }) => start.slice(0, 10)),
    advice: LANGS.map((lang) => formatConfirmAdvice({ event, next: null }, lang)),
  };
}

const THURSDAYS = 'rrule: FREQ=WEEKLY;BYDAY=TH, since: 2026-01-01, start: "16:00"';
const LISTED = 'dates: [2026-12-01], start: "18:00"';
const HOURLESS = 'dates: [2026-12-01], hour: unknown';
const ONE_CONFIRMED = `${THURSDAYS}, confirmed: [2026-12-03]`;

describe('a date', () => {
  test('is confirmed if a source lists it, and usual with advice if it comes from a rule', () => {
    const listed = readOn('2026-11-20', { when: LISTED });
    expect([listed.certainty, listed.occurrences[0]?.certainty]).toEqual([
      'confirmed',
      'confirmed',
    ]);
    expect(listed.advice).toEqual([null, null]);
    const rule = readOn('2026-11-20', { when: THURSDAYS });
    expect([rule.certainty, rule.occurrences.at(-1)?.certainty]).toEqual(['usual', 'usual']);
    expect(rule.advice[0]).toBe('Sin confirmar para esta fecha; pregunta antes de ir.');
  });
  test('with low confidence is usual at best, up to thirty days ahead', () => {
    const { upcoming } = readOn('2026-11-20', { when: THURSDAYS, more: { confidence: 'low' } });
    expect([upcoming[0], upcoming.at(-1)]).toEqual(['2026-11-26', '2026-12-17']);
  });
  test.each([
    ['rrule: FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=19, since: 2025-03-19', 2],
    ['dates: [2027-03-19]', 0],
  ])(
    'with low confidence is not confirmed while it is more than thirty days ahead: %s',
    (when, published) => {
      const { certainty, days } = readOn('2026-11-20', { when, more: { confidence: 'low' } });
      expect([certainty, days.length]).toEqual(['usual', published]);
    },
  );
  test('with an unknown time is serialized as all day, after dates with a time', () => {
    const [date] = readOn('2026-11-20', { when: HOURLESS }).occurrences;
    expect(date).toMatchObject({ all_day: true, time_known: false, end_known: false });
    expect(date?.start).toBe('2026-12-01T00:00:00-05:00');
    expect(date?.start_ms).toBeGreaterThan(localMs('2026-12-01T23:00:00'));
  });
});

describe('a list', () => {
  const CONFIRM_NOTE = { confirm: '{ es: Confirma la hora., en: Check the time. }' };
  const USUAL = 'Sin confirmar por quienes organizan: llama antes.';
  test.each([
    [LISTED, {}, '✓ confirmado', null, null],
    [LISTED, CONFIRM_NOTE, null, null, 'Confirma la hora.'],
    [LISTED, { status: 'cancelled' }, null, null, null],
    [THURSDAYS, {}, null, USUAL, null],
  ])(
    'with %s, %j has the mark %j, the heading %j and the advice %j',
    (when, more, mark, heading, advice) => {
      const { event, later } = readOn('2026-11-20', { when, more });
      const card = { event, next: later[0] ?? null };
      expect([
        formatConfirmedMark(card, 'es'),
        formatListUncertainty([card], 'es'),
        formatConfirmAdvice({ event, next: null }, 'es', true),
      ]).toEqual([mark, heading, advice]);
    },
  );
  test('marks confirmed dates, and mentions the unconfirmed rest once', () => {
    const { event, later } = readOn('2026-11-20', { when: ONE_CONFIRMED });
    const cards = later.map((next) => ({ event, next }));
    const marked = cards.filter((card) => formatConfirmedMark(card, 'en') !== null);
    expect(marked.map(({ next }) => next.start.slice(0, 10))).toEqual(['2026-12-03']);
    expect(formatListUncertainty(cards, 'en')).toBe(
      'Only what says “✓ confirmed” is confirmed: for the rest, call first.',
    );
  });
});

test('the warning of a list is true of all its dates', () => {
  const { event, later } = readOn('2026-11-20', { when: THURSDAYS });
  const usual = { event, next: later[0] ?? null };
  const unknown_hour = {
    event: { ...event, certainty: 'confirmed' as const },
    next: later[0] ? { ...later[0], certainty: 'confirmed' as const, time_known: false } : null,
  };
  const cancelled = { event: { ...event, status: 'cancelled' as const }, next: usual.next };
  expect(formatListUncertainty([usual, cancelled], 'en', true)).toBe(
    'Nothing today is confirmed by its organizer: call first.',
  );
  expect(formatListUncertainty([usual, unknown_hour], 'en', true)).toBe(
    'Some dates are not confirmed: call first.',
  );
  expect(formatListUncertainty([unknown_hour, cancelled], 'en', true)).toBeNull();
});

describe('an old rule', () => {
  const when = THURSDAYS.replace('2026', '2023');
  const OLD = { when, source: 'published: 2023-05-01, checked: 2026-11-20' };
  test('has no upcoming dates, only its former recurrence with the year of the source', () => {
    const { certainty, upcoming, advice } = readOn('2026-11-20', OLD);
    expect([certainty, upcoming]).toEqual(['last_known', []]);
    expect(advice).toEqual([
      'Solía ser los jueves a las 16:00 (dato de 2023); confírmalo antes de ir.',
      'It used to be Thursdays at 4 p.m. (as of 2023); check before you go.',
    ]);
  });
  test('publishes no past date as one that took place, only dates that a source names', () => {
    expect(readOn('2026-11-20', OLD).days).toEqual([]);
    const confirmed = { ...OLD, when: `${OLD.when}, confirmed: [2023-04-06]` };
    expect(readOn('2026-11-20', confirmed).days).toEqual(['2023-04-06']);
  });
  test('that ended while its source was recent keeps its dates', () => {
    const when = `${OLD.when}, until: 2023-06-30`;
    const { certainty, advice, days } = readOn('2026-11-20', { ...OLD, when });
    expect([certainty, advice]).toEqual(['confirmed', [null, null]]);
    expect(days.at(-1)).toBe('2023-06-29');
  });
  test.each([
    [
      'outdated by its end',
      OLD,
      { until: '2026-11-19' },
      ['Último dato: 2023.', 'Last word: 2023.'],
    ],
    [
      'of low confidence',
      { when, more: { confidence: 'low' } },
      { until: '2026-11-19' },
      ['No tenemos ninguna fecha confirmada.', 'We have no confirmed dates.'],
    ],
  ])(
    'that ended, %s, has no dates, only the year of its last source',
    (_, draft, { until }, words) => {
      const ended = { ...draft, when: `${draft.when}, until: ${until}` };
      const { event, certainty, days } = readOn('2026-11-20', ended);
      expect([certainty, days]).toEqual(['confirmed', []]);
      // The loading of a snapshot lowers the certainty.
      const loaded = { ...event, certainty: 'last_known' } as const;
      const detail = { event: loaded, is_past: false, occurrences: [] };
      expect(LANGS.map((lang) => formatPastDateNote(detail, lang))).toEqual(words);
    },
  );
  test('results from time alone: half a year later the same file has no dates', () => {
    // A status of a day that is no longer supported does not stop a release.
    const more = { changes: '[{ date: 2027-08-05, status: cancelled }]' };
    expect(readOn('2026-11-20', { when: THURSDAYS, more }).upcoming.length).toBeGreaterThan(20);
    const { certainty, upcoming, days } = readOn('2027-05-20', { when: THURSDAYS, more });
    expect([certainty, upcoming, days]).toEqual(['last_known', [], []]);
  });
});

describe('a venue', () => {
  const venueOn = (day: string) => {
    const { venues } = content.read(EMPTY_LEDGER, localMs(`${day}T12:00:00`));
    const venue = venues.find(({ name }) => name === 'Malecón Inventado');
    if (!venue) throw new Error('no such venue');
    return venue;
  };
  test('with sources older than 13 months has only weekdays, without times and prices', () => {
    const [earlier, later] = [venueOn('2027-11-25'), venueOn('2027-11-26')];
    expect([earlier.hours?.rules[0]?.open, earlier.admission.length]).toEqual(['09:00', 3]);
    const days = ['tu', 'we', 'th', 'fr', 'sa', 'su'];
    expect(later.hours?.rules[0]).toMatchObject({ days, open: null, last_entry: null });
    expect([later.hours?.free, later.admission]).toEqual([[], []]);
  });
  // The newest source of the venue is of 25 October 2026.
  test.each([
    ['2027-01-23', 'confirmed', null],
    ['2027-01-24', 'usual', 'Precios de octubre de 2026; confírmalos.'],
    ['2027-11-26', null, null],
  ])('on %s has admission with certainty %s', (day, certainty, advice) => {
    const venue = venueOn(day);
    expect(venue.admission_certainty).toBe(certainty);
    expect(formatAdmissionAdvice(venue, 'es')).toBe(advice);
    if (advice !== null)
      expect(formatAdmissionWithAge(venue, 'en').at(-1)).toBe(
        'Prices as of October 2026; check them.',
      );
  });
});
