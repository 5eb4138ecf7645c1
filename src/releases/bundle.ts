// The site's bundle: the code of its pages and the files that belong to it, as Astro builds them, once
// for a version of the code and of the settings that stand in it. Releases hold it by links.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collectFiles } from './collect-files.ts';
import { isStored, takeStored } from './file-store.ts';
import { linkFolder } from './link-files.ts';
import { PROJECT_DIR, type ReleasePaths, toReleasePaths } from './layout.ts';
import { type FileEntry, readManifest, writeManifest } from './manifest.ts';
import { runStep, type Say } from './progress.ts';
import { spawnTethered } from './spawn.ts';

const ASTRO = join(PROJECT_DIR, 'node_modules', 'astro', 'dist', 'core', 'index.js');
const BUILD = fileURLToPath(new URL('./astro-build.mjs', import.meta.url));
/**
 * Astro would make a random one for server islands, which we have none of; a fixed one lets equal
 * code give equal bundles.
 */
const UNUSED_KEY = Buffer.alloc(32).toString('base64');
const BUILDING = '.building-';
/** Where Astro keeps what it needs while it builds (astro.config.mjs). */
const CACHE = 'cache';
/** A file in a bundle's folder whose date says when something was last built with it. */
const USED = 'used';
/** How long a bundle that nothing is built with is kept, and one that was never finished. */
const UNUSED_MS = 7 * 86_400_000;
const LEFT_MS = 3_600_000;
/** How much of Astro's own words is shown when it fails. */
const LAST_LINES = 40;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
const COLOURS = /\u001b\[[0-9;]*m/g;

/** Which bundle, and where it is kept. */
export interface BundleOrder {
  /** One folder for each bundle; may be shared by several data folders. */
  readonly bundles_dir: string;
  /** The digest of the code. */
  readonly code: string;
}

/**
 * Puts the bundle of this code into a release's folder and its files into the store, built first where
 * there is none yet; gives the files that it serves. Throws with Astro's last words.
 */
export async function addBundle(
  { bundles_dir, code }: BundleOrder,
  paths: ReleasePaths,
  say: Say,
): Promise<readonly FileEntry[]> {
  // A bundle lies like the site of a release, with the list of its own files.
  const bundle = toReleasePaths(join(bundles_dir, code));
  if (!existsSync(bundle.dir)) {
    say('  building the code of the pages, once for this version …');
    await runStep(
      say,
      () => buildBundle(bundles_dir, bundle),
      (files) => `bundle built, ${files} files`,
    );
  }
  writeFileSync(join(bundle.dir, USED), '');
  linkFolder(dirname(bundle.entry), dirname(paths.entry));
  const files = [...(await readManifest(bundle.files)).values()];
  for (const file of files)
    if (!isStored(paths.store, file)) takeStored(paths.store, toStore(bundle), file);
  return files;
}

/** A bundle has its files by itself, with their compressed forms. */
const toStore = ({ dir }: ReleasePaths): string => join(dir, 'files');

/** Builds beside it and renames, so that a bundle is there whole or not at all. */
async function buildBundle(bundles_dir: string, bundle: ReleasePaths): Promise<number> {
  const building = toReleasePaths(join(bundles_dir, `${BUILDING}${process.pid}`));
  mkdirSync(building.site, { recursive: true });
  try {
    await runAstro(building);
    const order = { store_dir: toStore(building), earlier: null, now_ms: 0 };
    const files = collectFiles(order, building.client);
    writeManifest(building.files, files);
    rmSync(join(building.dir, CACHE), { recursive: true, force: true });
    moveUnlessThere(building.dir, bundle.dir);
    return files.length;
  } finally {
    rmSync(building.dir, { recursive: true, force: true });
  }
}

/** Another process may have built the same meanwhile: a folder with files is never renamed over. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (thrown) {
    if (!existsSync(to)) throw thrown;
  }
}

async function runAstro(paths: ReleasePaths): Promise<void> {
  const last: string[] = [];
  const { code, signal } = await spawnTethered({
    command: [BUILD, ASTRO],
    cwd: PROJECT_DIR,
    onLine: (line) => {
      last.push(line.replace(COLOURS, ''));
      if (last.length > LAST_LINES) last.shift();
    },
    env: {
      NODE_ENV: 'production',
      ASTRO_TELEMETRY_DISABLED: '1',
      FORCE_COLOR: '0',
      OUT_DIR: paths.site,
      ASTRO_KEY: UNUSED_KEY,
    },
  }).ended;
  if (code !== 0)
    throw new Error(
      `The site could not be built (astro ended with ${code ?? signal}). Its last words:\n${last.map((line) => `  ${line}`).join('\n')}`,
    );
}

/**
 * Removes bundles that nothing was built with for a week before this one, and what killed builds have
 * left; a release has links of its own.
 */
export function pruneBundles({ bundles_dir, code }: BundleOrder): void {
  const toUsed = (name: string): number =>
    (
      statSync(join(bundles_dir, name, USED), { throwIfNoEntry: false }) ??
      statSync(join(bundles_dir, name))
    ).mtimeMs;
  const now_ms = toUsed(code);
  for (const name of readdirSync(bundles_dir)) {
    const kept_ms = name.startsWith(BUILDING) ? LEFT_MS : UNUSED_MS;
    if (now_ms - toUsed(name) > kept_ms)
      rmSync(join(bundles_dir, name), { recursive: true, force: true });
  }
}
