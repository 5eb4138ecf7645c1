// What the desk decides over events, in the releases on disk: the one that serves, one that was built
// meanwhile, one that is gone back to (contract 14.9).
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { changeStatus } from '../../src/desk/override.ts';
import { EMPTY_LEDGER } from '../../src/domain/ledger.ts';
import { readLedger, writeLedger } from '../../src/inbox/ledger.ts';
import { type Inbox, openInbox } from '../../src/inbox/open.ts';
import { amendServing } from '../../src/releases/amend-serving.ts';
import { listUndecided, readDecided } from '../../src/releases/amend-snapshot.ts';
import { inspectRelease } from '../../src/releases/check-release.ts';
import {
  type Layout,
  readCurrent,
  toLayout,
  toReleasePaths,
  writeCurrent,
} from '../../src/releases/layout.ts';
import { readManifest } from '../../src/releases/manifest.ts';
import { writeMentions } from '../../src/releases/mentions.ts';
import { publishBuilt } from '../../src/releases/publish-built.ts';
import { listReleases, pruneAmended } from '../../src/releases/prune.ts';
import { findServing, readReleaseFacts } from '../../src/releases/release-facts.ts';
import { isReleaseRequested } from '../../src/releases/request-release.ts';
import { rollBack } from '../../src/releases/rollback.ts';
import { toKeptLines } from '../../src/releases/tell-kept.ts';
import { writeGenerated } from '../../src/snapshot/generated.ts';
import { listStandings } from '../../src/snapshot/list-things.ts';
import { closeSnapshot, openSnapshot } from '../../src/snapshot/open.ts';
import { FRIDAY_NOON_MS, readFixture } from '../fixtures/fixture.ts';
import { RELEASES, writeRelease } from '../server/fake-release.ts';

const [FIRST, SECOND, THIRD] = RELEASES;
const DECIDED_MS = FRIDAY_NOON_MS + 6 * 3_600_000 + 120_000;
const fine = async () => ({ tested: 3, issues: [] });
const EVENT = readFixture().events[0]?.id ?? '';
const PAGE = '/fecha/2026-11-20';
let layout: Layout;
let inbox: Inbox;
const pathsOf = (id: string) => toReleasePaths(join(layout.releases_dir, id));

beforeEach(async () => {
  layout = toLayout(mkdtempSync(join(tmpdir(), 'hoy-amended-')));
  for (const [at, id] of RELEASES.entries()) {
    await writeRelease(layout, id, id, { before: RELEASES[at - 1] ?? null });
    const made = [...(await readManifest(pathsOf(id).files)).keys()].filter((path) =>
      /^\/(_hoy|_today|fecha)\//.test(path),
    );
    writeMentions(
      pathsOf(id).mentions,
      made.map((path) => ({ path, events: path === PAGE ? [EVENT] : [] })),
    );
    utimesSync(pathsOf(id).dir, 1000 + at, 1000 + at);
  }
  writeCurrent(layout, THIRD);
  inbox = openInbox(join(layout.data_dir, 'inbox.db'));
  writeLedger(inbox, readFixture().ledger);
});
afterEach(() => {
  inbox.close();
  rmSync(layout.data_dir, { recursive: true });
});

const cancel = (event = EVENT, now_ms = DECIDED_MS): void =>
  changeStatus(inbox, { editor: 'ana', now_ms }, event, 'cancel', 'Llueve');

/** What the release that serves says of an event. */
function readStatus(event = EVENT): string | undefined {
  const snapshot = openSnapshot(pathsOf(readCurrent(layout) ?? '').snapshot);
  try {
    return listStandings(snapshot).get(event)?.status;
  } finally {
    closeSnapshot(snapshot);
  }
}

test('a decision is laid over what serves, without the pages that name the event', async () => {
  const before = await readManifest(pathsOf(THIRD).files);
  cancel();
  const amended = await amendServing(layout, DECIDED_MS, fine);
  expect([readCurrent(layout), readStatus()]).toEqual([amended?.id, 'cancelled']);
  const files = await readManifest(pathsOf(amended?.id ?? '').files);
  expect([...before.keys()].filter((path) => !files.has(path))).toEqual([PAGE]);
  expect((await inspectRelease(layout, amended?.id ?? '')).issue).toBeNull();
  expect((await inspectRelease(layout, THIRD)).issue).toBeNull();
  expect(isReleaseRequested(layout)).toBe(true);
  expect(await amendServing(layout, DECIDED_MS, fine)).toBeNull();
});

