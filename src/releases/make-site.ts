// The second half of a build: snapshot to a site (Astro in a process of its own) with its
// compressed files; what did not change is taken from the release before.
import { join } from 'node:path';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { type HeldPicture, PICTURES_FOLDER } from '../domain/event/held-picture.ts';
import { linkPictures } from './picture-store.ts';
import { collectFiles, type Earlier } from './collect-files.ts';
import {
  type Layout,
  PROJECT_DIR,
  readCurrent,
  type ReleasePaths,
  toReleasePaths,
} from './layout.ts';
import { type FileEntry, readManifest, writeManifest } from './manifest.ts';
import { createCounter, runStep, type Say } from './progress.ts';
import { spawnTethered } from './spawn.ts';

const ASTRO = join(PROJECT_DIR, 'node_modules', 'astro', 'bin', 'astro.mjs');
/**
 * Astro would make a random one for server islands, which we have none of; a fixed one lets equal
 * code give equal bundles.
 */
const UNUSED_KEY = Buffer.alloc(32).toString('base64');
/** How much of Astro's own words is shown when it fails. */
const LAST_LINES = 40;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
const COLOURS = /\u001b\[[0-9;]*m/g;
/** One written page: `├─ /fecha/2026-11-21.html (+12ms)`. */
const WRITTEN = /[├└]─ .*\(\+/;

/**
 * Writes `paths.site` and `paths.files`; gives the files. Throws with Astro's last words where it
 * fails.
 */
export async function makeSite(
  now_ms: number,
  layout: Layout,
  paths: ReleasePaths,
  pictures: readonly HeldPicture[],
  say: Say,
): Promise<FileEntry[]> {
  const earlier = await readEarlier(layout);
  const about =
    earlier === null
      ? undefined
      : [...earlier.files.values()].filter((entry) => /^text\/(html|markdown)/.test(entry.type))
          .length;
  say('  building the site, which takes a while the first time …');
  const count = createCounter(say, 'pages');
  await runStep(
    say,
    () => buildSite(paths, now_ms, (done) => count(done, about)),
    (pages) => `${pages} pages written`,
  );
  linkPictures(layout.pictures_dir, pictures, join(paths.client, PICTURES_FOLDER));
  const squeeze = createCounter(say, 'files compressed');
  const files = await runStep(
    say,
    () => collectFiles(paths.client, earlier, now_ms, squeeze),
    (made) => `${made.length} files compressed`,
  );
  writeManifest(paths.files, files);
  return files;
}

/**
 * The release that serves, for what can be taken over from it; null where there is none, or it
 * cannot be read.
 */
async function readEarlier(layout: Layout): Promise<Earlier | null> {
  const id = readCurrent(layout);
  if (id === null) return null;
  const paths = toReleasePaths(join(layout.releases_dir, id));
  try {
    return { client_dir: paths.client, files: await readManifest(paths.files) };
  } catch {
    return null;
  }
}

/**
 * Builds into `paths.site` from `paths.snapshot`, with the clock at `now_ms`, and gives the number
 * of pages. `onPage` counts along. Throws with Astro's last words where it fails.
 */
async function buildSite(
  paths: ReleasePaths,
  now_ms: number,
  onPage: (count: number) => void,
): Promise<number> {
  const last: string[] = [];
  let pages = 0;
  const listen = (line: string): void => {
    const plain = line.replace(COLOURS, '');
    if (WRITTEN.test(plain)) onPage(++pages);
    last.push(plain);
    if (last.length > LAST_LINES) last.shift();
  };
  const { code, signal } = await spawnTethered({
    command: [ASTRO, 'build'],
    cwd: PROJECT_DIR,
    onLine: listen,
    env: {
      NODE_ENV: 'production',
      ASTRO_TELEMETRY_DISABLED: '1',
      FORCE_COLOR: '0',
      SNAPSHOT_PATH: paths.snapshot,
      OUT_DIR: paths.site,
      CLOCK_START: formatTimestamp(now_ms),
      ASTRO_KEY: UNUSED_KEY,
    },
  }).ended;
  if (code !== 0)
    throw new Error(
      `The site could not be built (astro ended with ${code ?? signal}). Its last words:\n${last.map((line) => `  ${line}`).join('\n')}`,
    );
  return pages;
}
