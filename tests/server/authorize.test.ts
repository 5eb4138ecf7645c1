// Limits and keys: 429 before 401, one allowance for an address, one for a key (contract 9.3, 10).
import { beforeEach, describe, expect, test } from 'vitest';
import { toDigest } from '../../src/inbox/secret.ts';
import { authorize } from '../../src/server/http/admit.ts';
import { toSender } from '../../src/server/http/client-address.ts';
import { createLimits, type Take } from '../../src/server/limits.ts';

const site = { url: 'https://hoy.example', name: 'Hoy', contact_email: null };
const isLiveKey = async (hash: string): Promise<boolean> => hash === toDigest('good');
let take: Take;
beforeEach(async () => {
  ({ take } = await createLimits({ address: 3, key: 5 }));
});

const ask = (headers: Record<string, string> = {}, socket = '192.0.2.1') => {
  const request = { method: 'GET', path: '/api/v1/events', query: '', headers };
  const sender = toSender(request, socket, 0);
  return authorize({ request, sender, service: { site, take, isLiveKey } });
};

describe('authorize', () => {
  test('lets the last one in and refuses the next, with whole numbers', async () => {
    const remaining = [await ask(), await ask(), await ask()].map(({ headers, refusal }) => [
      headers['ratelimit-remaining'],
      refusal,
    ]);
    expect(remaining).toEqual([
      ['2', null],
      ['1', null],
      ['0', null],
    ]);
    const { headers, refusal } = await ask();
    expect(refusal?.status).toBe(429);
    expect(refusal?.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(JSON.parse(String(refusal?.body))).toMatchObject({
      error: {
        code: 'rate_limited',
        message: expect.stringMatching(/^rate: /),
        documentation_url: 'https://hoy.example/api/openapi.json',
      },
    });
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
  });

  test('a forged X-Forwarded-For buys nothing', async () => {
    const statuses = await Promise.all(
      [1, 2, 3, 4].map((i) => ask({ 'x-forwarded-for': `6.6.6.${i}` })),
    );
    expect(statuses.at(-1)?.refusal?.status).toBe(429);
  });

  test('a live key has its own, larger allowance', async () => {
    for (let i = 0; i < 4; i++) await ask();
    const { headers, refusal } = await ask({ 'x-api-key': 'good' });
    expect(refusal).toBeNull();
    expect(headers).toMatchObject({
      'ratelimit-limit': '5',
      'ratelimit-remaining': '4',
      'ratelimit-policy': '"key";q=5;w=60',
    });
  });

  test.each(['bad', '', 'GOOD', 'good, good'])(
    'refuses the key %j with 401, counted like any other',
    async (key) => {
      const { headers, refusal } = await ask({ 'x-api-key': key });
      expect(refusal?.status).toBe(401);
      expect(refusal?.headers['www-authenticate']).toMatch(/^ApiKey /);
      expect(JSON.parse(String(refusal?.body)).error.code).toBe('invalid_api_key');
      expect(headers['ratelimit-remaining']).toBe('2');
    },
  );

  test('429 comes before 401', async () => {
    for (let i = 0; i < 3; i++) await ask();
    expect((await ask({ 'x-api-key': 'bad' })).refusal?.status).toBe(429);
  });
});
