// What a page may ask: the snapshot, the instant and the site. Opened here once where no server has opened it.
import { type Clock, createClock } from '../clock.ts';
import { type Config, loadConfig } from '../config.ts';
import type { ServiceHealth } from '../domain/health.ts';
import { type Site, createSite } from '../domain/site.ts';
import { openSnapshot, type Snapshot } from '../snapshot/open-snapshot.ts';

export interface PageContext {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  readonly site: Site;
  /** Asks how the service is; absent where no server serves. */
  readonly readHealth?: () => ServiceHealth;
}

interface Opened {
  readonly snapshot: Snapshot;
  readonly site: Site;
  readonly clock: Clock;
}

let opened: Opened | null = null;

/**
 * The state for the dev server, from the snapshot that SNAPSHOT_PATH names.
 * Throws where none is named or it does not open.
 */
export function createDevPageContext(): PageContext {
  opened ??= open(loadConfig());
  return { snapshot: opened.snapshot, site: opened.site, now_ms: opened.clock() };
}

function open(config: Config): Opened {
  if (config.snapshot_path === null)
    throw new Error('SNAPSHOT_PATH: must name the snapshot that the site is built from');
  return {
    snapshot: openSnapshot(config.snapshot_path),
    site: createSite(config),
    clock: createClock(config.clock_start),
  };
}
