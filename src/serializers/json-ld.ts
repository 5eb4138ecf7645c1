// Events (one node an occurrence), lists, places and organizations as schema.org nodes (JSON-LD) that search engines
// read. What is undefined is left out when it is written as JSON; escape `<` then.
import { TOWN } from '../town.ts';
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { fromDayNumber } from '../domain/local-time.ts';
import { type EventRecord, isOnline, type OccurrenceRecord } from '../domain/event/event.ts';
import { type Lang, localized } from '../domain/lang.ts';
import type { OpeningHours, VenueDay, Weekday } from '../domain/opening-hours.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { townOfZone } from '../domain/place-text.ts';
import type { Site } from '../domain/site.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { visitorLabel } from '../i18n/format-opening-hours.ts';
import { absoluteUrl, pictureLink, recordPath } from '../i18n/paths.ts';

type JsonLdNode = Readonly<Record<string, unknown>>;

const CONTEXT = { '@context': 'https://schema.org' } as const;
const toSchemaOrg = (name: string): string => `https://schema.org/${name}`;
const toKnown = <T>(items: readonly T[]): readonly T[] | undefined =>
  items.length === 0 ? undefined : items;

export const MAX_EVENT_NODES = 12;

/** The upcoming occurrences, at most 12, or the last one where all is over. */
export function eventJsonLd(
  detail: EventDetail,
  lang: Lang,
  site: Site,
  now_ms: number,
): JsonLdNode {
  const ahead = detail.occurrences.filter((occurrence) => occurrence.end_ms > now_ms);
  const shown = ahead.length > 0 ? ahead.slice(0, MAX_EVENT_NODES) : detail.occurrences.slice(-1);
  const nodes = shown.map((occurrence) => toEventNode(detail, occurrence, lang, site));
  return nodes.length === 1 ? { ...CONTEXT, ...nodes[0] } : { ...CONTEXT, '@graph': nodes };
}

export const eventListJsonLd = (
  cards: readonly EventCard[],
  lang: Lang,
  site: Site,
): JsonLdNode => ({
  ...CONTEXT,
  '@type': 'ItemList',
  itemListElement: cards.map(({ event }, at) => ({
    '@type': 'ListItem',
    position: at + 1,
    url: absoluteUrl(site.url, recordPath('event', event.slug, lang)),
  })),
});

/** A venue's own page; `today`: its hours on the day of the answer. */
export const venueJsonLd = (
  venue: VenueRecord,
  today: VenueDay | null,
  lang: Lang,
  site: Site,
): JsonLdNode => ({
  ...CONTEXT,
  ...toPlace(venue, lang, site),
  description: localized(venue.description, lang) ?? undefined,
  telephone: venue.phone ?? undefined,
  maximumAttendeeCapacity: venue.capacity ?? undefined,
  ...toOpeningHours(venue.hours, today),
  sameAs: toSameAs(venue),
});

export const organizerJsonLd = (
  organizer: OrganizerRecord,
  lang: Lang,
  site: Site,
): JsonLdNode => ({
  ...CONTEXT,
  ...toOrganization(organizer, lang, site),
  description: localized(organizer.description, lang) ?? undefined,
  sameAs: toSameAs(organizer),
});

const toSameAs = ({ website, social }: Pick<VenueRecord, 'website' | 'social'>) =>
  toKnown(website === null ? social : [website, ...social]);

/** The subtype of Event by category; what is not here is an Event. */
const EVENT_TYPES: Readonly<Record<string, string>> = {
  'live-music': 'MusicEvent',
  party: 'SocialEvent',
  theater: 'TheaterEvent',
  dance: 'DanceEvent',
  film: 'ScreeningEvent',
  art: 'VisualArtsEvent',
  markets: 'SaleEvent',
  food: 'FoodEvent',
  sports: 'SportsEvent',
  family: 'ChildrensEvent',
  tech: 'EducationEvent',
  community: 'SocialEvent',
};
const STATUSES = {
  scheduled: 'EventScheduled',
  cancelled: 'EventCancelled',
  postponed: 'EventPostponed',
} as const;

function toEventNode(
  detail: EventDetail,
  occurrence: OccurrenceRecord,
  lang: Lang,
  site: Site,
): JsonLdNode {
  const { event, organizer } = detail;
  const image = pictureLink(detail, lang, site);
  const url = absoluteUrl(site.url, recordPath('event', event.slug, lang));
  return {
    '@type': EVENT_TYPES[event.category ?? ''] ?? 'Event',
    '@id': `${url}#${occurrence.id}`,
    name: event.title[lang],
    description: event.summary[lang],
    url,
    ...toDates(occurrence),
    eventStatus: toSchemaOrg(STATUSES[occurrence.status]),
    eventAttendanceMode: toSchemaOrg(
      `${isOnline(event) ? 'Online' : 'Offline'}EventAttendanceMode`,
    ),
    location: toLocation(detail, lang, site),
    image: image ? [image.url] : undefined,
    offers: toOffers(event, url, lang),
    isAccessibleForFree: toFreeAccess(event),
    organizer: organizer ? toOrganization(organizer, lang, site) : undefined,
    inLanguage: toKnown(event.languages),
  };
}

