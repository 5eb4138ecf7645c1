// A damaged release is never served: the newest sound one is, and a build is due until another is current.
import { once } from 'node:events';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openInbox } from '../../../src/inbox/open.ts';
import {
  keepCandidate,
  nameCandidate,
  readCurrent,
  switchTo,
  toCandidatePath,
  toSnapshotPath,
} from '../../../src/releases/snapshots.ts';
import { createBuilder } from '../../../src/server/process/builder.ts';
import { findServable, followCurrent } from '../../../src/server/process/follower.ts';
import type { LoadedCode } from '../../../src/server/site-code.ts';
import { FRIDAY_NOON_MS } from '../../fixtures/fixture.ts';
import { type Releases, startReleases } from '../../fixtures/releases.ts';
import { listenHere, makeTestFolder } from '../../fixtures/folder.ts';

const CODE: LoadedCode = {
  maker: 'code',
  render: async () => ({ status: 500, headers: {}, body: '' }),
  loadAll: async () => {},
  style_hashes: [],
  assets: new Map(),
};
const NO_EVENTS = { onSwitch: () => {}, onRefusal: () => {} };
let releases: Releases;
let folder: string;
beforeEach(() => {
  releases = startReleases();
  folder = makeTestFolder();
});
afterEach(() => releases.stop());

const current = () => readCurrent(releases.layout) ?? '';
const damageFile = (path: string): void => writeFileSync(path, '\0', { flag: 'a' });
const damage = (name: string): void => damageFile(toSnapshotPath(releases.layout, name));

/** Follows as a server does that starts now; `look` says what is built for, as a command is told. */
async function follow() {
  const { layout, config } = releases;
  const first = findServable(layout);
  if (first === null) throw new Error('nothing to serve');
  const follower = followCurrent(layout, first, CODE, NO_EVENTS);
  const [run_script, told] = [join(folder, 'run.mjs'), join(folder, 'told')];
  writeFileSync(told, '');
  writeFileSync(
    run_script,
    `import { appendFileSync } from 'node:fs';
     appendFileSync(${JSON.stringify(told)}, process.argv.slice(2).join(' '));`,
  );
  const inbox = await openInbox(join(layout.data_dir, 'inbox.db'));
  let end = (): void => {};
  const builder = createBuilder({
    ...{ config, layout, inbox, run_script, maker: 'code' },
    clock: () => FRIDAY_NOON_MS + 3_600_000,
    log: pino({ level: 'silent' }),
    onSwitch: follower.check,
    onEnd: () => end(),
  });
  return {
    follower,
    /** What the builds were told that one look begins; waits for their end. */
    async look(): Promise<string> {
      follower.check();
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      await builder.look(true, follower.refusal() !== null);
      if (follower.refusal() !== null) await ended;
      return readFileSync(told, 'utf8');
    },
    stop: async () => {
      builder.stop();
      follower.stop();
      await inbox.close();
    },
  };
}

test('a candidate is opened before it serves; what is refused or damaged is not', async () => {
  await releases.build();
  const { follower, stop } = await follow();
  const { layout } = releases;
  const first = current();
  const makeCandidate = (more: string): string => {
    const path = join(layout.snapshots_dir, '.building');
    copyFileSync(toSnapshotPath(layout, first), path);
    writeFileSync(path, more, { flag: 'a' });
    return nameCandidate(layout, path);
  };
  const refused = makeCandidate('\0');
  await follower.prepare(refused);
  rmSync(toCandidatePath(layout, refused));
  await follower.prepare(refused);
  const name = makeCandidate('\0\0');
  await follower.prepare(name);
  expect(follower.current().id).toBe(first);
  keepCandidate(layout, name);
  // What happens to its file is no matter then: it is read already.
  damage(name);
  switchTo(layout, name);
  follower.check();
  expect([follower.current().id, follower.refusal()]).toEqual([name, null]);
  expect(follower.current().snapshot.index.cards.length).toBeGreaterThan(0);
  const bad = makeCandidate('\0\0\0');
  damageFile(toCandidatePath(layout, bad));
  await follower.prepare(bad);
  keepCandidate(layout, bad);
  switchTo(layout, bad);
  follower.check();
  expect([follower.current().id, follower.refusal()?.release]).toEqual([name, bad]);
  await stop();
});

test('a request that comes after a switch is of the newer release, whoever made it', async () => {
  await releases.build();
  const { follower, stop } = await follow();
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
  await stop();
});

test('where the current one is damaged at the start, the newest sound other serves and one is built', async () => {
  await releases.build();
  await releases.build();
  const second = current();
  await releases.build();
  damage(current());
  const { follower, look, stop } = await follow();
  expect(follower.current().id).toBe(second);
  expect(await look()).toBe('release --for missing');
  await releases.build({ origin: 'serving' });
  follower.check();
  expect([follower.current().id, follower.refusal()]).toEqual([current(), null]);
  await stop();
});
