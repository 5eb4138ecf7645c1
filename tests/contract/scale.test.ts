// docs/scale.md: checks its table of cache headers, and that HAProxy with the kit's configuration skips a machine that is
// down. bench/machines.ts tests killed machines.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../fixtures/built-server.ts';
import { startHaproxy } from '../fixtures/haproxy.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { serveSharedRelease } from '../fixtures/shared-release.ts';

const server = await serveSharedRelease({ content_dir: FIXTURE_DIR });
const document = readFileSync(join(import.meta.dirname, '../../docs/scale.md'), 'utf8');
const listQuoted = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);
const ROWS = [...document.matchAll(/^\| (`\/.*?) \| `(.*)` \|/gm)].flatMap(
  ([, paths = '', cache = '']) => listQuoted(paths).map((path) => [path, cache] as const),
);

test('its table matches the cache headers of each response', async () => {
  expect(ROWS.length).toBeGreaterThan(12);
  const css = /\/_astro\/[^"]+\.css/.exec(await (await server.get('/hoy')).text())?.[0] ?? '';
  const rows = ROWS.map(async ([path]) => {
    const { headers } = await server.get(path === '/_astro/…' ? css : path);
    return [path, headers.get('cache-control')];
  });
  expect(await Promise.all(rows)).toEqual(ROWS);
});

test('HAProxy of the kit sends requests to another machine if one is down', async () => {
  const proxy = await startHaproxy([await findFreePort(), server.port], []);
  onTestFinished(proxy.stop);
  const requestPage = async () => (await fetch(`http://127.0.0.1:${proxy.port}/hoy`)).status;
  await expect.poll(requestPage).toBe(200);
  const statuses = await Promise.all(Array.from({ length: 20 }, requestPage));
  expect(new Set(statuses)).toEqual(new Set([200]));
});
