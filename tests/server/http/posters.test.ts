// Posters: pictures for shared links, served over HTTP (contract 16.1).
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { serveFake } from '../fake-release.ts';

const fake = await serveFake();

const POSTERS = ['/en/date/2026-11-21.png', '/en/events/one-off-concert.png'];
test.each(POSTERS)('%s is a PNG of 1200 × 630 pixels with an ETag', async (path) => {
  const { status, headers, bytes } = await fake.ask(path);
  expect([status, headers['content-type']]).toEqual([200, 'image/png']);
  const { format, width, height } = await sharp(bytes).metadata();
  expect([format, width, height]).toEqual(['png', 1200, 630]);
  const conditional = await fake.ask(path, { 'if-none-match': String(headers.etag) });
  expect(conditional.status).toBe(304);
});

const MOVED = expect.stringMatching(/^\/eventos\/concierto-unico.*\.png$/);
test.each([
  ['/eventos/no-hay-tal.png', 404, undefined],
  ['/_hoy/2026-11-21.png', 404, undefined],
  ['/eventos/evento-retirado.png', 410, undefined],
  ['/eventos/concierto-viejo.png', 301, MOVED],
])('%s is %i', async (path, status, location) => {
  const response = await fake.ask(path);
  expect([response.status, response.headers.location]).toEqual([status, location]);
  expect(response.headers['content-type']).toMatch(/^text\//);
});

test('a drawing is an immutable PNG, and an old URL redirects to the new one', async () => {
  const { data } = JSON.parse(String((await fake.ask('/api/v1/events?limit=1')).bytes));
  const { pathname } = new URL(data[0].image.url);
  expect(pathname).toMatch(/^\/motifs\/sol\.[0-9a-f]{10}\.png$/);
  const png = await fake.ask(pathname);
  expect(png.headers['cache-control']).toContain('immutable');
  const { width, height } = await sharp(png.bytes).metadata();
  expect(data[0].image).toMatchObject({ kind: 'drawing', alt: 'Un sol redondo', width, height });
  const moved = await fake.ask('/motifs/sol.0123456789.png');
  expect([moved.status, moved.headers.location]).toEqual([301, expect.stringContaining(pathname)]);
  expect((await fake.ask('/motifs/luna.png')).status).toBe(404);
});

test('a poster is rejected with 503 if the queue is full, and rendered later', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = Array.from({ length: 512 }, (_, index) =>
    fake.service.queues.poster(`sender ${index}`, () => promise),
  );
  const path = '/fecha/2026-11-27.png';
  const rejected = await fake.ask(path);
  expect([rejected.status, rejected.headers]).toMatchObject([
    503,
    {
      'retry-after': '5',
      'cache-control': 'no-store',
      'content-type': expect.stringContaining('text/plain'),
    },
  ]);
  resolve();
  await Promise.all(waiting);
  expect((await fake.ask(path)).headers['content-type']).toBe('image/png');
});
