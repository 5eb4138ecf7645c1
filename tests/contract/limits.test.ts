// Rate limits and API keys over HTTP: two processes share one count (contract 9, 10).
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
  // TRUST_PROXY, so that each test can send another client address.
  const env = { SERVERS: '2', RATE_LIMIT: `${LIMIT}`, RATE_LIMIT_KEY: `${KEY_LIMIT}` };
  const proxy_env = { TRUST_PROXY: '1', VALKEY_URL: redis.url };
  server = await startServer({ ...settings, env: { ...env, ...proxy_env } });
});
afterAll(async () => {
  await server.stop();
  await redis.kill();
});
let client_count = 0;
let client_address: string;
beforeEach(() => {
  client_address = `198.51.100.${++client_count}`;
});

async function request(path = '/api/v1/notices', key?: string, from = client_address) {
  const base_headers = { connection: 'close', 'x-forwarded-for': from };
  const headers = { ...base_headers, ...(key && { 'x-api-key': key }) };
  const response = await fetch(`${server.origin}${path}`, { headers });
  const body = await response.text();
  const code = () => v.parse(ErrorSchema, JSON.parse(body)).error.code;
  const remaining = Number(response.headers.get('ratelimit-remaining'));
  const { status } = response;
  return { status, headers: Object.fromEntries(response.headers), body, code, remaining };
}
async function spend(
  limit: number,
  requestOne: (at: number) => ReturnType<typeof request>,
): Promise<void> {
  // Sixty at once: more would trigger the flood protection.
  const replies: Awaited<ReturnType<typeof request>>[] = [];
  while (replies.length < limit) {
    const sixty = Array.from({ length: 60 }, (_, at) => requestOne(replies.length + at));
    replies.push(...(await Promise.all(sixty)));
  }
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const remaining = replies.map((reply) => reply.remaining).sort((a, b) => b - a);
  expect(remaining).toEqual(Array.from({ length: limit }, (_, at) => limit - 1 - at));
}

test('sixty requests a minute over both processes with the remaining count, then 429 with the time to retry', async () => {
  await spend(LIMIT, () => request());
  const rejected = await request();
  expect([rejected.status, rejected.code()]).toEqual([429, 'rate_limited']);
  expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(60);
});

test('all routes of /api share one count, including errors; calendars and a refused GET of /mcp have others, and pages none', async () => {
  const error_paths = ['/api/v1/events?limit=0', '/api/nothing'];
  const counted = ['/api/v1/events', '/api/openapi.json', ...error_paths];
  for (const [at, path] of counted.entries())
    expect((await request(path)).remaining).toBe(LIMIT - 1 - at);
  expect((await request('/api/v1/events.ics')).remaining).toBe(LIMIT * 20 - 1);
  expect((await request('/mcp')).remaining).toBe(KEY_LIMIT * 10 - 1);
  for (const path of ['/hoy', '/en/today.md', '/healthz', '/venues/malecon-inventado.ics'])
    expect((await request(path, 'nada')).headers, path).not.toHaveProperty('ratelimit-limit');
});

test('a key works at once with its own six hundred requests, and is revoked at once', async () => {
  const create = async (name: string) => {
    const { output } = await runCommand('keys', ['create', name], settings);
    const [, id = '', key = ''] = /^(key_\w+) [\s\S]*\b(hc_\w+)/.exec(output) ?? [];
    return { id, key };
  };
  const { id, key } = await create('Prueba');
  await spend(LIMIT, () => request());
  await spend(KEY_LIMIT, (at) =>
    request(undefined, key, at % 2 === 0 ? client_address : '192.0.2.1'),
  );
  const rejected = await request(undefined, key);
  expect([rejected.status, rejected.code()]).toEqual([429, 'rate_limited']);
  expect(rejected.headers).toMatchObject({
    ...{ 'ratelimit-limit': '600', 'ratelimit-policy': '"key";q=600;w=60' },
  });
  expect((await runCommand('keys', ['list'], settings)).output).toContain(
    `${id}  2026-11-20  Prueba  (last used 2026-11-20)`,
  );
  const other_key = await create('Otra');
  expect((await request(undefined, other_key.key)).status).toBe(200);
  expect((await runCommand('keys', ['revoke', other_key.id], settings)).code).toBe(0);
  for (const from of ['192.0.2.10', '192.0.2.11', '192.0.2.12']) {
    const revoked = await request(undefined, other_key.key, from);
    expect([revoked.status, revoked.code()]).toEqual([401, 'invalid_api_key']);
  }
});

test('both processes switch to a release built by a command', async () => {
  const readRelease = async () => JSON.parse((await request('/healthz')).body).release;
  const before = await readRelease();
  const later = { ...settings, clock_start: '2026-11-20T12:05:00-05:00' };
  expect(await runCommand('release', [], later)).toMatchObject({ code: 0 });
  const readMany = () => Promise.all(Array.from({ length: 12 }, readRelease));
  await expect.poll(readMany).not.toContain(before);
  expect(server.output()).toMatch(/^ATTENTION: CLOCK_START is set/);
});

test('an unavailable shared counter is reported, and its return too', async () => {
  const read = async () => (await request('/statusz')).body;
  expect(await read()).not.toContain('VALKEY_URL');
  await redis.kill();
  await expect.poll(read).toContain('VALKEY_URL is away');
  await redis.startAgain();
  await expect.poll(read).not.toContain('VALKEY_URL');
});