test('it is of the time of the decision, even of a snapshot that serves again; what a killed one left goes', async () => {
  mkdirSync(layout.amending_dir);
  // Made of what the release before said, a minute later.
  writeGenerated(pathsOf(THIRD).snapshot, DECIDED_MS - 60_000);
  expect(await amendServing(layout, DECIDED_MS, fine)).toBeNull();
  expect(existsSync(layout.amending_dir)).toBe(false);
  cancel();
  const amended = await amendServing(layout, DECIDED_MS, fine);
  const snapshot = openSnapshot(pathsOf(amended?.id ?? '').snapshot);
  expect(snapshot.generated_ms).toBe(DECIDED_MS);
  closeSnapshot(snapshot);
});

test('one that answers wrongly does not serve, and nothing has changed', async () => {
  cancel();
  const wrong = async () => ({ tested: 1, issues: ['/hoy answers 500 instead of 200'] });
  await expect(amendServing(layout, DECIDED_MS, wrong)).rejects.toThrow('/hoy answers 500');
  expect([readCurrent(layout), listReleases(layout).length]).toEqual([THIRD, 3]);
  expect(readLedger(inbox).revisions.get(EVENT)?.sequence).toBe(0);
});

test('a build that was under way does not revive what was called off meanwhile', async () => {
  const before = readLedger(inbox);
  const candidate = '20261120T200000Z-dddddd';
  await writeRelease(layout, candidate, 'fourth', { before: THIRD });
  copyFileSync(pathsOf(THIRD).mentions, pathsOf(candidate).mentions);
  const { dir, facts } = pathsOf(candidate);
  cancel();
  const told = await amendServing(layout, DECIDED_MS, fine);
  const first = readLedger(inbox);
  const built = { layout, inbox, dir: `${dir}-building`, before, ledger: before };
  const known = readReleaseFacts(facts);
  renameSync(dir, built.dir);
  const amended = await publishBuilt(
    { ...built, facts: known, testAmended: fine },
    DECIDED_MS + 60_000,
  );
  expect([readCurrent(layout), readStatus()]).toEqual([amended?.id, 'cancelled']);
  expect(findServing(layout)?.amends?.release).toBe(candidate);
  expect(readCurrent(layout)).not.toBe(told?.id);
  // Nothing is told twice: neither its sequence nor the moment has moved.
  expect(readLedger(inbox)).toEqual(first);
});

test('a build that nothing fell into serves as it was built', async () => {
  const { dir, facts } = pathsOf(SECOND);
  const known = readReleaseFacts(facts);
  renameSync(dir, `${dir}-building`);
  const built = { layout, inbox, dir: `${dir}-building`, before: readLedger(inbox) };
  const order = { ...built, ledger: EMPTY_LEDGER, facts: known, testAmended: fine };
  expect(await publishBuilt(order, DECIDED_MS)).toBeNull();
  expect(readCurrent(layout)).toBe(SECOND);
});

test('a rollback keeps every decision, and says which', async () => {
  cancel();
  await amendServing(layout, DECIDED_MS, fine);
  const back = await rollBack(layout, null, DECIDED_MS + 60_000, fine);
  expect([back.from, back.to.id, readStatus()]).toEqual([THIRD, SECOND, 'cancelled']);
  const title = readFixture().events[0]?.title.es;
  expect(toKeptLines(back.keeps)).toEqual([`keeps: cancelled "${title}" (ana, 20 Nov 18:02)`]);
  expect((await rollBack(layout, null, DECIDED_MS + 120_000, fine)).to.id).toBe(FIRST);
  expect(readStatus()).toBe('cancelled');
  expect(listUndecided(pathsOf(readCurrent(layout) ?? '').snapshot, readDecided(inbox))).toEqual(
    [],
  );
  expect((await rollBack(layout, THIRD, DECIDED_MS + 180_000, fine)).to.id).toBe(THIRD);
  expect(readStatus()).toBe('cancelled');
  await expect(rollBack(layout, THIRD, DECIDED_MS, fine)).rejects.toThrow('serves already, as');
});

test('what is decided and taken back serves again, and the last amended releases stay', async () => {
  for (let turn = 0; turn < 3; turn += 1) {
    cancel(EVENT, DECIDED_MS + turn * 60_000);
    await amendServing(layout, DECIDED_MS + turn * 60_000, fine);
    inbox.prepare('delete from overrides').run();
    await amendServing(layout, DECIDED_MS + turn * 60_000 + 30_000, fine);
    expect(readStatus()).toBe('published');
  }
  pruneAmended(layout);
  expect(listReleases(layout).filter((id) => !RELEASES.some((one) => one === id)).length).toBe(2);
  expect(readLedger(inbox).revisions.get(EVENT)?.sequence).toBe(6);
});