/** A date alone for all-day events, never midnight; an end only where it is known. */
const toDates = ({ all_day, start, end, end_known, last_day }: OccurrenceRecord): JsonLdNode =>
  all_day
    ? { startDate: start.slice(0, 10), endDate: fromDayNumber(last_day).toString() }
    : { startDate: start, endDate: end_known ? end : undefined };

/** The venue, where it is online, or the zone or the note on the place: an Event must have a location with an address. */
function toLocation({ event, venue, zone }: EventDetail, lang: Lang, site: Site): JsonLdNode {
  if (venue) return toPlace(venue, lang, site);
  if (isOnline(event)) {
    const url = event.registration_url ?? event.ticket_url ?? event.source_url ?? undefined;
    return { '@type': 'VirtualLocation', url };
  }
  const locality = townOfZone(event.zone);
  return {
    '@type': 'Place',
    name: event.location_note?.[lang] ?? zone?.name[lang] ?? locality,
    address: toAddress(locality, null, null),
  };
}

const toAddress = (
  locality: string,
  street: string | null,
  postal_code: string | null,
): JsonLdNode => ({
  '@type': 'PostalAddress',
  streetAddress: street ?? undefined,
  addressLocality: locality,
  postalCode: postal_code ?? undefined,
  addressRegion: TOWN.state,
  addressCountry: TOWN.country,
});

function toPlace(venue: VenueRecord, lang: Lang, site: Site): JsonLdNode {
  const { name, slug, locality, address, postal_code, lat, lng } = venue;
  const url = absoluteUrl(site.url, recordPath('venue', slug, lang));
  return {
    '@type': 'Place',
    '@id': `${url}#place`,
    name,
    url,
    address: toAddress(locality, address, postal_code),
    geo:
      lat === null || lng === null
        ? undefined
        : { '@type': 'GeoCoordinates', latitude: lat, longitude: lng },
  };
}

function toOrganization({ name, slug, type }: OrganizerRecord, lang: Lang, site: Site): JsonLdNode {
  const url = absoluteUrl(site.url, recordPath('organizer', slug, lang));
  return {
    '@type': type === 'gobierno' ? 'GovernmentOrganization' : 'Organization',
    '@id': `${url}#organization`,
    name,
    url,
  };
}

/**
 * An offer for each kind of visitor, or the lowest price for all. Nothing of a price that is not known, or only last
 * known: search engines show it without our doubts. `url`: the event's page.
 */
function toOffers(
  { price, ticket_url }: EventRecord,
  url: string,
  lang: Lang,
): JsonLdNode | readonly JsonLdNode[] | undefined {
  const amount = price.is_free ? 0 : price.min;
  if (amount === null || price.certainty === 'last_known') return undefined;
  const at = { '@type': 'Offer', url: ticket_url ?? url } as const;
  if (price.visitors.length === 0) return { ...at, price: amount, priceCurrency: price.currency };
  return price.visitors.map((each) => ({
    ...at,
    name: visitorLabel(each.visitor, lang),
    description: each.note?.[lang],
    price: each.amount,
    priceCurrency: each.currency,
  }));
}

/** Undefined where it is not known, and where some enter free and others pay. */
function toFreeAccess({ price }: EventRecord): boolean | undefined {
  if (price.is_free) return true;
  const is_for_some = price.visitors.some(({ amount }) => amount === 0);
  return price.min !== null && price.min > 0 && !is_for_some ? false : undefined;
}

const DAYS: Readonly<Record<Weekday, string>> = {
  mo: 'Monday',
  tu: 'Tuesday',
  we: 'Wednesday',
  th: 'Thursday',
  fr: 'Friday',
  sa: 'Saturday',
  su: 'Sunday',
};
const HOURS = { '@type': 'OpeningHoursSpecification' } as const;
/** How schema.org says that it is closed. */
const CLOSED = { opens: '00:00', closes: '00:00' } as const;

/**
 * Hours that are known at both ends, and the days that differ; nothing where none are, and on a day for which nobody
 * has confirmed them: schema.org has no word for that.
 */
function toOpeningHours(hours: OpeningHours | null, today: VenueDay | null): JsonLdNode {
  if (hours === null || today?.opening.is_unsure) return {};
  const rules = hours.rules.filter(({ open, close }) => open !== null && close !== null);
  const exceptions = hours.exceptions.filter(({ open, close }) => open === null || close !== null);
  return {
    openingHoursSpecification: toKnown(
      rules.map(({ days, open, close, since, until }) => ({
        ...HOURS,
        dayOfWeek: days.map((day) => toSchemaOrg(DAYS[day])),
        opens: open,
        closes: close,
        validFrom: since ?? undefined,
        validThrough: until ?? undefined,
      })),
    ),
    specialOpeningHoursSpecification: toKnown(
      exceptions.map(({ date, open, close }) => ({
        ...HOURS,
        validFrom: date,
        validThrough: date,
        ...(open === null || close === null ? CLOSED : { opens: open, closes: close }),
      })),
    ),
  };
}
