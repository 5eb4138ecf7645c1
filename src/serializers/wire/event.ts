// Event serialization: the public JSON of events in lists, and of a single event with its occurrences (contract
// 4.5, 4.7).
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import type { EventCard, EventDetail } from '../../domain/agenda.ts';
import {
  EVENT_FIELDS,
  findUntranslatedTexts,
  type OccurrenceRecord,
  type Price,
} from '../../domain/event/event.ts';
import { MAX_INCLUDED_OCCURRENCES } from '../../domain/query/parameters.ts';
import { CERTAINTIES } from '../../domain/fact-freshness.ts';
import {
  describe,
  UrlSchema,
  mapUrlFields,
  CountSchema,
  DaySchema,
  nullableOptional,
  TimestampSchema,
  serializeRecord,
  wireEntries,
  type WireOf,
} from '../../domain/fields.ts';
import { type Lang, LANGS, type LocalText, localized } from '../../domain/lang.ts';
import type { Admission } from '../../domain/opening-hours.ts';
import type { Site } from '../../domain/site.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import { formatConfirmAdvice } from '../../i18n/format-facts.ts';
import { directionsUrl } from '../../i18n/external-links.ts';
import { type SectionName, absoluteUrl, pictureLink, recordPath } from '../../i18n/paths.ts';
import { formatRegularity } from '../../i18n/format-recurrence.ts';
import { formatPriceAdvice, formatPrice } from '../../i18n/format-price.ts';

export const PublicOccurrenceSchema = v.strictObject({
  id: describe(v.string(), 'Stable: event id and first published local start.'),
  start: TimestampSchema,
  end: describe(TimestampSchema, 'start + 3 hours if unknown.'),
  date: describe(DaySchema, `Local ${TOWN.name.en} day on which it starts.`),
  all_day: describe(v.boolean(), 'From 00:00 to 00:00 after the last day.'),
  time_known: describe(
    v.exactOptional(v.boolean()),
    'False if the time is unknown; then all_day is true.',
  ),
  end_known: describe(v.exactOptional(v.boolean()), 'False if end is assumed.'),
  certainty: describe(v.exactOptional(v.picklist(CERTAINTIES)), 'Certainty of this date.'),
  /** Day of the organizer's last confirmation. */
  confirmed_on: nullableOptional(DaySchema),
  status: v.picklist(['scheduled', 'cancelled', 'postponed']),
  notes: nullableOptional(v.string()),
});
export type PublicOccurrence = v.InferOutput<typeof PublicOccurrenceSchema>;

const listFields = {
  ...wireEntries(EVENT_FIELDS),
  written_in: describe(
    v.exactOptional(v.picklist(LANGS)),
    'Language of summary and description, if not the requested one.',
  ),
  /** URLs of the event in other calendars. */
  other_source_urls: v.exactOptional(v.array(UrlSchema)),
  next: describe(
    v.exactOptional(PublicOccurrenceSchema),
    'First occurrence in the range that is not over, if any.',
  ),
  more_dates: describe(
    v.exactOptional(CountSchema),
    'Scheduled occurrences in the range after `next`.',
  ),
};

export const PublicEventSchema = v.strictObject({
  ...listFields,
  occurrences: describe(
    v.exactOptional(v.array(PublicOccurrenceSchema)),
    `Only with include=occurrences: occurrences in the range, at most ${MAX_INCLUDED_OCCURRENCES}.`,
  ),
  dates_in_range: describe(
    v.exactOptional(CountSchema),
    'Only with include=occurrences: all occurrences in the range.',
  ),
  distance_km: describe(
    v.exactOptional(v.number()),
    'Only with near, to ten meters; from the middle of the zone if coordinates is zone.',
  ),
});
export type PublicEvent = v.InferOutput<typeof PublicEventSchema>;

export const EventDetailSchema = v.strictObject({
  ...listFields,
  description: describe(
    nullableOptional(v.string()),
    'Plain text; blank lines separate paragraphs.',
  ),
  recurrence: describe(
    nullableOptional(v.string()),
    'Rule of the upcoming dates in words, with exceptions; null without a rule.',
  ),
  occurrences: describe(v.array(PublicOccurrenceSchema), 'All, or those of `from` and `to`.'),
  occurrence_count: describe(v.exactOptional(CountSchema), 'All occurrences, listed or not.'),
  is_past: describe(v.boolean(), 'All occurrences have ended.'),
});
export type PublicEventDetail = v.InferOutput<typeof EventDetailSchema>;

export function serializeOccurrence(occurrence: OccurrenceRecord, lang: Lang): PublicOccurrence {
  return {
    id: occurrence.id,
    start: occurrence.start,
    end: occurrence.end,
    date: occurrence.start.slice(0, 10),
    all_day: occurrence.all_day,
    time_known: occurrence.time_known,
    end_known: occurrence.end_known,
    certainty: occurrence.certainty,
    confirmed_on: occurrence.confirmed_on,
    status: occurrence.status,
    notes: localized(occurrence.notes, lang),
  };
}

