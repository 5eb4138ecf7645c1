// Who is let in: 429 before 401, allowances, pages for one reader, refusals (contract 9.3, 10).
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createRejectionCounter } from '../../../src/server/http/error-pages.ts';
import { startFake } from '../fake-release.ts';

test('the last one is let in and the next refused, whatever its key; a live one has its own', async () => {
  const fake = await startFake({ address: 5, key: 7 });
  const ask = async (key?: string) => {
    const path = '/api/v1/notices';
    const { status, headers } = await fake.ask(path, key === undefined ? {} : { 'x-api-key': key });
    return `${status} ${headers['ratelimit-remaining']} of ${headers['ratelimit-limit']}`;
  };
  expect(await ask()).toBe('200 4 of 5');
  for (const [at, key] of ['bad', '', 'good, good'].entries())
    expect(await ask(key)).toBe(`401 ${3 - at} of 5`);
  expect(await ask()).toBe('200 0 of 5');
  for (const key of [undefined, 'bad']) expect(await ask(key)).toBe('429 0 of 5');
  expect(await ask('good')).toBe('200 6 of 7');
  await fake.stop();
});

describe('pages that are made for one reader', () => {
  /** What a browser accepts. */
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test('are refused past five times the allowance, those that all are given are not', async () => {
    const fake = await startFake({ address: 2, key: 2 });
    const statuses: number[] = [];
    for (let at = 0; at < 11; at++) statuses.push((await fake.ask(`/calendario?${at}`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    const refused = await fake.ask('/publicar');
    const headers = { 'cache-control': 'no-store', 'retry-after': expect.stringMatching(/^\d+$/) };
    expect(refused).toMatchObject({
      status: 429,
      headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
    });
    const page = await fake.ask('/calendario?13', { accept });
    expect(page).toMatchObject({
      status: 429,
      headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
    });
    for (const path of ['/hoy', '/eventos/otro'])
      expect((await fake.ask(path)).status, path).toBe(200);
    expect(fake.issues).toEqual([]);
    await fake.stop();
  });

  test('a flood of them keeps nobody from a page that is kept', async () => {
    const fake = await startFake();
    await fake.ask('/hoy');
    const before = fake.rendered.length;
    const { promise, resolve } = Promise.withResolvers<void>();
    fake.slow.until = () => promise;
    const statuses: number[] = [];
    const flood = Array.from({ length: 60 }, async (_, at) => {
      statuses.push((await fake.ask(`/eventos/lento-${at}`)).status);
    });
    // Room for 34 at once, of which none is done.
    await expect.poll(() => statuses.length).toBe(26);
    expect((await fake.ask('/hoy')).status).toBe(200);
    expect(fake.rendered.length - before).toBe(2);
    resolve();
    await Promise.all(flood);
    expect(statuses).toEqual([...Array<number>(26).fill(429), ...Array<number>(34).fill(200)]);
    await fake.stop();
  });
});

describe('refusals', () => {
  test('are told together, however many, and anew after a while', async () => {
    const told: Readonly<Record<string, number>>[] = [];
    const count = createRejectionCounter((refused) => told.push(refused), 20);
    for (let i = 0; i < 1000; i++) count('too_many');
    count('foreign');
    await sleep(40);
    count('foreign');
    await expect.poll(() => told).toEqual([{ too_many: 1000, foreign: 1 }, { foreign: 1 }]);
  });

  test('are of the kind that an answer says, and of no kind where nothing was refused', async () => {
    const fake = await startFake({ address: 1, key: 1 });
    await fake.ask('/hoy');
    await fake.ask('/api/v1/notices', { 'x-api-key': 'wrong' });
    await fake.ask('/api/v1/notices');
    await fake.sendRaw('nonsense\r\n\r\n');
    await fake.ask(`/hoy?${'a'.repeat(9000)}`);
    expect(fake.refused).toEqual(['not_let_in', 'too_many', 'malformed', 'too_long']);
    await fake.stop();
  });
});
