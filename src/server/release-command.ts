// Release command: builds a release, smoke-tests it, makes it live and warms the page cache: before
// the switch for scheduled builds, after it if someone waits for the release.
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { createClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { createSite } from '../domain/site.ts';
import { hasPicturesToFetch } from '../pictures/fetch-pictures.ts';
import {
  type BuildResult,
  buildRelease,
  type ReleaseOrigin,
  logFailure,
} from '../releases/build-release.ts';
import { createProgressLogger, formatDuration, type LogLine } from '../releases/build-log.ts';
import { getCurrentName, candidatePath, dataLayout, snapshotPath } from '../releases/snapshots.ts';
import { CHILD_NICENESS } from '../releases/child-process.ts';
import { listWarmPaths } from '../site/resolve-path.ts';
import type { PageContext } from '../site/page-context.ts';
import { listMissingPictures } from '../snapshot/list-records.ts';
import { closeSnapshot, openSnapshot } from '../snapshot/open-snapshot.ts';
import { renderWithoutCommonHeaders, pageCacheKeyOf } from './http/page-response.ts';
import { type CacheFileLimits, openCacheFiles } from './page-cache.ts';
import { type LoadedCode, loadCurrentCode } from './load-site-code.ts';
import { smokeTestCandidate } from './smoke-test.ts';

/**
 * Builds a release and makes it live.
 * @throws if anything fails; then the live release is unchanged.
 */
export async function runReleaseCommand(order: {
  readonly config: Config;
  readonly now_ms: number;
  readonly log: LogLine;
  /**
   * `due`, `decided` or `missing` (BuildCause) if a server runs the command; anything else if an
   * operator does.
   */
  readonly cause: string;
  readonly origin?: ReleaseOrigin;
  readonly is_strict?: boolean;
  readonly allow_loss?: boolean;
  readonly onLive?: () => void;
}): Promise<BuildResult> {
  const { config, now_ms, log, cause, is_strict = false, allow_loss = false } = order;
  const code = await loadCurrentCode(config, log);
  const layout = dataLayout(config.data_dir);
  let warmed_version = '';
  /**
   * Warms the page cache once per snapshot.
   * @returns true if it has missing pictures that can be fetched now.
   */
  const warm = async (path: string): Promise<boolean> => {
    const snapshot = openSnapshot(path);
    try {
      const page_context = { snapshot, now_ms, site: createSite(config) };
      if (snapshot.version !== warmed_version)
        await warmPageCache(page_context, code, layout.pages_dir, cacheLimits(config), log);
      warmed_version = snapshot.version;
      const missing_pictures = listMissingPictures(snapshot);
      return config.pictures && hasPicturesToFetch(missing_pictures, layout.pictures_dir, now_ms);
    } finally {
      closeSnapshot(snapshot);
    }
  };
  const is_scheduled = cause === 'due' && getCurrentName(layout) !== null;
  const is_urgent = cause === 'decided' || cause === 'missing';
  const origin = order.origin ?? (is_urgent ? 'current' : 'content');
  const options = {
    ...{ config, now_ms, log, code: code.renderer_digest, origin, is_strict, allow_loss },
    ...(order.onLive && { onLive: order.onLive }),
    runSmokeTest: (path: string) => smokeTestCandidate(config, path, code, now_ms),
  };
  const beforeSwitch = is_scheduled ? warm : null;
  const built = await buildRelease({
    ...options,
    can_fetch_pictures: !is_urgent,
    beforeSwitch,
  });
  // The release is live, so the rest may run at low priority.
  setPriority(CHILD_NICENESS.unawaited);
  await logFailure(log, async () => {
    const has_pictures_to_fetch = await warm(snapshotPath(layout, built.name));
    // An urgent release is built without fetching pictures, so they get a release of their own.
    if (is_urgent && has_pictures_to_fetch)
      await buildRelease({ ...options, can_fetch_pictures: true, beforeSwitch: warm });
  });
  return built;
}

/** Warms the page cache for a snapshot that another machine built. */
export async function warmRelease(
  config: Config,
  now_ms: number,
  name: string,
  log: LogLine,
): Promise<void> {
  const code = await loadCurrentCode(config, log);
  const layout = dataLayout(config.data_dir);
  const paths = [candidatePath(layout, name), snapshotPath(layout, name)];
  const snapshot = openSnapshot(paths.find((path) => existsSync(path)) ?? '');
  try {
    const page_context = { snapshot, now_ms, site: createSite(config) };
    await warmPageCache(page_context, code, layout.pages_dir, cacheLimits(config), log);
  } finally {
    closeSnapshot(snapshot);
  }
}

/** Builds the limits of the cache files. */
const cacheLimits = ({ page_cache_mb }: Config): CacheFileLimits => ({
  max_bytes: page_cache_mb * 1024 * 1024,
  now_ms: createClock(null)(),
});

/**
 * Renders the pages of the warm-up list that are not cached yet into files, so that no visitor
 * waits for them, also after a restart. If there is no room for a page, it and those after it are
 * rendered on request.
 */
export async function warmPageCache(
  page_context: PageContext,
  code: LoadedCode,
  dir: string,
  limits: CacheFileLimits,
  log: LogLine,
): Promise<void> {
  const start_ms = performance.now();
  const paths = listWarmPaths(page_context);
  const reportProgress = createProgressLogger(log, 'pages rendered');
  const cache = openCacheFiles(dir, limits);
  let [rendered_count, omitted_count] = [0, 0];
  for (const [index, path] of paths.entries()) {
    const key = pageCacheKeyOf(page_context, code.renderer_digest, path, '');
    const is_listed = cache.list(key);
    if (!is_listed && omitted_count > 0) omitted_count += 1;
    else if (!is_listed) {
      const { status, headers, body } = await renderWithoutCommonHeaders(
        page_context,
        code,
        path,
        '',
      );
      if (status !== 200) throw new Error(`${path} responded with ${status}`);
      const page = { headers, body: Buffer.from(body ?? ''), now_ms: page_context.now_ms };
      if (await cache.add(key, page)) rendered_count += 1;
      else omitted_count += 1;
    }
    reportProgress(index + 1, paths.length);
    await setImmediate();
  }
  cache.prune();
  const duration = formatDuration(performance.now() - start_ms);
  const cached_count = paths.length - rendered_count - omitted_count;
  log(`  ${rendered_count} pages rendered, ${cached_count} already cached (${duration})`);
  if (omitted_count > 0)
    log(
      `  ATTENTION: no room for ${omitted_count} pages, which are rendered on request. Raise PAGE_CACHE_MB, or free space on the disk`,
    );
}
