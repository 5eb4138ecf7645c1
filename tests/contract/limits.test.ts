// Limits and keys of the running service (contract 9, 10): two processes, one allowance.
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import { type BuiltServer, runCommand, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { type Redis, startRedis } from '../fixtures/redis.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';
import { makeFolder } from '../fixtures/folder.ts';

const LIMIT = 60;
const KEY_LIMIT = 600;
const settings = { data_dir: makeFolder(), content_dir: FIXTURE_DIR };
/** As they come, but for the proxy: one stands in front, so each test asks as somebody of its own. */
const env = {
  SERVERS: '2',
  RATE_LIMIT: String(LIMIT),
  RATE_LIMIT_KEY: String(KEY_LIMIT),
  TRUST_PROXY: '1',
};
let server: BuiltServer;
let redis: Redis;
beforeAll(async () => {
  await copySharedRelease(settings);
  redis = await startRedis();
  server = await startServer({ ...settings, env: { ...env, VALKEY_URL: redis.url } });
});
afterAll(async () => {
  await server.stop();
  await redis.kill();
});

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A connection each, so that both processes are asked. */
async function ask({ method = 'GET', path = '/api/v1/notices', headers }: Asked): Promise<Reply> {
  const answer = await fetch(`${server.origin}${path}`, {
    ...{ method, headers: { connection: 'close', ...headers } },
  });
  const { status } = answer;
  return { status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
}

let last_host = 0;
let me: string;
/** Somebody new before each test. */
beforeEach(() => {
  me = `198.51.100.${++last_host}`;
});
const from = (address: string, more: Readonly<Record<string, string>> = {}): Asked => ({
  headers: { 'x-forwarded-for': address, ...more },
});
const times = (count: number, make: (i: number) => Asked): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => ask(make(i))));
const spend = async (): Promise<void> => {
  await times(LIMIT, () => from(me));
};
const statusesOf = (replies: readonly Reply[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(Object.groupBy(replies, ({ status }) => status)).map(([status, some]) => [
      status,
      some?.length ?? 0,
    ]),
  );
const codeOf = ({ body }: Reply): string => v.parse(ErrorSchema, JSON.parse(body)).error.code;
const remainingOf = ({ headers }: Reply): number => Number(headers['ratelimit-remaining']);

describe('without a key', () => {
  test('sixty a minute over both processes, each told what is left; then 429 that says when', async () => {
    const replies = await times(LIMIT, () => from(me));
    expect(statusesOf(replies)).toEqual({ 200: LIMIT });
    expect(replies.map(remainingOf).sort((a, b) => b - a)).toEqual(
      Array.from({ length: LIMIT }, (_, i) => LIMIT - 1 - i),
    );
    const refused = await ask(from(me));
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect(refused.headers).toMatchObject({
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  test('every route of /api and /mcp counts together, a fault and a 404 too; pages and feeds of places do not', async () => {
    const counted = [
      '/api/v1/events',
      '/api/v1/events.ics',
      '/api/openapi.json',
      '/api/v1/events?limit=0',
      '/api/nothing',
      '/mcp',
    ];
    const left: number[] = [];
    for (const path of counted) left.push(remainingOf(await ask({ ...from(me), path })));
    expect(left).toEqual(counted.map((_, i) => LIMIT - 1 - i));
    for (const path of ['/hoy', '/en/today.md', '/healthz', '/venues/malecon-inventado.ics']) {
      const free = await ask({ ...from(me), path });
      expect([path, free.status, free.headers['ratelimit-limit']]).toEqual([path, 200, undefined]);
    }
    const with_wrong_key = { ...from(me, { 'x-api-key': 'nada' }), path: '/hoy' };
    expect((await ask(with_wrong_key)).status).toBe(200);
    expect(remainingOf(await ask({ ...from(me), method: 'HEAD' }))).toBe(LIMIT - 1 - left.length);
    expect(remainingOf(await ask(from(me)))).toBe(LIMIT - 2 - left.length);
  });
});

describe('with a key', () => {
  async function createKey(name: string): Promise<{ id: string; key: string }> {
    const { output } = await runCommand('keys', ['create', name], settings);
    const [, id = '', key = ''] = /^(key_\w+) [\s\S]*\b(hc_\w+)/.exec(output) ?? [];
    expect(key, output).not.toBe('');
    return { id, key };
  }

  test('is known to a running server at once, has six hundred, leaves the address alone, and ends at once', async () => {
    const { id, key } = await createKey('Prueba');
    await spend();
    const replies = await times(KEY_LIMIT, (i) =>
      from(i % 2 === 0 ? me : '192.0.2.1', { 'x-api-key': key }),
    );
    expect(statusesOf(replies)).toEqual({ 200: KEY_LIMIT });
    expect(replies.map(remainingOf).sort((a, b) => b - a)).toEqual(
      Array.from({ length: KEY_LIMIT }, (_, i) => KEY_LIMIT - 1 - i),
    );
    expect(replies[0]?.headers).toMatchObject({
      'ratelimit-limit': '600',
      'ratelimit-policy': '"key";q=600;w=60',
    });
    const refused = await ask(from(me, { 'x-api-key': key }));
    expect([refused.status, codeOf(refused), refused.headers['ratelimit-limit']]).toEqual([
      429,
      'rate_limited',
      '600',
    ]);

    expect((await runCommand('keys', ['list'], settings)).output).toContain(
      `${id}  2026-11-20  Prueba  (last used 2026-11-20)`,
    );
    const fresh = await createKey('Otra');
    expect((await ask(from(me, { 'x-api-key': fresh.key }))).status).toBe(200);
    expect((await runCommand('keys', ['revoke', fresh.id], settings)).code).toBe(0);
    const ended = await times(4, (i) => from(`192.0.2.${10 + i}`, { 'x-api-key': fresh.key }));
    expect(ended.map((reply) => [reply.status, codeOf(reply)])).toEqual(
      Array.from({ length: 4 }, () => [401, 'invalid_api_key']),
    );
    expect((await runCommand('keys', ['revoke', fresh.id], settings)).output).toContain(
      'There is no live key',
    );
  });
});
