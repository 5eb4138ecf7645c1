// JSON-LD serialization: builds schema.org nodes for events (one per occurrence), lists, venues and
// organizers, which search engines read in HTML pages. Undefined fields disappear in
// JSON.stringify; callers must escape `<`.
import { TOWN } from '../town.ts';
import type { EventCard, EventDetail } from '../domain/agenda.ts';
import { fromDayNumber } from '../domain/local-time.ts';
import {
  findLastDate,
  type EventRecord,
  filterNotEnded,
  isOnline,
  type OccurrenceRecord,
} from '../domain/event/event.ts';
import { getEffectiveStatus, isDateUncertain, withDateCertainty } from '../domain/event/facts.ts';
import { type Lang, localized } from '../domain/lang.ts';
import type { OpeningHours, VenueDay, Weekday } from '../domain/opening-hours.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { townOfZone } from '../domain/place-text.ts';
import type { Site } from '../domain/site.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { formatConfirmAdvice, formatPastDateNote } from '../i18n/format-facts.ts';
import { visitorLabel } from '../i18n/format-opening-hours.ts';
import { absoluteUrl, pictureLink, recordPath } from '../i18n/paths.ts';
import { capitalize, t } from '../i18n/translate.ts';

type JsonLdNode = Readonly<Record<string, unknown>>;

const CONTEXT = { '@context': 'https://schema.org' } as const;
const schemaOrgUrl = (name: string): string => `https://schema.org/${name}`;
/** Returns undefined instead of an empty list, so that its field disappears. */
const omitEmpty = <T>(items: readonly T[]): readonly T[] | undefined =>
  items.length === 0 ? undefined : items;

/** Maximum occurrences of one event in its JSON-LD. */
export const MAX_EVENT_NODES = 12;
/** Maximum occurrences that no source confirms: search engines show dates without the doubt. */
const MAX_UNCERTAIN_NODES = 4;

/**
 * Builds nodes for the next occurrences, few of them unconfirmed, or for the last one if all are
 * over; null for an event without dates.
 */
export function eventJsonLd(
  detail: EventDetail,
  lang: Lang,
  site: Site,
  now_ms: number,
): JsonLdNode | null {
  const upcoming = filterNotEnded(detail.occurrences, now_ms);
  const uncertain = upcoming.filter((next) => isDateUncertain({ event: detail.event, next }));
  const omitted = new Set(uncertain.slice(MAX_UNCERTAIN_NODES));
  const occurrences =
    upcoming.length > 0
      ? upcoming.filter((occurrence) => !omitted.has(occurrence)).slice(0, MAX_EVENT_NODES)
      : [findLastDate(detail.occurrences)].filter((date) => date !== null);
  const nodes = occurrences.map((occurrence) => buildEventNode(detail, occurrence, lang, site));
  if (nodes.length === 0) return null;
  return nodes.length === 1 ? { ...CONTEXT, ...nodes[0] } : { ...CONTEXT, '@graph': nodes };
}

/** Builds the node of a list of events, with the URL of each page. */
export const eventListJsonLd = (
  cards: readonly EventCard[],
  lang: Lang,
  site: Site,
): JsonLdNode => ({
  ...CONTEXT,
  '@type': 'ItemList',
  itemListElement: cards.map(({ event }, index) => ({
    '@type': 'ListItem',
    position: index + 1,
    url: absoluteUrl(site.url, recordPath('event', event.slug, lang)),
  })),
});

/**
 * Builds the node of a venue's page.
 * @param today The venue's opening hours on the current day; null if they are unknown.
 */
export const venueJsonLd = (
  venue: VenueRecord,
  today: VenueDay | null,
  lang: Lang,
  site: Site,
): JsonLdNode => ({
  ...CONTEXT,
  ...buildPlaceNode(venue, lang, site),
  description: localized(venue.description, lang) ?? undefined,
  telephone: venue.phone ?? undefined,
  maximumAttendeeCapacity: venue.capacity ?? undefined,
  ...buildOpeningHours(venue.hours, today),
  sameAs: listSameAs(venue),
});

