// A venue in its wire form (contract 4.10).
import * as v from 'valibot';
import type { EventCard } from '../../domain/agenda.ts';
import { byUrlName, toWire, toWireEntries } from '../../domain/fields.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { type Taxonomy, toTaxon } from '../../domain/taxon.ts';
import { VENUE_FIELDS, type VenueRecord } from '../../domain/venue.ts';
import type { VenueDay } from '../../domain/venue-day.ts';
import { toDirectionsUrl } from '../../i18n/links.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { PublicEventSchema, toPublicEvent } from './event.ts';
import { toPublicAdmission, toPublicHours, toPublicToday } from './opening.ts';

/** A place where events happen, with what is upcoming there. */
export const PublicVenueSchema = v.strictObject({
  ...toWireEntries(VENUE_FIELDS),
  upcoming_events: v.array(PublicEventSchema),
});
export type PublicVenue = v.InferOutput<typeof PublicVenueSchema>;

/** `today`: its hours on the day of the answer; `cards`: its upcoming events in order of time. */
export function toPublicVenue(
  venue: VenueRecord,
  today: VenueDay | null,
  cards: readonly EventCard[],
  taxonomy: Taxonomy,
  lang: Lang,
  site: Site,
): PublicVenue {
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
  };
  return {
    ...toWire(VENUE_FIELDS, venue, lang, values),
    upcoming_events: cards.map((card) => toPublicEvent(card, lang, site)),
  };
}
