// GET /api/v1/venues/{slug}: a venue and what is upcoming there (interface 4, getVenue).
import { AppError } from '../domain/app-error.ts';
import { floorToMinute } from '../domain/cancun-time.ts';
import { toOpenFilter } from '../domain/filters/event-filter.ts';
import { LIMITS } from '../domain/filters/limit.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { HttpResponse } from '../http/message.ts';
import { toEnvelopeResponse } from '../http/json.ts';
import { toMeta } from '../serializers/wire/meta.ts';
import { toPublicVenue } from '../serializers/wire/venue.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { getVenue as readVenue } from '../snapshot/get-venue.ts';
import type { ApiContext, Call } from './context.ts';
import { toFreshness } from './freshness.ts';
import { parseLang } from './parse-lang.ts';

/** By any slug it ever had, or its id. Throws AppError not_found. */
export function findVenue(slug: string, { snapshot }: ApiContext): VenueRecord {
  const venue = readVenue(snapshot, slug);
  if (venue === null) throw new AppError('not_found', 'slug: no venue has this slug');
  return venue;
}

/** The venue as `{data, meta}` with at most 200 upcoming events. */
export function getVenue({ request, id, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const lang = parseLang(request.query);
  const venue = findVenue(id, context);
  const filter = { ...toOpenFilter(floorToMinute(now_ms), LIMITS.list.max), venue: venue.id };
  const { cards } = findEvents(snapshot, filter, lang);
  return toEnvelopeResponse(
    toPublicVenue(venue, cards, snapshot.taxonomy, lang, site),
    toMeta(snapshot.generated_at, lang, site),
    { 'cache-control': toFreshness(now_ms) },
  );
}
