// Limits and keys of the running service (contract 9, 10): two processes, one allowance.
import * as v from 'valibot';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ErrorSchema } from '../../src/serializers/wire/meta.ts';
import { type BuiltServer, runCommand, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { type Redis, startRedis } from '../fixtures/redis.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';
import { useFolder } from '../fixtures/folder.ts';

const LIMIT = 60;
const KEY_LIMIT = 600;
const settings = { data_dir: useFolder(), content_dir: FIXTURE_DIR };
let server: BuiltServer;
let redis: Redis;
beforeAll(async () => {
  await copySharedRelease(settings);
  redis = await startRedis();
  // A proxy stands in front, so that each test asks as somebody of its own.
  const env = { SERVERS: '2', RATE_LIMIT: `${LIMIT}`, RATE_LIMIT_KEY: `${KEY_LIMIT}` };
  const more = { TRUST_PROXY: '1', VALKEY_URL: redis.url };
  server = await startServer({ ...settings, env: { ...env, ...more } });
});
afterAll(async () => {
  await server.stop();
  await redis.kill();
});
let last_host = 0;
let me: string;
beforeEach(() => {
  me = `198.51.100.${++last_host}`;
});

async function ask(path = '/api/v1/notices', key?: string, from = me) {
  const own = { connection: 'close', 'x-forwarded-for': from };
  const headers = { ...own, ...(key && { 'x-api-key': key }) };
  const answer = await fetch(`${server.origin}${path}`, { headers });
  const body = await answer.text();
  const code = () => v.parse(ErrorSchema, JSON.parse(body)).error.code;
  const left = Number(answer.headers.get('ratelimit-remaining'));
  const { status } = answer;
  return { status, headers: Object.fromEntries(answer.headers), body, code, left };
}
async function spend(limit: number, askOne: (at: number) => ReturnType<typeof ask>): Promise<void> {
  // Sixty at once: more would be a flood, which is another test's.
  const replies: Awaited<ReturnType<typeof ask>>[] = [];
  while (replies.length < limit) {
    const sixty = Array.from({ length: 60 }, (_, at) => askOne(replies.length + at));
    replies.push(...(await Promise.all(sixty)));
  }
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const left = replies.map((one) => one.left).sort((a, b) => b - a);
  expect(left).toEqual(Array.from({ length: limit }, (_, at) => limit - 1 - at));
}

test('sixty requests a minute over both processes with the remaining count, then 429 with the time to retry', async () => {
  await spend(LIMIT, () => ask());
  const refused = await ask();
  expect([refused.status, refused.code()]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
});

test('every route of /api and /mcp counts together, a fault and a 404 too; pages and feeds of places do not', async () => {
  const faults = ['/api/v1/events?limit=0', '/api/nothing'];
  const counted = ['/api/v1/events', '/api/v1/events.ics', '/api/openapi.json', '/mcp', ...faults];
  for (const [at, path] of counted.entries()) expect((await ask(path)).left).toBe(LIMIT - 1 - at);
  for (const path of ['/hoy', '/en/today.md', '/healthz', '/venues/malecon-inventado.ics'])
    expect((await ask(path, 'nada')).headers, path).not.toHaveProperty('ratelimit-limit');
});

test('a key works at once with its own six hundred requests, and is revoked at once', async () => {
  const create = async (name: string) => {
    const { output } = await runCommand('keys', ['create', name], settings);
    const [, id = '', key = ''] = /^(key_\w+) [\s\S]*\b(hc_\w+)/.exec(output) ?? [];
    return { id, key };
  };
  const { id, key } = await create('Prueba');
  await spend(LIMIT, () => ask());
  await spend(KEY_LIMIT, (at) => ask(undefined, key, at % 2 === 0 ? me : '192.0.2.1'));
  const refused = await ask(undefined, key);
  expect([refused.status, refused.code()]).toEqual([429, 'rate_limited']);
  expect(refused.headers).toMatchObject({
    ...{ 'ratelimit-limit': '600', 'ratelimit-policy': '"key";q=600;w=60' },
  });
  expect((await runCommand('keys', ['list'], settings)).output).toContain(
    `${id}  2026-11-20  Prueba  (last used 2026-11-20)`,
  );
  const fresh = await create('Otra');
  expect((await ask(undefined, fresh.key)).status).toBe(200);
  expect((await runCommand('keys', ['revoke', fresh.id], settings)).code).toBe(0);
  for (const from of ['192.0.2.10', '192.0.2.11', '192.0.2.12']) {
    const ended = await ask(undefined, fresh.key, from);
    expect([ended.status, ended.code()]).toEqual([401, 'invalid_api_key']);
  }
});

test('a release that a command makes is followed by both processes', async () => {
  const readRelease = async () => JSON.parse((await ask('/healthz')).body).release;
  const before = await readRelease();
  const later = { ...settings, clock_start: '2026-11-20T12:05:00-05:00' };
  expect(await runCommand('release', [], later)).toMatchObject({ code: 0 });
  const readMany = () => Promise.all(Array.from({ length: 12 }, readRelease));
  await expect.poll(readMany).not.toContain(before);
  expect(server.output()).toMatch(/^ATTENTION: CLOCK_START is set/);
});

test('an unavailable shared counter is reported, and its return too', async () => {
  const read = async () => (await ask('/statusz')).body;
  expect(await read()).not.toContain('VALKEY_URL');
  await redis.kill();
  await expect.poll(read).toContain('VALKEY_URL is away');
  await redis.startAgain();
  await expect.poll(read).not.toContain('VALKEY_URL');
});
