// Pages made ahead: a server that begins anew has them as they are, and those that changed are made again.
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { switchCurrent } from '../../src/releases/snapshots.ts';
import { warmPageCache } from '../../src/server/release-command.ts';
import type { RenderPage } from '../../src/server/load-site-code.ts';
import { listWarmPaths } from '../../src/site/resolve-path.ts';
import { serveFake, writeSnapshot } from './fake-release.ts';

const DAY_MS = 86_400_000;
const fake = await serveFake();
/** Short pages, but for one: to compress is most of the work. */
const render: RenderPage = async (url, ...rest) => {
  const page = await fake.code.render(url, ...rest);
  return url === '/manana' ? page : { ...page, body: 'corta' };
};

const toState = () => {
  const { snapshot } = fake.following.current();
  return { snapshot, now_ms: fake.clock.now_ms, site: fake.service.site };
};
async function warm(real_ms = Date.now(), code = { ...fake.code, render }): Promise<string> {
  const said: string[] = [];
  const { pages_dir } = fake.layout;
  await warmPageCache(toState(), code, pages_dir, real_ms, (line) => said.push(line));
  return said.at(-1) ?? '';
}

test('every page of the list is made once, then kept, and made again where it says something else', async () => {
  const all = listWarmPaths(toState()).length;
  expect(await warm()).toMatch(`  ${all} pages made ahead, 0 kept`);
  expect(await warm()).toMatch(`  0 pages made ahead, ${all} kept`);

  const before = fake.rendered.length;
  const page = await fake.ask('/manana', { 'accept-encoding': 'br' });
  expect([page.status, page.headers['content-encoding']]).toEqual([200, 'br']);
  expect(brotliDecompressSync(page.bytes).toString()).toContain('made of /manana ');
  for (const path of ['/eventos/feria-diaria', '/en/events/everyday-fair.md', '/llms.txt'])
    expect((await fake.ask(path)).status).toBe(200);
  expect(fake.rendered.slice(before)).toEqual([]);

  switchCurrent(fake.layout, writeSnapshot(fake.layout, 'Feria nueva'));
  fake.following.check();
  const begun = fake.rendered.length;
  await warm(Date.now() + 2 * DAY_MS);
  const made = fake.rendered.slice(begun);
  expect(made).toContain('/eventos/feria-diaria');
  expect(made).not.toContain('/eventos/exposicion-larga');
});

test('a page that fails stops it', async () => {
  const failed = { status: 500, headers: {}, body: null };
  const broken = { ...fake.code, maker: 'broken', render: async () => failed };
  await expect(warm(Date.now(), broken)).rejects.toThrow(/answers 500$/);
});
