// Event serialization: converts events to their public JSON, in lists and as a single event with
// its occurrences (contract 4.5, 4.7). The texts of `describe` are published in the OpenAPI
// document.
// Public names: `confirm` is a sentence of advice, such as to call before going; `written_in` is
// the language of texts that are not translated; `visitors` are entry prices, by kind of visitor.
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import type { EventCard, EventDetail } from '../../domain/agenda.ts';
import {
  EVENT_FIELDS,
  findUntranslatedTexts,
  OCCURRENCE_STATUSES,
  listFreeVisitorsOf,
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

/** One date of an event. All times have the offset of the town's time zone. */
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
  /**
   * `confirmed` by a source; `usual`: by a rule with a recent source; `last_known`: by an outdated
   * rule.
   */
  certainty: v.exactOptional(v.picklist(CERTAINTIES)),
  /** Day of the organizer's last confirmation. */
  confirmed_on: nullableOptional(DaySchema),
  status: v.picklist(OCCURRENCE_STATUSES),
  notes: nullableOptional(v.string()),
});
export type PublicOccurrence = v.InferOutput<typeof PublicOccurrenceSchema>;

/** Most called-off dates of an event in a list; `occurrences` has all. */
const MAX_CALLED_OFF = 10;

/** Fields of an event in lists and as a single event. */
const sharedFields = {
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

/** An event in a list. */
export const PublicEventSchema = v.strictObject({
  ...sharedFields,
  called_off: describe(
    v.exactOptional(v.array(PublicOccurrenceSchema)),
    `Canceled and postponed occurrences in the range, at most ${MAX_CALLED_OFF}; absent without any.`,
  ),
  called_off_count: describe(v.exactOptional(CountSchema), 'All of them, listed or not.'),
  occurrences: describe(
    v.exactOptional(v.array(PublicOccurrenceSchema)),
    `Only with include=occurrences: occurrences in the range, at most ${MAX_INCLUDED_OCCURRENCES}.`,
  ),
  dates_in_range: describe(
    v.exactOptional(CountSchema),
    'Only with include=occurrences: all occurrences in the range.',
  ),
  /** Rounded to 0.01 km. */
  distance_km: describe(
    v.exactOptional(v.number()),
    'Only with near; from the middle of the zone if coordinates is zone.',
  ),
});
export type PublicEvent = v.InferOutput<typeof PublicEventSchema>;

/** A single event, with its description and occurrences. */
export const EventDetailSchema = v.strictObject({
  ...sharedFields,
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

/** Serializes entry prices, one per kind of visitor, with the note of each in one language. */
export const serializeAdmission = (prices_by_visitor: readonly Admission[], lang: Lang) =>
  prices_by_visitor.map((price) => ({ ...price, note: localized(price.note, lang) }));

/**
 * Returns the URL of a record's page: `url` in the requested language, `url_es` and so on in each
 * language.
 */
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
  const confirm_advice = formatPriceAdvice(price, lang);
  return {
    is_free,
    free_for: [...listFreeVisitorsOf(price)],
    min,
    max,
    currency,
    text: formatPrice(price, lang),
    visitors: serializeAdmission(price.visitors, lang),
    certainty,
    confirm: confirm_advice && capitalizeAndEnd(confirm_advice, lang),
  };
}

/** Capitalizes the first letter and adds a period. */
const capitalizeAndEnd = (text: string, lang: Lang): string =>
  `${text.slice(0, 1).toLocaleUpperCase(lang)}${text.slice(1)}.`;

const serializeOptionalTaxon = (taxon: TaxonRecord | null, lang: Lang) =>
  taxon && { key: taxon.key, name: taxon.name[lang] };

/** Serializes a picture without its media type, which the URL's extension shows. */
const serializeImage = ({ type: _, ...image }: NonNullable<ReturnType<typeof pictureLink>>) =>
  image;

/**
 * Serializes the fields of an event that do not depend on the query, so that they can be cached.
 */
export function serializeEventFields(
  card: EventCard,
  lang: Lang,
  site: Site,
): WireOf<typeof EVENT_FIELDS> & Pick<PublicEvent, 'written_in' | 'other_source_urls'> {
  const { event, category, zone, venue, organizer } = card;
  const { summary: summary_lang } = findUntranslatedTexts(event, lang);
  const picture = pictureLink(card, lang, site);
  const fields = serializeRecord(EVENT_FIELDS, event, lang, {
    ...recordPageUrls('event', event.slug, lang, site),
    confirm: formatConfirmAdvice(card, lang),
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
    ...(summary_lang && { written_in: summary_lang }),
    ...(other_source_urls.length > 0 && { other_source_urls: [...other_source_urls] }),
  };
}

/**
 * Serializes the fields that depend on the query. Without an upcoming occurrence, all of them are
 * omitted, the distance too (contract 5.4).
 */
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
  const { called_off } = card;
  const listed = called_off.slice(0, MAX_CALLED_OFF);
  return {
    ...serializeEventFields(card, lang, site),
    ...serializeNextFields(card, lang),
    ...(listed.length > 0 && {
      called_off: listed.map((occurrence) => serializeOccurrence(occurrence, lang)),
      called_off_count: called_off.length,
    }),
  };
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
  const original_langs = findUntranslatedTexts(detail.event, lang);
  const written_in = original_langs.description ?? original_langs.summary;
  return {
    ...serializeEventFields(detail, lang, site),
    ...serializeNextFields(detail, lang),
    ...(written_in && { written_in }),
    description: localized(detail.event.description, lang),
    // `regularity`: the repetition rule of the event; null without one.
    recurrence: detail.regularity && formatRegularity(detail.regularity, lang),
    occurrences: occurrences.map((occurrence) => serializeOccurrence(occurrence, lang)),
    occurrence_count: detail.occurrences.length,
    is_past: detail.is_past,
  };
}
