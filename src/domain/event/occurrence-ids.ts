// Which date of an event is which over a change of its hour: an id is the event's and the local start
// as first published, `ev_…-20261121T2000`, all day `ev_…-20261121` (contract 5.6).
import { formatTimestamp, fromDayNumber } from '../cancun-time.ts';
import type { Span } from './occurrences.ts';

/** The id of a date that is published for the first time. */
export function toFirstId(event: string, span: Span): string {
  const day = fromDayNumber(span.first_day).toString().replaceAll('-', '');
  if (span.all_day) return `${event}-${day}`;
  return `${event}-${day}T${formatTimestamp(span.start_ms).slice(11, 16).replace(':', '')}`;
}

const toDayOf = (id: string): string => id.split('T', 1)[0] ?? id;

/**
 * The ids of the dates of one event, each beside its first id. `published`: those its dates ever had.
 * A start that was published has its own; the others of a day take what is left of that day's, in
 * order of time, whole days first; who finds none left is new.
 */
export function assignIds(
  first_ids: readonly string[],
  published: readonly string[],
): ReadonlyMap<string, string> {
  const starts = new Set(first_ids);
  const free = Map.groupBy(published.filter((id) => !starts.has(id)).sort(), toDayOf);
  const known = new Set(published);
  return new Map(
    [...starts]
      .sort()
      .map((id) => [id, known.has(id) ? id : (free.get(toDayOf(id))?.shift() ?? id)]),
  );
}

/** Dates of every event, made once for each ledger and kept as long as it. */
const DATES = new WeakMap<ReadonlyMap<string, unknown>, ReadonlyMap<string, readonly string[]>>();

/** The ids that dates of an event have in a ledger. */
export function listDateIds(
  ledger: ReadonlyMap<string, unknown>,
  event: string,
): readonly string[] {
  const dates = DATES.get(ledger) ?? Map.groupBy(ledger.keys(), (id) => id.split('-', 1)[0] ?? id);
  DATES.set(ledger, dates);
  return (dates.get(event) ?? []).filter((id) => id !== event);
}
