// From one release to the next under load: no request fails, nobody goes back to one of before, none is of two.
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { switchCurrent, snapshotPath } from '../../src/releases/snapshots.ts';
import { collectGarbage } from '../fixtures/collect-garbage.ts';
import { serveFake, writeSnapshot } from './fake-release.ts';

const fake = await serveFake();
const first = fake.following.current().id;
const second = writeSnapshot(fake.layout, 'Feria nueva');

const follow = (name: string): void => {
  switchCurrent(fake.layout, name);
  fake.following.check();
};
const ask = async (path: string): Promise<string> => {
  const { status, text } = await fake.ask(path);
  return / from ([\w-]+) /.exec(text)?.[1] ?? `${status} ${text}`;
};

test('switches while requests run, and closes what it left', async () => {
  const before = fake.following.current();
  const old = before.snapshot.version;
  let is_asking = true;
  let asked = 0;
  const issues: string[] = [];
  const keepAsking = async (path: string): Promise<void> => {
    let last = old;
    while (is_asking) {
      const [from, api] = await Promise.all([ask(path), fake.ask('/api/v1/events')]);
      asked += 1;
      const { version } = fake.following.current().snapshot;
      if (api.status !== 200 || ![old, version].includes(from)) issues.push(from);
      if (last !== old && from === old) issues.push(`${path} is of before again`);
      last = from;
    }
    if (last === old) issues.push(`${path} is of before still`);
  };
  const paths = ['/hoy', '/en/today.md', '/eventos/feria-diaria', '/calendario', '/hoy?free=1'];
  const askers = paths.map(keepAsking);
  await expect.poll(() => asked).toBeGreaterThan(10);
  const slow = ask('/calendario?lento');
  await expect.poll(() => fake.rendered).toContain('/calendario?lento');
  follow(second);
  expect(before.snapshot.db.open).toBe(true);
  const asked_by_then = asked;
  await expect.poll(() => asked).toBeGreaterThan(asked_by_then + 10);
  is_asking = false;
  await Promise.all(askers);
  expect(issues).toEqual([]);
  expect(await slow).toBe(old);
  expect(JSON.parse((await fake.ask('/healthz')).text).release).toBe(second);
  await expect.poll(() => before.snapshot.db.open).toBe(false);
});

test('a release that is damaged or gone is refused once, and what serves goes on', async () => {
  const begun = fake.switches.length;
  writeFileSync(snapshotPath(fake.layout, first), 'x', { flag: 'r+' });
  for (let at = 0; at < 3; at++) follow(first);
  const third = writeSnapshot(fake.layout, 'Feria tercera');
  rmSync(snapshotPath(fake.layout, third));
  follow(third);
  expect(fake.switches.slice(begun)).toEqual([`refused ${first}`, `refused ${third}`]);
  expect(await ask('/hoy')).toBe(fake.following.current().snapshot.version);
  follow(second);
  expect(fake.following.refusal()).toBeNull();
});

test('a release that has served leaves nothing in memory', async () => {
  const fourth = writeSnapshot(fake.layout, 'Feria cuarta');
  const left: WeakRef<object>[] = [];
  const paths = ['/hoy', '/hoy.md', '/api/v1/events', '/statusz'];
  for (const next of [fourth, second, fourth, second]) {
    left.push(new WeakRef(fake.following.current()));
    await Promise.all(paths.map((path) => fake.ask(path)));
    follow(next);
    expect(fake.following.current().id).toBe(next);
  }
  await expect
    .poll(() => {
      collectGarbage();
      return left.filter((state) => state.deref() !== undefined).length;
    })
    .toBe(0);
});
