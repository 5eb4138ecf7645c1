// Town with English as default language and another currency: default language, and formatted and parsed prices
// (contract 1.2, 4.7).
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { useOtherTown } from '../fixtures/other-town.ts';

describe.each([
  {
    ...{ country: 'ES', code: 'EUR', name: '{ es: euros, en: euros }', languages: '[en, es]' },
    prices: [
      { price: { min: 15, max: 15 }, expected: ['15\u00a0€', '€15'] },
      { price: { min: 15, max: 1250.5 }, expected: ['De 15 a 1250,50\u00a0€', '€15 to €1,250.50'] },
      { price: { min: 20, currency: 'USD' }, expected: ['Desde $20 USD', 'From $20 USD'] },
    ],
    filter_texts: ['hasta 200\u00a0€', 'up to €200'],
    typed: { '15 €': '15', '€15.50': '15.50', '12,50 €': '12.50', '15 euros': '15' },
    flyers: {
      'Entrada: 15 €': '15',
      'Tickets €12,50': '12.5',
      'Cover 20 euros': '20',
      'Cover $20': null,
    },
    tel: 'tel:+34952123456',
  },
  {
    ...{ country: 'US', code: 'USD', name: '{ es: dólares, en: dollars }', languages: '[en, es]' },
    prices: [
      { price: { min: 15, max: 15 }, expected: ['$15', '$15'] },
      { price: { min: 15, max: 1250.5 }, expected: ['De $15 a $1,250.50', '$15 to $1,250.50'] },
      { price: { min: 150, currency: 'MXN' }, expected: ['Desde 150 MXN', 'From 150 MXN'] },
    ],
    filter_texts: ['hasta $200', 'up to $200'],
    typed: { $15: '15', '15 dollars': '15', '15 USD': '15' },
    flyers: {
      'Tickets $20': '20',
      'Cover 20 dólares': '20',
      'Cover 200 pesos': null,
      'Entry €15': null,
    },
    tel: 'tel:+34952123456',
  },
])('in $country', async (town) => {
  useOtherTown({
    ...{ country: town.country, languages: town.languages, calling_code: '"34"' },
    currency: `{ code: ${town.code}, name: ${town.name} }`,
  });
  const { DEFAULT_LANG, LANGS } = await import('../../src/domain/lang.ts');
  const paths = await import('../../src/i18n/paths.ts');
  const { formatFilterAmount, formatPrice } = await import('../../src/i18n/format-price.ts');
  const { parsePriceControls } = await import('../../src/domain/submission/form-values.ts');
  const { parseFlyer } = await import('../../src/domain/submission/flyer.ts');
  const { phoneUrl } = await import('../../src/i18n/external-links.ts');
  const { localeOf, t } = await import('../../src/i18n/translate.ts');
  const { bilingualText } = await import('../../src/mcp/tools/catalog.ts');
  const { loadFixture } = await import('../fixtures/fixture.ts');
  const both = (write: (lang: 'es' | 'en') => string) => LANGS.map(write);
  const nothing = { is_free: false, min: null, max: null, currency: town.code, note: null };

  test('English is the default language, at the same paths as in every town', () => {
    expect([DEFAULT_LANG, ...both(localeOf)]).toEqual(['en', `es-${town.country}`, 'en']);
    expect(both((lang) => paths.pagePath('today', lang))).toEqual(['/hoy', '/en/today']);
    expect(['/', '/en', '/es', '/x'].map(paths.findHomeLang)).toEqual(['en', 'en', 'es', null]);
    expect(both(paths.homePath)).toEqual(['/es', '/']);
    for (const [path, lang] of [
      ...['/hoy.md', '/eventos/x', '/docs', '/es/404', '/es'].map((path) => [path, 'es']),
      ...['/en/today.md', '/en', '/en/x', '/404', '/x'].map((path) => [path, 'en']),
    ] as const)
      expect([path, paths.langOfPath(`${path}`)]).toEqual([path, lang]);
    expect(both((lang) => paths.calendarFeedPath({}, lang))).toEqual([
      '/api/v1/events.ics?lang=es',
      '/api/v1/events.ics',
    ]);
    expect(bilingualText('site.language')).toBe('English\n\nEspañol: Español');
  });

  test('formats prices in the local currency', () => {
    for (const { price, expected } of town.prices)
      expect(both((lang) => formatPrice({ ...nothing, ...price }, lang))).toEqual(expected);
    expect(
      both((lang) => t(lang, 'ics.filter.price_max', { price: formatFilterAmount(200, lang) })),
    ).toEqual(town.filter_texts);
  });

  test('parses typed prices and flyers, and asks about other currencies', () => {
    for (const [price_min, expected] of Object.entries(town.typed))
      expect(parsePriceControls({ price_kind: 'fixed', price_min }, [])).toMatchObject({
        price_min: expected,
      });
    const { taxonomy } = loadFixture();
    const today = Temporal.PlainDate.from('2026-11-26');
    for (const [line, expected] of Object.entries(town.flyers)) {
      const { values, questions: asks } = parseFlyer(`Noche de jazz\n${line}`, {
        ...{ taxonomy, today, lang: 'en', venues: [] },
      });
      expect([line, values.price_min ?? null, asks.size]).toEqual([
        line,
        expected,
        expected ? 0 : 1,
      ]);
    }
  });

  test('adds the calling code to a phone number', () => {
    expect(phoneUrl('952 12 34 56')).toBe(town.tel);
    expect(phoneUrl('112')).toBe('tel:112');
  });
});
