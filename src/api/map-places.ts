// GET /map/{lang}.geojson: the places of which we know the very spot and that have something
// on today, or are open by themselves, as GeoJSON (RFC 7946; contract 8.25).
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { toOpenFilter } from '../domain/query/event-query.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { HttpResponse } from '../http/message.ts';
import { toTodayWords } from '../i18n/opening.ts';
import { toAbsolute, toThingPath } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import { toAttribution } from '../serializers/wire/meta.ts';
import { MAX_AGENDA_EVENTS } from '../snapshot/agenda.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { findOpenPlaces } from '../snapshot/places.ts';
import { parsePathLang } from './descriptions.ts';
import { type Call, respondFile } from './operation.ts';

const GEOJSON_TYPE = 'application/geo+json; charset=utf-8';

/** Today's places in one language: those with events first. */
export function serveMapPlaces(call: Call): HttpResponse {
  const { snapshot, site } = call;
  const lang = parsePathLang(call, 'there is no such map');
  const now_ms = floorToMinute(call.now_ms);
  const today = toCancunDay(now_ms);
  const range = { from: today, to: today };
  const filter = { ...toOpenFilter(now_ms, MAX_AGENDA_EVENTS), range };
  /** `words`: what there is, `count` its events. None of a place whose spot is not known. */
  const toFeatures = (venue: VenueRecord | null | undefined, count: number, words: string) =>
    venue && venue.lat !== null && venue.lng !== null
      ? [
          {
            type: 'Feature',
            id: venue.id,
            geometry: { type: 'Point', coordinates: [venue.lng, venue.lat] },
            properties: {
              name: venue.name,
              url: toAbsolute(site.url, toThingPath('venue', venue.slug, lang)),
              count,
              words,
            },
          },
        ]
      : [];
  const { cards } = findEvents(snapshot, filter, lang);
  const by_venue = Map.groupBy(cards, ({ venue }) => venue?.id);
  const features = [
    ...[...by_venue.values()].flatMap((own) => {
      const events = tCount(lang, 'events.count', own.length);
      return toFeatures(own[0]?.venue, own.length, t(lang, 'map.events', { events }));
    }),
    ...findOpenPlaces(snapshot, today)
      .filter(({ venue, on_day }) => on_day.opening.is_open && !by_venue.has(venue.id))
      .flatMap(({ venue, on_day }) => toFeatures(venue, 0, toTodayWords(on_day, lang))),
  ];
  const attribution = toAttribution(lang, site);
  return respondFile(
    call,
    GEOJSON_TYPE,
    JSON.stringify({ type: 'FeatureCollection', attribution, features }),
  );
}
