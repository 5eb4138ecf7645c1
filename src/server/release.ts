// A release as a command makes it: built, asked, let serve, its pages made ahead. Before the switch on schedule;
// behind it where somebody waits.
import { existsSync } from 'node:fs';
import { setPriority } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { startClock } from '../clock.ts';
import type { Config } from '../config.ts';
import { forgetPictures } from '../inbox/uploads.ts';
import { openInbox, toInboxLocation } from '../inbox/open.ts';
import { toSite } from '../domain/site.ts';
import { hasDue } from '../pictures/gather-pictures.ts';
import { type Built, buildRelease, type Origin, unlessItFails } from '../releases/build.ts';
import { createCounter, formatDuration, type Say } from '../releases/progress.ts';
import { readCurrent, toCandidatePath, toLayout, toSnapshotPath } from '../releases/snapshots.ts';
import { NICENESS } from '../releases/spawn.ts';
import { listBuiltPaths } from '../site/documents.ts';
import type { SiteState } from '../site/state.ts';
import { listUnheldPictures } from '../snapshot/list-things.ts';
import { closeSnapshot, openSnapshot } from '../snapshot/open.ts';
import { renderBare, toKeyOf } from './http/find-page.ts';
import { prunePages, touchPage, writePage } from './page-store.ts';
import { type LoadedCode, loadOwnCode } from './site-code.ts';
import { askCandidate } from './smoke.ts';

/** Gives what it brings, in words. Throws, with nothing changed that serves, where anything fails. */
export async function release(order: {
  readonly config: Config;
  readonly now_ms: number;
  readonly say: Say;
  /** Why: `due`, `decided` or `missing` for a server; anything else is a person's. */
  readonly cause: string;
  readonly origin?: Origin;
  readonly is_strict?: boolean;
  readonly allow_loss?: boolean;
}): Promise<Built> {
  const { config, now_ms, say, cause, is_strict = false, allow_loss = false } = order;
  const code = await loadOwnCode(config, say);
  const layout = toLayout(config.data_dir);
  let warmed = '';
  /** Makes its pages ahead, once; gives whether it has pictures that could be fetched now. */
  const warm = async (path: string): Promise<boolean> => {
    const snapshot = openSnapshot(path);
    try {
      const state = { snapshot, now_ms, site: toSite(config) };
      if (snapshot.version !== warmed)
        await warmPages(state, code, layout.pages_dir, startClock(null)(), say);
      warmed = snapshot.version;
      const links = listUnheldPictures(snapshot);
      return config.pictures && hasDue(links, layout.pictures_dir, now_ms);
    } finally {
      closeSnapshot(snapshot);
    }
  };
  const is_scheduled = cause === 'due' && readCurrent(layout) !== null;
  const is_waited_for = cause === 'decided' || cause === 'missing';
  const origin = order.origin ?? (is_waited_for ? 'serving' : 'content');
  const asked = {
    ...{ config, now_ms, say, code: code.maker, origin, is_strict, allow_loss },
    ask: (path: string) => askCandidate(config, path, code, now_ms),
  };
  const beforeSwitch = is_scheduled ? warm : null;
  const built = await buildRelease({ ...asked, is_fetching: !is_waited_for, beforeSwitch });
  // Nobody waits any more.
  setPriority(NICENESS.unawaited);
  await unlessItFails(say, async () => {
    const has_due = await warm(toSnapshotPath(layout, built.name));
    // Nobody waited for pictures: they come with a release of their own.
    if (is_waited_for && has_due)
      await buildRelease({ ...asked, is_fetching: true, beforeSwitch: warm });
  });
  await unlessItFails(say, async () => {
    const inbox = await openInbox(toInboxLocation(config));
    try {
      await forgetPictures(inbox, now_ms);
    } finally {
      await inbox.close();
    }
  });
  return built;
}

/** Makes pages ahead of a snapshot that another machine has built. */
export async function warm(config: Config, now_ms: number, name: string, say: Say): Promise<void> {
  const code = await loadOwnCode(config, say);
  const layout = toLayout(config.data_dir);
  const paths = [toCandidatePath(layout, name), toSnapshotPath(layout, name)];
  const snapshot = openSnapshot(paths.find((path) => existsSync(path)) ?? '');
  try {
    const state = { snapshot, now_ms, site: toSite(config) };
    await warmPages(state, code, layout.pages_dir, startClock(null)(), say);
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
export async function warmPages(
  state: SiteState,
  code: LoadedCode,
  dir: string,
  real_ms: number,
  say: Say,
): Promise<void> {
  const begun_ms = performance.now();
  const paths = listBuiltPaths(state);
  const tell = createCounter(say, 'pages made ahead');
  let made = 0;
  for (const [at, path] of paths.entries()) {
    const key = toKeyOf(state, code.maker, path, '');
    if (!touchPage(dir, key, real_ms)) {
      const { status, headers, body } = await renderBare(state, code, path, '');
      if (status !== 200) throw new Error(`${path} answers ${status}`);
      await writePage(dir, key, headers, Buffer.from(body ?? ''), state.now_ms);
      made += 1;
    }
    tell(at + 1, paths.length);
    await setImmediate();
  }
  prunePages(dir, real_ms - UNUSED_MS);
  const duration = formatDuration(performance.now() - begun_ms);
  say(`  ${made} pages made ahead, ${paths.length - made} kept (${duration})`);
}
