// Phone numbers: the numbers to call in plain text in each country, and the digits that are none.
import { describe, expect, test } from 'vitest';
import { useOtherTown } from '../fixtures/other-town.ts';

/** A text and its numbers. */
type Case = readonly [text: string, phones: readonly string[]];
const TOWNS: readonly { country: string; numbers: readonly Case[] }[] = [
  {
    country: 'MX',
    numbers: [
      ['Cambia de plaza: llama al 998 898 4510 por la sede y la hora.', ['+529988984510']],
      ['It moves around: call +52 998 898 4510 for the place.', ['+529988984510']],
      ['WhatsApp: (998) 777-7498, o 9981234567.', ['+529987777498', '+529981234567']],
      ['998-884-1234/998.887.5678', ['+529988841234', '+529988875678']],
      ['+52 (998) 898-4510 ext. 12', ['+529988984510']],
      ['Del extranjero: +47 776 12 345', ['+4777612345']],
    ],
  },
  {
    country: 'NO',
    numbers: [
      ['Ring 77 60 12 34 før kl. 18', ['+4777601234']],
      ['Ring +52 998 898 4510', ['+529988984510']],
    ],
  },
  {
    country: 'FR',
    numbers: [['01 42 68 53 00 ou +33 1 42 68 53 00', ['+33142685300', '+33142685300']]],
  },
  // A country without metadata: only international numbers are found.
  { country: 'XX', numbers: [['998 898 4510, +52 998 898 4510', ['+529988984510']]] },
];

describe.each(TOWNS)('in $country', async ({ country, numbers }) => {
  useOtherTown({ country });
  const { splitAtPhones } = await import('../../src/domain/phone-numbers.ts');
  const findPhones = (text: string): readonly string[] =>
    splitAtPhones(text).flatMap(({ phone }) => phone ?? []);

  test.each(numbers)('finds the numbers of %j', (text, phones) => {
    expect(findPhones(text)).toEqual(phones);
  });

  test.each([
    'De $1 200 000 a $2,500,000 MXN',
    'Del 2026-11-29 al 2026-12-20, de 19:00 a 20:30',
    '20.11.2026, 2025-2026, 2024 2025 2026, 20261129',
    '12 500 000 kroner, 1.200.000.000',
    'https://www.facebook.com/groups/6109038223 y evento=9981234567',
    'Código AB9981234567, ref#9981234567',
    'De 10:00-18:00, 15 a 20 personas, 350-450 pesos',
    '21.1619,-86.8515',
    '12345678901234567890',
  ])('finds none in %j', (text) => {
    expect(findPhones(text)).toEqual([]);
  });

  test('the parts joined are the text, however hostile', () => {
    const text = '<b>998 898 4510</b>"><script>+52 998 898 4510</script>';
    expect(
      splitAtPhones(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  });

  test('a long text of digits is split in little time', () => {
    const started = performance.now();
    expect(findPhones('12 '.repeat(20_000))).toEqual([]);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
