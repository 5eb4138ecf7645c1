// Release follower: switches to the current release, and never serves a damaged one.
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
import { listenOnLocalhost } from '../../fixtures/folder.ts';

const CODE: LoadedCode = {
  renderer_digest: 'code',
  render: async () => ({ status: 500, headers: {}, body: '' }),
  loadAll: async () => {},
  style_hashes: [],
  assets: new Map(),
};
const NO_EVENTS = { onSwitch: () => {}, onRejection: () => {} };
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

test('opens a candidate before it goes live', async () => {
  const follower = follow();
  const { layout } = releases;
  const first = current();
  const path = join(layout.snapshots_dir, '.building');
  copyFileSync(snapshotPath(layout, first), path);
  writeFileSync(path, '\0', { flag: 'a' });
  const name = finalizeCandidate(layout, path);
  await follower.prepare(name);
  expect(follower.getRelease().id).toBe(first);
  promoteCandidate(layout, name);
  // Later damage to the file does not matter, because the snapshot is already open.
  damage(name);
  switchCurrent(layout, name);
  follower.check();
  expect([follower.getRelease().id, follower.getRejection()]).toEqual([name, null]);
});

test('a request after a switch gets the newer release, without a call to check', async () => {
  const follower = follow();
  const server = createServer();
  const client = connect(await listenOnLocalhost(server));
  const [socket]: Socket[] = await once(server, 'connection');
  for (let i = 0; i < 5; i++) {
    await releases.build();
    expect(follower.getRelease().id).not.toBe(current());
    client.write('?');
    await once(socket ?? server, 'data');
    expect(follower.getRelease().id).toBe(current());
  }
  client.destroy();
  server.close();
});

test('serves the newest intact snapshot if the current one is damaged, until the next build', async () => {
  await releases.build();
  const second = current();
  await releases.build();
  damage(current());
  const follower = follow();
  follower.check();
  expect(follower.getRelease().id).toBe(second);
  expect(follower.getRejection()?.release).toBe(current());
  await releases.build({ origin: 'current' });
  follower.check();
  expect([follower.getRelease().id, follower.getRejection()]).toEqual([current(), null]);
});
