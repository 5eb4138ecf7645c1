// Turns: so much at once, one sender after the other, and who has too much waiting is told so.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createTurns, TurnRefused } from '../../src/server/http/turns.ts';
import { countRendered, startFake } from './fake-release.ts';

/** What a browser accepts. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const LIMITS = { at_once: 1, of_one: 5, of_all: 7 } as const;
const statusOf = (thrown: unknown): number => (thrown instanceof TurnRefused ? thrown.status : 0);

describe('turns', () => {
  test('go from one sender to the next, however much one of them has waiting', async () => {
    const take = createTurns(LIMITS);
    const order: string[] = [];
    const ask = (sender: string) => take(sender, async () => void order.push(sender));
    await Promise.all([...Array.from({ length: 5 }, () => ask('a')), ask('b'), ask('c')]);
    expect(order.join('')).toBe('abcaaaa');
  });

  test('are so many at once, and begin after what was ready before', async () => {
    const take = createTurns({ ...LIMITS, at_once: 2 });
    let [inside, most, is_seen] = [0, 0, false];
    const work = async () => {
      most = Math.max(most, ++inside);
      await sleep(5);
      inside--;
      return is_seen;
    };
    const all = Array.from({ length: 5 }, () => take('a', work));
    setImmediate(() => {
      is_seen = true;
    });
    expect([await Promise.all(all), most]).toEqual([Array.from({ length: 5 }, () => true), 2]);
  });

  test('begin when nobody new comes, and after a while all the same', async () => {
    let arrived = 0;
    const take = createTurns(LIMITS, () => arrived);
    const order: string[] = [];
    const waits = take('a', async () => void order.push('page'));
    for (let i = 0; i < 5; i++) {
      arrived++;
      await new Promise((done) => setImmediate(done));
      order.push('came');
    }
    await waits;
    expect(order).toEqual(['came', 'came', 'came', 'came', 'came', 'page']);
    const flood = setInterval(() => arrived++, 0);
    const spin = setInterval(() => arrived++, 1);
    await take('a', async () => {});
    clearInterval(flood);
    clearInterval(spin);
  });

  test('are refused to one who has too much waiting, and to all where all have', async () => {
    const take = createTurns(LIMITS);
    const never = () => new Promise<never>(() => {});
    for (let i = 0; i < 5; i++) void take('a', never);
    expect(statusOf(await take('a', never).catch((thrown: unknown) => thrown))).toBe(429);
    void take('b', never);
    void take('b', never);
    expect(statusOf(await take('c', never).catch((thrown: unknown) => thrown))).toBe(503);
  });

  test('are given back by work that fails', async () => {
    const take = createTurns(LIMITS);
    await expect(take('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await take('a', async () => 'next')).toBe('next');
  });
});

describe('pages that are made for one reader', () => {
  test('are refused past five times the allowance, files of the release are not', async () => {
    const fake = await startFake({ address: 2, key: 2 });
    const ask = (at: number) => fake.ask(`/eventos/suyo-${at}`);
    const statuses: number[] = [];
    for (let at = 0; at < 11; at++) statuses.push((await ask(at)).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    const refused = await ask(12);
    expect(refused.headers).toMatchObject({
      'ratelimit-policy': '"page";q=10;w=60',
      'retry-after': expect.stringMatching(/^\d+$/),
      'cache-control': 'no-store',
    });
    expect(refused.text).toContain('lo que escribiste');
    expect(refused.headers['content-type']).toBe('text/plain; charset=utf-8');
    const page = await fake.ask('/eventos/suyo-13', { accept: BROWSER });
    expect([page.status, page.headers]).toMatchObject([
      429,
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': expect.stringMatching(/^\d+$/),
        'x-content-type-options': 'nosniff',
        vary: expect.stringContaining('Accept'),
      },
    ]);
    const [, style = ''] = /<style>(.*?)<\/style>/.exec(page.text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers['content-security-policy']).toContain(`'sha256-${hash}'`);
    expect(page.text).toMatch(/^<!doctype html><html lang="es">.*Espera un minuto.*Wait a minute/);
    expect(page.text).toContain('<a href="">Intentar de nuevo</a>');
    const sent = await fake.ask('/publicar', { accept: BROWSER }, 'HEAD');
    expect([sent.status, sent.text]).toEqual([429, '']);
    expect([(await fake.ask('/hoy')).status, (await ask(3)).status]).toEqual([200, 200]);
    expect((await fake.ask('/publicar')).status).toBe(429);
    expect(fake.issues).toEqual([]);
    await fake.stop();
  });

  test('a flood of them keeps nobody from a page of the release', async () => {
    const fake = await startFake();
    const before = countRendered();
    const flood = Array.from({ length: 60 }, (_, at) => fake.ask(`/eventos/lento-${at}`));
    await expect.poll(countRendered).toBeGreaterThan(before);
    expect((await fake.ask('/hoy')).status).toBe(200);
    expect(countRendered() - before, 'it went first').toBeLessThan(12);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(34);
    await fake.stop();
  });
});
