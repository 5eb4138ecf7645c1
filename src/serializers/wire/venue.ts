// A venue in its wire form (contract 4.10).
import * as v from 'valibot';
import type { EventCard } from '../../domain/agenda.ts';
import {
  about,
  byUrlName,
  CountSchema,
  toWire,
  toWireEntries,
  type WireOf,
} from '../../domain/fields.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { type Taxonomy, toTaxon } from '../../domain/taxon.ts';
import { VENUE_FIELDS, type VenueRecord } from '../../domain/venue.ts';
import type { VenueDay } from '../../domain/venue-day.ts';
import { toDirectionsUrl } from '../../i18n/links.ts';
import { toAdmissionConfirm } from '../../i18n/opening.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { PublicEventSchema, toPublicEvent } from './event.ts';
import { toPublicAdmission, toPublicHours, toPublicToday } from './opening.ts';

/** A place where events happen, with what is upcoming there. */
export const PublicVenueSchema = v.strictObject({
  ...toWireEntries(VENUE_FIELDS),
  upcoming_events: v.array(PublicEventSchema),
});
export type PublicVenue = v.InferOutput<typeof PublicVenueSchema>;

export const ListedVenueSchema = v.strictObject({
  ...toWireEntries(VENUE_FIELDS),
  upcoming_count: about(CountSchema, 'Events there that are still to end.'),
  distance_km: about(
    v.exactOptional(v.number()),
    'Only with near: how far it is from the point, or the middle of its zone where coordinates is zone; to ten metres.',
  ),
});
export type ListedVenue = v.InferOutput<typeof ListedVenueSchema>;

function toVenueFields(
  venue: VenueRecord,
  today: VenueDay | null,
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): WireOf<typeof VENUE_FIELDS> {
  const toUrl = (each: Lang): string =>
    toAbsolute(site.url, toThingPath('venue', venue.slug, each));
  const values = {
    url: toUrl(lang),
    ...byUrlName(toUrl),
    zone: toTaxon(taxonomy.zones, venue.zone, lang),
    directions_url: toDirectionsUrl(venue),
    hours: toPublicHours(venue, lang),
    today: today && toPublicToday(today, lang),
    admission: toPublicAdmission(venue.admission, lang),
    admission_confirm: toAdmissionConfirm(venue, lang),
  };
  return toWire(VENUE_FIELDS, venue, lang, values);
}

/** `today`: its hours on the day of the answer; `cards`: its upcoming events in order of time. */
export const toPublicVenue = (
  venue: VenueRecord,
  today: VenueDay | null,
  cards: readonly EventCard[],
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): PublicVenue => ({
  ...toVenueFields(venue, today, taxonomy, lang, site),
  upcoming_events: cards.map((card) => toPublicEvent(card, lang, site)),
});

/** A venue of a list; `distance_km` null where no point was asked for. */
export const toListedVenue = (
  { record, upcoming_count, distance_km }: ListedRecord<VenueRecord>,
  today: VenueDay | null,
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): ListedVenue => ({
  ...toVenueFields(record, today, taxonomy, lang, site),
  upcoming_count,
  ...(distance_km !== null && { distance_km }),
});

/** What a list says of a place beside its record. */
interface ListedRecord<T> {
  readonly record: T;
  readonly upcoming_count: number;
  readonly distance_km: number | null;
}
