// Warm-up: renders pages into the page cache, which survives restarts, and renders changed pages again.
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { switchCurrent } from '../../src/releases/snapshots.ts';
import { warmPageCache } from '../../src/server/release-command.ts';
import type { RenderPage } from '../../src/server/load-site-code.ts';
import { listWarmPaths } from '../../src/site/resolve-path.ts';
import { serveFake, writeSnapshot } from './fake-release.ts';

const DAY_MS = 86_400_000;
const fake = await serveFake();
/** Renders short pages except for one, because compression takes most of the time. */
const render: RenderPage = async (url, ...rest) => {
  const page = await fake.code.render(url, ...rest);
  return url === '/manana' ? page : { ...page, body: 'corta' };
};

const createPageContext = () => {
  const { snapshot } = fake.follower.getRelease();
  return { snapshot, now_ms: fake.clock.now_ms, site: fake.service.site };
};
async function warm(
  now_ms = Date.now(),
  code = { ...fake.code, render },
  max_bytes = 1e9,
): Promise<string> {
  const lines: string[] = [];
  const { pages_dir } = fake.layout;
  const limits = { max_bytes, now_ms, hasSpace: () => true };
  await warmPageCache(createPageContext(), code, pages_dir, limits, (line) => lines.push(line));
  return lines.at(-1) ?? '';
}

test('renders each listed page once, and again if its inputs change', async () => {
  const all = listWarmPaths(createPageContext()).length;
  expect(await warm()).toMatch(`  ${all} pages rendered, 0 already cached`);
  expect(await warm()).toMatch(`  0 pages rendered, ${all} already cached`);

  const before = fake.rendered.length;
  const page = await fake.ask('/manana', { 'accept-encoding': 'br' });
  expect([page.status, page.headers['content-encoding']]).toEqual([200, 'br']);
  expect(brotliDecompressSync(page.bytes).toString()).toContain('made of /manana ');
  for (const path of ['/eventos/feria-diaria', '/en/events/everyday-fair.md', '/llms.txt'])
    expect((await fake.ask(path)).status).toBe(200);
  expect(fake.rendered.slice(before)).toEqual([]);

  switchCurrent(fake.layout, writeSnapshot(fake.layout, 'Feria nueva'));
  fake.follower.check();
  const count = fake.rendered.length;
  await warm(Date.now() + 2 * DAY_MS);
  const rendered = fake.rendered.slice(count);
  expect(rendered).toContain('/eventos/feria-diaria');
  expect(rendered).not.toContain('/eventos/exposicion-larga');
});

test('names the setting if not all pages fit, and stops rendering', async () => {
  const count = fake.rendered.length;
  const other_code = { ...fake.code, render, renderer_digest: 'other' };
  expect(await warm(Date.now(), other_code, 20_000)).toMatch(
    /^ {2}ATTENTION: no room for \d+ pages.* Raise PAGE_CACHE_MB/,
  );
  const all = listWarmPaths(createPageContext()).length;
  expect(fake.rendered.length - count).toBeLessThan(all);
});

test('stops at a page that fails', async () => {
  const failed = { status: 500, headers: {}, body: null };
  const broken = { ...fake.code, renderer_digest: 'broken', render: async () => failed };
  await expect(warm(Date.now(), broken)).rejects.toThrow(/responded with 500$/);
});
