// What a release brings against the one that serves, and whether it loses too much to be let in.
import { listEventStatuses, type EventStatusRow } from '../snapshot/list-records.ts';
import { querySnapshot } from '../snapshot/snapshot-meta.ts';

type Standings = ReadonlyMap<string, EventStatusRow>;

/** Where there are few events, that many may go at once: an editor withdraws them on purpose. */
const FREE_LOSS = 3;
const MOST_LOST = 1 / 10;

type Changes = ReturnType<typeof compareEventStatuses>;

/** Counts of events. `changed` says something else than before; `cancelled` became so. */
export function compareEventStatuses(before: Standings, after: Standings) {
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

/** Why so great a loss must not serve, or null: more than a tenth of `before` events, and more than a few. */
export function findExcessiveLoss({ gone, read }: Changes, before: number): string | null {
  const is_empty = read === 0 && gone > 0;
  if (!is_empty && gone <= Math.max(FREE_LOSS, before * MOST_LOST)) return null;
  return (
    `${gone} of the ${before} events that are served now would be gone, more than a tenth. ` +
    'If that is what you want: npm run release -- --allow-loss'
  );
}

export const formatChanges = (changes: Changes): string =>
  `${changes.read} events read, ${changes.new} new, ${changes.changed} changed, ${changes.cancelled} cancelled, ${changes.gone} gone`;

/** What the snapshot at `after` brings against the one at `before`, which had so many events. */
export function compareSnapshots(before: string | null, after: string) {
  const read = (path: string): Standings => querySnapshot(path, listEventStatuses) ?? new Map();
  const standings = before === null ? new Map() : read(before);
  return { changes: compareEventStatuses(standings, read(after)), before: standings.size };
}