/** Builds the node of an organizer's page. */
export const organizerJsonLd = (
  organizer: OrganizerRecord,
  lang: Lang,
  site: Site,
): JsonLdNode => ({
  ...CONTEXT,
  ...buildOrganizationNode(organizer, lang, site),
  description: localized(organizer.description, lang) ?? undefined,
  sameAs: listSameAs(organizer),
});

/** Lists the website and social profiles of a record, for `sameAs`. */
const listSameAs = ({ website, social }: Pick<VenueRecord, 'website' | 'social'>) =>
  omitEmpty(website === null ? social : [website, ...social]);

/** Subtype of Event by category key; any other category is a plain Event. */
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
const SCHEMA_ORG_STATUSES = {
  scheduled: 'EventScheduled',
  cancelled: 'EventCancelled',
  postponed: 'EventPostponed',
} as const;

/**
 * Builds the node of one occurrence; its `@id` is the page with the occurrence id as the fragment.
 */
function buildEventNode(
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
    description: formatDescription(detail, occurrence, lang),
    url,
    ...buildDateFields(occurrence),
    ...buildStatusFields(occurrence),
    eventAttendanceMode: schemaOrgUrl(
      `${isOnline(event) ? 'Online' : 'Offline'}EventAttendanceMode`,
    ),
    location: buildLocationNode(detail, lang, site),
    image: image ? [image.url] : undefined,
    offers: buildOffers(event, url, lang),
    isAccessibleForFree: isFreeForAll(event),
    organizer: organizer ? buildOrganizationNode(organizer, lang, site) : undefined,
    inLanguage: omitEmpty(event.languages),
  };
}

/** Builds the status; a date whose hour has changed is rescheduled from its first one, in its id. */
function buildStatusFields({ id, status, start }: OccurrenceRecord): JsonLdNode {
  const [, first_time] = /T(\d{4})$/.exec(id) ?? [];
  const first_start =
    first_time && `${start.slice(0, 11)}${first_time.replace(/(..)(..)/, '$1:$2:00')}`;
  const is_moved = status === 'scheduled' && first_start && first_start !== start.slice(0, 19);
  return is_moved
    ? {
        eventStatus: schemaOrgUrl('EventRescheduled'),
        previousStartDate: `${first_start}${start.slice(19)}`,
      }
    : { eventStatus: schemaOrgUrl(SCHEMA_ORG_STATUSES[status]) };
}

/**
 * Formats the summary, the note of the date, and the facts to confirm, because schema.org has
 * no field for doubt.
 */
function formatDescription(detail: EventDetail, occurrence: OccurrenceRecord, lang: Lang): string {
  const event = withDateCertainty(detail.event, occurrence);
  const { notes, time_known } = occurrence;
  const sentences = [event.summary[lang], localized(notes, lang)];
  if (getEffectiveStatus(event, occurrence) === null)
    sentences.push(
      time_known ? null : `${capitalize(t(lang, 'time.unknown'))}.`,
      formatPastDateNote(detail, lang) ?? formatConfirmAdvice({ event, next: occurrence }, lang),
    );
  return sentences.filter((sentence) => sentence !== null).join(' ');
}

/** Builds the start and end: dates without a time for all-day events, and an end only if known. */
const buildDateFields = ({
  all_day,
  start,
  end,
  end_known,
  last_day,
}: OccurrenceRecord): JsonLdNode =>
  all_day
    ? { startDate: start.slice(0, 10), endDate: fromDayNumber(last_day).toString() }
    : { startDate: start, endDate: end_known ? end : undefined };

/**
 * Builds the venue, the online location, or a place with the location note or zone: an Event needs
 * an address.
 */
function buildLocationNode(
  { event, venue, zone }: EventDetail,
  lang: Lang,
  site: Site,
): JsonLdNode {
  if (venue) return buildPlaceNode(venue, lang, site);
  if (isOnline(event)) {
    const url = event.registration_url ?? event.ticket_url ?? event.source_url ?? undefined;
    return { '@type': 'VirtualLocation', url };
  }
  const locality = townOfZone(event.zone);
  return {
    '@type': 'Place',
    name: event.location_note?.[lang] ?? zone?.name[lang] ?? locality,
    address: buildAddressNode(locality, null, null),
  };
}

