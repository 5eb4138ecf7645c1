// A venue in its wire form (interface 2, Venue).
import type { EventCard } from '../domain/agenda.ts';
import { type Lang, pick } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { type Taxonomy, toTaxon } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { toDirectionsUrl } from '../i18n/links.ts';
import { toAbsolute, toThingPath } from '../i18n/paths.ts';
import { toPublicEvent } from './public-event.ts';
import type { PublicVenue } from './wire/venue.ts';

/** The wire form; `cards` are its upcoming events in order of time. */
export function toPublicVenue(
  venue: VenueRecord,
  cards: readonly EventCard[],
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): PublicVenue {
  const toUrl = (language: Lang): string =>
    toAbsolute(site.url, toThingPath('venue', venue.slug, language));
  return {
    id: venue.id,
    slug: venue.slug[lang],
    url: toUrl(lang),
    url_es: toUrl('es'),
    url_en: toUrl('en'),
    name: venue.name,
    description: pick(venue.description, lang),
    address: venue.address,
    locality: venue.locality,
    postal_code: venue.postal_code,
    zone: toTaxon(taxonomy.zones, venue.zone, lang),
    lat: venue.lat,
    lng: venue.lng,
    directions_url: toDirectionsUrl(venue),
    website: venue.website,
    phone: venue.phone,
    social: [...venue.social],
    capacity: venue.capacity,
    accessibility: pick(venue.accessibility, lang),
    updated_at: venue.updated_at,
    upcoming_events: cards.map((card) => toPublicEvent(card, lang, site)),
  };
}
