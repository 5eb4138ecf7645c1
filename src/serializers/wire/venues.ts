// Venue serialization: converts venues with their hours to public JSON, and the other records of
// directories: organizers, categories and zones (contract 4.10, 4.13, 4.14, 8.27). An open place is
// a venue that is worth a visit without an event, such as a museum; it has opening hours.
// Public names: `admission` is the entry prices by kind of visitor; `admission_confirm` is advice
// to check them.
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
  listFreeVisitors,
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

/** A single venue, with its upcoming events. */
export const PublicVenueSchema = v.strictObject({
  ...wireEntries(VENUE_FIELDS),
  upcoming_events: v.array(PublicEventSchema),
});
/** A venue in a list; `distance_km` is rounded to 0.01 km. */
export const ListedVenueSchema = v.strictObject({
  ...wireEntries(VENUE_FIELDS),
  upcoming_count: CountSchema,
  distance_km: describe(
    v.exactOptional(v.number()),
    'Only with near; from the middle of the zone if coordinates is zone.',
  ),
});

/**
 * Serializes the fields common to a single venue and a venue in a list.
 * @param today Its opening hours on the current day; null omits them.
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
    today: today && serializeToday(venue, today, lang),
    admission: serializeAdmission(venue.admission, lang),
    free_for: [...listFreeVisitors(venue.admission)],
    admission_confirm: formatAdmissionAdvice(venue, lang),
  });

/**
 * Serializes the weekly rules of a venue, with exceptions by date. `closed_on` has the keys of
 * holidays on which it closes; `quiet_days: 'open'` means that the rules hold on Christmas, New
 * Year and Good Friday too; `free` has the weekdays on which some kinds of visitor enter free.
 */
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

/**
 * Serializes a day's hours: spans of opening, and the kinds of visitor that enter free. `note`
 * explains an exception or unconfirmed holiday hours.
 */
function serializeToday({ admission }: VenueRecord, venue_day: VenueDay, lang: Lang): TodayHours {
  const { day, opening } = venue_day;
  const formatOptionalTimestamp = (epoch_ms: number | null): string | null =>
    epoch_ms === null ? null : formatTimestamp(epoch_ms);
  return {
    date: day.toString(),
    open: opening.is_open,
    spans: opening.spans.map(({ open_ms, close_ms, last_entry_ms }) => ({
      opens: formatTimestamp(open_ms),
      closes: formatOptionalTimestamp(close_ms),
      last_entry: formatOptionalTimestamp(last_entry_ms),
    })),
    note: formatOpeningNote(venue_day, lang),
    free_for: opening.is_open ? [...listFreeVisitors(admission, opening.free_for)] : [],
  };
}

/** A venue that is worth a visit without an event, with its hours on one day. */
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

/**
 * Serializes venues that are worth a visit, with their hours on one day; some may be closed on it.
 */
export const serializeOpenVenues = (
  venues: readonly OpenVenue[],
  lang: Lang,
  site: Site,
): v.InferOutput<typeof PublicOpenPlaceSchema>[] =>
  venues.map(({ venue, zone, on_day: venue_day }) => ({
    id: venue.id,
    name: venue.name,
    url: absoluteUrl(site.url, recordPath('venue', venue.slug, lang)),
    zone: zone && serializeTaxon([zone], zone.key, lang),
    today: serializeToday(venue, venue_day, lang),
    admission: serializeAdmission(venue.admission, lang),
    admission_certainty: venue.admission_certainty,
    admission_confirm: formatAdmissionAdvice(venue, lang),
  }));

/** A single organizer, with its upcoming events. */
export const PublicOrganizerSchema = v.strictObject({
  ...wireEntries(ORGANIZER_FIELDS),
  upcoming_events: v.array(PublicEventSchema),
});

/** An organizer in a list. */
export const ListedOrganizerSchema = v.strictObject({
  ...wireEntries(ORGANIZER_FIELDS),
  upcoming_count: CountSchema,
});

/** Serializes the fields common to a single organizer and an organizer in a list. */
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

/** A category in the list of categories. */
export const ListedCategorySchema = v.strictObject({
  ...TaxonSchema.entries,
  slug: describe(v.string(), 'In the requested language; filters accept it.'),
  url: UrlSchema,
  ...mapUrlFields(() => UrlSchema),
  description: nullableOptional(v.string()),
  upcoming_count: CountSchema,
});

/** A zone in the list of zones, with the coordinates of its center. */
export const ListedZoneSchema = v.strictObject({
  ...ListedCategorySchema.entries,
  lat: describe(nullableOptional(v.number()), 'Middle of the zone, if a source gives one.'),
  lng: nullableOptional(v.number()),
});

/** Serializes a category or zone of a list; only zones have `lat` and `lng`. */
export function serializeListedTaxon(
  section: 'category' | 'zone',
  { key, name, slug, description, middle: center }: TaxonRecord,
  upcoming_count: number,
  lang: Lang,
  site: Site,
): v.InferOutput<typeof ListedCategorySchema> {
  const coordinates = { lat: center?.lat ?? null, lng: center?.lng ?? null };
  return {
    key,
    name: name[lang],
    slug: slug[lang],
    ...recordPageUrls(section, slug, lang, site),
    description: localized(description, lang),
    upcoming_count,
    ...(section === 'zone' && coordinates),
  };
}
