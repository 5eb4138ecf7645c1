// Building the site of a release: Astro in a process of its own, its pages counted as they are
// written.
import { join } from 'node:path';
import { formatTimestamp } from '../domain/cancun-time.ts';
import { PROJECT_DIR, type ReleasePaths } from './layout.ts';
import { spawnTethered } from './spawn-tethered.ts';

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
 * Builds into `paths.site` from `paths.snapshot`, with the clock at `now_ms`, and gives the number
 * of pages. `onPage` counts along. Throws with Astro's last words where it fails.
 */
export async function buildSite(
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
