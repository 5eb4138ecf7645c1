// Identifiers that this very service answers, for the examples of its description.
import { floorToMinute } from '../domain/cancun-time.ts';
import { toOpenFilter } from '../domain/filters/event-filter.ts';
import type { PathExamples } from '../serializers/openapi/parameters.ts';
import { findEvents } from '../snapshot/find-events.ts';
import type { ApiContext } from './context.ts';

/** How many upcoming events are looked through for one with a venue and an organizer. */
const LOOKED_THROUGH = 50;

/**
 * What the first upcoming event that has everything is called; words of no meaning in an empty
 * town.
 */
export function findPathExamples({
  snapshot,
  now_ms,
}: Pick<ApiContext, 'snapshot' | 'now_ms'>): PathExamples {
  const { cards } = findEvents(snapshot, toOpenFilter(floorToMinute(now_ms), LOOKED_THROUGH), 'es');
  const card = cards.find(({ venue, organizer }) => venue && organizer) ?? cards[0];
  return {
    event: card?.event.slug.es ?? 'evento',
    venue: card?.venue?.slug.es ?? 'lugar',
    organizer: card?.organizer?.slug.es ?? 'organizador',
  };
}
