// Admission: 429 before 401, rate limits, filtered pages, counted rejections (contract 9.3, 10).
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createRejectionCounter } from '../../../src/server/http/error-pages.ts';
import { startFake } from '../fake-release.ts';

test('rejects the first request over the limit with any invalid key; a live key has its own limit', async () => {
  const fake = await startFake({ address: 5, key: 7 });
  const ask = async (key?: string) => {
    const path = '/api/v1/notices';
    const { status, headers } = await fake.ask(path, key === undefined ? {} : { 'x-api-key': key });
    return `${status} ${headers['ratelimit-remaining']} of ${headers['ratelimit-limit']}`;
  };
  expect(await ask()).toBe('200 4 of 5');
  for (const [index, key] of ['bad', 'good, good'].entries())
    expect(await ask(key)).toBe(`401 ${3 - index} of 5`);
  expect(await ask('')).toBe('200 1 of 5');
  expect(await ask()).toBe('200 0 of 5');
  for (const key of [undefined, 'bad']) expect(await ask(key)).toBe('429 0 of 5');
  expect(await ask('good')).toBe('200 6 of 7');
  await fake.stop();
});

test('calendars are counted apart from the API, with twenty times its limit', async () => {
  const fake = await startFake({ address: 2, key: 3 });
  const ask = async (path: string, key?: string) => {
    const { status, headers } = await fake.ask(path, key === undefined ? {} : { 'x-api-key': key });
    return `${status} ${headers['ratelimit-remaining']} of ${headers['ratelimit-limit']}`;
  };
  const calendar = '/api/v1/events.ics?lang=es';
  for (let used = 1; used <= 40; used++) expect(await ask(calendar)).toBe(`200 ${40 - used} of 40`);
  expect(await ask(calendar)).toBe('429 0 of 40');
  expect(await ask('/api/v1/notices')).toBe('200 1 of 2');
  expect(await ask(calendar, 'good')).toBe('200 39 of 40');
  expect(await ask('/api/v1/notices', 'good')).toBe('200 2 of 3');
  await fake.stop();
});

describe('filtered pages', () => {
  /** Accept header of browsers. */
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test('are rejected over five times the API limit, while shared pages are not', async () => {
    const fake = await startFake({ address: 2, key: 2 });
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await fake.ask(`/calendario?${i}`)).status);
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    const form = await fake.ask('/publicar');
    const headers = { 'cache-control': 'no-store', 'retry-after': expect.stringMatching(/^\d+$/) };
    expect(form).toMatchObject({
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

  test('a flood of requests does not delay cached pages', async () => {
    const fake = await startFake();
    await fake.ask('/hoy');
    const before = fake.rendered.length;
    const { promise, resolve } = Promise.withResolvers<void>();
    fake.slow.until = () => promise;
    const statuses: number[] = [];
    const flood = Array.from({ length: 60 }, async (_, index) => {
      statuses.push((await fake.ask(`/eventos/lento-${index}`)).status);
    });
    // The queue holds 34 of them, none of which has finished.
    await expect.poll(() => statuses.length).toBe(26);
    expect((await fake.ask('/hoy')).status).toBe(200);
    expect(fake.rendered.length - before).toBe(2);
    resolve();
    await Promise.all(flood);
    expect(statuses).toEqual([...Array<number>(26).fill(429), ...Array<number>(34).fill(200)]);
    await fake.stop();
  });
});

describe('rejected requests', () => {
  test('are logged once per period with their counts', async () => {
    const reports: Readonly<Record<string, number>>[] = [];
    const count = createRejectionCounter((counts) => reports.push(counts), 20);
    for (let i = 0; i < 1000; i++) count('too_many');
    count('foreign');
    await sleep(40);
    count('foreign');
    await expect.poll(() => reports).toEqual([{ too_many: 1000, foreign: 1 }, { foreign: 1 }]);
  });

  test('are counted by the kind of their status; accepted requests are not counted', async () => {
    const fake = await startFake({ address: 1, key: 1 });
    await fake.ask('/hoy');
    await fake.ask('/api/v1/notices', { 'x-api-key': 'wrong' });
    await fake.ask('/api/v1/notices');
    await fake.sendRaw('nonsense\r\n\r\n');
    await fake.ask(`/hoy?${'a'.repeat(9000)}`);
    expect(fake.rejected).toEqual(['not_let_in', 'too_many', 'malformed', 'too_long']);
    await fake.stop();
  });
});
