// Releases on disk after something happened to them: what is sound, what serves again, what is
// swept away.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Layout,
  readCurrent,
  toLayout,
  toReleasePaths,
  writeCurrent,
} from '../../src/releases/layout.ts';
import { toTag } from '../../src/releases/file-facts.ts';
import { toStoredPath } from '../../src/releases/file-store.ts';
import { readLastBuild, writeFailure, writeSuccess } from '../../src/releases/last-build.ts';
import { isLocked, takeLock } from '../../src/releases/lock.ts';
import { sweepLeftovers } from '../../src/releases/prune.ts';
import { rollBack } from '../../src/releases/rollback.ts';
import { findSoundRelease, inspectRelease } from '../../src/releases/check-release.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { RELEASES, writeRelease } from '../server/fake-release.ts';

const [FIRST, SECOND, THIRD] = RELEASES;
const fine = async () => ({ tested: 3, issues: [] });
let layout: Layout;
const pathsOf = (id: string) => toReleasePaths(join(layout.releases_dir, id));

/** Where a release's page of a day lies. */
function pathOfDay(id: string): string {
  const { client, store } = pathsOf(id);
  return toStoredPath(
    store,
    toTag(readFileSync(join(client, 'fecha/2026-11-20.html'))),
    'identity',
  );
}

beforeEach(async () => {
  layout = toLayout(mkdtempSync(join(tmpdir(), 'hoy-stored-')));
  for (const [at, id] of RELEASES.entries()) {
    await writeRelease(layout, id, id, { before: RELEASES[at - 1] ?? null });
    utimesSync(pathsOf(id).dir, 1000 + at, 1000 + at);
  }
  writeCurrent(layout, THIRD);
});
afterEach(() => rmSync(layout.data_dir, { recursive: true }));

describe('a release is sound', () => {
  test('as it was made', async () => {
    expect(await inspectRelease(layout, THIRD)).toMatchObject({
      facts: { id: THIRD },
      issue: null,
    });
  });

  test.each<readonly [string, string, () => void]>([
    [
      'a changed byte of the snapshot',
      'its snapshot is damaged',
      () => writeFileSync(pathsOf(THIRD).snapshot, '\0', { flag: 'r+' }),
    ],
    [
      'a cut page',
      'site: /fecha/2026-11-20 is not as it was written',
      () => truncateSync(pathOfDay(THIRD), 10),
    ],
    [
      'a cut list of files',
      'its list of files is cut',
      () => writeFileSync(pathsOf(THIRD).files, ''),
    ],
    ['a missing handler', 'its handler is missing', () => rmSync(pathsOf(THIRD).entry)],
    ['facts that are none', 'it cannot be read (', () => writeFileSync(pathsOf(THIRD).facts, '{')],
    ['no folder', 'it is not there', () => rmSync(pathsOf(THIRD).dir, { recursive: true })],
  ])('not with %s', async (_what, issue, damage) => {
    damage();
    expect((await inspectRelease(layout, THIRD)).issue).toContain(issue);
    expect((await findSoundRelease(layout, () => true))?.id).toBe(SECOND);
  });
});

