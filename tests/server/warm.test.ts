// Pages made ahead: a server that begins anew has them as they are, and those that changed are made again.
import { existsSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { switchTo } from '../../src/releases/snapshots.ts';
import { warmPages } from '../../src/server/release.ts';
import { listBuiltPaths } from '../../src/site/documents.ts';
import { serveFake, writeSnapshot } from './fake-release.ts';

const DAY_MS = 86_400_000;
const fake = await serveFake();

const toState = () => ({
  snapshot: fake.following.current().snapshot,
  now_ms: fake.clock.now_ms,
  site: fake.service.site,
});
/** Gives what it says at its end. */
async function warm(real_ms = Date.now()): Promise<string> {
  const said: string[] = [];
  const { pages_dir } = fake.layout;
  await warmPages(toState(), fake.code, pages_dir, real_ms, (line) => said.push(line));
  return said.at(-1) ?? '';
}

test('every page of the list is made once, and then kept', async () => {
  const all = listBuiltPaths(toState()).length;
  expect(await warm()).toMatch(`  ${all} pages made ahead, 0 kept`);
  expect(await warm()).toMatch(`  0 pages made ahead, ${all} kept`);
});

test('readers are given what was made ahead, compressed and dated', async () => {
  const before = fake.rendered.length;
  const { status, headers, bytes } = await fake.ask('/manana', { 'accept-encoding': 'br' });
  expect([status, headers['content-encoding']]).toEqual([200, 'br']);
  expect(brotliDecompressSync(bytes).toString()).toContain('made of /manana ');
  const again = await fake.ask('/manana', {
    'if-modified-since': String(headers['last-modified']),
  });
  expect(again.status).toBe(304);
  fake.clock.now_ms += DAY_MS;
  const later = await fake.ask('/manana', {
    'if-modified-since': String(headers['last-modified']),
  });
  expect([later.status, later.headers['last-modified']]).not.toContain(headers['last-modified']);
  expect(later.status).toBe(200);
  fake.clock.now_ms -= DAY_MS;
  for (const path of ['/eventos/feria-diaria', '/en/events/everyday-fair.md', '/llms.txt'])
    expect((await fake.ask(path)).status).toBe(200);
  expect(fake.rendered.slice(before)).toEqual(['/manana']);
});

test('of the next release those are made that say something else; what nobody needs any more goes', async () => {
  switchTo(fake.layout, writeSnapshot(fake.layout, 'Feria nueva'));
  fake.following.check();
  const before = fake.rendered.length;
  await warm(Date.now() + 2 * DAY_MS);
  const made = fake.rendered.slice(before);
  expect(made).toContain('/eventos/feria-diaria');
  expect(made).not.toContain('/eventos/exposicion-larga');
  expect(made.length).toBeLessThan(listBuiltPaths(toState()).length);
  expect(existsSync(fake.layout.pages_dir)).toBe(true);
});

test('a page that fails stops it', async () => {
  const broken = {
    ...fake.code,
    maker: 'broken',
    render: async () => ({ status: 500, headers: {}, body: null }),
  };
  await expect(
    warmPages(toState(), broken, fake.layout.pages_dir, Date.now(), () => {}),
  ).rejects.toThrow(/answers 500$/);
});
