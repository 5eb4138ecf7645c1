// Price words: the words by which visitors pay, and the contradictions of a free price.
import { expect, test } from 'vitest';
import { decidePriceKind } from '../../../src/domain/opening-hours.ts';
import { findCostWords, readPriceWords } from '../../../src/domain/submission/price-words.ts';

test.each([
  // Free with a note stays free.
  ['Cupo limitado', null],
  ['Cooperación voluntaria', null],
  ['Cooperación voluntaria $50 sugerida', null],
  ['Suggested donation: $5', null],
  ['Consumo mínimo $200', null],
  ['Entrada libre con consumo mínimo de $200', null],
  ['free, parking 50', null],
  ['Free entry, parking $50', null],
  ['Estacionamiento gratis', null],
  ['Gratis, sin cover', null],
  ['No cover before midnight', null],
  ['Boletos gratis en taquilla', null],
  ['Entrada gratis para niños y adultos', null],
  ['Menores acompañados de un adulto', null],
  ['Premio de $5,000', null],
  ['$0', null],
  ['Trae tu silla; 18:00 a 20:00, 3,000 personas', null],
  // Some visitors pay.
  ['Boletos $250', 'Boletos $250'],
  ['Cupo limitado. Boletos: 250 pesos', 'Boletos: 250 pesos'],
  ['Cover 100', 'Cover 100'],
  ['Con cover después de las 23', 'Con cover después de las 23'],
  ['gratis para niños', 'gratis para niños'],
  ['Gratis para niños, adultos $100', 'Gratis para niños'],
  ['Damas gratis', 'Damas gratis'],
  ['Free for residents', 'Free for residents'],
  ['Preventa en línea', 'Preventa en línea'],
  ['€12', '€12'],
])('of a free event, «%s» contradicts: %s', (text, expected) => {
  expect(findCostWords(text)).toBe(expected);
});

test('reads the amounts and free entry of a text, and stays fast on a long one', () => {
  expect(readPriceWords('General $1,200, VIP $ 2,500.')).toMatchObject({ amounts: [1200, 2500] });
  expect(readPriceWords('Entrada libre.')).toMatchObject({ is_free: true, costs: [] });
  expect(readPriceWords('Boletos en taquilla')).toMatchObject({ mentions_tickets: true });
  const begun_ms = performance.now();
  readPriceWords('no '.repeat(20_000));
  readPriceWords('$1,'.repeat(20_000));
  expect(performance.now() - begun_ms).toBeLessThan(500);
});

test.each([
  [{ min: null, max: null }, 'unknown'],
  [{ is_free: true, min: null, max: null }, 'free'],
  [{ min: 0, max: 0 }, 'free'],
  // Free entry to a place where visitors pay for food and drinks.
  [{ min: 0, max: null }, 'unknown'],
  [{ min: 0, max: 200 }, 'paid'],
  [{ min: null, max: 90 }, 'paid'],
])('the amounts %j are %s', (amounts, expected) => {
  expect(decidePriceKind(amounts)).toBe(expected);
});
