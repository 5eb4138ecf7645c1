// The pictures that links are shared with, as a server answers them (contract 16.1).
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { serveFake } from './fake-release.ts';

const fake = await serveFake();

test.each([
  '/fecha/2026-11-21.png',
  '/en/date/2026-11-21.png',
  '/fin-de-semana.png',
  '/semana.png',
  '/en/events/one-off-concert.png',
  '/compartir.png',
  '/en/share.png',
])('%s is a PNG of the size that is asked for', async (path) => {
  const { status, headers, bytes } = await fake.ask(path);
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('image/png');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
  const again = await fake.ask(path);
  expect(again.bytes.equals(bytes)).toBe(true);
  const tagged = await fake.ask(path, { 'if-none-match': String(headers.etag) });
  expect(tagged.status).toBe(304);
});

test('today’s is found by its word and by its date', async () => {
  const [word, date] = [await fake.ask('/hoy.png'), await fake.ask('/fecha/2026-11-20.png')];
  expect(word.bytes.equals(date.bytes)).toBe(true);
});

test.each([
  ['/eventos/no-hay-tal.png', 404],
  ['/fecha/1999-01-01.png', 404],
  ['/_hoy/2026-11-21.png', 404],
  ['/lugares/foro-sin-punto.png', 404],
  ['/eventos/evento-retirado.png', 410],
  ['/nada.png', 404],
])('%s is %i', async (path, status) => {
  const found = await fake.ask(path);
  expect(found.status).toBe(status);
  expect(found.headers['content-type']).toMatch(/^text\//);
});

test('an older slug leads on', async () => {
  const { status, headers } = await fake.ask('/eventos/concierto-viejo.png');
  expect(status).toBe(301);
  expect(headers.location).toMatch(/^\/eventos\/concierto-unico.*\.png$/);
});

test('only the address with its digest is kept for good', async () => {
  const wrong = await fake.ask('/fecha/2026-11-21.png?v=another');
  expect(wrong.headers['cache-control']).not.toContain('immutable');
  expect(wrong.status).toBe(200);
});

test('one is drawn at a time; past the room to wait it is refused like a page, and drawn later', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let [now, most] = [0, 0];
  const crowd = Array.from({ length: 48 }, (_, at) =>
    fake.service.queues.poster(`sender ${at}`, async () => {
      most = Math.max(most, ++now);
      await promise;
      now--;
    }),
  );
  const path = '/fecha/2026-11-27.png';
  const refused = await fake.ask(path);
  expect([refused.status, refused.headers]).toMatchObject([
    503,
    { 'retry-after': '5', 'cache-control': 'no-store' },
  ]);
  resolve();
  await Promise.all(crowd);
  expect(most).toBe(1);
  expect((await fake.ask(path)).headers['content-type']).toBe('image/png');
});
