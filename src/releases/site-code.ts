// The built code of the pages: Astro's build of this version of the project, once, kept in BUNDLES_DIR
// under the digest of what it is made of and of where the project lies.
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

const MODULES = join(PROJECT_DIR, 'node_modules');
const ASTRO = join(MODULES, 'astro', 'dist', 'core', 'index.js');
const BUILD = fileURLToPath(new URL('./astro-build.mjs', import.meta.url));
/** Astro would make a random one for server islands, which we have none of. */
const UNUSED_KEY = Buffer.alloc(32).toString('base64');
const BUILDING = '.building-';
/** How long a bundle that nothing uses is kept, and one that was never finished. */
const UNUSED_MS = 7 * 86_400_000;
const LEFT_MS = 3_600_000;
/** How much of Astro's own words is shown when it fails. */
const LAST_LINES = 40;

/** What decides how content becomes answers. */
const CODE = ['src', 'public', 'astro.config.mjs', 'package-lock.json'] as const;

export function listFilesRecursively(path: string): string[] {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path).sort();
  return names.flatMap((name) => listFilesRecursively(join(path, name)));
}

export function digestSourceCode(): string {
  const digest = createHash('sha256');
  for (const path of CODE.flatMap((name) => listFilesRecursively(join(PROJECT_DIR, name))))
    digest.update(relative(PROJECT_DIR, path)).update('\0').update(readFileSync(path)).update('\0');
  return digest.digest('base64url').slice(0, 22);
}

export function digestRenderer(config: Config, code: string): string {
  const { site_url, site_name, contact_email } = config;
  const made_of = JSON.stringify([code, site_url, site_name, contact_email, TOWN]);
  return hash('sha256', made_of, 'base64url').slice(0, 22);
}

/** The name of its folder: it imports all code but components from where that lies (astro.config.mjs). */
export const bundleFolderName = (code: string): string =>
  hash('sha256', `${PROJECT_DIR} ${code}`, 'base64url').slice(0, 22);

export interface SiteCode {
  readonly entry: string;
  /** Files that belong to pages, with `public`. */
  readonly client: string;
}

/** The built code of this version, built first where there is none. Throws with Astro's last words. */
export async function buildSiteCode(
  { bundles_dir }: Config,
  code: string,
  say: LogLine,
): Promise<SiteCode> {
  const name = bundleFolderName(code);
  const dir = join(bundles_dir, name);
  if (!existsSync(dir)) {
    say('Building the code of the pages, once for this version …');
    const begun_ms = performance.now();
    await build(dir);
    say(`  built (${formatDuration(performance.now() - begun_ms)})`);
  }
  const now_ms = createClock(null)();
  markUsed(dir, now_ms);
  removeUnused(bundles_dir, name, now_ms);
  return { entry: join(dir, 'site', 'server', 'entry.mjs'), client: join(dir, 'site', 'client') };
}

/** Built beside its place and renamed, so that it is there whole or not at all. */
async function build(dir: string): Promise<void> {
  const building = join(dirname(dir), `${BUILDING}${process.pid}`);
  mkdirSync(building, { recursive: true });
  try {
    await runAstro(join(building, 'site'));
    rmSync(join(building, 'cache'), { recursive: true, force: true });
    renameSync(building, dir);
  } catch (thrown) {
    // Another process may have built the same meanwhile.
    if (!existsSync(dir)) throw thrown;
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

async function runAstro(out_dir: string): Promise<void> {
  const said: string[] = [];
  const { code, signal } = await spawnTiedChild({
    command: [BUILD, ASTRO],
    cwd: PROJECT_DIR,
    onLine: (line) => said.push(`  ${line}`),
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
      `The code of the pages could not be built (astro ended with ${code ?? signal}). Its last words:\n${said.slice(-LAST_LINES).join('\n')}`,
    );
}

/** Links the packages that built code imports beside it, wherever it lies, and dates the folder. */
function markUsed(dir: string, now_ms: number): void {
  const link = join(dir, 'node_modules');
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (!found?.isSymbolicLink() || readlinkSync(link) !== MODULES) {
    rmSync(link, { force: true, recursive: true });
    symlinkSync(MODULES, link, 'dir');
  }
  const now = new Date(now_ms);
  utimesSync(dir, now, now);
}

/** What nobody used for a week, and what killed builds have left. */
function removeUnused(bundles_dir: string, used: string, now_ms: number): void {
  for (const name of readdirSync(bundles_dir).filter((one) => one !== used))
    try {
      const path = join(bundles_dir, name);
      const kept_ms = name.startsWith(BUILDING) ? LEFT_MS : UNUSED_MS;
      if (now_ms - lstatSync(path).mtimeMs > kept_ms)
        rmSync(path, { recursive: true, force: true });
    } catch {
      // Another process removed it, or nobody can: it only takes space.
    }
}
