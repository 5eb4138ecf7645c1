// Venue serialization: the public JSON of venues with their hours, of organizers, categories and zones, and of
// open places (contract 4.10, 4.13, 4.14, 8.27).
import * as v from 'valibot';
import type { OpenVenue } from '../../domain/agenda.ts';
import { formatTimestamp } from '../../domain/local-time.ts';
import {
  describe,
  UrlSchema,
  mapUrlFields,
  CountSchema,
  nullableOptional,
  serializeRecord,
  wireEntries,
  type WireOf,
} from '../../domain/fields.ts';
import { CERTAINTIES } from '../../domain/fact-freshness.ts';
import { type Lang, localized } from '../../domain/lang.ts';
import {
  AdmissionSchema,
  type Hours,
  type TodayHours,
  TodayHoursSchema,
  type VenueDay,
} from '../../domain/opening-hours.ts';
import { ORGANIZER_FIELDS, type OrganizerRecord } from '../../domain/organizer.ts';
import type { Site } from '../../domain/site.ts';
import {
  type Taxonomy,
  type TaxonRecord,
  TaxonSchema,
  serializeTaxon,
} from '../../domain/taxon.ts';
import { VENUE_FIELDS, type VenueRecord } from '../../domain/venue.ts';
import { directionsUrl } from '../../i18n/external-links.ts';
import { formatAdmissionAdvice, formatOpeningNote } from '../../i18n/format-opening-hours.ts';
import { absoluteUrl, recordPath } from '../../i18n/paths.ts';
import { PublicEventSchema, recordPageUrls, serializeAdmission } from './event.ts';

export const PublicVenueSchema = v.strictObject({
  ...wireEntries(VENUE_FIELDS),
  upcoming_events: v.array(PublicEventSchema),
});
export const ListedVenueSchema = v.strictObject({
  ...wireEntries(VENUE_FIELDS),
  upcoming_count: describe(CountSchema, 'Events that are not over.'),
  distance_km: describe(
    v.exactOptional(v.number()),
    'Only with near, to ten meters; from the middle of the zone if coordinates is zone.',
  ),
});

/**
 * Serializes the fields that a venue has by itself and in a list.
 * @param today Its opening hours on the current day.
 */
export const serializeVenue = (
  venue: VenueRecord,
  today: VenueDay | null,
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): WireOf<typeof VENUE_FIELDS> =>
  serializeRecord(VENUE_FIELDS, venue, lang, {
    ...recordPageUrls('venue', venue.slug, lang, site),
    zone: serializeTaxon(taxonomy.zones, venue.zone, lang),
    directions_url: directionsUrl(venue),
    hours: serializeHours(venue, lang),
    today: today && serializeToday(today, lang),
    admission: serializeAdmission(venue.admission, lang),
    admission_confirm: formatAdmissionAdvice(venue, lang),
  });

function serializeHours({ hours }: VenueRecord, lang: Lang): Hours | null {
  if (hours === null) return null;
  return {
    rules: hours.rules.map((rule) => ({ ...rule, days: [...rule.days] })),
    exceptions: hours.exceptions.map((day) => ({ ...day, note: localized(day.note, lang) })),
    closed_on: [...hours.closed_on],
    ...(hours.quiet_days && { quiet_days: hours.quiet_days }),
    free: hours.free.map(({ days, visitors }) => ({ days: [...days], visitors: [...visitors] })),
    note: localized(hours.note, lang),
  };
}

/** Serializes a day's hours; `note` explains an exception or unconfirmed holiday hours. */
function serializeToday(on_day: VenueDay, lang: Lang): TodayHours {
  const { day, opening } = on_day;
  const formatOptionalTimestamp = (ms: number | null): string | null =>
    ms === null ? null : formatTimestamp(ms);
  return {
    date: day.toString(),
    open: opening.is_open,
    spans: opening.spans.map(({ open_ms, close_ms, last_entry_ms }) => ({
      opens: formatTimestamp(open_ms),
      closes: formatOptionalTimestamp(close_ms),
      last_entry: formatOptionalTimestamp(last_entry_ms),
    })),
    note: formatOpeningNote(on_day, lang),
    free_for: [...opening.free_for],
  };
}

export const PublicOpenPlaceSchema = v.strictObject({
  id: v.string(),
  name: v.string(),
  url: UrlSchema,
  zone: v.nullable(TaxonSchema),
  today: TodayHoursSchema,
  admission: v.array(AdmissionSchema),
  admission_certainty: v.nullable(v.picklist(CERTAINTIES)),
  admission_confirm: v.nullable(v.string()),
});

/** Serializes the open places of a day, including closed ones. */
export const serializeOpenVenues = (
  places: readonly OpenVenue[],
  lang: Lang,
  site: Site,
): v.InferOutput<typeof PublicOpenPlaceSchema>[] =>
  places.map(({ venue, zone, on_day }) => ({
    id: venue.id,
    name: venue.name,
    url: absoluteUrl(site.url, recordPath('venue', venue.slug, lang)),
    zone: zone && serializeTaxon([zone], zone.key, lang),
    today: serializeToday(on_day, lang),
    admission: serializeAdmission(venue.admission, lang),
    admission_certainty: venue.admission_certainty,
    admission_confirm: formatAdmissionAdvice(venue, lang),
  }));

export const PublicOrganizerSchema = v.strictObject({
  ...wireEntries(ORGANIZER_FIELDS),
  upcoming_events: v.array(PublicEventSchema),
});

export const ListedOrganizerSchema = v.strictObject({
  ...wireEntries(ORGANIZER_FIELDS),
  upcoming_count: describe(CountSchema, 'Events that are not over.'),
});
export const serializeOrganizer = (
  organizer: OrganizerRecord,
  lang: Lang,
  site: Site,
): WireOf<typeof ORGANIZER_FIELDS> =>
  serializeRecord(
    ORGANIZER_FIELDS,
    organizer,
    lang,
    recordPageUrls('organizer', organizer.slug, lang, site),
  );

export const ListedCategorySchema = v.strictObject({
  ...TaxonSchema.entries,
  slug: describe(v.string(), 'In the requested language; filters accept it.'),
  url: UrlSchema,
  ...mapUrlFields(() => UrlSchema),
  description: nullableOptional(v.string()),
  upcoming_count: describe(CountSchema, 'Events that are not over.'),
});

export const ListedZoneSchema = v.strictObject({
  ...ListedCategorySchema.entries,
  lat: describe(nullableOptional(v.number()), 'Middle of the zone, if a source gives one.'),
  lng: nullableOptional(v.number()),
});

export function serializeListedTaxon(
  section: 'category' | 'zone',
  { key, name, slug, description, middle }: TaxonRecord,
  upcoming_count: number,
  lang: Lang,
  site: Site,
): v.InferOutput<typeof ListedCategorySchema> {
  const point = { lat: middle?.lat ?? null, lng: middle?.lng ?? null };
  return {
    key,
    name: name[lang],
    slug: slug[lang],
    ...recordPageUrls(section, slug, lang, site),
    description: localized(description, lang),
    upcoming_count,
    ...(section === 'zone' && point),
  };
}
