// Every Markdown document says when it was sent, in Cancún, while its file says the same all day.
import { expect, test } from 'vitest';
import { at } from '../fixtures/fixture.ts';
import { serveFake } from './fake-release.ts';

const fake = await serveFake();

const ask = (local: string, path: string, headers = {}) => {
  fake.clock.now_ms = at(local);
  return fake.ask(path, headers);
};

test.each([
  ['/fecha/2026-11-21.md', {}, 'Escrito a las 12:04 del viernes 20 de noviembre de 2026'],
  ['/fecha/2026-11-21', { accept: 'text/markdown' }, 'Escrito a las 12:04 del viernes 20'],
  ['/en/today.md', {}, 'Written at 12:04 p.m. on Friday, November 20, 2026'],
  ['/en/events/ride.md', {}, 'Written at 12:04 p.m. on Friday, November 20, 2026'],
])(
  '%s %o says so once, and of when its data is, built ahead or not',
  async (path, headers, words) => {
    const { status, text } = await ask('2026-11-20T12:04:00', path, headers);
    expect(status).toBe(200);
    expect(text.split(words)).toHaveLength(2);
    expect(text).toMatch(
      /(hora de Cancún|Cancún time) \(UTC−5\)\. (Datos al|Data as of) 2026-11-20T12:00:00-05:00\./,
    );
  },
);

test('it is the same document for a minute, and then another', async () => {
  const path = '/fecha/2026-11-21.md';
  const first = await ask('2026-11-20T12:10:00', path);
  const etag = String(first.headers.etag);
  expect((await ask('2026-11-20T12:10:59', path, { 'if-none-match': etag })).status).toBe(304);
  const next = await ask('2026-11-20T12:11:00', path, { 'if-none-match': etag });
  expect(next.status).toBe(200);
  expect(next.text).toContain('Escrito a las 12:11');
  expect(next.text.replace('12:11', '12:10')).toBe(first.text);
});

test('a page, and what is not there, say no such thing', async () => {
  for (const path of ['/fecha/2026-11-21', '/eventos/nada.md', '/favicon.svg'])
    expect((await ask('2026-11-20T12:10:00', path)).text).not.toContain('Escrito');
});