/** Builds a postal address; `locality` is the town. */
const buildAddressNode = (
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

function buildPlaceNode(venue: VenueRecord, lang: Lang, site: Site): JsonLdNode {
  const { name, slug, locality, address, postal_code, lat, lng } = venue;
  const url = absoluteUrl(site.url, recordPath('venue', slug, lang));
  return {
    '@type': 'Place',
    '@id': `${url}#place`,
    name,
    url,
    address: buildAddressNode(locality, address, postal_code),
    geo:
      lat === null || lng === null
        ? undefined
        : { '@type': 'GeoCoordinates', latitude: lat, longitude: lng },
  };
}

function buildOrganizationNode(
  { name, slug, type }: OrganizerRecord,
  lang: Lang,
  site: Site,
): JsonLdNode {
  const url = absoluteUrl(site.url, recordPath('organizer', slug, lang));
  return {
    '@type': type === 'gobierno' ? 'GovernmentOrganization' : 'Organization',
    '@id': `${url}#organization`,
    name,
    url,
  };
}

/**
 * Builds an offer for each kind of visitor, or one with the lowest price if prices do not depend on
 * the visitor.
 * @returns undefined for an unknown or last known price: search engines would show it as certain.
 */
function buildOffers(
  { price, ticket_url }: EventRecord,
  url: string,
  lang: Lang,
): JsonLdNode | readonly JsonLdNode[] | undefined {
  const amount = price.is_free ? 0 : price.min;
  if (amount === null || price.certainty === 'last_known') return undefined;
  const offer = { '@type': 'Offer', url: ticket_url ?? url } as const;
  if (price.visitors.length === 0)
    return { ...offer, price: amount, priceCurrency: price.currency };
  return price.visitors.map((admission) => ({
    ...offer,
    name: visitorLabel(admission.visitor, lang),
    description: admission.note?.[lang],
    price: admission.amount,
    priceCurrency: admission.currency,
  }));
}

/** @returns undefined if unknown, or if some visitors enter free and others pay. */
function isFreeForAll({ price }: EventRecord): boolean | undefined {
  if (price.is_free) return true;
  const is_free_for_some = price.visitors.some(({ amount }) => amount === 0);
  return price.min !== null && price.min > 0 && !is_free_for_some ? false : undefined;
}

const DAY_NAMES: Readonly<Record<Weekday, string>> = {
  mo: 'Monday',
  tu: 'Tuesday',
  we: 'Wednesday',
  th: 'Thursday',
  fr: 'Friday',
  sa: 'Saturday',
  su: 'Sunday',
};
/** Type of every node of opening hours. */
const HOURS_TYPE = { '@type': 'OpeningHoursSpecification' } as const;
/** The schema.org convention for a closed day. */
const CLOSED_ALL_DAY = { opens: '00:00', closes: '00:00' } as const;

/**
 * Builds the opening hours with known start and end, and their exceptions. Empty if there are none,
 * or if the hours of the current day are unconfirmed, which schema.org cannot express.
 */
function buildOpeningHours(hours: OpeningHours | null, today: VenueDay | null): JsonLdNode {
  if (hours === null || today?.opening.is_unconfirmed) return {};
  const rules = hours.rules.filter(({ open, close }) => open !== null && close !== null);
  const exceptions = hours.exceptions.filter(({ open, close }) => open === null || close !== null);
  return {
    openingHoursSpecification: omitEmpty(
      rules.map(({ days, open, close, since, until }) => ({
        ...HOURS_TYPE,
        dayOfWeek: days.map((day) => schemaOrgUrl(DAY_NAMES[day])),
        opens: open,
        closes: close,
        validFrom: since ?? undefined,
        validThrough: until ?? undefined,
      })),
    ),
    specialOpeningHoursSpecification: omitEmpty(
      exceptions.map(({ date, open, close }) => ({
        ...HOURS_TYPE,
        validFrom: date,
        validThrough: date,
        ...(open === null || close === null ? CLOSED_ALL_DAY : { opens: open, closes: close }),
      })),
    ),
  };
}
