// An event and its occurrences in their wire form: in lists, and by itself with every occurrence
// (contract 4.5, 4.7).
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import type { EventCard, EventDetail } from '../../domain/agenda.ts';
import {
  EVENT_FIELDS,
  findOriginals,
  type OccurrenceRecord,
  type Price,
} from '../../domain/event/event.ts';
import { MAX_INCLUDED } from '../../domain/query/parameters.ts';
import { CERTAINTIES } from '../../domain/knowledge.ts';
import {
  about,
  AddressSchema,
  byUrlName,
  CountSchema,
  DaySchema,
  orNull,
  TimestampSchema,
  toWire,
  toWireEntries,
  type WireOf,
} from '../../domain/fields.ts';
import { type Lang, LANGS, type LocalText, pick } from '../../domain/lang.ts';
import type { Admission } from '../../domain/opening-hours.ts';
import type { Site } from '../../domain/site.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import { toConfirmSentence } from '../../i18n/fact-words.ts';
import { toDirectionsUrl } from '../../i18n/links.ts';
import { type SectionName, toAbsolute, toPictureLink, toThingPath } from '../../i18n/paths.ts';
import { toRegularityWords } from '../../i18n/recurrence.ts';
import { toPriceConfirm, toPriceText } from '../../i18n/price.ts';

export const OccurrenceSchema = v.strictObject({
  id: about(v.string(), 'Stable: the event id and the local start as first published.'),
  start: TimestampSchema,
  end: about(TimestampSchema, 'Where the end is not known: start + 3 hours.'),
  date: about(DaySchema, `Local ${TOWN.name.en} day on which it starts.`),
  all_day: about(
    v.boolean(),
    'Then it starts at 00:00 and ends at 00:00 of the day after its last day.',
  ),
  time_known: about(
    v.exactOptional(v.boolean()),
    'False where nobody knows the hour; then all_day is true.',
  ),
  end_known: about(v.exactOptional(v.boolean()), 'False where end is an assumption.'),
  certainty: about(v.exactOptional(v.picklist(CERTAINTIES)), 'How well this date is known.'),
  /** When its organizer last said that it is on. */
  confirmed_on: orNull(DaySchema),
  status: v.picklist(['scheduled', 'cancelled', 'postponed']),
  notes: orNull(v.string()),
});
export type Occurrence = v.InferOutput<typeof OccurrenceSchema>;

const listFields = {
  ...toWireEntries(EVENT_FIELDS),
  written_in: about(
    v.exactOptional(v.picklist(LANGS)),
    'The language of summary, description and a title beside it, where nobody has written the requested one.',
  ),
  /** Of other calendars that have it. */
  other_source_urls: v.exactOptional(v.array(AddressSchema)),
  next: about(
    v.exactOptional(OccurrenceSchema),
    'First occurrence in the range still to take place; absent where there is none.',
  ),
  more_dates: about(
    v.exactOptional(CountSchema),
    'Further occurrences in the range, still to take place; of a past range, those after the first.',
  ),
};

export const PublicEventSchema = v.strictObject({
  ...listFields,
  occurrences: about(
    v.exactOptional(v.array(OccurrenceSchema)),
    `Only with include=occurrences: those in the range in order of time, at most ${MAX_INCLUDED}.`,
  ),
  dates_in_range: about(
    v.exactOptional(CountSchema),
    'Only with include=occurrences: how many there are in the range, listed or not.',
  ),
  distance_km: about(
    v.exactOptional(v.number()),
    'Only with near: how far the venue is from the point, or the middle of its zone where its coordinates is zone; to ten metres.',
  ),
});
export type PublicEvent = v.InferOutput<typeof PublicEventSchema>;

export const EventDetailSchema = v.strictObject({
  ...listFields,
  description: about(
    orNull(v.string()),
    'What there is to say beyond the summary: plain text, a blank line between paragraphs.',
  ),
  recurrence: about(
    orNull(v.string()),
    'The rule of the dates ahead in words, with the days left out; null where they keep to none.',
  ),
  occurrences: about(v.array(OccurrenceSchema), 'All of them, or those of `from` and `to`.'),
  occurrence_count: about(
    v.exactOptional(CountSchema),
    'How many occurrences there are in all, whichever are listed.',
  ),
  is_past: about(v.boolean(), 'Every occurrence has ended.'),
});
export type EventDetailWire = v.InferOutput<typeof EventDetailSchema>;

export function toPublicOccurrence(occurrence: OccurrenceRecord, lang: Lang): Occurrence {
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
    notes: pick(occurrence.notes, lang),
  };
}

