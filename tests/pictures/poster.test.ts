// Posters: words set in our type, whatever a stranger wrote.
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { Poster } from '../../src/domain/pictures.ts';
import { fitLines, measure, toDrawable } from '../../src/pictures/lettering.ts';
import { paintPoster, toPosterSvg } from '../../src/pictures/poster.ts';

const POSTER: Poster = {
  name: 'Hoy Cancún',
  date: { weekday: 'sábado', number: '21', month: 'de noviembre' },
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

describe('a stranger’s title', () => {
  test.each(HOSTILE)('%# is drawn as outlines, and never as markup', async (title) => {
    const svg = toPosterSvg({ ...POSTER, title, lines: [title, 'de 20:00 a 23:00'], mark: title });
    const shape = svg.replace(/ d="[MLQCZ0-9. -]*"/g, '');
    const plain = toPosterSvg(POSTER).replace(/ d="[MLQCZ0-9. -]*"/g, '');
    const kinds = (text: string): string[] => [...new Set(text.match(/<\w+/g))].sort();
    expect(kinds(shape)).toEqual(kinds(plain));
    expect(shape).not.toMatch(/NaN|undefined|Infinity|script|passwd/);
    const { width, height } = await sharp(
      await paintPoster({ ...POSTER, title, lines: [] }),
    ).metadata();
    expect([width, height]).toEqual([1200, 630]);
  });

  test('loses what the type cannot write, whole where it could not be read', () => {
    expect(toDrawable('Fiesta 🎉 de\n jazz')).toBe('Fiesta de jazz');
    expect(toDrawable('Tiếng Việt, ő, ñ')).toBe('Tiếng Việt, ő, ñ');
    expect(toDrawable('Ｊａｚｚ')).toBe('Jazz');
    expect(toDrawable('音楽の夜')).toBe('');
  });

  test('is cut with … where it does not fit, and stays inside its room', () => {
    const room = { width: 500, steps: [[60, 3]] } as const;
    for (const text of ['uno dos', 'palabra '.repeat(90), 'x'.repeat(900)]) {
      const { lines, size } = fitLines(toDrawable(text), room);
      expect(lines.length).toBeLessThanOrEqual(3);
      for (const line of lines) expect(measure(line, size)).toBeLessThanOrEqual(room.width);
      expect(lines.at(-1)?.endsWith('…')).toBe(text.length > 80);
    }
  });
});
