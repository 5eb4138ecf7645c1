// Identifiers that exist in this very snapshot, for the examples of its description.
import { floorToMinute } from '../domain/cancun-time.ts';
import { toOpenFilter } from '../domain/filters/event-filter.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import { findEvents } from './find-events.ts';
import type { Snapshot } from './open.ts';

/** How many upcoming events are looked through for one with a venue and an organizer. */
const LOOKED_THROUGH = 50;

/**
 * The slugs of the first upcoming event that has everything; words of no meaning where there are no
 * events.
 */
export function findPathExamples(
  snapshot: Snapshot,
  now_ms: number,
): { readonly event: string; readonly venue: string; readonly organizer: string } {
  const filter = toOpenFilter(floorToMinute(now_ms), LOOKED_THROUGH);
  const { cards } = findEvents(snapshot, filter, DEFAULT_LANG);
  const card = cards.find(({ venue, organizer }) => venue && organizer) ?? cards[0];
  return {
    event: card?.event.slug[DEFAULT_LANG] ?? 'evento',
    venue: card?.venue?.slug[DEFAULT_LANG] ?? 'lugar',
    organizer: card?.organizer?.slug[DEFAULT_LANG] ?? 'organizador',
  };
}
