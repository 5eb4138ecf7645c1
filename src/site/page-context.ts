// Page context: the snapshot, instant and site that a page is rendered from. The dev server, which
// does not pass one, opens it here.
import { type Clock, createClock } from '../clock.ts';
import { type Config, loadConfig } from '../config.ts';
import type { ServiceHealth } from '../domain/health.ts';
import { type Site, createSite } from '../domain/site.ts';
import { openSnapshot, type Snapshot } from '../snapshot/open-snapshot.ts';

/** Inputs of every page. `now_ms` is the instant that the page shows as now. */
export interface PageContext {
  readonly snapshot: Snapshot;
  readonly now_ms: number;
  readonly site: Site;
  /**
   * Reads the health of the service, for its status page. Absent if the page is rendered without a
   * server.
   */
  readonly readHealth?: () => ServiceHealth;
}

/** Opened once and used for all requests of the dev server. */
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