describe('a rollback', () => {
  test('goes to the release that served before, and again to the one before that', async () => {
    expect(await rollBack(layout, null, FRIDAY_NOON_MS, fine)).toMatchObject({
      from: THIRD,
      to: { id: SECOND },
      tested: 3,
    });
    expect(readCurrent(layout)).toBe(SECOND);
    expect(await rollBack(layout, null, FRIDAY_NOON_MS, fine)).toMatchObject({
      from: SECOND,
      to: { id: FIRST },
    });
    await expect(rollBack(layout, null, FRIDAY_NOON_MS, fine)).rejects.toThrow(
      'There is no release before this one',
    );
    expect(readCurrent(layout)).toBe(FIRST);
  });

  test('passes over the bad release that the one serving has replaced', async () => {
    // SECOND was bad, FIRST served again, then THIRD was built.
    rmSync(pathsOf(THIRD).dir, { recursive: true });
    await writeRelease(layout, THIRD, 'third', { before: FIRST });
    expect(await rollBack(layout, null, FRIDAY_NOON_MS, fine)).toMatchObject({ to: { id: FIRST } });
  });

  test('passes over one that is damaged', async () => {
    rmSync(pathsOf(SECOND).snapshot);
    expect(await rollBack(layout, null, FRIDAY_NOON_MS, fine)).toMatchObject({ to: { id: FIRST } });
  });

  test.each([
    ['the one that serves', THIRD, `Release ${THIRD} serves already`],
    ['one that is not there', '20200101T000000Z-000000', 'There is no release'],
    ['a path', '../..', "There is no release '../..'"],
  ])('is refused to %s', async (_what, id, sentence) => {
    await expect(rollBack(layout, id, FRIDAY_NOON_MS, fine)).rejects.toThrow(sentence);
    expect(readCurrent(layout)).toBe(THIRD);
  });

  test('is refused while a release is being built, which would serve in its place and may remove it', async () => {
    const free = takeLock(layout.lock_file);
    await expect(rollBack(layout, FIRST, FRIDAY_NOON_MS, fine)).rejects.toThrow(
      'Another process is building',
    );
    free();
    let was_locked = false;
    await rollBack(layout, FIRST, FRIDAY_NOON_MS, async () => {
      was_locked = isLocked(layout.lock_file);
      return { tested: 1, issues: [] };
    });
    expect([was_locked, isLocked(layout.lock_file), readCurrent(layout)]).toEqual([
      true,
      false,
      FIRST,
    ]);
  });

  test('is refused to one that answers wrongly, or is damaged', async () => {
    await expect(
      rollBack(layout, FIRST, FRIDAY_NOON_MS, async () => ({
        tested: 1,
        issues: ['/hoy answers 500 instead of 200'],
      })),
    ).rejects.toThrow('/hoy answers 500');
    rmSync(pathsOf(FIRST).snapshot);
    await expect(rollBack(layout, FIRST, FRIDAY_NOON_MS, fine)).rejects.toThrow(
      `Release ${FIRST} cannot serve: its snapshot is damaged`,
    );
    expect(readCurrent(layout)).toBe(THIRD);
  });
});

test('what killed builds left is swept, and nothing else', () => {
  for (const name of ['.building/site', '.old-20261120T170000Z-dddddd/site'])
    mkdirSync(join(layout.releases_dir, name), { recursive: true });
  for (const name of ['current.123.tmp', 'last-build.json.7.tmp', 'inbox.db', 'notes.tmp'])
    writeFileSync(join(layout.data_dir, name), '');
  sweepLeftovers(layout);
  expect(readdirSync(layout.releases_dir).sort()).toEqual([...RELEASES]);
  expect(readdirSync(layout.data_dir).sort()).toEqual([
    'current',
    'files',
    'inbox.db',
    'notes.tmp',
    'releases',
  ]);
});

describe('the last build', () => {
  const success = {
    release: THIRD,
    generated_at: '2026-11-20T12:00:00-05:00',
    generated_ms: 1,
    summary: '7 events read',
  };

  test('is nothing where there is no record, or half of one', () => {
    expect(readLastBuild(layout)).toEqual({ success: null, failure: null });
    writeFileSync(layout.last_build_file, '{"success":');
    expect(readLastBuild(layout)).toEqual({ success: null, failure: null });
  });

  test('keeps the success beside a failure, whose first line it tells without paths of this machine', () => {
    writeSuccess(layout, success);
    writeFailure(
      layout,
      '2026-11-20T18:00:00-05:00',
      new Error(`EIO: i/o error, open '${layout.data_dir}/inbox.db'\nsecond line`),
    );
    expect(readLastBuild(layout)).toEqual({
      success,
      failure: {
        at: '2026-11-20T18:00:00-05:00',
        reason: "EIO: i/o error, open 'DATA_DIR/inbox.db'",
      },
    });
    writeSuccess(layout, success);
    expect(readLastBuild(layout).failure).toBeNull();
  });
});
