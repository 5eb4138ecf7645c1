// A damaged release is never served: the newest sound one is, and a build is due until another is current.
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import {
  promoteCandidate,
  finalizeCandidate,
  getCurrentName,
  switchCurrent,
  snapshotPath,
} from '../../../src/releases/snapshots.ts';
import {
  findServableSnapshot,
  followCurrentRelease,
} from '../../../src/server/process/release-follower.ts';
import type { LoadedCode } from '../../../src/server/load-site-code.ts';
import { type Releases, startReleases } from '../../fixtures/releases.ts';
import { listenHere } from '../../fixtures/folder.ts';

const CODE: LoadedCode = {
  maker: 'code',
  render: async () => ({ status: 500, headers: {}, body: '' }),
  loadAll: async () => {},
  style_hashes: [],
  assets: new Map(),
};
const NO_EVENTS = { onSwitch: () => {}, onRefusal: () => {} };
let releases: Releases;
beforeEach(async () => {
  releases = startReleases();
  await releases.build();
});
afterEach(() => releases.stop());

const current = () => getCurrentName(releases.layout) ?? '';
const damage = (name: string): void =>
  writeFileSync(snapshotPath(releases.layout, name), '\0', { flag: 'a' });

function follow() {
  const first = findServableSnapshot(releases.layout);
  if (first === null) throw new Error('nothing to serve');
  const follower = followCurrentRelease(releases.layout, first, CODE, NO_EVENTS);
  onTestFinished(follower.stop);
  return follower;
}

test('a candidate is opened before it serves', async () => {
  const follower = follow();
  const { layout } = releases;
  const first = current();
  const path = join(layout.snapshots_dir, '.building');
  copyFileSync(snapshotPath(layout, first), path);
  writeFileSync(path, '\0', { flag: 'a' });
  const name = finalizeCandidate(layout, path);
  await follower.prepare(name);
  expect(follower.current().id).toBe(first);
  promoteCandidate(layout, name);
  // What happens to its file is no matter then: it is read already.
  damage(name);
  switchCurrent(layout, name);
  follower.check();
  expect([follower.current().id, follower.refusal()]).toEqual([name, null]);
});

test('a request that comes after a switch is of the newer release, whoever made it', async () => {
  const follower = follow();
  const server = createServer();
  const asked = connect(await listenHere(server));
  const [socket]: Socket[] = await once(server, 'connection');
  for (let at = 0; at < 5; at++) {
    await releases.build();
    expect(follower.current().id).not.toBe(current());
    asked.write('?');
    await once(socket ?? server, 'data');
    expect(follower.current().id).toBe(current());
  }
  asked.destroy();
  server.close();
});

test('where the current one is damaged at the start, the newest sound other serves until one is built', async () => {
  await releases.build();
  const second = current();
  await releases.build();
  damage(current());
  const follower = follow();
  follower.check();
  expect(follower.current().id).toBe(second);
  expect(follower.refusal()?.release).toBe(current());
  await releases.build({ origin: 'serving' });
  follower.check();
  expect([follower.current().id, follower.refusal()]).toEqual([current(), null]);
});
