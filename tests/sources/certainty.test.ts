// How well the dates of a file are known, through the whole of the sources, and how that falls by
// itself while nobody edits anything.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toCancunDay, toDayNumber } from '../../src/domain/cancun-time.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { toConfirmedMark, toConfirmSentence, toListDoubt } from '../../src/i18n/fact-words.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { at, FIXTURE_DIR } from '../fixtures/fixture.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-certainty-'));
  cpSync(FIXTURE_DIR, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Draft {
  readonly when: string;
  readonly source?: string;
  readonly confidence?: string;
  readonly more?: string;
}

/** The event of a file as it is on a day, with the days that are ahead. */
function readOn(day: string, { when, source, confidence = 'medium', more = '' }: Draft) {
  writeFileSync(
    join(folder, 'events', 'charla.yml'),
    `title: { es: Charla, en: Talk }
summary: { es: Una charla., en: A talk. }
category: culture
price: free
when:
  - { ${when} }
sources: [{ name: Prueba, ${source ?? 'checked: 2026-11-20'} }]
confidence: ${confidence}
${more}`,
  );
  const now_ms = at(`${day}T12:00:00`);
  const { events, occurrences } = readDataset(folder, EMPTY_LEDGER, now_ms);
  const event = events.find(({ slug }) => slug.es === 'charla');
  const own = occurrences.filter((occurrence) => occurrence.event === event?.id);
  return {
    event,
    own,
    today: toDayNumber(toCancunDay(now_ms)),
    ahead: own.filter(({ end_ms }) => end_ms > now_ms).map(({ start }) => start.slice(0, 10)),
    words: event ? [toConfirmSentence(event, 'es'), toConfirmSentence(event, 'en')] : [],
  };
}

const THURSDAYS = 'rrule: FREQ=WEEKLY;BYDAY=TH, since: 2026-01-01, start: "16:00"';

describe('a date', () => {
  test('that a source lists is confirmed and asks nothing of the reader', () => {
    const { event, own, words } = readOn('2026-11-20', {
      when: 'dates: [2026-12-01], start: "18:00"',
    });
    expect([event?.certainty, own[0]?.certainty, words]).toEqual([
      'confirmed',
      'confirmed',
      [null, null],
    ]);
  });

  test('of a rule is usual, and the reader is asked to check', () => {
    const { event, own, words } = readOn('2026-11-20', { when: THURSDAYS });
    expect([event?.certainty, own.at(-1)?.certainty]).toEqual(['usual', 'usual']);
    expect(words).toEqual([
      'Suele ser así; confírmalo antes de ir.',
      'It’s usually like this; check before you go.',
    ]);
  });

  test('of a rule that a source names is confirmed among usual ones', () => {
    const { own } = readOn('2026-11-20', { when: `${THURSDAYS}, confirmed: [2026-12-03]` });
    const known = new Map(own.map(({ start, certainty }) => [start.slice(0, 10), certainty]));
    expect([known.get('2026-11-26'), known.get('2026-12-03')]).toEqual(['usual', 'confirmed']);
  });

  test('of low confidence is usual at best and no further than thirty days ahead', () => {
    const { ahead } = readOn('2026-11-20', { when: THURSDAYS, confidence: 'low' });
    expect([ahead[0], ahead.at(-1)]).toEqual(['2026-11-26', '2026-12-17']);
  });
});

describe('a list', () => {
  const CONFIRMED = 'dates: [2026-12-01], start: "18:00"';
  const ASKS = 'confirm: { es: Confirma la hora., en: Check the time. }\n';
  test.each([
    [CONFIRMED, '', '✓ confirmado', null, null],
    [CONFIRMED, ASKS, null, null, 'Confirma la hora.'],
    ['dates: [2026-12-01], hour: unknown', '', null, null, null],
    [CONFIRMED, 'status: cancelled\n', null, null, null],
    [THURSDAYS, '', null, 'Suele ser así: confírmalo antes de ir.', null],
    [THURSDAYS, ASKS, null, 'Suele ser así: confírmalo antes de ir.', 'Confirma la hora.'],
  ])(
    'of what is %s, %j: marked %j, at its head %j, of itself %j',
    (when, more, mark, head, own) => {
      const read = readOn('2026-11-20', { when, more });
      if (!read.event) throw new Error('charla is not there');
      const next = read.own.find(({ first_day }) => first_day > read.today) ?? null;
      const card = { event: read.event, next };
      expect(toConfirmedMark(card, 'es')).toBe(mark);
      expect(toListDoubt([card], 'es')).toBe(head);
      expect(toConfirmSentence(read.event, 'es', true)).toBe(own);
    },
  );
  test('says it once, of the date that it shows', () => {
    const { event, own, today } = readOn('2026-11-20', {
      when: `${THURSDAYS}, confirmed: [2026-12-03]`,
    });
    if (!event) throw new Error('charla is not there');
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
  const OLD = {
    when: THURSDAYS.replace('2026', '2023'),
    source: 'published: 2023-05-01, checked: 2026-11-20',
  };
  test('says no date ahead, only how it was and as of when', () => {
    const { event, ahead, words } = readOn('2026-11-20', OLD);
    expect([event?.certainty, ahead]).toEqual(['last_known', []]);
    expect(words).toEqual([
      'Solía ser los jueves a las 16:00 (dato de 2023); confírmalo antes de ir.',
      'It used to be Thursdays at 4 p.m. (as of 2023); check before you go.',
    ]);
  });

  test('says no date that it would begin with either, where others of its event are known', () => {
    const NEXT = 'rrule: FREQ=YEARLY;BYMONTH=5;BYDAY=3SA, since: 2027-05-15';
    const { event, own } = readOn('2026-11-20', {
      when: `dates: [2025-05-17] }\n  - { ${NEXT}`,
      source: 'published: 2025-05-17, checked: 2026-11-20',
    });
    expect(event?.certainty).toBe('last_known');
    expect(own.map(({ start }) => start.slice(0, 10))).toEqual(['2025-05-17']);
  });

  test('that is over says nothing of what it used to be', () => {
    const { event, words } = readOn('2026-11-20', {
      ...OLD,
      when: `${OLD.when}, until: 2023-12-31`,
    });
    expect([event?.certainty, words]).toEqual(['confirmed', [null, null]]);
  });

  test('came to be so by itself: half a year on, nothing edited, the agenda says less', () => {
    const fresh = readOn('2026-11-20', { when: THURSDAYS });
    expect(fresh.ahead.length).toBeGreaterThan(20);
    const later = readOn('2027-05-20', { when: THURSDAYS });
    expect([later.event?.certainty, later.ahead]).toEqual(['last_known', []]);
    expect(later.own.at(-1)?.start.slice(0, 10)).toBe('2027-05-13');
  });
});

test('a yearly rule that has run out is not said of its next year, whatever came before', () => {
  const when =
    'dates: [2024-08-05] }\n  - { rrule: FREQ=YEARLY;BYMONTH=8;BYMONTHDAY=5, since: 2026-08-05';
  const source = 'published: 2024-07-01, checked: 2026-11-20';
  const { own, ahead, event } = readOn('2027-05-21', { when, source, more: 'shelf: annual' });
  expect([event?.certainty, ahead]).toEqual(['last_known', []]);
  expect(own.map(({ start }) => start.slice(0, 10))).toEqual(['2024-08-05']);
});

test('a change of a day that is not said any more stops no release', () => {
  const more = 'changes: [{ date: 2027-08-05, status: cancelled }]';
  expect(() => readOn('2027-05-21', { when: THURSDAYS, more })).not.toThrow();
});

describe('an hour that nobody knows', () => {
  const UNKNOWN = { when: 'dates: [2026-12-01], hour: unknown' };
  test('is all day on the wire, and not known', () => {
    const [only] = readOn('2026-11-20', UNKNOWN).own;
    expect(only).toMatchObject({
      start: '2026-12-01T00:00:00-05:00',
      end: '2026-12-02T00:00:00-05:00',
      all_day: true,
      time_known: false,
      end_known: false,
    });
  });

  test('stands after what has an hour on that day, and after what lasts all day', () => {
    const { own } = readOn('2026-11-20', UNKNOWN);
    expect(own[0]?.start_ms).toBeGreaterThan(at('2026-12-01T23:00:00'));
  });
});

describe('refused with file, line and field', () => {
  test.each([
    [
      'a source from the future',
      { when: THURSDAYS, source: 'checked: 2026-12-24' },
      /charla\.yml:\d+ sources\[0\]\.checked: 2026-12-24 is in the future/,
    ],
    [
      'a start beside an unknown hour',
      { when: 'dates: [2026-12-01], hour: unknown, start: "18:00"' },
      /charla\.yml:\d+ when\[0\]: has a start, so its hour is known/,
    ],
    [
      'an hour in words',
      { when: 'dates: [2026-12-01], hour: later' },
      /charla\.yml:\d+ when\[0\]\.hour: must be unknown/,
    ],
    [
      'a note that says no more than the unknown hour',
      {
        when: 'dates: [2026-12-01], hour: unknown, note: { es: Horario por confirmar., en: Time to be confirmed. }',
      },
      /charla\.yml:\d+ when\[0\]\.note: says only that the hour is not known/,
    ],
    [
      'an hour that is none',
      { when: 'dates: [2026-12-01], start: "25:00"' },
      /charla\.yml:\d+ when\[0\]\.start: must be a time from 00:00 to 23:59/,
    ],
    [
      'a source that comes out tomorrow week',
      { when: THURSDAYS, source: 'published: 2026-11-28, checked: 2026-11-20' },
      /charla\.yml:\d+ sources\[0\]\.published: 2026-11-28 is in the future/,
    ],
    [
      'a shelf that is none',
      { when: THURSDAYS, more: 'shelf: forever' },
      /charla\.yml:\d+ shelf: must be one of club, price, weekly, annual, feast/,
    ],
  ])('%s', (_, draft, message) => {
    expect(() => readOn('2026-11-20', draft)).toThrow(message);
  });

  test('a price upside down', () => {
    const draft = { when: THURSDAYS, more: '' };
    expect(() => readOn('2026-11-20', draft)).not.toThrow();
    writeFileSync(
      join(folder, 'events', 'cara.yml'),
      `title: { es: Cara, en: Dear }
summary: { es: Una., en: One. }
category: culture
price: { min: 900, max: 350 }
when: [{ dates: [2026-12-01] }]
sources: [{ checked: 2026-11-20 }]
confidence: medium
`,
    );
    expect(() => readDataset(folder, EMPTY_LEDGER, at('2026-11-20T12:00:00'))).toThrow(
      /cara\.yml:4 price\.min: is above max: swap them/,
    );
  });
});