export const serializeAdmission = (admission: readonly Admission[], lang: Lang) =>
  admission.map((price) => ({ ...price, note: localized(price.note, lang) }));

/** Returns the page URL of a record in the requested language, and in each. */
export function recordPageUrls(
  section: Exclude<SectionName, 'day'>,
  slug: LocalText,
  lang: Lang,
  site: Site,
) {
  const urlInLang = (url_lang: Lang): string =>
    absoluteUrl(site.url, recordPath(section, slug, url_lang));
  return { url: urlInLang(lang), ...mapUrlFields(urlInLang) };
}

function serializePrice(price: Price, lang: Lang) {
  const { is_free, min, max, currency, certainty } = price;
  const confirm = formatPriceAdvice(price, lang);
  return {
    is_free,
    min,
    max,
    currency,
    text: formatPrice(price, lang),
    visitors: serializeAdmission(price.visitors, lang),
    certainty,
    confirm: confirm && `${confirm.slice(0, 1).toLocaleUpperCase(lang)}${confirm.slice(1)}.`,
  };
}

const serializeOptionalTaxon = (taxon: TaxonRecord | null, lang: Lang) =>
  taxon && { key: taxon.key, name: taxon.name[lang] };

/** Omits the media type, which the URL's extension shows. */
const serializeImage = ({ type: _, ...image }: NonNullable<ReturnType<typeof pictureLink>>) =>
  image;

/** Serializes the fields of an event that do not depend on the query, so that they can be cached. */
export function serializeEventFields(
  card: EventCard,
  lang: Lang,
  site: Site,
): WireOf<typeof EVENT_FIELDS> & Pick<PublicEvent, 'written_in' | 'other_source_urls'> {
  const { event, category, zone, venue, organizer } = card;
  const written_in = findUntranslatedTexts(event, lang).summary;
  const picture = pictureLink(card, lang, site);
  const fields = serializeRecord(EVENT_FIELDS, event, lang, {
    ...recordPageUrls('event', event.slug, lang, site),
    confirm: formatConfirmAdvice(event, lang),
    category: serializeOptionalTaxon(category, lang),
    zone: serializeOptionalTaxon(zone, lang),
    venue: venue && {
      name: venue.name,
      address: venue.address,
      lat: venue.lat,
      lng: venue.lng,
      coordinates: venue.coordinates,
      zone_lat: venue.zone_lat,
      zone_lng: venue.zone_lng,
      url: absoluteUrl(site.url, recordPath('venue', venue.slug, lang)),
      directions_url: directionsUrl(venue),
    },
    price: serializePrice(event.price, lang),
    organizer: organizer && {
      name: organizer.name,
      verified: organizer.verified,
      url: absoluteUrl(site.url, recordPath('organizer', organizer.slug, lang)),
    },
    image: picture && serializeImage(picture),
  });
  const { other_source_urls } = event;
  return {
    ...fields,
    ...(written_in && { written_in }),
    ...(other_source_urls.length > 0 && { other_source_urls: [...other_source_urls] }),
  };
}

/** Serializes the fields that depend on the query; empty without an upcoming occurrence (contract 5.4). */
export function serializeNextFields(
  { next, more_dates, distance_km }: Pick<EventCard, 'next' | 'more_dates' | 'distance_km'>,
  lang: Lang,
): Pick<PublicEvent, 'next' | 'more_dates' | 'distance_km'> {
  return next === null
    ? {}
    : {
        next: serializeOccurrence(next, lang),
        more_dates,
        ...(distance_km !== undefined && { distance_km }),
      };
}

/** Serializes an event in a list; the fields relative to the query come last. */
export function serializeEvent(card: EventCard, lang: Lang, site: Site): PublicEvent {
  return { ...serializeEventFields(card, lang, site), ...serializeNextFields(card, lang) };
}

/**
 * Serializes a single event.
 * @param occurrences The occurrences to list, in order of time; by default all.
 */
export function serializeEventDetail(
  detail: EventDetail,
  lang: Lang,
  site: Site,
  occurrences: readonly OccurrenceRecord[] = detail.occurrences,
): PublicEventDetail {
  const { summary, description: written_in = summary } = findUntranslatedTexts(detail.event, lang);
  return {
    ...serializeEvent(detail, lang, site),
    ...(written_in && { written_in }),
    description: localized(detail.event.description, lang),
    recurrence: detail.regularity && formatRegularity(detail.regularity, lang),
    occurrences: occurrences.map((occurrence) => serializeOccurrence(occurrence, lang)),
    occurrence_count: detail.occurrences.length,
    is_past: detail.is_past,
  };
}