export const toPublicAdmission = (admission: readonly Admission[], lang: Lang) =>
  admission.map((price) => ({ ...price, note: pick(price.note, lang) }));

/** The address of its page in the language of the answer, and in each. */
export function toPageUrls(
  section: Exclude<SectionName, 'day'>,
  slug: LocalText,
  lang: Lang,
  site: Site,
) {
  const toUrl = (each: Lang): string => toAbsolute(site.url, toThingPath(section, slug, each));
  return { url: toUrl(lang), ...byUrlName(toUrl) };
}

function toPublicPrice(price: Price, lang: Lang) {
  const { is_free, min, max, currency, certainty } = price;
  const confirm = toPriceConfirm(price, lang);
  return {
    is_free,
    min,
    max,
    currency,
    text: toPriceText(price, lang),
    visitors: toPublicAdmission(price.visitors, lang),
    certainty,
    confirm: confirm && `${confirm.slice(0, 1).toLocaleUpperCase(lang)}${confirm.slice(1)}.`,
  };
}

const toTaxonOrNull = (taxon: TaxonRecord | null, lang: Lang) =>
  taxon && { key: taxon.key, name: taxon.name[lang] };

/** Its type stands in its address. */
const toWireImage = ({ type: _, ...image }: NonNullable<ReturnType<typeof toPictureLink>>) => image;

/** What an event says in any list: all fields but what depends on the query, so that it can be cached. */
export function toEventFields(
  card: EventCard,
  lang: Lang,
  site: Site,
): WireOf<typeof EVENT_FIELDS> & Pick<PublicEvent, 'written_in' | 'other_source_urls'> {
  const { event, category, zone, venue, organizer } = card;
  const written_in = findOriginals(event, lang).summary;
  const picture = toPictureLink(card, lang, site);
  const fields = toWire(EVENT_FIELDS, event, lang, {
    ...toPageUrls('event', event.slug, lang, site),
    confirm: toConfirmSentence(event, lang),
    category: toTaxonOrNull(category, lang),
    zone: toTaxonOrNull(zone, lang),
    venue: venue && {
      name: venue.name,
      address: venue.address,
      lat: venue.lat,
      lng: venue.lng,
      coordinates: venue.coordinates,
      zone_lat: venue.zone_lat,
      zone_lng: venue.zone_lng,
      url: toAbsolute(site.url, toThingPath('venue', venue.slug, lang)),
      directions_url: toDirectionsUrl(venue),
    },
    price: toPublicPrice(event.price, lang),
    organizer: organizer && {
      name: organizer.name,
      verified: organizer.verified,
      url: toAbsolute(site.url, toThingPath('organizer', organizer.slug, lang)),
    },
    image: picture && toWireImage(picture),
  });
  const { other_source_urls } = event;
  return {
    ...fields,
    ...(written_in && { written_in }),
    ...(other_source_urls.length > 0 && { other_source_urls: [...other_source_urls] }),
  };
}

/**
 * The fields that depend on the query; none of them where nothing is upcoming (contract 5.4).
 */
export function toNextFields(
  { next, more_dates, distance_km }: Pick<EventCard, 'next' | 'more_dates' | 'distance_km'>,
  lang: Lang,
): Pick<PublicEvent, 'next' | 'more_dates' | 'distance_km'> {
  return next === null
    ? {}
    : {
        next: toPublicOccurrence(next, lang),
        more_dates,
        ...(distance_km !== undefined && { distance_km }),
      };
}

/** An event in a list. `next` and `more_dates` are relative to the query and stand last. */
export function toPublicEvent(card: EventCard, lang: Lang, site: Site): PublicEvent {
  return { ...toEventFields(card, lang, site), ...toNextFields(card, lang) };
}

/**
 * An event by itself: its fields, its occurrences in order of time, all of them or those to be
 * `shown`, and whether all is over.
 */
export function toEventDetail(
  detail: EventDetail,
  lang: Lang,
  site: Site,
  shown: readonly OccurrenceRecord[] = detail.occurrences,
): EventDetailWire {
  const { summary, description: written_in = summary } = findOriginals(detail.event, lang);
  return {
    ...toPublicEvent(detail, lang, site),
    ...(written_in && { written_in }),
    description: pick(detail.event.description, lang),
    recurrence: detail.regularity && toRegularityWords(detail.regularity, lang),
    occurrences: shown.map((occurrence) => toPublicOccurrence(occurrence, lang)),
    occurrence_count: detail.occurrences.length,
    is_past: detail.is_past,
  };
}
