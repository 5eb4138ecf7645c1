// GET /api/v1/venues, /organizers, /categories and /zones: all of a kind, each with how many events
// are ahead (contract 8.27, 8.28, 8.29).
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import {
  formatPlaceCursor,
  ORGANIZER_LIST_PARAMETERS,
  parsePlaceQuery,
  VENUE_LIST_PARAMETERS,
} from '../domain/filters/place-query.ts';
import type { Lang } from '../domain/lang.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { toVenueDay } from '../domain/venue-day.ts';
import { type HttpResponse, toEnvelopeResponse } from '../http/message.ts';
import { API_PATHS, withQuery } from '../i18n/api-paths.ts';
import { toAbsolute } from '../i18n/paths.ts';
import { toMeta, toPlacesMeta } from '../serializers/wire/meta.ts';
import { toListedOrganizer } from '../serializers/wire/organizer.ts';
import { toListedCategory, toListedZone } from '../serializers/wire/taxon.ts';
import { toListedVenue } from '../serializers/wire/venue.ts';
import { countUpcoming } from '../snapshot/count-events.ts';
import { findOrganizers, findVenues, type FoundPlaces } from '../snapshot/places.ts';
import { type ApiContext, type Call, parseLang, readParameters, toFreshness } from './operation.ts';

/** Venues by words, zone and distance; by name, around a point the nearest first. */
export function toVenueListResponse({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = readParameters(request.query, VENUE_LIST_PARAMETERS, issues);
  const { filter, lang } = parsePlaceQuery(params, snapshot, now_ms, issues);
  const found = findVenues(snapshot, filter);
  const today = toCancunDay(now_ms);
  const data = found.items.map((item) =>
    toListedVenue(
      item,
      toVenueDay(item.record, today, snapshot.calendar.holidays),
      snapshot.taxonomy,
      lang,
      site,
    ),
  );
  return toListResponse(data, found, { path: API_PATHS.listVenues, params, lang }, context);
}

/** Organizers by words, by name. */
export function toOrganizerListResponse({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = readParameters(request.query, ORGANIZER_LIST_PARAMETERS, issues);
  const { filter, lang } = parsePlaceQuery(params, snapshot, now_ms, issues);
  const found = findOrganizers(snapshot, filter);
  const data = found.items.map(({ record, upcoming_count }) =>
    toListedOrganizer(record, upcoming_count, lang, site),
  );
  return toListResponse(data, found, { path: API_PATHS.listOrganizers, params, lang }, context);
}

/** What was asked of a list, for the address of its next page. */
interface Asked {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly lang: Lang;
}

function toListResponse(
  data: readonly unknown[],
  found: Omit<FoundPlaces<unknown>, 'items'>,
  { path, params, lang }: Asked,
  { snapshot, now_ms, site }: ApiContext,
): HttpResponse {
  const base = toMeta(snapshot.generated_at, lang, site);
  const meta = toPlacesMeta(base, { ...found, count: data.length });
  const cursor = found.next && formatPlaceCursor(found.next);
  return toEnvelopeResponse(data, meta, {
    'cache-control': toFreshness(now_ms),
    ...(cursor !== null && {
      link: `<${toAbsolute(site.url, withQuery(path, { ...params, cursor }))}>; rel="next"`,
    }),
  });
}

/** All categories, in their order. */
export const toCategoryListResponse = (call: Call): HttpResponse =>
  toTaxaResponse(call, call.context.snapshot.taxonomy.categories, 'category', toListedCategory);

/** All zones, in their order. */
export const toZoneListResponse = (call: Call): HttpResponse =>
  toTaxaResponse(call, call.context.snapshot.taxonomy.zones, 'zone', toListedZone);

function toTaxaResponse(
  { request, context }: Call,
  taxa: readonly TaxonRecord[],
  filter: 'category' | 'zone',
  toItem: typeof toListedCategory,
): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const lang = parseLang(request.query);
  const counts = countUpcoming({ snapshot, now_ms: floorToMinute(now_ms) }).get(filter);
  const data = taxa.map((taxon) => toItem(taxon, counts?.get(taxon.key) ?? 0, lang, site));
  const meta = toPlacesMeta(toMeta(snapshot.generated_at, lang, site), {
    count: data.length,
    total: data.length,
  });
  return toEnvelopeResponse(data, meta, { 'cache-control': toFreshness(now_ms) });
}
