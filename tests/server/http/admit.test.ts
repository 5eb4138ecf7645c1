// Who is let in: 429 before 401, one allowance for an address, one for a key (contract 9.3, 10), pages that are made
// for one reader; and what is refused, told by kind.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { toDigest } from '../../../src/inbox/secret.ts';
import { authorize } from '../../../src/server/http/admit.ts';
import { createRefusalTally } from '../../../src/server/http/refusals.ts';
import { createLimits, type Take } from '../../../src/server/limits.ts';
import { startFake } from '../fake-release.ts';

describe('authorize', () => {
  const site = { url: 'https://hoy.example', name: 'Hoy', contact_email: null };
  const isLiveKey = async (hash: string): Promise<boolean> => hash === toDigest('good');
  let take: Take;
  beforeEach(async () => {
    ({ take } = await createLimits({ address: 3, key: 5 }));
  });
  const ask = (headers: Record<string, string> = {}) => {
    const request = { method: 'GET', path: '/api/v1/events', query: '', headers };
    return authorize({ request, sender: '192.0.2.1', service: { site, take, isLiveKey } });
  };

  test('lets the last one in and refuses the next, whatever its key; a live one has its own', async () => {
    for (const left of ['2', '1', '0']) {
      const { headers, refusal } = await ask();
      expect([headers['ratelimit-remaining'], refusal]).toEqual([left, null]);
    }
    for (const more of [{}, { 'x-api-key': 'bad' }]) {
      const { headers, refusal } = await ask(more);
      expect([refusal?.status, refusal?.headers['cache-control']]).toEqual([429, 'no-store']);
      expect(JSON.parse(String(refusal?.body)).error).toMatchObject({
        code: 'rate_limited',
        message: expect.stringMatching(/^rate: /),
      });
      expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    const { headers, refusal } = await ask({ 'x-api-key': 'good' });
    expect([refusal, headers['ratelimit-limit'], headers['ratelimit-remaining']]).toEqual([
      ...[null, '5', '4'],
    ]);
  });

  test.each(['bad', '', 'GOOD', 'good, good'])('refuses the key %j, and counts it', async (key) => {
    const { headers, refusal } = await ask({ 'x-api-key': key });
    expect(refusal?.status).toBe(401);
    expect(refusal?.headers['www-authenticate']).toMatch(/^ApiKey /);
    expect(JSON.parse(String(refusal?.body)).error.code).toBe('invalid_api_key');
    expect(headers['ratelimit-remaining']).toBe('2');
  });
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
    expect([refused.status, refused.text]).toEqual([
      429,
      expect.stringContaining('lo que escribiste'),
    ]);
    expect(refused.headers).toMatchObject({
      'ratelimit-policy': '"page";q=10;w=60',
      'retry-after': expect.stringMatching(/^\d+$/),
      'cache-control': 'no-store',
      'content-type': 'text/plain; charset=utf-8',
    });
    const page = await fake.ask('/calendario?13', { accept });
    expect([page.status, page.headers]).toMatchObject([
      429,
      {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'retry-after': expect.stringMatching(/^\d+$/),
        vary: expect.stringContaining('Accept'),
      },
    ]);
    const [, style = ''] = /<style>(.*?)<\/style>/.exec(page.text) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers['content-security-policy']).toContain(`'sha256-${hash}'`);
    expect(page.text).toMatch(/<html lang="es">.*<a href="">.*<section lang="en">/);
    const sent = await fake.ask('/publicar', { accept }, 'HEAD');
    expect([sent.status, sent.text]).toEqual([429, '']);
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
    const count = createRefusalTally((refused) => told.push(refused), 20);
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
