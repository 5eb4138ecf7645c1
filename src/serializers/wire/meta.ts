// Response metadata: serializes the `meta` object of every JSON response, and the body of errors
// (contract 3.1, 7.25, 9.1). `meta` has the language, the time of the data, the attribution and the
// docs; lists add counts, caveats and, if they are empty, alternatives.
// Public names: `nothing` has the alternatives of an empty list; `without` counts the results
// without one of the filters; `nearly` has events with some of the search words; `without_place`
// counts results without a location.
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { ERROR_CODES, type ErrorCode } from '../../domain/app-error.ts';
import type { AskFirst } from '../../domain/agenda.ts';
import type { DayRange } from '../../domain/local-time.ts';
import type { OccurrenceRecord } from '../../domain/event/event.ts';
import {
  describe,
  UrlSchema,
  CountSchema,
  DaySchema,
  nullableOptional,
  TimestampSchema,
} from '../../domain/fields.ts';
import type { NearCaveats } from '../../domain/distance.ts';
import { CERTAINTIES } from '../../domain/fact-freshness.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import type { SpellingCorrection } from '../../domain/word-matching.ts';
import type { Site } from '../../domain/site.ts';
import type { EmptyResultAlternatives } from '../../i18n/format-query.ts';
import {
  OPENAPI_PATH,
  absoluteUrl,
  errorDocsPath,
  pagePath,
  recordPath,
} from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';

/** Fields of an event that an empty list suggests; `date` is the local day of its occurrence. */
const alternativeFields = { id: v.string(), title: v.string(), url: UrlSchema, date: DaySchema };
/** An event that an empty list suggests. */
export const AlternativeEventSchema = v.strictObject({
  ...alternativeFields,
  certainty: v.exactOptional(v.picklist(CERTAINTIES)),
});

const EmptyResultSchema = describe(
  v.strictObject({
    without: describe(
      v.array(v.strictObject({ parameter: v.string(), count: CountSchema })),
      'Counts without one of the filters, if not zero.',
    ),
    next: describe(
      nullableOptional(AlternativeEventSchema),
      'If a day was requested: the first match after it, or else the first upcoming one, before it.',
    ),
    nearly: describe(
      v.array(v.strictObject({ ...alternativeFields, missing: v.array(v.string()) })),
      'Upcoming events with some words of q; missing has the others.',
    ),
    past: describe(
      v.array(v.strictObject({ ...AlternativeEventSchema.entries, date: v.nullable(DaySchema) })),
      'If none is upcoming: events that are over, each with its last date, or without dates (null).',
    ),
  }),
  'Only if the list is empty: alternatives.',
);
/** The alternatives of an empty list. */
export type PublicEmptyResult = v.InferOutput<typeof EmptyResultSchema>;

const metaFields = {
  lang: v.picklist(LANGS),
  generated_at: describe(
    TimestampSchema,
    'When the data was built; the same in all answers of a release.',
  ),
  attribution: describe(v.string(), 'Show this with the data.'),
  docs: UrlSchema,
} as const;

/** `meta` of a single record; lists extend it. */
export const MetaSchema = v.strictObject(metaFields);
export type Meta = v.InferOutput<typeof MetaSchema>;

const count = describe(CountSchema, 'Items in data.');
const next = v.exactOptional(describe(UrlSchema, 'The next page, as in the Link header.'));
const total = describe(CountSchema, 'All matches, on every page.');
/** Caveats of a list, omitted if they do not apply: corrected spellings, and inexact distances. */
const listCaveatFields = {
  spellings: v.exactOptional(
    describe(
      v.array(v.strictObject({ word: v.string(), read_as: v.array(v.string()) })),
      'Corrected words of q.',
    ),
  ),
  without_place: v.exactOptional(
    describe(CountSchema, 'Only with near: omitted for lack of a location.'),
  ),
  /**
   * `off_km` is the largest possible error in whole km; null if no venue of the zone has a
   * location.
   */
  measured_to_zone: v.exactOptional(
    describe(
      v.strictObject({ count: CountSchema, off_km: v.nullable(v.pipe(v.number(), v.integer())) }),
      'Only with near: number measured to the middle of their zone, and the possible error.',
    ),
  ),
} as const;

