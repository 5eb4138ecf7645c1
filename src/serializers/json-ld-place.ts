// Places and organizations as schema.org nodes (JSON-LD), for their own pages and inside events.
import { type Lang, pick } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { STATE } from '../domain/place-line.ts';
import type { Site } from '../domain/site.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { toAbsolute, toThingPath } from '../i18n/paths.ts';

/** A schema.org node; values that are undefined are left out when it is written as JSON. */
export type Node = Readonly<Record<string, unknown>>;

/** An address in Quintana Roo, as far as it is known. */
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

/** The place inside an event: name, address and point. */
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

/** A venue's own page. */
export function toPlaceJsonLd(venue: VenueRecord, lang: Lang, site: Site): Node {
  return {
    '@context': 'https://schema.org',
    ...toPlaceNode(venue, lang, site),
    description: pick(venue.description, lang) ?? undefined,
    telephone: venue.phone ?? undefined,
    maximumAttendeeCapacity: venue.capacity ?? undefined,
    sameAs: toSameAs(venue),
  };
}

/** The organization inside an event. */
export function toOrganizationNode(organizer: OrganizerRecord, lang: Lang, site: Site): Node {
  const url = toAbsolute(site.url, toThingPath('organizer', organizer.slug, lang));
  const type = organizer.type === 'gobierno' ? 'GovernmentOrganization' : 'Organization';
  return { '@type': type, '@id': `${url}#organization`, name: organizer.name, url };
}

/** An organizer's own page. */
export function toOrganizationJsonLd(organizer: OrganizerRecord, lang: Lang, site: Site): Node {
  return {
    '@context': 'https://schema.org',
    ...toOrganizationNode(organizer, lang, site),
    description: pick(organizer.description, lang) ?? undefined,
    sameAs: toSameAs(organizer),
  };
}

/** Its own addresses elsewhere; undefined where there is none. */
function toSameAs(thing: {
  readonly website: string | null;
  readonly social: readonly string[];
}): readonly string[] | undefined {
  const addresses = thing.website === null ? thing.social : [thing.website, ...thing.social];
  return addresses.length === 0 ? undefined : addresses;
}
