// What a release brings against the one that serves, and whether it loses too much to be let in.
import { join } from 'node:path';
import { inSnapshotFile } from '../snapshot/amend-file.ts';
import { listStandings, type Standing } from '../snapshot/list-things.ts';
import { type Layout, readCurrent, toReleasePaths } from './layout.ts';

type Standings = ReadonlyMap<string, Standing>;

/** Counts of events. `changed` says something else than before; `cancelled` became so. */
export interface Changes {
  readonly read: number;
  readonly new: number;
  readonly changed: number;
  readonly cancelled: number;
  readonly gone: number;
}

/** So many events that are as they were. */
export const toUnchanged = (read: number): Changes => ({
  ...{ read, new: 0, changed: 0, cancelled: 0, gone: 0 },
});

/** Where there are few events, that many may go at once: an editor withdraws them on purpose. */
const FREE_LOSS = 3;
const MOST_LOST = 1 / 10;

export function compareStandings(before: Standings, after: Standings): Changes {
  const counts = { read: after.size, new: 0, changed: 0, cancelled: 0, gone: 0 };
  for (const [id, now] of after) {
    const was = before.get(id);
    if (was === undefined) counts.new++;
    else if (now.status === 'cancelled' && was.status !== 'cancelled') counts.cancelled++;
    else if (now.updated_at !== was.updated_at) counts.changed++;
  }
  for (const id of before.keys()) if (!after.has(id)) counts.gone++;
  return counts;
}

/**
 * Why so great a loss must not serve, or null: more than a tenth of `before` events, and more than
 * a few.
 */
export function findLoss({ gone, read }: Changes, before: number): string | null {
  const is_empty = read === 0 && gone > 0;
  if (!is_empty && gone <= Math.max(FREE_LOSS, before * MOST_LOST)) return null;
  return (
    `${gone} of the ${before} events that are served now would be gone, more than a tenth. ` +
    'If that is what you want: npm run release -- --allow-loss'
  );
}

export const formatChanges = (changes: Changes): string =>
  `${changes.read} events read, ${changes.new} new, ${changes.changed} changed, ${changes.cancelled} cancelled, ${changes.gone} gone`;

const readStandings = (path: string): Standings =>
  inSnapshotFile(path, (db) => listStandings({ db }));

/**
 * How the events of the release that serves stand; none where there is none, or it cannot be read.
 */
function readServing(layout: Layout): Standings {
  const id = readCurrent(layout);
  if (id === null) return new Map();
  try {
    return readStandings(toReleasePaths(join(layout.releases_dir, id)).snapshot);
  } catch {
    return new Map();
  }
}

/**
 * What a new snapshot brings against the one that serves. Throws a sentence where it loses too
 * much, unless `allow_loss` says that this is meant.
 */
export function compareWithServing(
  layout: Layout,
  snapshot_path: string,
  allow_loss: boolean,
): Changes {
  const before = readServing(layout);
  const changes = compareStandings(before, readStandings(snapshot_path));
  const loss = findLoss(changes, before.size);
  if (loss !== null && !allow_loss) throw new Error(loss);
  return changes;
}
