// Page context: the snapshot, instant and site that a page is rendered from. The dev server, which does not pass one,
// opens it here.
import { type Clock, createClock } from '../clock.ts';
import { type Config, loadConfig } from '../config.ts';
import type { ServiceHealth } from '../domain/health.ts';
import { type Site, createSite } from '../domain/site.ts';
import { openSnapshot, type Snapshot } from '../snapshot/open-snapshot.ts';

export interface PageContext {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  readonly site: Site;
  /** Absent if the page is rendered without a server. */
  readonly readHealth?: () => ServiceHealth;
}

interface DevResources {
  readonly snapshot: Snapshot;
  readonly site: Site;
  readonly clock: Clock;
}

let resources: DevResources | null = null;

/**
 * Creates the page context of the dev server from the snapshot in SNAPSHOT_PATH.
 * @throws Error if SNAPSHOT_PATH is not set or the snapshot cannot be opened.
 */
export function createDevPageContext(): PageContext {
  resources ??= openResources(loadConfig());
  return { snapshot: resources.snapshot, site: resources.site, now_ms: resources.clock() };
}

function openResources(config: Config): DevResources {
  if (config.snapshot_path === null)
    throw new Error('SNAPSHOT_PATH: missing. Set it to the path of a snapshot');
  return {
    snapshot: openSnapshot(config.snapshot_path),
    site: createSite(config),
    clock: createClock(config.clock_start),
  };
}
