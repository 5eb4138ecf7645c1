// How well the dates of a file are known, through the whole of the sources, and how that falls by
// itself while nobody edits anything.
import { describe, expect, test } from 'vitest';
import { toCancunDay, toDayNumber } from '../../src/domain/cancun-time.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { toAdmissionConfirm, toPricedLines } from '../../src/i18n/opening.ts';
import { toConfirmedMark, toConfirmSentence, toListDoubt } from '../../src/i18n/fact-words.ts';
import { useContentFolder } from '../fixtures/content-folder.ts';
import { at } from '../fixtures/fixture.ts';

const content = useContentFolder();

interface Draft {
  readonly when: string;
  readonly source?: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** The event of a file as it is on a day, with the days that are ahead. */
function readOn(day: string, { when, source = 'checked: 2026-11-20', more = {} }: Draft) {
  const fields = { when: `[{ ${when} }]`, sources: `[{ name: Prueba, ${source} }]` };
  const { event, occurrences: own } = content.readEvent(
    { ...fields, confidence: 'medium', ...more },
    day,
  );
  const now_ms = at(`${day}T12:00:00`);
  return {
    event,
    own,
    days: own.map(({ start }) => start.slice(0, 10)),
    today: toDayNumber(toCancunDay(now_ms)),
    ahead: own.filter(({ end_ms }) => end_ms > now_ms).map(({ start }) => start.slice(0, 10)),
    words: [toConfirmSentence(event, 'es'), toConfirmSentence(event, 'en')],
  };
}

const THURSDAYS = 'rrule: FREQ=WEEKLY;BYDAY=TH, since: 2026-01-01, start: "16:00"';
const LISTED = 'dates: [2026-12-01], start: "18:00"';
const LONG_AGO = 'published: 2023-05-01, checked: 2026-11-20';

describe('a date', () => {
  test.each([
    ['that a source lists', LISTED, 'confirmed', null, null],
    [
      'of a rule',
      THURSDAYS,
      'usual',
      'Suele ser así; confírmalo antes de ir.',
      'It’s usually like this; check before you go.',
    ],
  ])('%s: %s', (_, when, certainty, es, en) => {
    const { event, own, words } = readOn('2026-11-20', { when });
    expect([event.certainty, own.at(-1)?.certainty]).toEqual([certainty, certainty]);
    expect(words).toEqual([es, en]);
  });
  test('of a rule that a source names is confirmed among usual ones', () => {
    const { own } = readOn('2026-11-20', { when: `${THURSDAYS}, confirmed: [2026-12-03]` });
    const known = new Map(own.map(({ start, certainty }) => [start.slice(0, 10), certainty]));
    expect([known.get('2026-11-26'), known.get('2026-12-03')]).toEqual(['usual', 'confirmed']);
  });
  test('of low confidence is usual at best and no further than thirty days ahead', () => {
    const { ahead } = readOn('2026-11-20', { when: THURSDAYS, more: { confidence: 'low' } });
    expect([ahead[0], ahead.at(-1)]).toEqual(['2026-11-26', '2026-12-17']);
  });
  test('at an hour that nobody knows is all day on the wire, after what has an hour', () => {
    const { own } = readOn('2026-11-20', { when: 'dates: [2026-12-01], hour: unknown' });
    expect(own[0]).toMatchObject({
      start: '2026-12-01T00:00:00-05:00',
      end: '2026-12-02T00:00:00-05:00',
      all_day: true,
      time_known: false,
      end_known: false,
    });
    expect(own[0]?.start_ms).toBeGreaterThan(at('2026-12-01T23:00:00'));
  });
});

describe('a list', () => {
  const ASKS = { confirm: '{ es: Confirma la hora., en: Check the time. }' };
  const USUAL = 'Suele ser así: confírmalo antes de ir.';
  test.each([
    [LISTED, {}, '✓ confirmado', null, null],
    [LISTED, ASKS, null, null, 'Confirma la hora.'],
    ['dates: [2026-12-01], hour: unknown', {}, null, null, null],
    [LISTED, { status: 'cancelled' }, null, null, null],
    [THURSDAYS, {}, null, USUAL, null],
    [THURSDAYS, ASKS, null, USUAL, 'Confirma la hora.'],
  ])(
    'of what is %s, %j: marked %j, at its head %j, of itself %j',
    (when, more, mark, head, said) => {
      const { event, own, today } = readOn('2026-11-20', { when, more });
      const card = { event, next: own.find(({ first_day }) => first_day > today) ?? null };
      expect(toConfirmedMark(card, 'es')).toBe(mark);
      expect(toListDoubt([card], 'es')).toBe(head);
      expect(toConfirmSentence(event, 'es', true)).toBe(said);
    },
  );
  test('says it once, of the date that it shows', () => {
    const { event, own, today } = readOn('2026-11-20', {
      when: `${THURSDAYS}, confirmed: [2026-12-03]`,
    });
    const ahead = own.filter(({ first_day }) => first_day > today);
    const cards = ahead.map((next) => ({ event, next }));
    const marks = cards.filter((card) => toConfirmedMark(card, 'en') !== null);
    expect(marks.map(({ next }) => next.start.slice(0, 10))).toEqual(['2026-12-03']);
    expect(toListDoubt(cards, 'en')).toBe(
      '✓ confirmed; all else is usually like this: check first.',
    );
  });
});

describe('an old rule', () => {
  const OLD = { when: THURSDAYS.replace('2026', '2023'), source: LONG_AGO };
  test('says no date ahead, only how it was and as of when', () => {
    const { event, ahead, words } = readOn('2026-11-20', OLD);
    expect([event.certainty, ahead]).toEqual(['last_known', []]);
    expect(words).toEqual([
      'Solía ser los jueves a las 16:00 (dato de 2023); confírmalo antes de ir.',
      'It used to be Thursdays at 4 p.m. (as of 2023); check before you go.',
    ]);
  });
  test.each([
    // It would begin with a date to come, where others of its event are known.
    [
      '2026-11-20',
      'dates: [2025-05-17] }, { rrule: FREQ=YEARLY;BYMONTH=5;BYDAY=3SA, since: 2027-05-15',
      'published: 2025-05-17, checked: 2026-11-20',
      '2025-05-17',
    ],
    // It has run out, whatever came before.
    [
      '2027-05-21',
      'dates: [2024-08-05] }, { rrule: FREQ=YEARLY;BYMONTH=8;BYMONTHDAY=5, since: 2026-08-05',
      'published: 2024-07-01, checked: 2026-11-20',
      '2024-08-05',
    ],
  ])('of every year says on %s nothing of its next: %s', (today, when, source, day) => {
    const { event, days } = readOn(today, { when, source, more: { shelf: 'annual' } });
    expect([event.certainty, days]).toEqual(['last_known', [day]]);
  });
  test('that is over says nothing of what it used to be', () => {
    const when = `${OLD.when}, until: 2023-12-31`;
    const { event, words } = readOn('2026-11-20', { ...OLD, when });
    expect([event.certainty, words]).toEqual(['confirmed', [null, null]]);
  });
  test('came to be so by itself: half a year on, nothing edited, the agenda says less', () => {
    const fresh = readOn('2026-11-20', { when: THURSDAYS });
    expect(fresh.ahead.length).toBeGreaterThan(20);
    const later = readOn('2027-05-20', { when: THURSDAYS });
    expect([later.event.certainty, later.ahead]).toEqual(['last_known', []]);
    expect(later.days.at(-1)).toBe('2027-05-13');
  });
  test('with a change of a day that is not said any more stops no release', () => {
    const more = { changes: '[{ date: 2027-08-05, status: cancelled }]' };
    expect(() => readOn('2027-05-21', { when: THURSDAYS, more })).not.toThrow();
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
    expect(later.hours?.rules[0]).toMatchObject({
      days: ['tu', 'we', 'th', 'fr', 'sa', 'su'],
      open: null,
      close: null,
      last_entry: null,
    });
    expect([later.hours?.free, later.admission]).toEqual([[], []]);
  });
  // Its newest source is of 25 October 2026.
  test.each([
    ['2027-01-23', 'confirmed', null],
    ['2027-01-24', 'usual', 'Precios de octubre de 2026; confírmalos.'],
    ['2027-04-24', 'last_known', 'Precios de octubre de 2026; confírmalos.'],
    ['2027-11-26', null, null],
  ])('what entering costs is on %s %s', (day, certainty, words) => {
    const place = placeOn(day);
    expect([place.admission_certainty, toAdmissionConfirm(place, 'es')]).toEqual([
      certainty,
      words,
    ]);
    if (words !== null)
      expect(toPricedLines(place, 'en').at(-1)).toBe('Prices as of October 2026; check them.');
  });
});
