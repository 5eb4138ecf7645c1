// Event pictures: downloads, failures and cleanup; no failure stops a release (contract 16.3, 16.4).
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Dataset } from '../../src/domain/dataset.ts';
import { formatUploadUri } from '../../src/domain/submission/submitted-picture.ts';
import { encodeUpload } from '../../src/pictures/encode-picture.ts';
import {
  fetchEventPictures,
  type FetchPicturesOptions,
  prunePictures,
} from '../../src/pictures/fetch-pictures.ts';
import { FRIDAY_NOON_MS, loadFixture } from '../fixtures/fixture.ts';
import { createPhoto, servePictures } from '../fixtures/picture-server.ts';
import { createTestFolder } from '../fixtures/folder.ts';

const HOUR_MS = 3_600_000;
const server = await servePictures(300);
let dir = '';
let lines: string[] = [];
beforeEach(() => {
  dir = createTestFolder();
  lines = [];
  server.requested_paths.length = 0;
});

/** Returns the fixture town with these pictures on its first events. */
function withLinks(paths: readonly string[]): Dataset {
  const town = loadFixture();
  const events = town.events.map((event, index) => {
    const path = paths[index];
    if (path === undefined) return event;
    return { ...event, image: { url: server.toUrl(path), alt: { es: 'foto', en: 'photo' } } };
  });
  return { ...town, events };
}

const fetchFor = (town: Dataset, options: Partial<FetchPicturesOptions>) =>
  fetchEventPictures(town, {
    dir,
    now_ms: FRIDAY_NOON_MS,
    can_download: true,
    allowed: [server.host],
    readUpload: async () => null,
    timeout_ms: 5_000,
    log: (line) => lines.push(line),
    ...options,
  });
const fetchLinks = (paths: readonly string[], options: Partial<FetchPicturesOptions> = {}) =>
  fetchFor(withLinks(paths), options);
const listStored = (dataset: Dataset): readonly boolean[] =>
  dataset.events.flatMap(({ image }) => (image ? [image.held !== undefined] : []));
const listPictures = (dataset: Dataset) => [
  ...new Map(
    dataset.events.flatMap(({ image }) => (image?.held ? [[image.held.digest, image.held]] : [])),
  ).values(),
];

test('a valid picture is downloaded once if downloads are allowed, and then stored', async () => {
  expect(listStored(await fetchLinks(['/photo.jpg'], { can_download: false }))).toEqual([false]);
  expect(server.requested_paths).toEqual([]);
  const dataset = await fetchLinks(['/photo.jpg', '/flyer.png', '/photo.jpg']);
  const pictures = listPictures(dataset);
  expect(listStored(dataset)).toEqual([true, true, true]);
  expect(pictures.length).toBe(2);
  expect(server.requested_paths.length).toBe(2);
  const again = await fetchLinks(['/photo.jpg', '/flyer.png', '/photo.jpg'], {
    can_download: false,
  });
  expect(again).toEqual(dataset);
  expect(server.requested_paths.length).toBe(2);
  for (const { digest, widths } of pictures)
    expect(readdirSync(join(dir, digest)).length).toBe(widths.length * 3);
});

test('invalid pictures are logged and do not affect other pictures or events', async () => {
  const bad = ['/text.jpg', '/script.svg', '/bomb.png', '/cut.jpg', '/to-metadata'];
  const dataset = await fetchLinks([...bad, '/photo.jpg']);
  expect(listStored(dataset)).toEqual([...bad.map(() => false), true]);
  expect(listPictures(dataset).length).toBe(1);
  expect(dataset.events.length).toBe(loadFixture().events.length);
  for (const path of bad) expect(lines.join('\n')).toContain(`${server.toUrl(path)}: `);
});

test('a failed download is retried twelve hours later', async () => {
  const countRequestsAt = async (hours: number): Promise<number> => {
    await fetchLinks(['/none'], { now_ms: FRIDAY_NOON_MS + hours * HOUR_MS });
    return server.requested_paths.length;
  };
  expect([
    await countRequestsAt(0),
    await countRequestsAt(11),
    await countRequestsAt(12),
    await countRequestsAt(24),
  ]).toEqual([1, 1, 2, 3]);
});

test('downloads have a time budget; the rest is postponed to the next release without a failure', async () => {
  const begun_ms = performance.now();
  const dataset = await fetchLinks(['/drip.jpg'], { budget_ms: 500, timeout_ms: 60_000 });
  expect(performance.now() - begun_ms).toBeLessThan(10_000);
  expect(listStored(dataset)).toEqual([false]);
  expect(lines[0]).toContain('1 postponed to the next release');
  await fetchLinks(['/drip.jpg'], { timeout_ms: 500 });
  expect(server.requested_paths.length).toBe(2);
  expect(lines.at(-1)).toContain('within 0.5 s');
});

test('pruning deletes pictures without an event and folders of killed builds', async () => {
  const [used, unused] = listPictures(await fetchLinks(['/photo.jpg', '/flyer.png']));
  mkdirSync(join(dir, `.${unused?.digest}`));
  await fetchLinks(['/photo.jpg']);
  prunePictures(dir);
  expect(readdirSync(dir).sort()).toEqual([used?.digest, 'outcomes.json'].sort());
});

describe('an uploaded picture', () => {
  const ID = 'x'.repeat(32);
  const fetchUpload = (options: Partial<FetchPicturesOptions>) => {
    const town = loadFixture();
    const image = { url: formatUploadUri(ID), alt: { es: 'foto', en: 'photo' } };
    const events = town.events.map((event, index) => (index === 0 ? { ...event, image } : event));
    return fetchFor({ ...town, events }, { can_download: false, ...options });
  };

  test('is encoded from the inbox without a download, and again after a loss', async () => {
    const { bytes } = await encodeUpload(await createPhoto('jpeg', 300, 200));
    const readUpload = async (id: string) => (id === ID ? bytes : null);
    const dataset = await fetchUpload({ readUpload });
    expect(listStored(dataset)).toEqual([true]);
    expect(await fetchUpload({})).toEqual(dataset);
    rmSync(dir, { recursive: true });
    expect(await fetchUpload({ readUpload })).toEqual(dataset);
    expect(server.requested_paths).toEqual([]);
  });

  test('that is missing in the inbox is removed from its event, with its internal link', async () => {
    expect((await fetchUpload({})).events[0]?.image).toBeNull();
    // Also if no picture can be stored at all.
    writeFileSync(join(dir, 'none'), '');
    const without = await fetchUpload({ dir: join(dir, 'none') });
    expect(without.events[0]?.image).toBeNull();
  });
});
