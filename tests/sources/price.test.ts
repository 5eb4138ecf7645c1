// Event prices: tests the range, certainty and text of a price from its content file.
import { describe, expect, test } from 'vitest';
import { listFreeVisitorsOf } from '../../src/domain/event/event.ts';
import { LANGS } from '../../src/domain/lang.ts';
import {
  formatPriceAdvice,
  formatPrice,
  formatPriceWithAdvice,
  formatShortPrice,
} from '../../src/i18n/format-price.ts';
import { useContentFolder } from '../fixtures/content-folder.ts';

const content = useContentFolder({ is_empty: true });

const LATER = 'dates: [2027-12-04], start: "20:00"';

function readPrice(price: string, when = LATER, source = 'checked: 2026-11-20') {
  const sources = `[{ name: Prueba, ${source} }]`;
  return content.readEvent({ price, when: `[{ ${when} }]`, sources }).event.price;
}
const visitors = (...list: readonly string[]): string =>
  `{ visitors: [${list.map((fields) => `{ visitor: ${fields} }`).join(', ')}] }`;

describe('prices by kind of visitor', () => {
  test('give the range of paying visitors, and keep their order and notes', () => {
    const noted = 'foreign, amount: 210, note: { es: en taquilla, en: at the door }';
    const price = readPrice(visitors('child, amount: 0', 'national, amount: 105', noted));
    expect(price).toMatchObject({ is_free: false, min: 105, max: 210, currency: 'MXN' });
    expect(price.visitors.map(({ visitor }) => visitor)).toEqual(['child', 'national', 'foreign']);
    expect(price.visitors[2]?.note?.en).toBe('at the door');
    expect(formatPrice(price, 'es')).toBe('De $105 a $210 MXN; gratis para niñas y niños');
  });
  test.each([
    ['everyone, amount: 0', { is_free: true, min: 0, max: 0 }],
    ['adult, amount: 20, currency: USD', { min: 20, max: 20, currency: 'USD' }],
  ])('are free if all amounts are 0, and keep their currency: %s', (visitor, price) => {
    expect(readPrice(visitors(visitor))).toMatchObject(price);
  });
});

test.each([
  [
    ['national, amount: 0', 'resident, amount: 0', 'foreign, amount: 210'],
    ['national', 'resident'],
    'Gratis para nacionales y residentes; visitantes $210 MXN',
    'Free for Mexicans and residents; visitors pay $210 MXN',
  ],
  [
    ['resident, amount: 0', 'national, amount: 105', 'foreign, amount: 210'],
    ['resident'],
    'Gratis para residentes; los demás de $105 a $210 MXN',
    'Free for residents; others pay $105 to $210 MXN',
  ],
  [
    [
      'adult, amount: 90',
      'student, amount: 0, note: { es: con credencial, en: with a card }',
      'senior, amount: 0, note: { es: con credencial, en: with a card }',
    ],
    ['student', 'senior'],
    '$90 MXN; gratis para estudiantes y adultos mayores (con credencial)',
    '$90 MXN; free for students and seniors (with a card)',
  ],
  // The price of the others is unknown: not free for everyone.
  [
    ['national, amount: 0', 'resident, amount: 0'],
    ['national', 'resident'],
    'Gratis para nacionales y residentes',
    'Free for Mexicans and residents',
  ],
  [['national, amount: 0', 'foreign, amount: 0'], ['everyone'], 'Gratis', 'Free'],
  [['everyone, amount: 50'], [], '$50 MXN', '$50 MXN'],
])('%j are free for %j', (list, free_for, es, en) => {
  const price = readPrice(visitors(...list));
  expect(listFreeVisitorsOf(price)).toEqual(free_for);
  expect(price.is_free).toBe(free_for.includes('everyone'));
  expect(LANGS.map((lang) => formatPrice(price, lang))).toEqual([es, en]);
});

describe('a price', () => {
  const MARCH = 'published: 2026-03-14, checked: 2026-11-20';
  test('with an older source stays with its date and advice, in a list only with its date', () => {
    const price = readPrice('{ min: 180, max: 180 }', LATER, MARCH);
    expect(formatPriceAdvice(price, 'en')).toBe('price as of March 2026; check it');
    expect([false, true].map((is_brief) => formatPriceWithAdvice(price, 'es', is_brief))).toEqual([
      '$180 MXN (precio de marzo de 2026; confírmalo)',
      '$180 MXN (de marzo de 2026)',
    ]);
  });
  const THURSDAYS = 'rrule: FREQ=WEEKLY;BYDAY=TH, since: 2023-01-05';
  test.each([
    ['of a past event stays confirmed', '{ min: 180 }', 'dates: [2026-04-11]', 'confirmed'],
    [
      'of an ongoing event goes out of date',
      '{ min: 180 }',
      'dates: [2026-10-01], days: 90',
      'last_known',
    ],
    ['that is free is as certain as the event', 'free', THURSDAYS, 'last_known'],
    ['that is unknown has no certainty', 'unknown', LATER, null],
    ['as a note has no certainty', '{ note: { es: De paga, en: Paid } }', LATER, null],
  ])('%s', (_, text, when, certainty) => {
    const price = readPrice(text, when, MARCH);
    expect(price.certainty).toBe(certainty);
    if (text === 'free') expect(formatPriceAdvice(price, 'es')).toBeNull();
  });
});

test.each([
  [
    visitors('national, amount: 0', 'resident, amount: 0', 'foreign, amount: 210'),
    'Gratis para nacionales y residentes; visitantes $210 MXN',
    'Free for Mexicans and residents; visitors pay $210 MXN',
  ],
  [
    visitors('child, amount: 0', 'adult, amount: 210'),
    '$210 MXN; gratis para niñas y niños',
    '$210 MXN; free for children',
  ],
  ['free', 'Gratis', 'Free'],
  ['{ min: 0, max: 0, note: { es: Cupo limitado, en: Limited space } }', 'Gratis', 'Free'],
  ['{ min: 0 }', 'Precio por confirmar', 'Price not confirmed'],
  ['{ note: { es: De paga; pregunta, en: "1,200 pesos, in cash" } }', 'De paga', '1,200 pesos'],
  ['{ min: 0, note: { es: Es gratis; pagas la cena, en: Free } }', 'Pagas la cena', 'Free'],
  ['{ note: { es: Cooperación voluntaria al parque, en: x } }', 'Cooperación voluntaria al…', 'X'],
  ['unknown', 'Precio por confirmar', 'Price not confirmed'],
])('formatShortPrice formats %s', (text, es, en) => {
  const price = readPrice(text);
  expect(LANGS.map((lang) => formatShortPrice(price, lang))).toEqual([es, en]);
});
