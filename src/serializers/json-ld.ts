// Events (one node an occurrence), lists, places and organizations as schema.org nodes (JSON-LD)
// that search engines read.
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { fromDayNumber } from '../domain/cancun-time.ts';
import { isOnline, type OccurrenceRecord } from '../domain/event/event.ts';
import { STATE, toTown } from '../domain/place-names.ts';
import { type Lang, pick } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { Site } from '../domain/site.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { toAbsolute, toPictureLink, toThingPath } from '../i18n/paths.ts';
import type { EventRecord } from '../domain/event/event.ts';
import { toVisitorName } from '../i18n/opening.ts';
import type { OpeningHours, VenueDay, Weekday } from '../domain/opening-hours.ts';

export const MAX_EVENT_NODES = 12;

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

/**
 * The venue, where it is online, or else the zone or the note on the place: an Event must have a
 * location with an address.
 */
function toLocation(detail: EventDetail, lang: Lang, site: Site): Node {
  if (detail.venue) return toPlaceNode(detail.venue, lang, site);
  const { registration_url, ticket_url, source_url } = detail.event;
  if (isOnline(detail.event))
    return {
      '@type': 'VirtualLocation',
      url: registration_url ?? ticket_url ?? source_url ?? undefined,
    };
  const locality = toTown(detail.event.zone);
  return {
    '@type': 'Place',
    name: detail.event.location_note?.[lang] ?? detail.zone?.name[lang] ?? locality,
    address: toAddress(locality, null, null),
  };
}

/** A date alone for all-day events, never midnight; an end only where it is known. */
function toDates(occurrence: OccurrenceRecord): Node {
  if (occurrence.all_day) {
    return {
      startDate: occurrence.start.slice(0, 10),
      endDate: fromDayNumber(occurrence.last_day).toString(),
    };
  }
  return {
    startDate: occurrence.start,
    endDate: occurrence.end_known ? occurrence.end : undefined,
  };
}

function toEventNode(
  detail: EventDetail,
  occurrence: OccurrenceRecord,
  lang: Lang,
  site: Site,
): Node {
  const { event, organizer } = detail;
  const url = toAbsolute(site.url, toThingPath('event', event.slug, lang));
  return {
    '@type': EVENT_TYPES[event.category ?? ''] ?? 'Event',
    '@id': `${url}#${occurrence.id}`,
    name: event.title[lang],
    description: event.summary[lang],
    url,
    ...toDates(occurrence),
    eventStatus: `https://schema.org/${STATUSES[occurrence.status]}`,
    eventAttendanceMode: `https://schema.org/${isOnline(event) ? 'Online' : 'Offline'}EventAttendanceMode`,
    location: toLocation(detail, lang, site),
    image: event.image ? [toPictureLink(event.image, site).url] : undefined,
    offers: toOffers(event, url, lang),
    isAccessibleForFree: toFreeAccess(event),
    organizer: organizer ? toOrganizationNode(organizer, lang, site) : undefined,
    inLanguage: event.languages.length === 0 ? undefined : event.languages,
  };
}

/**
 * The upcoming occurrences, at most 12, or the last one where all is over. `JSON.stringify` it and
 * escape `<`.
 */
export function toEventJsonLd(detail: EventDetail, lang: Lang, site: Site, now_ms: number): Node {
  const ahead = detail.occurrences.filter((occurrence) => occurrence.end_ms > now_ms);
  const shown = ahead.length > 0 ? ahead.slice(0, MAX_EVENT_NODES) : detail.occurrences.slice(-1);
  const nodes = shown.map((occurrence) => toEventNode(detail, occurrence, lang, site));
  return nodes.length === 1
    ? { '@context': 'https://schema.org', ...nodes[0] }
    : { '@context': 'https://schema.org', '@graph': nodes };
}

/** A list that points at each event's own page. */
export function toListJsonLd(cards: readonly EventCard[], lang: Lang, site: Site): Node {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    itemListElement: cards.map((card, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      url: toAbsolute(site.url, toThingPath('event', card.event.slug, lang)),
    })),
  };
}

/** A schema.org node; values that are undefined are left out when it is written as JSON. */
export type Node = Readonly<Record<string, unknown>>;

export function toAddress(
  locality: string,
  street: string | null,
  postal_code: string | null,
): Node {
  return {
    '@type': 'PostalAddress',
    streetAddress: street ?? undefined,
    addressLocality: locality,
    postalCode: postal_code ?? undefined,
    addressRegion: STATE,
    addressCountry: 'MX',
  };
}

