// Site code: builds the pages with Astro once per program version, into a folder of BUNDLES_DIR
// with the digest of the source code and of the project's path as its name.
import { createHash, hash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { TOWN } from '../town.ts';
import { formatDuration, type LogLine } from './build-log.ts';
import { PROJECT_DIR } from './snapshots.ts';
import { spawnTiedChild } from './child-process.ts';

const MODULES_DIR = join(PROJECT_DIR, 'node_modules');
const ASTRO = join(MODULES_DIR, 'astro', 'dist', 'core', 'index.js');
const BUILD_SCRIPT = fileURLToPath(new URL('./astro-build.mjs', import.meta.url));
/** Constant key of server islands, which are not used. A random one would change every build. */
const UNUSED_KEY = Buffer.alloc(32).toString('base64');
const BUILDING_PREFIX = '.building-';
/** Time after which an unused bundle is deleted. */
const BUNDLE_RETENTION_MS = 7 * 86_400_000;
/** Time after which an unfinished build counts as killed and is deleted. */
const ABORTED_AFTER_MS = 3_600_000;
/** Astro's build takes half a minute; one that takes this long hangs. */
const ASTRO_TIMEOUT_MS = 600_000;
/** Lines of Astro's output in the error of a failed build. */
const MAX_OUTPUT_LINES = 40;

/** Files and folders that determine the responses for given content. */
const CODE_PATHS = ['src', 'public', 'astro.config.mjs', 'package-lock.json'] as const;

/** Lists the files at or below a path, sorted; empty if it does not exist. */
export function listFilesRecursively(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path).sort();
  return names.flatMap((name) => listFilesRecursively(join(path, name)));
}

/** Digests the source code, as the name of this program version. */
export function digestSourceCode(): string {
  const digest = createHash('sha256');
  for (const path of CODE_PATHS.flatMap((name) => listFilesRecursively(join(PROJECT_DIR, name))))
    digest.update(relative(PROJECT_DIR, path)).update('\0').update(readFileSync(path)).update('\0');
  return digest.digest('base64url').slice(0, 22);
}

/** Digests the code, settings and town data that pages contain, as part of each cache key. */
export function digestRenderer(config: Config, code: string): string {
  const { site_url, site_name, contact_email } = config;
  const inputs = JSON.stringify([code, site_url, site_name, contact_email, TOWN]);
  return hash('sha256', inputs, 'base64url').slice(0, 22);
}

/** Computes a bundle's folder name, also from the project's path: bundles import its modules. */
export const bundleFolderName = (code: string): string =>
  hash('sha256', `${PROJECT_DIR} ${code}`, 'base64url').slice(0, 22);

export interface SiteCode {
  /** Path of the module that renders pages (src/render.ts, compiled). */
  readonly entry: string;
  /** Folder of the static files, including the ones from `public`. */
  readonly client: string;
}

/**
 * Returns the site code of this version, and builds it if it is missing.
 * @throws Error with Astro's last output.
 */
export async function buildSiteCode(
  { bundles_dir }: Config,
  code: string,
  log: LogLine,
): Promise<SiteCode> {
  const name = bundleFolderName(code);
  const dir = join(bundles_dir, name);
  if (!existsSync(dir)) {
    log('Building the site code, once for this version …');
    const started_ms = performance.now();
    await buildBundle(dir);
    log(`  built (${formatDuration(performance.now() - started_ms)})`);
  }
  const now_ms = createClock(null)();
  markUsed(dir, now_ms);
  removeUnusedBundles(bundles_dir, name, now_ms);
  return { entry: join(dir, 'site', 'server', 'entry.mjs'), client: join(dir, 'site', 'client') };
}

/** Builds in a temporary folder and renames it, so that a bundle is complete or missing. */
async function buildBundle(dir: string): Promise<void> {
  const building = join(dirname(dir), `${BUILDING_PREFIX}${process.pid}`);
  mkdirSync(building, { recursive: true });
  try {
    await runAstro(join(building, 'site'));
    rmSync(join(building, 'cache'), { recursive: true, force: true });
    renameSync(building, dir);
  } catch (thrown) {
    // Ignore the error if another process has built the same meanwhile.
    if (!existsSync(dir)) throw thrown;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

async function runAstro(out_dir: string): Promise<void> {
  const output: string[] = [];
  const { code, signal, is_timeout } = await spawnTiedChild({
    command: [BUILD_SCRIPT, ASTRO],
    cwd: PROJECT_DIR,
    onLine: (line) => output.push(`  ${line}`),
    timeout_ms: ASTRO_TIMEOUT_MS,
    env: {
      NODE_ENV: 'production',
      ASTRO_TELEMETRY_DISABLED: '1',
      NO_COLOR: '1',
      OUT_DIR: out_dir,
      ASTRO_KEY: UNUSED_KEY,
    },
  });
  if (code !== 0)
    throw new Error(
      `The site code could not be built (Astro ${is_timeout ? 'took too long' : `ended with ${code ?? signal}`}). Last output:\n${output.slice(-MAX_OUTPUT_LINES).join('\n')}`,
    );
}

/** Links node_modules, from which bundles import, and updates the folder's modification time. */
function markUsed(dir: string, now_ms: number): void {
  const link = join(dir, 'node_modules');
  const stats = lstatSync(link, { throwIfNoEntry: false });
  if (!stats?.isSymbolicLink() || readlinkSync(link) !== MODULES_DIR) {
    rmSync(link, { force: true, recursive: true });
    symlinkSync(MODULES_DIR, link, 'dir');
  }
  const now = new Date(now_ms);
  utimesSync(dir, now, now);
}

function removeUnusedBundles(bundles_dir: string, used_name: string, now_ms: number): void {
  for (const name of readdirSync(bundles_dir).filter((other) => other !== used_name))
    try {
      const path = join(bundles_dir, name);
      const max_age_ms = name.startsWith(BUILDING_PREFIX) ? ABORTED_AFTER_MS : BUNDLE_RETENTION_MS;
      if (now_ms - lstatSync(path).mtimeMs > max_age_ms)
        rmSync(path, { recursive: true, force: true });
    } catch {
      // Removed by another process, or not removable; it only takes space.
    }
}
