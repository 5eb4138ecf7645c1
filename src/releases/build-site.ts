// Building the site of a release: Astro in a process of its own, its pages counted as they are written.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { toChildEnv } from '../config.ts';
import { PROJECT_DIR, type ReleasePaths } from './layout.ts';

const ASTRO = join(PROJECT_DIR, 'node_modules', 'astro', 'bin', 'astro.mjs');
/** Astro would make a random one for server islands, which we have none of; a fixed one lets equal code give equal bundles. */
const UNUSED_KEY = Buffer.alloc(32).toString('base64');
/** How much of Astro's own words is shown when it fails. */
const LAST_LINES = 40;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes begin with one
const COLOURS = /\u001b\[[0-9;]*m/g;
/** One written page: `├─ /fecha/2026-11-21.html (+12ms)`. */
const WRITTEN = /[├└]─ .*\(\+/;

/**
 * Builds into `paths.site` from `paths.snapshot`, with the clock at `now_ms`, and gives the number of pages. `onPage` counts along.
 * Throws with Astro's last words where it fails.
 */
export async function buildSite(paths: ReleasePaths, now_ms: number, onPage: (count: number) => void): Promise<number> {
  const child = spawn(process.execPath, [ASTRO, 'build'], {
    cwd: PROJECT_DIR,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: toChildEnv({
      NODE_ENV: 'production', ASTRO_TELEMETRY_DISABLED: '1', FORCE_COLOR: '0', SNAPSHOT_PATH: paths.snapshot, OUT_DIR: paths.site,
      CLOCK_START: formatTimestamp(now_ms), ASTRO_KEY: UNUSED_KEY,
    }),
  });
  const last: string[] = [];
  let pages = 0;
  const listen = (line: string): void => {
    const plain = line.replace(COLOURS, '');
    if (WRITTEN.test(plain)) onPage(++pages);
    last.push(plain);
    if (last.length > LAST_LINES) last.shift();
  };
  createInterface({ input: child.stdout }).on('line', listen);
  createInterface({ input: child.stderr }).on('line', listen);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`The site could not be built (astro ended with ${code}). Its last words:\n${last.map((line) => `  ${line}`).join('\n')}`);
  return pages;
}
