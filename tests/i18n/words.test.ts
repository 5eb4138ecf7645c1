// Language files: complete in both languages; and formatted prices.
import { expect, test } from 'vitest';
import { DECISION_ACTIONS } from '../../src/domain/change.ts';
import en from '../../src/i18n/en.json' with { type: 'json' };
import es from '../../src/i18n/es.json' with { type: 'json' };
import { formatSourceNote } from '../../src/i18n/format-facts.ts';
import { PAGE_PATHS, SECTION_PATHS } from '../../src/i18n/paths.ts';
import { formatPrice } from '../../src/i18n/format-price.ts';
import { isMessageKey } from '../../src/i18n/translate.ts';

test('both languages have the same sorted keys, no empty text, and the same placeholders', () => {
  const listParts = (text: string): string[] =>
    [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ''))].sort();
  expect(Object.keys(en)).toEqual(Object.keys(es));
  expect(Object.keys(es)).toEqual([...Object.keys(es)].sort());
  expect(Object.entries({ ...es, ...en }).filter(([, text]) => text.trim() === '')).toEqual([]);
  const english = new Map(Object.entries(en));
  for (const [key, text] of Object.entries(es))
    expect(listParts(english.get(key) ?? ''), key).toEqual(listParts(text));
});

test('each decision has a text for the log', () => {
  expect(DECISION_ACTIONS.filter((action) => !isMessageKey(`desk.action.${action}`))).toEqual([]);
});

test('no two pages share a path', () => {
  const paths = Object.values({ ...PAGE_PATHS, ...SECTION_PATHS }).flatMap((path) =>
    Object.values(path),
  );
  expect(new Set(paths).size).toBe(paths.length);
});

const FREE = { is_free: true, min: 0, max: 0 };
const both = (text: string) => ({ es: text, en: text });
test.each([
  [FREE, 'Gratis'],
  [{}, 'Precio por confirmar'],
  [{ min: 350 }, 'Desde $350 MXN'],
  [{ min: 95, max: 95 }, '$95 MXN'],
  [{ min: 1200, max: 2500.5 }, 'De $1,200 a $2,500.50 MXN'],
  [{ max: 80 }, 'Hasta $80 MXN'],
  [{ min: 40, currency: 'EUR' }, 'Desde 40 EUR'],
  [{ min: 80, max: 1250, note: both('$80, palco $1,250') }, '$80, palco $1,250'],
  [{ ...FREE, note: both('Con registro') }, 'Gratis. Con registro'],
  [{ ...FREE, note: both('Es gratis') }, 'Es gratis'],
])('formats the price %j as %s', (price, expected) => {
  const unknown = { is_free: false, min: null, max: null, currency: 'MXN', note: null };
  expect(formatPrice({ ...unknown, ...price }, 'es')).toBe(expected);
});

test('the source sentence of a submission has the day of reading, not of publication', () => {
  const days = { source_published: '2026-03-02', source_checked: '2026-11-20' };
  expect(formatSourceNote(days, 'es', 'organizer')).toBe('Lo leímos el 20 de noviembre de 2026.');
});
