// GET /api/openapi.json: the machine-readable description (interface 9).
import { floorToMinute } from '../domain/cancun-time.ts';
import { toOpenFilter } from '../domain/event-filter.ts';
import type { Answer } from '../http/exchange.ts';
import { toJsonAnswer } from '../http/json.ts';
import { toOpenApi } from '../serializers/openapi/document.ts';
import type { PathExamples } from '../serializers/openapi/parameters.ts';
import { findEvents } from '../snapshot/find-events.ts';
import type { ApiContext, Call } from './context.ts';
import { toFreshness } from './freshness.ts';

/** How many upcoming events are looked through for one with a venue and an organizer. */
const LOOKED_THROUGH = 50;

/** What the first upcoming event that has everything is called; words of no meaning in an empty town. */
function findPathExamples({ snapshot, now_ms }: ApiContext): PathExamples {
  const { cards } = findEvents(snapshot, toOpenFilter(floorToMinute(now_ms), LOOKED_THROUGH), 'es');
  const card = cards.find(({ venue, organizer }) => venue && organizer) ?? cards[0];
  return { event: card?.event.slug.es ?? 'evento', venue: card?.venue?.slug.es ?? 'lugar', organizer: card?.organizer?.slug.es ?? 'organizador' };
}

/** OpenAPI 3.1, with the categories and zones of the snapshot and examples that it answers. */
export function getOpenApi({ context }: Call): Answer {
  const { snapshot, site, now_ms } = context;
  return toJsonAnswer(200, toOpenApi(snapshot.taxonomy, site, findPathExamples(context)), { 'cache-control': toFreshness(now_ms) });
}
