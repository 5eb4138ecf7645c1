// Pictures from a link to a release: what is not held stands in no way (contract 16.3, 16.4).
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
import { FRIDAY_NOON_MS, readFixture } from '../fixtures/fixture.ts';
import { makePhoto, servePictures } from '../fixtures/picture-server.ts';
import { makeTestFolder } from '../fixtures/folder.ts';

const HOUR_MS = 3_600_000;
const server = await servePictures(300);
let dir = '';
let lines: string[] = [];
beforeEach(() => {
  dir = makeTestFolder();
  lines = [];
  server.asked.length = 0;
});

/** The town, whose first events have these pictures. */
function withLinks(paths: readonly string[]): Dataset {
  const town = readFixture();
  const events = town.events.map((event, at) => {
    const path = paths[at];
    if (path === undefined) return event;
    return { ...event, image: { url: server.toUrl(path), alt: { es: 'foto', en: 'photo' } } };
  });
  return { ...town, events };
}

const gatherFor = (town: Dataset, order: Partial<FetchPicturesOptions>) =>
  fetchEventPictures(town, {
    dir,
    now_ms: FRIDAY_NOON_MS,
    is_fetching: true,
    allowed: [server.host],
    readUpload: async () => null,
    timeout_ms: 5_000,
    say: (line) => lines.push(line),
    ...order,
  });
const gather = (paths: readonly string[], order: Partial<FetchPicturesOptions> = {}) =>
  gatherFor(withLinks(paths), order);
const listHeld = (dataset: Dataset): readonly boolean[] =>
  dataset.events.flatMap(({ image }) => (image ? [image.held !== undefined] : []));
const listPictures = (dataset: Dataset) => [
  ...new Map(
    dataset.events.flatMap(({ image }) => (image?.held ? [[image.held.digest, image.held]] : [])),
  ).values(),
];

test('a good picture is fetched where that is meant, once, and held from then on', async () => {
  expect(listHeld(await gather(['/photo.jpg'], { is_fetching: false }))).toEqual([false]);
  expect(server.asked).toEqual([]);
  const dataset = await gather(['/photo.jpg', '/flyer.png', '/photo.jpg']);
  const pictures = listPictures(dataset);
  expect(listHeld(dataset)).toEqual([true, true, true]);
  expect(pictures.length).toBe(2);
  expect(server.asked.length).toBe(2);
  const again = await gather(['/photo.jpg', '/flyer.png', '/photo.jpg'], { is_fetching: false });
  expect(again).toEqual(dataset);
  expect(server.asked.length).toBe(2);
  for (const { digest, widths } of pictures)
    expect(readdirSync(join(dir, digest)).length).toBe(widths.length * 3);
});

test('whatever is wrong with one, the others and the town stay whole, and the log says why', async () => {
  const bad = ['/text.jpg', '/script.svg', '/bomb.png', '/cut.jpg', '/to-metadata'];
  const dataset = await gather([...bad, '/photo.jpg']);
  expect(listHeld(dataset)).toEqual([...bad.map(() => false), true]);
  expect(listPictures(dataset).length).toBe(1);
  expect(dataset.events.length).toBe(readFixture().events.length);
  for (const path of bad) expect(lines.join('\n')).toContain(`${server.toUrl(path)}: `);
});

test('one that failed is asked again twelve hours later', async () => {
  const askAt = async (hours: number): Promise<number> => {
    await gather(['/none'], { now_ms: FRIDAY_NOON_MS + hours * HOUR_MS });
    return server.asked.length;
  };
  expect([await askAt(0), await askAt(11), await askAt(12), await askAt(24)]).toEqual([1, 1, 2, 3]);
});

test('the time of all is bounded: the rest is for the next release, and is no failure', async () => {
  const begun_ms = performance.now();
  const dataset = await gather(['/drip.jpg'], { budget_ms: 500, timeout_ms: 60_000 });
  expect(performance.now() - begun_ms).toBeLessThan(10_000);
  expect(listHeld(dataset)).toEqual([false]);
  expect(lines[0]).toContain('1 left for the next release');
  await gather(['/drip.jpg'], { timeout_ms: 500 });
  expect(server.asked.length).toBe(2);
  expect(lines.at(-1)).toContain('within 0.5 s');
});

test('what no event shows any more is removed, with what a killed build has left', async () => {
  const [shown, gone] = listPictures(await gather(['/photo.jpg', '/flyer.png']));
  mkdirSync(join(dir, `.${gone?.digest}`));
  await gather(['/photo.jpg']);
  prunePictures(dir);
  expect(readdirSync(dir).sort()).toEqual([shown?.digest, 'outcomes.json'].sort());
});

describe('an uploaded picture', () => {
  const ID = 'x'.repeat(32);
  const gatherUpload = (order: Partial<FetchPicturesOptions>) => {
    const town = readFixture();
    const image = { url: formatUploadUri(ID), alt: { es: 'foto', en: 'photo' } };
    const events = town.events.map((event, at) => (at === 0 ? { ...event, image } : event));
    return gatherFor({ ...town, events }, { is_fetching: false, ...order });
  };

  test('is made of what the inbox has, without asking anybody, and again after a loss', async () => {
    const { bytes } = await encodeUpload(await makePhoto('jpeg', 300, 200));
    const readUpload = async (id: string) => (id === ID ? bytes : null);
    const dataset = await gatherUpload({ readUpload });
    expect(listHeld(dataset)).toEqual([true]);
    expect(await gatherUpload({})).toEqual(dataset);
    rmSync(dir, { recursive: true });
    expect(await gatherUpload({ readUpload })).toEqual(dataset);
    expect(server.asked).toEqual([]);
  });

  test('that is not in the inbox is no picture, and its link is told nobody', async () => {
    expect((await gatherUpload({})).events[0]?.image).toBeNull();
    // Not even where nothing can be gathered at all.
    writeFileSync(join(dir, 'none'), '');
    const without = await gatherUpload({ dir: join(dir, 'none') });
    expect(without.events[0]?.image).toBeNull();
  });
});
