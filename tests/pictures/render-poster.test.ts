// Posters: user texts become outlines in the display font, for any input.
import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Poster } from '../../src/domain/pictures.ts';
import { fitTextInBox, measureText, toDrawableText } from '../../src/pictures/text-outlines.ts';
import { renderPng, renderPosterSvg } from '../../src/pictures/render-poster.ts';

const SUN = { es: 'El sol', en: 'The sun' };
const MOTIF = { key: 'sol', name: SUN, alt: SUN, digest: '0123456789' };
const createCard = (name: string | null, title: string | null) => ({
  picture: { kind: 'drawing', motif: MOTIF, alt: SUN } as const,
  ...{ number: '21', name, title },
});
const readNoSource = async () => null;

const POSTER: Poster = {
  name: 'Hoy Cancún',
  date: { weekday: 'sábado', number: '21', month: 'de noviembre' },
  cards: [],
  mark: null,
  title: 'Noche de jazz',
  lines: ['Malecón Tajamar', 'de 20:00 a 23:00'],
};
const HOSTILE = [
  '<script>alert(1)</script>',
  '"/><image href="file:///etc/passwd"/>',
  '\u202eevil\u2066\u0000\u001b[31m',
  '💃🏽🎉👩‍👩‍👧',
  'a'.repeat(5_000),
  '',
  '音楽の夜',
];

test.each(HOSTILE)('hostile title %# is drawn as outlines, never as markup', async (title) => {
  const elementNames = (poster: Poster): string[] => {
    const shape = renderPosterSvg(poster, []).replace(/ d="[MLQCZ0-9. -]*"/g, '');
    expect(shape).not.toMatch(/NaN|undefined|Infinity|script|passwd/);
    return [...new Set(shape.match(/<\w+/g))].sort();
  };
  const cardVariants = (text: string) =>
    [[], [createCard(text, null)], [createCard('El sol', text)]] as const;
  for (const [index, cards] of cardVariants(title).entries()) {
    const lines = [title, 'de 20:00 a 23:00'];
    const plain = elementNames({ ...POSTER, cards: cardVariants('El sol')[index] ?? [] });
    expect(elementNames({ ...POSTER, title, lines, mark: title, cards })).toEqual(plain);
    const png = await renderPng({ ...POSTER, title, lines: [], cards }, readNoSource);
    const { width, height } = await sharp(png).metadata();
    expect([width, height]).toEqual([1200, 630]);
  }
});

test('letters that the font lacks are removed; a text in an unsupported script becomes empty', () => {
  expect(toDrawableText('Fiesta 🎉 de\n jazz')).toBe('Fiesta de jazz');
  expect(toDrawableText('Tiếng Việt, ő, ñ')).toBe('Tiếng Việt, ő, ñ');
  expect(toDrawableText('Ｊａｚｚ')).toBe('Jazz');
  expect(toDrawableText('音楽の夜')).toBe('');
});

test('a text that does not fit is truncated with … and stays inside its box', () => {
  const box = { width: 500, steps: [[60, 3]] } as const;
  for (const text of ['uno dos', 'palabra '.repeat(90), 'x'.repeat(900)]) {
    const { lines, size } = fitTextInBox(toDrawableText(text), box);
    expect(lines.length).toBeLessThanOrEqual(3);
    for (const line of lines) expect(measureText(line, size)).toBeLessThanOrEqual(box.width);
    expect(lines.at(-1)?.endsWith('…')).toBe(text.length > 80);
  }
});
