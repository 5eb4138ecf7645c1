// What an event costs, from its file on: by kind of visitor, how well it is known, and what is
// refused where it stands.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { toPriceConfirm, toPriceText, toPriceValue, toShortPrice } from '../../src/i18n/price.ts';
import { readDataset } from '../../src/sources/read-dataset.ts';
import { at, FIXTURE_DIR } from '../fixtures/fixture.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoy-price-'));
  cpSync(FIXTURE_DIR, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Draft {
  readonly when?: string;
  readonly source?: string;
  readonly day?: string;
}

/** The price of an event with such a field; it stands on line 5. */
function readPrice(price: string, draft: Draft = {}) {
  const { when = 'dates: [2027-12-04], start: "20:00"', source = 'checked: 2026-11-20' } = draft;
  writeFileSync(
    join(folder, 'events', 'cena.yml'),
    `title: { es: Cena, en: Dinner }
summary: { es: Una cena., en: A dinner. }
category: food
when: [{ ${when} }]
price: ${price}
sources: [{ name: Prueba, ${source} }]
confidence: medium
`,
  );
  const now_ms = at(`${draft.day ?? '2026-11-20'}T12:00:00`);
  const { events } = readDataset(folder, EMPTY_LEDGER, now_ms);
  const event = events.find(({ slug }) => slug.es === 'cena');
  if (!event) throw new Error('cena is not there');
  return event.price;
}

describe('prices by kind of visitor', () => {
  test('give the range of those who pay, and are kept in order with their notes', () => {
    const price = readPrice(
      '{ visitors: [{ visitor: child, amount: 0 }, { visitor: national, amount: 105 }, { visitor: foreign, amount: 210, note: { es: en taquilla, en: at the door } }] }',
    );
    expect(price).toEqual({
      is_free: false,
      min: 105,
      max: 210,
      currency: 'MXN',
      note: null,
      visitors: [
        { visitor: 'child', amount: 0, currency: 'MXN', note: null },
        { visitor: 'national', amount: 105, currency: 'MXN', note: null },
        {
          visitor: 'foreign',
          amount: 210,
          currency: 'MXN',
          note: { es: 'en taquilla', en: 'at the door' },
        },
      ],
      certainty: 'confirmed',
      as_of: null,
    });
    expect([toPriceText(price, 'es'), toPriceText(price, 'en')]).toEqual([
      'De $105 a $210 MXN',
      '$105 to $210 MXN',
    ]);
  });
  test('are free where nobody pays, and in the currency that they say', () => {
    expect(readPrice('{ visitors: [{ visitor: everyone, amount: 0 }] }')).toMatchObject({
      is_free: true,
      min: 0,
      max: 0,
    });
    expect(
      readPrice('{ visitors: [{ visitor: adult, amount: 20, currency: USD }] }'),
    ).toMatchObject({ min: 20, max: 20, currency: 'USD' });
  });
});

describe('a price', () => {
  const MARCH = 'published: 2026-03-14, checked: 2026-11-20';
  test.each([
    ['2027-02-12', 'confirmed', null],
    ['2027-02-13', 'usual', '2026-11-14'],
    ['2027-05-13', 'usual', '2026-11-14'],
    ['2027-05-14', 'last_known', '2026-11-14'],
  ])('of 14 November is on %s %s, nothing edited', (day, certainty, as_of) => {
    const source = 'published: 2026-11-14, checked: 2026-11-20';
    expect(readPrice('{ min: 180 }', { day, source })).toMatchObject({
      min: 180,
      certainty,
      as_of,
    });
  });
  test('that is older stays and says of when it is, in a list only that', () => {
    const price = readPrice('{ min: 180, max: 180 }', { source: MARCH });
    expect(
      (['es', 'en'] as const).flatMap((lang) => [
        toPriceText(price, lang),
        toPriceConfirm(price, lang),
        toPriceValue(price, lang, false),
        toPriceValue(price, lang, true),
      ]),
    ).toEqual([
      '$180 MXN',
      'precio de marzo de 2026; confírmalo',
      '$180 MXN (precio de marzo de 2026; confírmalo)',
      '$180 MXN (de marzo de 2026)',
      '$180 MXN',
      'price as of March 2026; check it',
      '$180 MXN (price as of March 2026; check it)',
      '$180 MXN (as of March 2026)',
    ]);
  });
  test('of what is over is what it was', () => {
    const past = { when: 'dates: [2026-04-11]', source: MARCH };
    expect(readPrice('{ min: 180 }', past)).toMatchObject({ certainty: 'confirmed', as_of: null });
    const lasting = { when: 'dates: [2026-10-01], days: 90', source: MARCH };
    expect(readPrice('{ min: 180 }', lasting)).toMatchObject({ certainty: 'last_known' });
  });
  test('that nobody pays is known as well as the event, and asks nothing by itself', () => {
    const price = readPrice('free', {
      when: 'rrule: FREQ=WEEKLY;BYDAY=TH, since: 2023-01-05',
      source: 'published: 2023-05-01, checked: 2026-11-20',
    });
    expect([price.certainty, toPriceConfirm(price, 'es')]).toEqual(['last_known', null]);
  });
  test('that is not known has no certainty', () => {
    for (const text of ['unknown', '{ note: { es: De paga, en: Paid } }'])
      expect(readPrice(text, { source: MARCH })).toMatchObject({ certainty: null, as_of: null });
  });
});

describe('is refused with file, line and field:', () => {
  const adult = '{ visitor: adult, amount: 250 }';
  test.each([
    ['a range upside down', '{ min: 900, max: 350 }', 'price.min: is above max: swap them'],
    ['a word that is none', 'gratis', 'price: must be free, unknown, or have min, max'],
    ['a number alone', '350', 'price: must be free, unknown, or have min, max'],
    ['an amount in words', '{ min: mucho }', 'price.min: must be a number'],
    ['an amount below nothing', '{ max: -1 }', 'price.max: must be 0 or more'],
    ['a field that is none', '{ from: 5 }', 'price.from: is not a field of this kind of file'],
    [
      'a visitor nobody knows',
      '{ visitors: [{ visitor: martian, amount: 5 }] }',
      'price.visitors[0].visitor: must be one of everyone, national',
    ],
    [
      'an amount of a visitor below nothing',
      `{ visitors: [${adult}, { visitor: child, amount: -5 }] }`,
      'price.visitors[1].amount: must be 0 or more',
    ],
    ['nobody', '{ visitors: [] }', 'price.visitors: must have at least one kind of visitor'],
    [
      'a lowest price beside what it follows from',
      `{ min: 5, visitors: [${adult}] }`,
      'price.min: follows from visitors: leave it out',
    ],
    [
      'a highest price beside what it follows from',
      `{ max: 5, visitors: [${adult}] }`,
      'price.max: follows from visitors: leave it out',
    ],
    [
      'a currency beside what it follows from',
      `{ currency: USD, visitors: [${adult}] }`,
      'price.currency: follows from visitors: leave it out',
    ],
    [
      'two currencies',
      `{ visitors: [${adult}, { visitor: child, amount: 5, currency: USD }] }`,
      'price.visitors: must be in one currency',
    ],
  ])('%s', (_, price, message) => {
    expect(() => readPrice(price)).toThrow(`events/cena.yml:5 ${message}`);
  });
});

test.each([
  ['{ visitor: national, amount: 0 }, { visitor: foreign, amount: 210 }', 'Gratis–$210 MXN'],
  ['{ visitor: child, amount: 0 }, { visitor: adult, amount: 210 }', '$210 MXN'],
  ['{ visitor: national, amount: 105 }, { visitor: foreign, amount: 210 }', '$105–210 MXN'],
])('a row says that those who live here enter free: %s, %s', (visitors, words) => {
  expect(toShortPrice(readPrice(`{ visitors: [${visitors}] }`), 'es')).toBe(words);
});

test.each([
  ['free', 'Gratis', 'Free'],
  ['{ min: 150, max: 150, note: { es: Con botana, en: With a snack } }', '$150 MXN', '$150 MXN'],
  [
    '{ note: { es: De paga; pregunta cuánto cuesta, en: Cover charge; ask the club } }',
    'De paga',
    'Cover charge',
  ],
  [
    '{ min: 0, note: { es: Entrar es gratis; pagas lo que comes, en: Free to walk in; you pay for what you eat } }',
    'Pagas lo que comes',
    'You pay for what you eat',
  ],
  [
    '{ min: 0, note: { es: Entrada libre con consumo, en: Free with a drink } }',
    'Entrada libre con consumo',
    'Free with a drink',
  ],
  [
    '{ note: { es: Cooperación voluntaria para el parque, en: "About 1,200 pesos, paid to the captain" } }',
    'Cooperación voluntaria…',
    'About 1,200 pesos',
  ],
  ['unknown', 'Precio por confirmar', 'Price not confirmed'],
])('a row says the price in its own words: %s', (price, es, en) => {
  const read = readPrice(price);
  expect([toShortPrice(read, 'es'), toShortPrice(read, 'en')]).toEqual([es, en]);
});
