// The visible words: both languages complete, and days, hours and prices as a native writes them.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { toLongDay, toLongDays, toShortDay, toWhen } from '../../src/i18n/dates.ts';
import en from '../../src/i18n/en.json' with { type: 'json' };
import es from '../../src/i18n/es.json' with { type: 'json' };
import { PAGE_PATHS, SECTION_PATHS } from '../../src/i18n/paths.ts';
import { toPriceText } from '../../src/i18n/price.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { getEvent } from '../../src/snapshot/get-thing.ts';

const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''))].sort();

describe('the words', () => {
  test('are the same keys in both languages, in order, none empty', () => {
    expect(Object.keys(en)).toEqual(Object.keys(es));
    expect(Object.keys(es)).toEqual([...Object.keys(es)].sort());
    expect(Object.entries({ ...es, ...en }).filter(([, text]) => text.trim() === '')).toEqual([]);
  });
  test('have the same parts to fill in', () => {
    const english = new Map(Object.entries(en));
    for (const [key, text] of Object.entries(es))
      expect(placeholders(english.get(key) ?? ''), key).toEqual(placeholders(text));
  });
});

test('no two pages share an address', () => {
  const paths = Object.values({ ...PAGE_PATHS, ...SECTION_PATHS }).flatMap((path) =>
    Object.values(path),
  );
  expect(new Set(paths).size).toBe(paths.length);
});

describe('a day', () => {
  const day = Temporal.PlainDate.from('2026-11-20');
  test('in full and in short', () => {
    expect([toLongDay(day, 'es'), toLongDay(day, 'en')]).toEqual([
      'viernes 20 de noviembre de 2026',
      'Friday, November 20, 2026',
    ]);
    expect([toShortDay(day, 'es'), toShortDay(day, 'en')]).toEqual(['vie 20 nov', 'Fri, Nov 20']);
    expect([toShortDay(day, 'es', 2027), toShortDay(day, 'en', 2027)]).toEqual([
      'vie 20 nov 2026',
      'Fri, Nov 20, 2026',
    ]);
  });
});

describe('a time in words', () => {
  const { snapshot, close } = openFixture();
  const when = (slug: string): string[] => {
    const detail = getEvent(snapshot, slug, FRIDAY_NOON_MS);
    if (!detail || detail === 'gone' || !detail.next) throw new Error(slug);
    return [toWhen(detail.next, 'es'), toWhen(detail.next, 'en')];
  };
  test('of an evening, of an unknown end, of several days', () => {
    expect(when('fiesta-de-viernes')).toEqual([
      'viernes 20 de noviembre de 2026, de 22:00 a 3:00',
      'Friday, November 20, 2026, 10 p.m. to 3 a.m.',
    ]);
    expect(when('one-off-concert')).toEqual([
      'viernes 20 de noviembre de 2026, a las 19:00',
      'Friday, November 20, 2026, 7 p.m.',
    ]);
    expect(when('exposicion-larga')).toEqual([
      'del 1 de noviembre al 30 de diciembre de 2026',
      'November 1 to December 30, 2026',
    ]);
    close();
  });
  test('of several days say once what the first and the last share', () => {
    const words = (from: string, to: string): string[] => {
      const range = { from: Temporal.PlainDate.from(from), to: Temporal.PlainDate.from(to) };
      return [toLongDays(range, 'es'), toLongDays(range, 'en')];
    };
    expect(words('2026-11-20', '2026-11-22')).toEqual([
      'del viernes 20 al domingo 22 de noviembre de 2026',
      'Friday, November 20 to Sunday, November 22, 2026',
    ]);
    expect(words('2026-11-27', '2026-12-03')).toEqual([
      'del viernes 27 de noviembre al jueves 3 de diciembre de 2026',
      'Friday, November 27 to Thursday, December 3, 2026',
    ]);
    expect(words('2026-12-31', '2027-01-01')).toEqual([
      'del jueves 31 de diciembre de 2026 al viernes 1 de enero de 2027',
      'Thursday, December 31, 2026 to Friday, January 1, 2027',
    ]);
    expect(words('2026-10-01', '2027-04-30')).toEqual([
      'del 1 de octubre de 2026 al 30 de abril de 2027',
      'October 1, 2026 to April 30, 2027',
    ]);
    expect(words('2026-11-01', '2026-11-30')).toEqual([
      'del 1 al 30 de noviembre de 2026',
      'November 1–30, 2026',
    ]);
  });
});

describe('a price', () => {
  const PRICE = { is_free: false, min: null, max: null, currency: 'MXN', note: null };
  test.each([
    [{ ...PRICE, is_free: true, min: 0, max: 0 }, 'Gratis', 'Free'],
    [PRICE, 'Precio por confirmar', 'Price not confirmed'],
    [{ ...PRICE, min: 350 }, 'Desde $350 MXN', 'From $350 MXN'],
    [{ ...PRICE, min: 95, max: 95 }, '$95 MXN', '$95 MXN'],
    [{ ...PRICE, min: 1200, max: 2500.5 }, 'De $1,200 a $2,500.50 MXN', '$1,200 to $2,500.50 MXN'],
    [{ ...PRICE, max: 80 }, 'Hasta $80 MXN', 'Up to $80 MXN'],
    [{ ...PRICE, min: 40, currency: 'EUR' }, 'Desde 40 EUR', 'From 40 EUR'],
    [
      { ...PRICE, min: 80, max: 250, note: { es: 'Niños, gratis', en: 'Children free' } },
      'De $80 a $250 MXN. Niños, gratis',
      '$80 to $250 MXN. Children free',
    ],
    [
      { ...PRICE, min: 80, max: 1250, note: { es: 'Luneta $80, palco $1,250', en: '80 or 1,250' } },
      'Luneta $80, palco $1,250',
      '80 or 1,250',
    ],
    [{ ...PRICE, note: { es: 'Cooperación', en: 'By donation' } }, 'Cooperación', 'By donation'],
    [
      { ...PRICE, is_free: true, min: 0, max: 0, note: { es: 'Con registro', en: 'It’s free' } },
      'Gratis. Con registro',
      'It’s free',
    ],
  ])('%j reads well', (price, spanish, english) => {
    expect([toPriceText(price, 'es'), toPriceText(price, 'en')]).toEqual([spanish, english]);
  });
});
