// Snapshot metadata: digest of the content files and version of the dataset.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { type SnapshotContentFiles, readSnapshotMeta } from '../../src/snapshot/snapshot-meta.ts';
import { FRIDAY_NOON_MS, loadFixture } from '../fixtures/fixture.ts';
import { useFolder } from '../fixtures/folder.ts';

const folder = useFolder();
const town = loadFixture();
const FILES: SnapshotContentFiles = new Map([
  ['venues/malecon.yml', { digest: 'b', text: 'name: Malecón\n', value: { name: 'Malecón' } }],
  ['events/feria.yml', { digest: 'a', text: '', value: null }],
]);

type SnapshotInputs = Parameters<typeof buildSnapshot>[2];
function build(name: string, inputs: Partial<SnapshotInputs> = {}, dataset = town): string {
  const path = join(folder, name);
  buildSnapshot(path, dataset, { now_ms: FRIDAY_NOON_MS + 999, ...inputs });
  return path;
}

test('the content digest does not depend on the order of files, but on each file', () => {
  const digestOf = (content: SnapshotContentFiles) =>
    readSnapshotMeta(build('digest.db', { content }))?.content_digest;
  const digest = digestOf(FILES);
  expect(digestOf(new Map([...FILES].reverse()))).toBe(digest);
  const other = { digest: 'c', text: '', value: null };
  expect(digestOf(new Map([...FILES, ['events/feria.yml', other]]))).not.toBe(digest);
});

test('the version does not depend on the build time, but on the dataset', () => {
  const versionOf = (dataset: Dataset, now_ms = FRIDAY_NOON_MS) =>
    readSnapshotMeta(build('version.db', { now_ms }, dataset))?.version;
  const version = versionOf(town);
  expect(versionOf(town, FRIDAY_NOON_MS + 3_600_000)).toBe(version);
  const events = town.events.map((event) => ({ ...event, tags: ['otra'] }));
  expect(versionOf({ ...town, events })).not.toBe(version);
});
