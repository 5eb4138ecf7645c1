// Release switch under load: no request fails, no client gets an older release again, no response mixes two releases.
import { rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { switchCurrent, snapshotPath } from '../../src/releases/snapshots.ts';
import { collectGarbage } from '../fixtures/collect-garbage.ts';
import { serveFake, writeSnapshot } from './fake-release.ts';

const fake = await serveFake();
const first = fake.follower.getRelease().id;
const second = writeSnapshot(fake.layout, 'Feria nueva');

const follow = (name: string): void => {
  switchCurrent(fake.layout, name);
  fake.follower.check();
};
/** Requests a page and returns the version of its snapshot. */
const askVersion = async (path: string): Promise<string> => {
  const { status, text } = await fake.ask(path);
  return / from ([\w-]+) /.exec(text)?.[1] ?? `${status} ${text}`;
};

test('switches while requests are in flight, and closes the previous release after them', async () => {
  const before = fake.follower.getRelease();
  const old = before.snapshot.version;
  let is_running = true;
  let request_count = 0;
  const issues: string[] = [];
  const requestRepeatedly = async (path: string): Promise<void> => {
    let last = old;
    while (is_running) {
      const [version_of_page, api] = await Promise.all([
        askVersion(path),
        fake.ask('/api/v1/events'),
      ]);
      request_count += 1;
      const { version } = fake.follower.getRelease().snapshot;
      if (api.status !== 200 || ![old, version].includes(version_of_page))
        issues.push(version_of_page);
      if (last !== old && version_of_page === old)
        issues.push(`${path} is of the old release again`);
      last = version_of_page;
    }
    if (last === old) issues.push(`${path} is still of the old release`);
  };
  const paths = ['/hoy', '/en/today.md', '/eventos/feria-diaria', '/calendario', '/hoy?free=1'];
  const clients = paths.map(requestRepeatedly);
  await expect.poll(() => request_count).toBeGreaterThan(10);
  const slow = askVersion('/calendario?lento');
  await expect.poll(() => fake.rendered).toContain('/calendario?lento');
  follow(second);
  expect(before.snapshot.db.open).toBe(true);
  const count_at_switch = request_count;
  await expect.poll(() => request_count).toBeGreaterThan(count_at_switch + 10);
  is_running = false;
  await Promise.all(clients);
  expect(issues).toEqual([]);
  expect(await slow).toBe(old);
  expect(JSON.parse((await fake.ask('/healthz')).text).release).toBe(second);
  await expect.poll(() => before.snapshot.db.open).toBe(false);
});

test('a damaged or missing release is rejected once, and the previous one stays live', async () => {
  const switch_count = fake.switches.length;
  writeFileSync(snapshotPath(fake.layout, first), 'x', { flag: 'r+' });
  for (let i = 0; i < 3; i++) follow(first);
  const third = writeSnapshot(fake.layout, 'Feria tercera');
  rmSync(snapshotPath(fake.layout, third));
  follow(third);
  expect(fake.switches.slice(switch_count)).toEqual([`rejected ${first}`, `rejected ${third}`]);
  expect(await askVersion('/hoy')).toBe(fake.follower.getRelease().snapshot.version);
  follow(second);
  expect(fake.follower.getRejection()).toBeNull();
});

test('a previous release is garbage-collected', async () => {
  const fourth = writeSnapshot(fake.layout, 'Feria cuarta');
  const released: WeakRef<object>[] = [];
  const paths = ['/hoy', '/hoy.md', '/api/v1/events', '/statusz'];
  for (const next of [fourth, second, fourth, second]) {
    released.push(new WeakRef(fake.follower.getRelease()));
    await Promise.all(paths.map((path) => fake.ask(path)));
    follow(next);
    expect(fake.follower.getRelease().id).toBe(next);
  }
  await expect
    .poll(() => {
      collectGarbage();
      return released.filter((state) => state.deref() !== undefined).length;
    })
    .toBe(0);
});
