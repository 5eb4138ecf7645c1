// How well the dates of a file are known, and how that falls by itself while nobody edits anything.
import { describe, expect, test } from 'vitest';
import { toLocalDay, toDayNumber } from '../../src/domain/local-time.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import {
  formatConfirmedMark,
  formatConfirmAdvice,
  formatListUncertainty,
} from '../../src/i18n/format-facts.ts';
import {
  formatAdmissionAdvice,
  formatAdmissionWithAge,
} from '../../src/i18n/format-opening-hours.ts';
import { useContentFolder } from '../fixtures/content-folder.ts';
import { at } from '../fixtures/fixture.ts';

const content = useContentFolder({ is_empty: true });

interface Draft {
  readonly when: string;
  readonly source?: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** The event of a file as it is on a day, with the dates that are ahead. */
function readOn(day: string, { when, source = 'checked: 2026-11-20', more = {} }: Draft) {
  const fields = { when: `[{ ${when} }]`, sources: `[{ name: Prueba, ${source} }]` };
  const text = { ...fields, confidence: 'medium', ...more };
  const { event, occurrences } = content.readEvent(text, day);
  const now_ms = at(`${day}T12:00:00`);
  const today = toDayNumber(toLocalDay(now_ms));
  return {
    event,
    certainty: event.certainty,
    own: occurrences,
    days: occurrences.map(({ start }) => start.slice(0, 10)),
    later: occurrences.filter(({ first_day }) => first_day > today),
    ahead: occurrences
      .filter(({ end_ms }) => end_ms > now_ms)
      .map(({ start }) => start.slice(0, 10)),
    words: LANGS.map((lang) => formatConfirmAdvice(event, lang)),
  };
}

const THURSDAYS = 'rrule: FREQ=WEEKLY;BYDAY=TH, since: 2026-01-01, start: "16:00"';
const LISTED = 'dates: [2026-12-01], start: "18:00"';
const HOURLESS = 'dates: [2026-12-01], hour: unknown';
const ONE_CONFIRMED = `${THURSDAYS}, confirmed: [2026-12-03]`;

describe('a date', () => {
  test('that a source lists is confirmed; one of a rule is usual, and says so', () => {
    const listed = readOn('2026-11-20', { when: LISTED });
    expect([listed.certainty, listed.own[0]?.certainty]).toEqual(['confirmed', 'confirmed']);
    expect(listed.words).toEqual([null, null]);
    const rule = readOn('2026-11-20', { when: THURSDAYS });
    expect([rule.certainty, rule.own.at(-1)?.certainty]).toEqual(['usual', 'usual']);
    expect(rule.words[0]).toBe('Sin confirmar para esta fecha; pregunta antes de ir.');
  });
  test('of low confidence is usual at best and no further than thirty days ahead', () => {
    const { ahead } = readOn('2026-11-20', { when: THURSDAYS, more: { confidence: 'low' } });
    expect([ahead[0], ahead.at(-1)]).toEqual(['2026-11-26', '2026-12-17']);
  });
  test('at an hour that nobody knows is all day on the wire, after what has an hour', () => {
    const [date] = readOn('2026-11-20', { when: HOURLESS }).own;
    expect(date).toMatchObject({ all_day: true, time_known: false, end_known: false });
    expect(date?.start).toBe('2026-12-01T00:00:00-05:00');
    expect(date?.start_ms).toBeGreaterThan(at('2026-12-01T23:00:00'));
  });
});

describe('a list', () => {
  const ASKS = { confirm: '{ es: Confirma la hora., en: Check the time. }' };
  const USUAL = 'Sin confirmar: verifica antes de ir.';
  test.each([
    [LISTED, {}, '✓ confirmado', null, null],
    [LISTED, ASKS, null, null, 'Confirma la hora.'],
    [LISTED, { status: 'cancelled' }, null, null, null],
    [THURSDAYS, {}, null, USUAL, null],
  ])('of %s, %j, is marked %j, at its head %j, and says %j', (when, more, mark, head, said) => {
    const { event, later } = readOn('2026-11-20', { when, more });
    const card = { event, next: later[0] ?? null };
    const words = [formatConfirmedMark(card, 'es'), formatListUncertainty([card], 'es')];
    expect([...words, formatConfirmAdvice(event, 'es', true)]).toEqual([mark, head, said]);
  });
  test('marks the date that is confirmed, and says the rest once', () => {
    const { event, later } = readOn('2026-11-20', { when: ONE_CONFIRMED });
    const cards = later.map((next) => ({ event, next }));
    const marked = cards.filter((card) => formatConfirmedMark(card, 'en') !== null);
    expect(marked.map(({ next }) => next.start.slice(0, 10))).toEqual(['2026-12-03']);
    expect(formatListUncertainty(cards, 'en')).toContain('✓ confirmed; the rest is not confirmed');
  });
});

describe('an old rule', () => {
  const when = THURSDAYS.replace('2026', '2023');
  const OLD = { when, source: 'published: 2023-05-01, checked: 2026-11-20' };
  test('says no date ahead, only how it was and as of when', () => {
    const { certainty, ahead, words } = readOn('2026-11-20', OLD);
    expect([certainty, ahead]).toEqual(['last_known', []]);
    expect(words).toEqual([
      'Solía ser los jueves a las 16:00 (dato de 2023); confírmalo antes de ir.',
      'It used to be Thursdays at 4 p.m. (as of 2023); check before you go.',
    ]);
  });
  test('that is over says nothing of what it used to be', () => {
    const when = `${OLD.when}, until: 2023-12-31`;
    const { certainty, words } = readOn('2026-11-20', { ...OLD, when });
    expect([certainty, words]).toEqual(['confirmed', [null, null]]);
  });
  test('came to be so by itself: half a year on, nothing edited, the agenda says less', () => {
    // A change of a day that is not said any more stops no release.
    const more = { changes: '[{ date: 2027-08-05, status: cancelled }]' };
    expect(readOn('2026-11-20', { when: THURSDAYS, more }).ahead.length).toBeGreaterThan(20);
    const { certainty, ahead, days } = readOn('2027-05-20', { when: THURSDAYS, more });
    expect([certainty, ahead, days.at(-1)]).toEqual(['last_known', [], '2027-05-13']);
  });
});

describe('of a place', () => {
  const placeOn = (day: string) => {
    const { venues } = content.read(EMPTY_LEDGER, at(`${day}T12:00:00`));
    const place = venues.find(({ name }) => name === 'Malecón Inventado');
    if (!place) throw new Error('no such place');
    return place;
  };
  test('hours older than 13 months leave only the days of the week, and prices nothing', () => {
    const [then, later] = [placeOn('2027-11-25'), placeOn('2027-11-26')];
    expect([then.hours?.rules[0]?.open, then.admission.length]).toEqual(['09:00', 3]);
    const days = ['tu', 'we', 'th', 'fr', 'sa', 'su'];
    expect(later.hours?.rules[0]).toMatchObject({ days, open: null, last_entry: null });
    expect([later.hours?.free, later.admission]).toEqual([[], []]);
  });
  // Its newest source is of 25 October 2026.
  test.each([
    ['2027-01-23', 'confirmed', null],
    ['2027-01-24', 'usual', 'Precios de octubre de 2026; confírmalos.'],
    ['2027-11-26', null, null],
  ])('what entering costs is on %s %s', (day, certainty, words) => {
    const place = placeOn(day);
    expect(place.admission_certainty).toBe(certainty);
    expect(formatAdmissionAdvice(place, 'es')).toBe(words);
    if (words !== null)
      expect(formatAdmissionWithAge(place, 'en').at(-1)).toBe(
        'Prices as of October 2026; check them.',
      );
  });
});
