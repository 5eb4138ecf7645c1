// From one release to the next under load: no request fails, none is of two releases
// (docs/operations.md, Releases).
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toReleasePaths, writeCurrent } from '../../src/releases/layout.ts';
import { collectGarbage } from '../fixtures/collect-garbage.ts';
import { RELEASES, startFake, writeRelease } from './fake-release.ts';

let fake: Awaited<ReturnType<typeof startFake>>;
beforeAll(async () => {
  fake = await startFake();
});
afterAll(() => fake.stop());

const untilSwitched = (count: number): Promise<void> =>
  expect.poll(() => fake.switches.length).toBeGreaterThanOrEqual(count);

test('switches while requests run, and closes what it left', async () => {
  const [first, second] = RELEASES;
  const before = fake.following.current();
  await writeRelease(fake.layout, second, 'second');
  let is_asking = true;
  let asked = 0;
  const seen = new Set<string>();
  const issues: string[] = [];
  const keepAsking = async (): Promise<void> => {
    while (is_asking) {
      const [page, api] = await Promise.all([fake.ask('/hoy'), fake.ask('/api/v1/events')]);
      asked += 2;
      const mark = /hoy 2026-11-20 (\w+)/.exec(page.text)?.[1] ?? 'none';
      seen.add(mark);
      if (page.status !== 200 || api.status !== 200 || mark === 'none')
        issues.push(`${page.status} ${api.status} ${mark}`);
    }
  };
  const askers = Array.from({ length: 5 }, keepAsking);
  await expect.poll(() => asked).toBeGreaterThan(10);
  writeCurrent(fake.layout, second);
  await untilSwitched(1);
  const asked_by_then = asked;
  await expect.poll(() => seen.has('second')).toBe(true);
  await expect.poll(() => asked).toBeGreaterThan(asked_by_then + 10);
  is_asking = false;
  await Promise.all(askers);
  expect(issues).toEqual([]);
  expect(seen).toEqual(new Set(['first', 'second']));
  expect((await fake.ask('/hoy')).text).toContain('second');
  expect(JSON.parse((await fake.ask('/healthz')).text).release).toBe(second);
  expect(before.id).toBe(first);
  await expect.poll(() => before.snapshot.db.open).toBe(false);
});

test('a release that does not open is refused once, and what serves goes on', async () => {
  const [, second, third] = RELEASES;
  await writeRelease(fake.layout, third, 'third');
  rmSync(toReleasePaths(join(fake.layout.releases_dir, third)).snapshot);
  writeCurrent(fake.layout, third);
  await untilSwitched(2);
  expect(fake.switches).toEqual([second, `refused ${third}`]);
  expect((await fake.ask('/hoy')).text).toContain('second');
  writeCurrent(fake.layout, second);
});

test('a release that has served leaves nothing in memory', async () => {
  const [first, second] = RELEASES;
  const left: WeakRef<object>[] = [];
  for (const next of [first, second, first, second]) {
    left.push(new WeakRef(fake.following.current()));
    await Promise.all(
      ['/hoy', '/hoy.md', '/api/v1/events', '/statusz'].map((path) => fake.ask(path)),
    );
    writeCurrent(fake.layout, next);
    await expect.poll(() => fake.following.current().id).toBe(next);
  }
  await expect
    .poll(() => {
      collectGarbage();
      return left.filter((state) => state.deref() !== undefined).length;
    })
    .toBe(0);
});
