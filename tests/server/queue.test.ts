// The queue: so much at once, one sender after the other, and who has too much in it is told so.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createQueues } from '../../src/server/heavy.ts';
import { createQueue, QueueFull } from '../../src/server/queue.ts';
import { startFake } from './fake-release.ts';

/** What a browser accepts. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const LIMITS = { at_once: 1, of_one: 5, of_all: 7 } as const;
const statusOf = (running: Promise<unknown>): Promise<number> =>
  running.then(
    () => 0,
    (thrown: unknown) => (thrown instanceof QueueFull ? thrown.status : -1),
  );

describe('the queue', () => {
  test('goes from one sender to the next, however much one of them has waiting', async () => {
    const run = createQueue(LIMITS);
    const order: string[] = [];
    const ask = (sender: string) => run(sender, async () => void order.push(sender));
    await Promise.all([...Array.from({ length: 5 }, () => ask('a')), ask('b'), ask('c')]);
    expect(order.join('')).toBe('abcaaaa');
  });

  test('runs so many at once, and begins after what was ready before', async () => {
    const run = createQueue({ ...LIMITS, at_once: 2 });
    let [inside, most, is_seen] = [0, 0, false];
    const work = async () => {
      most = Math.max(most, ++inside);
      await sleep(5);
      inside--;
      return is_seen;
    };
    const all = Array.from({ length: 5 }, () => run('a', work));
    setImmediate(() => {
      is_seen = true;
    });
    expect([await Promise.all(all), most]).toEqual([Array.from({ length: 5 }, () => true), 2]);
  });

  test('begins when nobody new comes, and after a while all the same', async () => {
    let arrived = 0;
    const run = createQueue(LIMITS, () => arrived);
    const order: string[] = [];
    const waits = run('a', async () => void order.push('page'));
    for (let i = 0; i < 5; i++) {
      arrived++;
      await new Promise((done) => setImmediate(done));
      order.push('came');
    }
    await waits;
    expect(order).toEqual(['came', 'came', 'came', 'came', 'came', 'page']);
    const flood = setInterval(() => arrived++, 0);
    const spin = setInterval(() => arrived++, 1);
    await run('a', async () => {});
    clearInterval(flood);
    clearInterval(spin);
  });

  test('has no room for a sixth of one sender, nor for an eighth of all', async () => {
    const run = createQueue(LIMITS);
    const ends: (() => void)[] = [];
    const work = () => new Promise<void>((end) => ends.push(end));
    const running = ['a', 'a', 'a', 'a', 'a'].map((sender) => run(sender, work));
    expect(await statusOf(run('a', work))).toBe(429);
    running.push(run('b', work), run('b', work));
    expect(await statusOf(run('c', work))).toBe(503);
    const endOne = async () => {
      await expect.poll(() => ends.length).toBe(1);
      ends.pop()?.();
    };
    await endOne();
    await running[0];
    running.push(run('c', work));
    expect(await statusOf(run('a', work)), 'of all').toBe(503);
    for (let at = 0; at < 7; at++) await endOne();
    await Promise.all(running);
    expect(await statusOf(run('a', async () => {})), 'nobody is in any more').toBe(0);
  });

  test('goes on after work that fails', async () => {
    const run = createQueue(LIMITS);
    await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await run('a', async () => 'next')).toBe('next');
  });
});

test.each([
  ['page', 34, 258],
  ['form', 96, 320],
  ['poster', 24, 48],
] as const)(
  'of each %s %i are begun or wait for one sender, %i for all',
  async (name, one, all) => {
    const run = createQueues()[name];
    const never = () => new Promise<never>(() => {});
    const senders = Array.from({ length: all }, (_, at) => `sender ${Math.floor(at / one)}`);
    const refused: number[] = [];
    const note = (status: number): void => void refused.push(status);
    for (const sender of senders.slice(0, one)) void statusOf(run(sender, never)).then(note);
    expect(await statusOf(run('sender 0', never))).toBe(429);
    for (const sender of senders.slice(one)) void statusOf(run(sender, never)).then(note);
    expect(await statusOf(run('somebody', never))).toBe(503);
    expect(refused).toEqual([]);
  },
);

describe('pages that are made for one reader', () => {
  test('are refused past five times the allowance, those that all are given are not', async () => {
    const fake = await startFake({ address: 2, key: 2 });
    const ask = (at: number) => fake.ask(`/calendario?${at}`);
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
    const page = await fake.ask('/calendario?13', { accept: BROWSER });
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
    expect([(await fake.ask('/hoy')).status, (await fake.ask('/eventos/otro')).status]).toEqual([
      200, 200,
    ]);
    expect((await fake.ask('/publicar')).status).toBe(429);
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
