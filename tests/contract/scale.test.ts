// What docs/scale.md promises of one server among several: what a CDN may keep of it, and that HAProxy as the kit has it
// asks another where one is gone. Whole machines that are killed: bench/machines.ts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../fixtures/built-server.ts';
import { startHaproxy } from '../fixtures/haproxy.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { serveSharedRelease } from '../fixtures/shared-release.ts';

const server = await serveSharedRelease({ content_dir: FIXTURE_DIR });
const paper = readFileSync(join(import.meta.dirname, '../../docs/scale.md'), 'utf8');
const quote = (cell: string): string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, one = '']) => one);
const ROWS = [...paper.matchAll(/^\| (`\/.*?) \| `(.*)` \|/gm)].flatMap(
  ([, paths = '', cache = '']) => quote(paths).map((path) => [path, cache] as const),
);

test('its table matches the cache headers of each response', async () => {
  expect(ROWS.length).toBeGreaterThan(12);
  const css = /\/_astro\/[^"]+\.css/.exec(await (await server.get('/hoy')).text())?.[0] ?? '';
  const said = ROWS.map(async ([path]) => {
    const { headers } = await server.get(path === '/_astro/…' ? css : path);
    return [path, headers.get('cache-control')];
  });
  expect(await Promise.all(said)).toEqual(ROWS);
});

test('HAProxy of the kit asks another machine where one is gone', async () => {
  const proxy = await startHaproxy([await findFreePort(), server.port], []);
  onTestFinished(proxy.stop);
  const ask = async () => (await fetch(`http://127.0.0.1:${proxy.port}/hoy`)).status;
  await expect.poll(ask).toBe(200);
  const asked = await Promise.all(Array.from({ length: 20 }, ask));
  expect(new Set(asked)).toEqual(new Set([200]));
});
