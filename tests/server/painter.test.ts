// Posters on request: each drawn once, one at a time, the spare one in a crowd.
import { describe, expect, test } from 'vitest';
import type { Poster } from '../../src/domain/poster.ts';
import { createPainter } from '../../src/server/heavy.ts';
import { createPageStore } from '../../src/server/page-store.ts';

const POSTER: Poster = {
  name: 'Hoy Cancún',
  date: { weekday: 'sábado', number: '21', month: 'de noviembre' },
  mark: null,
  title: 'Noche de jazz',
  lines: ['Malecón Tajamar', 'de 20:00 a 23:00'],
};
const toOrder = (title: string): Poster => ({ ...POSTER, title });

/** Orders of a painter with pages of its own, each in a crowd of its like or `spare`. */
function start(paintOne?: (poster: Poster) => Promise<Buffer>) {
  const paint = createPainter(paintOne);
  const pages = createPageStore('/nowhere');
  return async (poster: Poster): Promise<{ bytes: Buffer; is_spare: boolean }> => {
    const { png, is_spare } = await paint(pages, poster, toOrder('spare'));
    return { bytes: await png.read('identity'), is_spare };
  };
}

describe('the painter', () => {
  test('gives the same bytes for the same words, other ones for others', async () => {
    const paint = start();
    const [one, same, other] = await Promise.all(
      ['a', 'a', 'b'].map((title) => paint(toOrder(title))),
    );
    expect(one?.bytes.equals(same?.bytes ?? Buffer.of())).toBe(true);
    expect(one?.bytes.equals(other?.bytes ?? Buffer.of())).toBe(false);
    const again = await start()(toOrder('a'));
    expect(again.bytes.equals(one?.bytes ?? Buffer.of())).toBe(true);
  });

  test('draws each once, one at a time, and in a crowd shows the spare one', async () => {
    let [now, most, drawn] = [0, 0, 0];
    const paint = start(async ({ title }) => {
      most = Math.max(most, ++now);
      drawn++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      now--;
      return Buffer.from(title);
    });
    const asked = Array.from({ length: 100 }, (_, at) => toOrder(String(at % 50)));
    const found = await Promise.all(asked.map((poster) => paint(poster)));
    expect(most).toBe(1);
    expect(drawn).toBe(25);
    expect(found.filter(({ is_spare }) => is_spare).length).toBe(52);
    expect(found.every(({ bytes, is_spare }) => is_spare === (bytes.toString() === 'spare'))).toBe(
      true,
    );
    expect((await paint(toOrder('40'))).bytes.toString()).toBe('40');
  });

  test('forgets what failed, and goes on', async () => {
    let tries = 0;
    const paint = start(async () => {
      if (tries++ === 0) throw new Error('no room');
      return Buffer.from('drawn');
    });
    await expect(paint(POSTER)).rejects.toThrow('no room');
    expect((await paint(POSTER)).bytes.toString()).toBe('drawn');
  });
});
