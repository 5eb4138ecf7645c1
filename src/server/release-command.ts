// A release as a command makes it: built, asked, let serve, its pages made ahead. Before the switch on schedule;
// behind it where somebody waits.
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { createClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { expireUnusedUploads } from '../inbox/uploads.ts';
import { openInbox, inboxLocation } from '../inbox/open.ts';
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
import { pruneCachedPages, touchCachedPage, writeCachedPage } from './page-cache.ts';
import { type LoadedCode, loadCurrentCode } from './load-site-code.ts';
import { smokeTestCandidate } from './smoke-test.ts';

/** Gives what it brings, in words. Throws, with nothing changed that serves, where anything fails. */
export async function runReleaseCommand(order: {
  readonly config: Config;
  readonly now_ms: number;
  readonly say: LogLine;
  /** Why: `due`, `decided` or `missing` for a server; anything else is a person's. */
  readonly cause: string;
  readonly origin?: ReleaseOrigin;
  readonly is_strict?: boolean;
  readonly allow_loss?: boolean;
}): Promise<BuildResult> {
  const { config, now_ms, say, cause, is_strict = false, allow_loss = false } = order;
  const code = await loadCurrentCode(config, say);
  const layout = dataLayout(config.data_dir);
  let warmed = '';
  /** Makes its pages ahead, once; gives whether it has pictures that could be fetched now. */
  const warm = async (path: string): Promise<boolean> => {
    const snapshot = openSnapshot(path);
    try {
      const state = { snapshot, now_ms, site: createSite(config) };
      if (snapshot.version !== warmed)
        await warmPageCache(state, code, layout.pages_dir, createClock(null)(), say);
      warmed = snapshot.version;
      const links = listMissingPictures(snapshot);
      return config.pictures && hasPicturesToFetch(links, layout.pictures_dir, now_ms);
    } finally {
      closeSnapshot(snapshot);
    }
  };
  const is_scheduled = cause === 'due' && getCurrentName(layout) !== null;
  const is_waited_for = cause === 'decided' || cause === 'missing';
  const origin = order.origin ?? (is_waited_for ? 'serving' : 'content');
  const asked = {
    ...{ config, now_ms, say, code: code.maker, origin, is_strict, allow_loss },
    ask: (path: string) => smokeTestCandidate(config, path, code, now_ms),
  };
  const beforeSwitch = is_scheduled ? warm : null;
  const built = await buildRelease({ ...asked, is_fetching: !is_waited_for, beforeSwitch });
  // Nobody waits any more.
  setPriority(CHILD_NICENESS.unawaited);
  await logFailure(say, async () => {
    const has_due = await warm(snapshotPath(layout, built.name));
    // Nobody waited for pictures: they come with a release of their own.
    if (is_waited_for && has_due)
      await buildRelease({ ...asked, is_fetching: true, beforeSwitch: warm });
  });
  await logFailure(say, async () => {
    const inbox = await openInbox(inboxLocation(config));
    try {
      await expireUnusedUploads(inbox, now_ms);
    } finally {
      await inbox.close();
    }
  });
  return built;
}

/** Makes pages ahead of a snapshot that another machine has built. */
export async function warmRelease(
  config: Config,
  now_ms: number,
  name: string,
  say: LogLine,
): Promise<void> {
  const code = await loadCurrentCode(config, say);
  const layout = dataLayout(config.data_dir);
  const paths = [candidatePath(layout, name), snapshotPath(layout, name)];
  const snapshot = openSnapshot(paths.find((path) => existsSync(path)) ?? '');
  try {
    const state = { snapshot, now_ms, site: createSite(config) };
    await warmPageCache(state, code, layout.pages_dir, createClock(null)(), say);
  } finally {
    closeSnapshot(snapshot);
  }
}

/** A page that was not on the list for so long is made again when it is asked for. */
const UNUSED_MS = 36 * 3_600_000;

/**
 * The warmer: makes the pages of the list that are made ahead and not kept yet, as files in a folder, so that no
 * reader waits and a restart is warm. `real_ms` is the time of the file system.
 */
export async function warmPageCache(
  state: PageContext,
  code: LoadedCode,
  dir: string,
  real_ms: number,
  say: LogLine,
): Promise<void> {
  const begun_ms = performance.now();
  const paths = listWarmPaths(state);
  const tell = createProgressLogger(say, 'pages made ahead');
  let made = 0;
  for (const [at, path] of paths.entries()) {
    const key = pageCacheKeyOf(state, code.maker, path, '');
    if (!touchCachedPage(dir, key, real_ms)) {
      const { status, headers, body } = await renderWithoutCommonHeaders(state, code, path, '');
      if (status !== 200) throw new Error(`${path} answers ${status}`);
      await writeCachedPage(dir, key, headers, Buffer.from(body ?? ''), state.now_ms);
      made += 1;
    }
    tell(at + 1, paths.length);
    await setImmediate();
  }
  pruneCachedPages(dir, real_ms - UNUSED_MS);
  const duration = formatDuration(performance.now() - begun_ms);
  say(`  ${made} pages made ahead, ${paths.length - made} kept (${duration})`);
}
