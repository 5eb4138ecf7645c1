// An event in its wire form: in lists, and by itself with every occurrence (interface 2,
// PublicEvent, Event detail).
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import type { Price } from '../domain/event/event.ts';
import { type Lang, pick } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { Site } from '../domain/site.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { toDirectionsUrl } from '../i18n/links.ts';
import { toAbsolute, toThingPath } from '../i18n/paths.ts';
import { toPriceText } from '../i18n/price.ts';
import { toPublicOccurrence } from './public-occurrence.ts';
import type { EventDetailWire, PublicEvent } from './wire/event.ts';

const toTaxonOrNull = (taxon: TaxonRecord | null, lang: Lang) =>
  taxon && { key: taxon.key, name: taxon.name[lang] };

const toPrice = (price: Price, lang: Lang): PublicEvent['price'] => ({
  is_free: price.is_free,
  min: price.min,
  max: price.max,
  currency: price.currency,
  text: toPriceText(price, lang),
});

const toVenue = (
  venue: VenueRecord,
  lang: Lang,
  site: Site,
): NonNullable<PublicEvent['venue']> => ({
  name: venue.name,
  address: venue.address,
  lat: venue.lat,
  lng: venue.lng,
  url: toAbsolute(site.url, toThingPath('venue', venue.slug, lang)),
  directions_url: toDirectionsUrl(venue),
});

const toOrganizer = (
  organizer: OrganizerRecord,
  lang: Lang,
  site: Site,
): NonNullable<PublicEvent['organizer']> => ({
  name: organizer.name,
  verified: organizer.verified,
  url: toAbsolute(site.url, toThingPath('organizer', organizer.slug, lang)),
});

/**
 * What an event says whatever was asked: all fields but `next` and `more_dates`, so that it can be
 * kept.
 */
export function toEventFields(
  card: EventCard,
  lang: Lang,
  site: Site,
): Omit<PublicEvent, 'next' | 'more_dates'> {
  const { event, venue, organizer } = card;
  const urls = {
    es: toAbsolute(site.url, toThingPath('event', event.slug, 'es')),
    en: toAbsolute(site.url, toThingPath('event', event.slug, 'en')),
  };
  return {
    id: event.id,
    url: urls[lang],
    url_es: urls.es,
    url_en: urls.en,
    title: event.title[lang],
    summary: event.summary[lang],
    status: event.status,
    category: toTaxonOrNull(card.category, lang),
    tags: [...event.tags],
    zone: toTaxonOrNull(card.zone, lang),
    venue: venue && toVenue(venue, lang, site),
    location_note: pick(event.location_note, lang),
    price: toPrice(event.price, lang),
    ticket_url: event.ticket_url,
    registration_url: event.registration_url,
    age_restriction: pick(event.age_restriction, lang),
    languages: [...event.languages],
    organizer: organizer && toOrganizer(organizer, lang, site),
    image: event.image && { url: event.image.url, alt: event.image.alt[lang] },
    verified: event.verified,
    source: event.source,
    source_url: event.source_url,
    updated_at: event.updated_at,
  };
}

/**
 * The fields that depend on the question; none of them where nothing is upcoming (decisions,
 * Resources 3).
 */
export function toNextFields(
  card: Pick<EventCard, 'next' | 'more_dates'>,
  lang: Lang,
): Pick<PublicEvent, 'next' | 'more_dates'> {
  return card.next === null
    ? {}
    : { next: toPublicOccurrence(card.next, lang), more_dates: card.more_dates };
}

/** An event in a list. `next` and `more_dates` are relative to the question and stand last. */
export function toPublicEvent(card: EventCard, lang: Lang, site: Site): PublicEvent {
  return { ...toEventFields(card, lang, site), ...toNextFields(card, lang) };
}

/**
 * An event by itself: what lists say, every occurrence in order of time, and whether all is over.
 */
export function toEventDetail(detail: EventDetail, lang: Lang, site: Site): EventDetailWire {
  return {
    ...toPublicEvent(detail, lang, site),
    occurrences: detail.occurrences.map((occurrence) => toPublicOccurrence(occurrence, lang)),
    is_past: detail.is_past,
  };
}
