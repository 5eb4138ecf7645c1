// Release comparison: counts the changes from the live release to a candidate and rejects an
// excessive loss of events.
import { listEventStatuses, type EventStatusRow } from '../snapshot/list-records.ts';
import { querySnapshot } from '../snapshot/snapshot-meta.ts';

type StatusesById = ReadonlyMap<string, EventStatusRow>;

/** Loss that is always allowed: editors of a small agenda may withdraw a few events at once. */
const ALWAYS_ALLOWED_LOSS = 3;
const MAX_LOST_SHARE = 1 / 10;

type Changes = ReturnType<typeof compareEventStatuses>;

/**
 * Counts changed events: `read` all events of the candidate, `cancelled` newly cancelled ones,
 * `changed` all other modifications, `gone` events that only the live release has, `dateless` ones
 * that lose all dates from `now_ms` on although their sources are not outdated.
 */
export function compareEventStatuses(before: StatusesById, after: StatusesById, now_ms: number) {
  const counts = { read: after.size, new: 0, changed: 0, cancelled: 0, gone: 0, dateless: 0 };
  for (const [id, current] of after) {
    const previous = before.get(id);
    if (previous === undefined) counts.new++;
    else if (current.status === 'cancelled' && previous.status !== 'cancelled') counts.cancelled++;
    else if (current.updated_at !== previous.updated_at) counts.changed++;
    const had_dates = previous !== undefined && previous.last_end_ms > now_ms;
    if (had_dates && current.last_end_ms <= now_ms && !current.is_outdated) counts.dateless++;
  }
  for (const id of before.keys()) if (!after.has(id)) counts.gone++;
  return counts;
}

/**
 * Returns an error message if more than a tenth of the events, and more than a few, would disappear
 * or lose all their dates; otherwise null.
 * @param before Number of events of the live release.
 */
export function findExcessiveLoss(
  { gone, dateless, read }: Changes,
  before: number,
): string | null {
  const lost = gone + dateless;
  const is_empty = read === dateless && lost > 0;
  if (!is_empty && lost <= Math.max(ALWAYS_ALLOWED_LOSS, before * MAX_LOST_SHARE)) return null;
  return (
    `${lost} of the ${before} live events would disappear (${gone}) or lose all their dates ` +
    `(${dateless}), more than a tenth. If this is intended: npm run release -- --allow-loss`
  );
}

export const formatChanges = (changes: Changes): string =>
  `${changes.read} events read, ${changes.new} new, ${changes.changed} changed, ${changes.cancelled} cancelled, ${changes.gone} gone, ${changes.dateless} without dates now`;

/** Compares two snapshot files. The returned `before` is the number of events of the first. */
export function compareSnapshots(before_path: string | null, after_path: string, now_ms: number) {
  const load = (path: string): StatusesById => querySnapshot(path, listEventStatuses) ?? new Map();
  const statuses_before = before_path === null ? new Map() : load(before_path);
  return {
    changes: compareEventStatuses(statuses_before, load(after_path), now_ms),
    before: statuses_before.size,
  };
}
