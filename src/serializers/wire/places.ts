// Venues with their hours, organizers, categories and zones in their wire form: by themselves, in lists, and
// where being there is a plan (contract 4.10, 4.13, 4.14, 8.27).
import * as v from 'valibot';
import type { OpenPlace } from '../../domain/agenda.ts';
import { formatTimestamp } from '../../domain/local-time.ts';
import {
  about,
  AddressSchema,
  byUrlName,
  CountSchema,
  orNull,
  toWire,
  toWireEntries,
  type WireOf,
} from '../../domain/fields.ts';
import { CERTAINTIES } from '../../domain/knowledge.ts';
import { type Lang, pick } from '../../domain/lang.ts';
import {
  AdmissionSchema,
  type Hours,
  type Today,
  TodaySchema,
  type VenueDay,
} from '../../domain/opening-hours.ts';
import { ORGANIZER_FIELDS, type OrganizerRecord } from '../../domain/organizer.ts';
import type { Site } from '../../domain/site.ts';
import { type Taxonomy, type TaxonRecord, TaxonSchema, toTaxon } from '../../domain/taxon.ts';
import { VENUE_FIELDS, type VenueRecord } from '../../domain/venue.ts';
import { toDirectionsUrl } from '../../i18n/links.ts';
import { toAdmissionConfirm, toDayNote } from '../../i18n/opening.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { PublicEventSchema, toPageUrls, toPublicAdmission } from './event.ts';

export const PublicVenueSchema = v.strictObject({
  ...toWireEntries(VENUE_FIELDS),
  upcoming_events: v.array(PublicEventSchema),
});
export const ListedVenueSchema = v.strictObject({
  ...toWireEntries(VENUE_FIELDS),
  upcoming_count: about(CountSchema, 'Events there that are still to end.'),
  distance_km: about(
    v.exactOptional(v.number()),
    'Only with near: how far it is from the point, or the middle of its zone where coordinates is zone; to ten metres.',
  ),
});
/** What a venue says by itself and in a list; `today`: its hours on the day of the answer. */
export const toPublicVenue = (
  venue: VenueRecord,
  today: VenueDay | null,
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): WireOf<typeof VENUE_FIELDS> =>
  toWire(VENUE_FIELDS, venue, lang, {
    ...toPageUrls('venue', venue.slug, lang, site),
    zone: toTaxon(taxonomy.zones, venue.zone, lang),
    directions_url: toDirectionsUrl(venue),
    hours: toPublicHours(venue, lang),
    today: today && toPublicToday(today, lang),
    admission: toPublicAdmission(venue.admission, lang),
    admission_confirm: toAdmissionConfirm(venue, lang),
  });

function toPublicHours({ hours }: VenueRecord, lang: Lang): Hours | null {
  if (hours === null) return null;
  return {
    rules: hours.rules.map((rule) => ({ ...rule, days: [...rule.days] })),
    exceptions: hours.exceptions.map((each) => ({ ...each, note: pick(each.note, lang) })),
    closed_on: [...hours.closed_on],
    ...(hours.quiet_days && { quiet_days: hours.quiet_days }),
    free: hours.free.map(({ days, visitors }) => ({ days: [...days], visitors: [...visitors] })),
    note: pick(hours.note, lang),
  };
}

/** `note`: why it is not like its weekday, or that nobody has confirmed its hours for a holiday. */
function toPublicToday(on_day: VenueDay, lang: Lang): Today {
  const { day, opening } = on_day;
  const toMoment = (ms: number | null): string | null => (ms === null ? null : formatTimestamp(ms));
  return {
    date: day.toString(),
    open: opening.is_open,
    spans: opening.spans.map(({ open_ms, close_ms, last_entry_ms }) => ({
      opens: formatTimestamp(open_ms),
      closes: toMoment(close_ms),
      last_entry: toMoment(last_entry_ms),
    })),
    note: toDayNote(on_day, lang),
    free_for: [...opening.free_for],
  };
}

export const PublicOpenPlaceSchema = v.strictObject({
  id: v.string(),
  name: v.string(),
  url: AddressSchema,
  zone: v.nullable(TaxonSchema),
  today: TodaySchema,
  admission: v.array(AdmissionSchema),
  admission_certainty: v.nullable(v.picklist(CERTAINTIES)),
  admission_confirm: v.nullable(v.string()),
});

/** Closed ones too: each says whether it is open. */
export const toPublicOpenPlaces = (
  places: readonly OpenPlace[],
  lang: Lang,
  site: Site,
): v.InferOutput<typeof PublicOpenPlaceSchema>[] =>
  places.map(({ venue, zone, on_day }) => ({
    id: venue.id,
    name: venue.name,
    url: toAbsolute(site.url, toThingPath('venue', venue.slug, lang)),
    zone: zone && toTaxon([zone], zone.key, lang),
    today: toPublicToday(on_day, lang),
    admission: toPublicAdmission(venue.admission, lang),
    admission_certainty: venue.admission_certainty,
    admission_confirm: toAdmissionConfirm(venue, lang),
  }));

export const PublicOrganizerSchema = v.strictObject({
  ...toWireEntries(ORGANIZER_FIELDS),
  upcoming_events: v.array(PublicEventSchema),
});

export const ListedOrganizerSchema = v.strictObject({
  ...toWireEntries(ORGANIZER_FIELDS),
  upcoming_count: about(CountSchema, 'Events of theirs that are still to end.'),
});
export const toPublicOrganizer = (
  organizer: OrganizerRecord,
  lang: Lang,
  site: Site,
): WireOf<typeof ORGANIZER_FIELDS> =>
  toWire(ORGANIZER_FIELDS, organizer, lang, toPageUrls('organizer', organizer.slug, lang, site));

export const ListedCategorySchema = v.strictObject({
  ...TaxonSchema.entries,
  slug: about(v.string(), 'In the requested language; filters take it too.'),
  url: AddressSchema,
  ...byUrlName(() => AddressSchema),
  description: orNull(v.string()),
  upcoming_count: about(CountSchema, 'Events of it that are still to end.'),
});

export const ListedZoneSchema = v.strictObject({
  ...ListedCategorySchema.entries,
  lat: about(orNull(v.number()), 'The middle of the zone, where a source gives one.'),
  lng: orNull(v.number()),
});

export function toListedTaxon(
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
    ...toPageUrls(section, slug, lang, site),
    description: pick(description, lang),
    upcoming_count,
    ...(section === 'zone' && point),
  };
}
