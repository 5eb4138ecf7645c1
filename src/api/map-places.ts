// GET /map/{lang}.geojson: the places of which we know the very spot and that have something
// on today, or are open by themselves, as GeoJSON (RFC 7946; contract 8.33).
import { AppError } from '../domain/app-error.ts';
import type { EventCard } from '../domain/agenda.ts';
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { toOpenFilter } from '../domain/filters/event-filter.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { HttpResponse } from '../http/message.ts';
import { toTodayWords } from '../i18n/opening.ts';
import { toAbsolute, toThingPath } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import { toAttribution } from '../serializers/wire/meta.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { findOpenPlaces } from '../snapshot/places.ts';
import { MAX_AGENDA_EVENTS } from '../snapshot/agenda.ts';
import { type Call, toFreshness } from './operation.ts';

const GEOJSON_TYPE = 'application/geo+json; charset=utf-8';

/** Venues with an own point, each with its events. */
function groupByVenue(
  cards: readonly EventCard[],
): readonly (readonly [VenueRecord, readonly EventCard[]])[] {
  const by_id = Map.groupBy(cards, ({ venue }) => venue?.id);
  return [...by_id.values()].flatMap((own) => {
    const venue = own[0]?.venue;
    return venue && venue.lat !== null && venue.lng !== null ? [[venue, own] as const] : [];
  });
}

/** `words`: what there is, `count` its events. */
const toFeature = (venue: VenueRecord, count: number, words: string, lang: Lang, site: Site) => ({
  type: 'Feature',
  id: venue.id,
  geometry: { type: 'Point', coordinates: [venue.lng, venue.lat] },
  properties: {
    name: venue.name,
    url: toAbsolute(site.url, toThingPath('venue', venue.slug, lang)),
    count,
    words,
  },
});

/** Today's places in one language: those with events first. */
export function toMapPlacesResponse({ id, context }: Call): HttpResponse {
  const lang = LANGS.find((known) => known === id);
  if (lang === undefined)
    throw new AppError('not_found', `lang: there is no such map. Use ${LANGS.join(' or ')}`);
  const { snapshot, site } = context;
  const now_ms = floorToMinute(context.now_ms);
  const today = toCancunDay(now_ms);
  const filter = {
    ...toOpenFilter(now_ms, MAX_AGENDA_EVENTS),
    range: { from: today, to: today },
  };
  const with_events = groupByVenue(findEvents(snapshot, filter, lang).cards);
  const features = [
    ...with_events.map(([venue, { length: count }]) => {
      const events = tCount(lang, 'events.count', count);
      return toFeature(venue, count, t(lang, 'map.events', { events }), lang, site);
    }),
    ...findOpenPlaces(snapshot, today)
      .filter(({ on_day }) => on_day.opening.is_open)
      .filter(({ venue }) => venue.lat !== null && !with_events.some(([{ id }]) => id === venue.id))
      .map(({ venue, on_day }) => toFeature(venue, 0, toTodayWords(on_day, lang), lang, site)),
  ];
  const attribution = toAttribution(lang, site);
  return {
    status: 200,
    headers: { 'content-type': GEOJSON_TYPE, 'cache-control': toFreshness(now_ms) },
    body: JSON.stringify({ type: 'FeatureCollection', attribution, features }),
  };
}