/** `meta` of a list of events; `range` is null for all upcoming events. */
export const ListMetaSchema = v.strictObject({
  ...metaFields,
  count,
  range: v.nullable(v.strictObject({ from: DaySchema, to: DaySchema })),
  ...listCaveatFields,
  total: v.exactOptional(total),
  next,
  ask_first: v.exactOptional(
    describe(
      v.array(
        v.strictObject({
          id: v.string(),
          title: v.string(),
          url: UrlSchema,
          dates: v.array(DaySchema),
        }),
      ),
      'Further events that usually take place on these dates but are assumed to rest, as they are holidays: ask their organizers.',
    ),
  ),
  nothing: v.exactOptional(EmptyResultSchema),
});
export type ListMeta = v.InferOutput<typeof ListMetaSchema>;

/**
 * `meta` of a list of venues, organizers, categories or zones; the API calls all of these places.
 */
export const PlacesMetaSchema = v.strictObject({
  ...metaFields,
  count,
  total,
  next,
  ...listCaveatFields,
  hours_unknown: v.exactOptional(
    describe(CountSchema, 'Only with open_on: further matches whose hours that day are unknown.'),
  ),
  closed: v.exactOptional(
    describe(
      v.array(
        v.strictObject({
          id: v.string(),
          name: v.string(),
          url: UrlSchema,
          opens_on: v.nullable(DaySchema),
        }),
      ),
      'Only with open_on and q: matches that are closed that day, and when they next open, if known.',
    ),
  ),
});
export type PlacesMeta = v.InferOutput<typeof PlacesMetaSchema>;

/** `meta` of the notices of a day: their number, and the day. The server always sends both. */
export const NoticesMetaSchema = v.strictObject({
  ...metaFields,
  count: v.exactOptional(CountSchema),
  date: v.exactOptional(DaySchema),
  text: v.exactOptional(
    describe(v.string(), 'The count in words: new, still in effect, seasonal.'),
  ),
});

/** `meta` of the change log, which has the records modified since an instant. */
export const ChangesMetaSchema = v.strictObject({
  ...metaFields,
  count,
  since: TimestampSchema,
  cursor: describe(v.string(), 'Store it and pass it as `cursor` to get later changes.'),
  has_more: v.boolean(),
  next,
});

/** Returns the attribution to show with the data (contract 1.5). */
export const formatAttribution = (lang: Lang, site: Site): string =>
  t(lang, 'meta.attribution', { name: site.name, url: site.url });

/**
 * Serializes `meta`. `generated_at` is the snapshot's, so that the same request gives the same
 * bytes (contract 11.3).
 */
export const serializeMeta = (
  { generated_at }: Pick<Meta, 'generated_at'>,
  lang: Lang,
  site: Site,
): Meta => ({
  lang,
  generated_at,
  attribution: formatAttribution(lang, site),
  docs: absoluteUrl(site.url, pagePath('docs', lang)),
});

interface DirectoryListInput {
  /** Items in the response. */
  readonly count: number;
  /** All matches, on every page. */
  readonly total: number;
  readonly spellings?: readonly SpellingCorrection[];
  /** Caveats of a search by distance; null if the list is not by distance. */
  readonly near?: NearCaveats | null;
}
interface EventListInput extends DirectoryListInput {
  /** Null for all upcoming events. */
  readonly range: DayRange | null;
  readonly ask_first?: ListMeta['ask_first'];
  /** Alternatives; null if the list has items. */
  readonly nothing?: PublicEmptyResult | null;
}

/** Serializes spelling corrections and the caveats of `near`, if any. */
const serializeCaveats = ({ spellings = [], near = null }: DirectoryListInput) => ({
  ...(spellings.length > 0 && {
    spellings: spellings.map(({ word, read_as }) => ({ word, read_as: [...read_as] })),
  }),
  ...(near && {
    without_place: near.without_place,
    ...(near.measured_to_zone && { measured_to_zone: near.measured_to_zone }),
  }),
});

/** Serializes the additional `meta` of an event list. */
export const serializeListMeta = (input: EventListInput): Omit<ListMeta, keyof Meta> => ({
  count: input.count,
  total: input.total,
  range: input.range && { from: input.range.from.toString(), to: input.range.to.toString() },
  ...serializeCaveats(input),
  ...(input.ask_first?.length && { ask_first: input.ask_first }),
  ...(input.nothing && { nothing: input.nothing }),
});

/** Serializes the additional `meta` of a list of venues, organizers, categories or zones. */
export const serializePlacesMeta = (input: DirectoryListInput): Omit<PlacesMeta, keyof Meta> => ({
  count: input.count,
  total: input.total,
  ...serializeCaveats(input),
});

/** Venues of a list with `open_on` that are not listed (see UnlistedVenues). */
interface UnlistedInput {
  readonly hours_unknown: number;
  readonly closed: readonly {
    readonly venue: Pick<VenueRecord, 'id' | 'name' | 'slug'>;
    readonly opens_on: Temporal.PlainDate | null;
  }[];
}

