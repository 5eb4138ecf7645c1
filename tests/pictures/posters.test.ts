// Posters: words set in our type, whatever a stranger wrote; and a painter that is never in the way.
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Poster } from '../../src/domain/poster.ts';
import { fitLines } from '../../src/pictures/fit-lines.ts';
import { measure, toDrawable } from '../../src/pictures/lettering.ts';
import { createPainter, paintPoster } from '../../src/pictures/painter.ts';
import { createPosterStore } from '../../src/pictures/poster-store.ts';
import { toPosterSvg } from '../../src/pictures/poster-svg.ts';

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
  '&#x26;&lt;!ENTITY x SYSTEM "file:///etc/passwd">',
  '\u202eevil\u2066\u0000\u001b[31m',
  '💃🏽🎉👩‍👩‍👧',
  'a'.repeat(5_000),
  'palabra '.repeat(900),
  '',
  'مهرجان الموسيقى',
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
    const room = {
      width: 500,
      steps: [
        [100, 2],
        [60, 3],
      ],
    } as const;
    for (const text of ['uno dos', 'palabra '.repeat(90), 'x'.repeat(900), '<b>"&']) {
      const { lines, size } = fitLines(toDrawable(text), room);
      expect(lines.length).toBeLessThanOrEqual(3);
      for (const line of lines) expect(measure(line, size)).toBeLessThanOrEqual(room.width);
      expect(lines.at(-1)?.endsWith('…')).toBe(text.length > 80);
    }
  });
});

describe('the painter', () => {
  const toOrder = (title: string): Poster => ({ ...POSTER, title });
  const SPARE = toOrder('spare');

  test('gives the same bytes for the same words, other ones for others', async () => {
    const paint = createPainter();
    const [one, same, other] = await Promise.all(
      ['a', 'a', 'b'].map((title) => paint(toOrder(title), SPARE)),
    );
    expect(one?.bytes.equals(same?.bytes ?? Buffer.of())).toBe(true);
    expect(one?.bytes.equals(other?.bytes ?? Buffer.of())).toBe(false);
    const again = await createPainter()(toOrder('a'), SPARE);
    expect(again.bytes.equals(one?.bytes ?? Buffer.of())).toBe(true);
  });

  test('draws each once, one at a time, and in a crowd shows the spare one', async () => {
    let [now, most, drawn] = [0, 0, 0];
    const paint = createPainter(null, async ({ title }) => {
      most = Math.max(most, ++now);
      drawn++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      now--;
      return Buffer.from(title);
    });
    const asked = Array.from({ length: 100 }, (_, at) => toOrder(String(at % 50)));
    const found = await Promise.all(asked.map((poster) => paint(poster, SPARE)));
    expect(most).toBe(1);
    expect(drawn).toBe(25);
    expect(found.filter(({ is_spare }) => is_spare).length).toBe(52);
    expect(found.every(({ bytes, is_spare }) => is_spare === (bytes.toString() === 'spare'))).toBe(
      true,
    );
    expect((await paint(toOrder('40'), SPARE)).bytes.toString()).toBe('40');
  });

  test('forgets what failed, and goes on', async () => {
    let tries = 0;
    const paint = createPainter(null, async () => {
      if (tries++ === 0) throw new Error('no room');
      return Buffer.from('drawn');
    });
    await expect(paint(POSTER, SPARE)).rejects.toThrow('no room');
    expect((await paint(POSTER, SPARE)).bytes.toString()).toBe('drawn');
  });
});

describe('posters on disk', () => {
  const toOrder = (title: string): Poster => ({ ...POSTER, title });
  const SPARE = toOrder('spare');
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'hoy-posters-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  test('are drawn once for every process and after every start', async () => {
    let drawn = 0;
    const draw = async ({ title }: Poster): Promise<Buffer> => {
      drawn++;
      return Buffer.from(title);
    };
    const start = () => createPainter(createPosterStore(join(dir, 'posters')), draw);
    const first = start();
    await first(toOrder('a'), SPARE);
    await first(toOrder('b'), SPARE);
    const second = start();
    const found = await Promise.all(['a', 'b', 'a'].map((name) => second(toOrder(name), SPARE)));
    expect(found.map(({ bytes, is_spare }) => [bytes.toString(), is_spare])).toEqual([
      ['a', false],
      ['b', false],
      ['a', false],
    ]);
    expect([drawn, readdirSync(join(dir, 'posters')).length]).toEqual([2, 2]);
  });

  test('are no more than there is room for, the oldest go first, and nothing else does', async () => {
    writeFileSync(join(dir, 'somebody-elses.png'), 'x'.repeat(500));
    for (let at = 0; at < 8; at++) {
      const known = new Set(readdirSync(dir));
      // Another process each time: none of them knows what the others wrote.
      await createPosterStore(dir, 400).put(toOrder(String(at)), Buffer.alloc(100));
      for (const name of readdirSync(dir))
        if (!known.has(name)) utimesSync(join(dir, name), 1_000 + at, 1_000 + at);
    }
    const store = createPosterStore(dir, 400);
    const left = await Promise.all(
      Array.from({ length: 8 }, (_, at) => store.get(toOrder(String(at)))),
    );
    expect(left.filter((one) => one).length * 100).toBeLessThanOrEqual(400);
    expect([left[0], left[7]?.length]).toEqual([null, 100]);
    expect(readdirSync(dir)).toContain('somebody-elses.png');
  });

  test('that cannot be written are drawn all the same', async () => {
    writeFileSync(join(dir, 'posters'), 'a file where the folder would be');
    const paint = createPainter(createPosterStore(join(dir, 'posters')));
    const { bytes, is_spare } = await paint(POSTER, SPARE);
    expect([(await sharp(bytes).metadata()).format, is_spare]).toEqual(['png', false]);
  });
});