export function toPlaceNode(venue: VenueRecord, lang: Lang, site: Site): Node {
  const url = toAbsolute(site.url, toThingPath('venue', venue.slug, lang));
  return {
    '@type': 'Place',
    '@id': `${url}#place`,
    name: venue.name,
    url,
    address: toAddress(venue.locality, venue.address, venue.postal_code),
    geo:
      venue.lat === null || venue.lng === null
        ? undefined
        : { '@type': 'GeoCoordinates', latitude: venue.lat, longitude: venue.lng },
  };
}

/** A venue's own page; `today`: its hours on the day of the answer. */
export function toPlaceJsonLd(
  venue: VenueRecord,
  today: VenueDay | null,
  lang: Lang,
  site: Site,
): Node {
  return {
    '@context': 'https://schema.org',
    ...toPlaceNode(venue, lang, site),
    description: pick(venue.description, lang) ?? undefined,
    telephone: venue.phone ?? undefined,
    maximumAttendeeCapacity: venue.capacity ?? undefined,
    ...toOpeningNodes(venue.hours, today),
    sameAs: toSameAs(venue),
  };
}

export function toOrganizationNode(organizer: OrganizerRecord, lang: Lang, site: Site): Node {
  const url = toAbsolute(site.url, toThingPath('organizer', organizer.slug, lang));
  const type = organizer.type === 'gobierno' ? 'GovernmentOrganization' : 'Organization';
  return { '@type': type, '@id': `${url}#organization`, name: organizer.name, url };
}

export function toOrganizationJsonLd(organizer: OrganizerRecord, lang: Lang, site: Site): Node {
  return {
    '@context': 'https://schema.org',
    ...toOrganizationNode(organizer, lang, site),
    description: pick(organizer.description, lang) ?? undefined,
    sameAs: toSameAs(organizer),
  };
}

/** Its own addresses elsewhere. */
function toSameAs(thing: {
  readonly website: string | null;
  readonly social: readonly string[];
}): readonly string[] | undefined {
  const addresses = thing.website === null ? thing.social : [thing.website, ...thing.social];
  return addresses.length === 0 ? undefined : addresses;
}

/**
 * An offer for each kind of visitor, or the lowest price for all. Nothing of a price that is not
 * known, or only last known: search engines show it without our doubts. `url`: the event's page.
 */
function toOffers(
  { price, ticket_url }: EventRecord,
  url: string,
  lang: Lang,
): Node | readonly Node[] | undefined {
  const amount = price.is_free ? 0 : price.min;
  if (amount === null || price.certainty === 'last_known') return undefined;
  const at = { '@type': 'Offer', url: ticket_url ?? url } as const;
  if (price.visitors.length === 0) return { ...at, price: amount, priceCurrency: price.currency };
  return price.visitors.map((each) => ({
    ...at,
    name: toVisitorName(each.visitor, lang),
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

/** How schema.org says that it is closed. */
const CLOSED = { opens: '00:00', closes: '00:00' } as const;

/**
 * Hours that are known at both ends, and the days that differ; nothing where none are, and on a day
 * for which nobody has confirmed them: schema.org has no word for that.
 */
function toOpeningNodes(hours: OpeningHours | null, today: VenueDay | null): Node {
  if (hours === null || today?.opening.is_unsure) return {};
  const rules = hours.rules.flatMap(({ days, open, close, since, until }) =>
    open === null || close === null
      ? []
      : [
          {
            '@type': 'OpeningHoursSpecification',
            dayOfWeek: days.map((day) => `https://schema.org/${DAYS[day]}`),
            opens: open,
            closes: close,
            validFrom: since ?? undefined,
            validThrough: until ?? undefined,
          },
        ],
  );
  const exceptions = hours.exceptions.flatMap(({ date, open, close }) =>
    open !== null && close === null
      ? []
      : [
          {
            '@type': 'OpeningHoursSpecification',
            validFrom: date,
            validThrough: date,
            ...(open === null || close === null ? CLOSED : { opens: open, closes: close }),
          },
        ],
  );
  return {
    openingHoursSpecification: rules.length === 0 ? undefined : rules,
    specialOpeningHoursSpecification: exceptions.length === 0 ? undefined : exceptions,
  };
}
