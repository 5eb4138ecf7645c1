// Response metadata: serializes `meta` with language, time of the data, attribution, docs and hints for empty
// lists, and the body of errors (contract 3.1, 7.25, 9.1).
import * as v from 'valibot';
import { ERROR_CODES, type ErrorCode } from '../../domain/app-error.ts';
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

const alternativeFields = { id: v.string(), title: v.string(), url: UrlSchema, date: DaySchema };
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
      'First match on another day, if a day was requested.',
    ),
    nearly: describe(
      v.array(v.strictObject({ ...alternativeFields, missing: v.array(v.string()) })),
      'Upcoming events with some words of q; missing has the others.',
    ),
    past: describe(
      v.array(AlternativeEventSchema),
      'If none is upcoming: past events, each with its last date.',
    ),
  }),
  'Only if the list is empty: alternatives.',
);
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

export const MetaSchema = v.strictObject(metaFields);
export type Meta = v.InferOutput<typeof MetaSchema>;

const count = describe(CountSchema, 'Items in data.');
const total = describe(CountSchema, 'All matches, on every page.');
const listRemarkFields = {
  spellings: v.exactOptional(
    describe(
      v.array(v.strictObject({ word: v.string(), read_as: v.array(v.string()) })),
      'Corrected words of q.',
    ),
  ),
  without_place: v.exactOptional(
    describe(CountSchema, 'Only with near: omitted for lack of a location.'),
  ),
  measured_to_zone: v.exactOptional(
    describe(
      v.strictObject({ count: CountSchema, off_km: v.nullable(v.pipe(v.number(), v.integer())) }),
      'Only with near: how many are measured to the middle of their zone, and the possible error in km.',
    ),
  ),
} as const;

export const ListMetaSchema = v.strictObject({
  ...metaFields,
  count,
  range: v.nullable(v.strictObject({ from: DaySchema, to: DaySchema })),
  ...listRemarkFields,
  total: v.exactOptional(total),
  nothing: v.exactOptional(EmptyResultSchema),
});
export type ListMeta = v.InferOutput<typeof ListMetaSchema>;

export const PlacesMetaSchema = v.strictObject({
  ...metaFields,
  count,
  total,
  ...listRemarkFields,
});
export type PlacesMeta = v.InferOutput<typeof PlacesMetaSchema>;

export const NoticesMetaSchema = v.strictObject({
  ...metaFields,
  count: v.exactOptional(CountSchema),
  date: v.exactOptional(DaySchema),
});

export const ChangesMetaSchema = v.strictObject({
  ...metaFields,
  count,
  since: describe(TimestampSchema, 'Start of the changes.'),
  cursor: describe(v.string(), 'Store it and pass it as `cursor` to get later changes.'),
  has_more: describe(v.boolean(), 'More changes are available.'),
});

/** Returns the attribution to show with the data (contract 1.5). */
export const formatAttribution = (lang: Lang, site: Site): string =>
  t(lang, 'meta.attribution', { name: site.name, url: site.url });

/**
 * Serializes `meta`. `generated_at` is the snapshot's, so that the same request gives the same bytes (contract
 * 11.3).
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

interface PlacesFacts {
  readonly count: number;
  readonly total: number;
  readonly spellings?: readonly SpellingCorrection[];
  readonly near?: NearCaveats | null;
}
interface ListMetaInput extends PlacesFacts {
  /** Null for all upcoming events. */
  readonly range: DayRange | null;
  readonly nothing?: PublicEmptyResult | null;
}

/** Serializes spelling corrections and the caveats of `near`, if any. */
const serializeRemarks = ({ spellings = [], near = null }: PlacesFacts) => ({
  ...(spellings.length > 0 && {
    spellings: spellings.map(({ word, read_as }) => ({ word, read_as: [...read_as] })),
  }),
  ...(near && {
    without_place: near.without_place,
    ...(near.measured_to_zone && { measured_to_zone: near.measured_to_zone }),
  }),
});

/** Serializes the additional `meta` of an event list. */
export const serializeListMeta = (facts: ListMetaInput): Omit<ListMeta, keyof Meta> => ({
  count: facts.count,
  total: facts.total,
  range: facts.range && { from: facts.range.from.toString(), to: facts.range.to.toString() },
  ...serializeRemarks(facts),
  ...(facts.nothing && { nothing: facts.nothing }),
});

/** Serializes the additional `meta` of a list of venues or organizers. */
export const serializePlacesMeta = (facts: PlacesFacts): Omit<PlacesMeta, keyof Meta> => ({
  count: facts.count,
  total: facts.total,
  ...serializeRemarks(facts),
});

/** Alternatives for an empty list. */
interface EmptyResultData extends EmptyResultAlternatives {
  readonly without: readonly { readonly parameter: string; readonly count: number }[];
  readonly next: AlternativeEvent | null;
  readonly nearly: readonly (AlternativeEvent & { readonly missing: readonly string[] })[];
  readonly past: readonly AlternativeEvent[];
}
interface AlternativeEvent {
  readonly card: {
    readonly event: EmptyResultAlternatives['past'][number]['card']['event'] & {
      readonly id: string;
    };
  };
  readonly occurrence: OccurrenceRecord;
}

export function serializeEmptyResult(
  { without, next, nearly, past }: EmptyResultData,
  lang: Lang,
  site: Site,
): PublicEmptyResult {
  const serializeAlternative = ({ card: { event }, occurrence }: AlternativeEvent) => ({
    id: event.id,
    title: event.title[lang],
    url: absoluteUrl(site.url, recordPath('event', event.slug, lang)),
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
    past: past.map(serializeWithCertainty),
  };
}

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
 * @param pointer JSON Pointer into the OpenAPI description, as a fragment without `#`; empty for the whole.
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
