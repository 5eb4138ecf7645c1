import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { type SnapshotContentFiles, readSnapshotMeta } from '../../src/snapshot/snapshot-meta.ts';
import { FRIDAY_NOON_MS, readFixture } from '../fixtures/fixture.ts';
import { makeFolder } from '../fixtures/folder.ts';

const folder = makeFolder();
const town = readFixture();
const FILES: SnapshotContentFiles = new Map([
  ['venues/malecon.yml', { digest: 'b', text: 'name: Malecón\n', value: { name: 'Malecón' } }],
  ['events/feria.yml', { digest: 'a', text: '', value: null }],
]);

type MadeOf = Parameters<typeof buildSnapshot>[2];
function build(name: string, made_of: Partial<MadeOf> = {}, dataset = town): string {
  const path = join(folder, name);
  buildSnapshot(path, dataset, { now_ms: FRIDAY_NOON_MS + 999, ...made_of });
  return path;
}

test('a snapshot has the digest of its files, in any order, and another where one is otherwise', () => {
  const digestOf = (content: SnapshotContentFiles) =>
    readSnapshotMeta(build('digest.db', { content }))?.content_digest;
  const digest = digestOf(FILES);
  expect(digestOf(new Map([...FILES].reverse()))).toBe(digest);
  const other = { digest: 'c', text: '', value: null };
  expect(digestOf(new Map([...FILES, ['events/feria.yml', other]]))).not.toBe(digest);
});

test('a snapshot has the same version at another moment, and another where anything is said otherwise', () => {
  const versionOf = (dataset: Dataset, now_ms = FRIDAY_NOON_MS) =>
    readSnapshotMeta(build('version.db', { now_ms }, dataset))?.version;
  const version = versionOf(town);
  expect(versionOf(town, FRIDAY_NOON_MS + 3_600_000)).toBe(version);
  const events = town.events.map((event) => ({ ...event, tags: ['otra'] }));
  expect(versionOf({ ...town, events })).not.toBe(version);
});