/** Serializes the venues that a list of a day does not have, as part of its `meta`. */
export const serializeUnlistedVenues = (
  { hours_unknown, closed }: UnlistedInput,
  lang: Lang,
  site: Pick<Site, 'url'>,
): Pick<PlacesMeta, 'hours_unknown' | 'closed'> => ({
  hours_unknown,
  ...(closed.length > 0 && {
    closed: closed.map(({ venue: { id, name, slug }, opens_on }) => ({
      id,
      name,
      url: absoluteUrl(site.url, recordPath('venue', slug, lang)),
      opens_on: opens_on?.toString() ?? null,
    })),
  }),
});

/** Serializes the events of a list that visitors must ask about first. */
export const serializeAskFirst = (
  resting: AskFirst['resting'],
  lang: Lang,
  site: Site,
): NonNullable<ListMeta['ask_first']> =>
  resting.map(({ event, days }) => ({
    id: event.id,
    title: event.title[lang],
    url: absoluteUrl(site.url, recordPath('event', event.slug, lang)),
    dates: days.map(String),
  }));

/** Alternatives for an empty list, as found in the snapshot. */
interface ResolvedAlternatives extends EmptyResultAlternatives {
  /** Number of results without each filter. */
  readonly without: readonly { readonly parameter: string; readonly count: number }[];
  /** First match on another day; null if no day was requested, or no other day matches. */
  readonly next: (AlternativeEvent & { readonly is_earlier: boolean }) | null;
  /** Events with some of the search words; `missing` has the other words. */
  readonly nearly: readonly (AlternativeEvent & { readonly missing: readonly string[] })[];
  readonly past: readonly (Pick<AlternativeEvent, 'card'> & {
    readonly occurrence: OccurrenceRecord | null;
  })[];
}
/** The event fields that i18n needs to format an alternative. */
type AlternativeEventFields = EmptyResultAlternatives['past'][number]['card']['event'];
interface AlternativeEvent {
  readonly card: { readonly event: AlternativeEventFields & { readonly id: string } };
  readonly occurrence: OccurrenceRecord;
}

/** Serializes the alternatives of an empty list (contract 7.25). */
export function serializeEmptyResult(
  { without, next, nearly, past }: ResolvedAlternatives,
  lang: Lang,
  site: Site,
): PublicEmptyResult {
  const serializeEvent = ({ event }: AlternativeEvent['card']) => ({
    id: event.id,
    title: event.title[lang],
    url: absoluteUrl(site.url, recordPath('event', event.slug, lang)),
  });
  const serializeAlternative = ({ card, occurrence }: AlternativeEvent) => ({
    ...serializeEvent(card),
    date: occurrence.start.slice(0, 10),
  });
  const serializeWithCertainty = (alternative: AlternativeEvent) => ({
    ...serializeAlternative(alternative),
    certainty: alternative.occurrence.certainty,
  });
  return {
    without: without.map((filter) => ({ ...filter })),
    next: next && serializeWithCertainty(next),
    nearly: nearly.map((alternative) => ({
      ...serializeAlternative(alternative),
      missing: [...alternative.missing],
    })),
    past: past.map(({ card, occurrence }) =>
      occurrence
        ? serializeWithCertainty({ card, occurrence })
        : { ...serializeEvent(card), date: null, certainty: card.event.certainty },
    ),
  };
}

/** Body of every error response. */
export const ErrorSchema = v.strictObject({
  error: v.strictObject({
    code: describe(v.picklist(ERROR_CODES), 'For programs; the message may change.'),
    message: v.string(),
    documentation_url: v.exactOptional(UrlSchema),
    help_url: describe(v.exactOptional(UrlSchema), 'Explanation of the code.'),
  }),
});

/** Language of all error messages, and of the page that explains them. */
const MESSAGE_LANG = 'en';

/**
 * Serializes an error with links to its documentation (contract 9.2).
 * @param pointer JSON Pointer (RFC 6901) to the operation in the OpenAPI document, without `#`:
 * `/paths/~1api~1v1~1events/get`. Empty links to the whole document.
 */
export const serializeError = (
  code: ErrorCode,
  message: string,
  site: Pick<Site, 'url'>,
  pointer = '',
) => ({
  error: {
    code,
    message,
    documentation_url: `${absoluteUrl(site.url, OPENAPI_PATH)}${pointer === '' ? '' : `#${pointer}`}`,
    help_url: absoluteUrl(site.url, errorDocsPath(code, MESSAGE_LANG)),
  },
});
