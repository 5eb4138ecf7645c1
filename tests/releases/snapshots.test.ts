// Snapshot files: the current one, intact ones and pruning.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type DataLayout,
  listSnapshots,
  promoteCandidate,
  finalizeCandidate,
  pruneSnapshots,
  getCurrentName,
  switchCurrent,
  dataLayout,
} from '../../src/releases/snapshots.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { createTestFolder } from '../fixtures/folder.ts';

let layout: DataLayout;
beforeEach(() => {
  layout = dataLayout(createTestFolder());
  mkdirSync(layout.snapshots_dir);
});

/** Writes a minimal snapshot with the metadata of some content, generated some minutes after noon. */
function write(minutes: number, content_digest = 'a', schema_version = 7): string {
  const path = join(layout.snapshots_dir, '.building-1');
  const db = new Database(path);
  db.exec('create table meta (key text, value text)');
  const insert = db.prepare('insert into meta values (?, ?)');
  const generated_ms = FRIDAY_NOON_MS + minutes * 60_000;
  for (const pair of Object.entries({ schema_version, generated_ms, content_digest }))
    insert.run(pair[0], String(pair[1]));
  db.close();
  const name = finalizeCandidate(layout, path);
  promoteCandidate(layout, name);
  return name;
}
const listNames = () => listSnapshots(layout).map(({ name }) => name);

test('current is null if the file is invalid; switching replaces the file', () => {
  writeFileSync(layout.current_file, '../../etc');
  expect(getCurrentName(layout)).toBeNull();
  const name = write(0);
  switchCurrent(layout, name);
  expect(getCurrentName(layout)).toBe(name);
  expect(readdirSync(layout.data_dir).sort()).toEqual(['current', 'snapshots']);
});

describe('pruning', () => {
  test('keeps the newest three, the newest of each of five contents, the current and the next one', () => {
    // Older than all others, as after setting back the clock.
    const next = write(-1, 'y');
    const live = write(0, 'z');
    const contents = ['a', 'b', 'b', 'c', 'd', 'e', 'e', 'e', 'e'];
    const names = contents.map((content, index) => write(1 + index, content));
    switchCurrent(layout, live);
    pruneSnapshots(layout, FRIDAY_NOON_MS, next);
    const retained = [8, 7, 6, 4, 3, 2, 0].map((index) => names[index]);
    expect(listNames()).toEqual([...retained, live, next]);
  });

  test('deletes temporary files and folders older than an hour, and nothing else', () => {
    switchCurrent(layout, write(0));
    const { data_dir, snapshots_dir } = layout;
    for (const [path, minutes] of [
      [join(snapshots_dir, '.building-7'), 61],
      [join(snapshots_dir, '.building-8'), 59],
      [join(snapshots_dir, '.content-x/events'), 61],
      [join(data_dir, 'current.12.tmp'), 61],
      [join(data_dir, 'current.13.tmp'), 59],
      [join(data_dir, 'notes.tmp'), 61],
    ] as const) {
      mkdirSync(path, { recursive: true });
      const modified_s = FRIDAY_NOON_MS / 1000 - minutes * 60;
      for (const aged of [path, join(path, '..')])
        if (aged !== data_dir) utimesSync(aged, modified_s, modified_s);
    }
    pruneSnapshots(layout, FRIDAY_NOON_MS);
    const temporary = readdirSync(snapshots_dir).filter((file) => file.startsWith('.'));
    expect(temporary).toEqual(['.building-8']);
    const remaining = ['current', 'current.13.tmp', 'notes.tmp', 'snapshots'];
    expect(readdirSync(data_dir).sort()).toEqual(remaining);
  });
});
