// A query in words: what its filters ask for, what its parameters mean, and what is said where words
// were read otherwise, places are not sure, or a list has nothing (contract 7.15, 7.16, 7.25).
import { SINGLE_DAY_KEYWORDS } from '../domain/date-keywords.ts';
import { fromDayNumber, NIGHT_ENDS_HOUR } from '../domain/local-time.ts';
import type { NearCaveats } from '../domain/distance.ts';
import { EVENT_STATUSES, type EventRecord, type OccurrenceRecord } from '../domain/event/event.ts';
import { RECORD_KINDS } from '../domain/record-history.ts';
import type { Lang } from '../domain/lang.ts';
import { NOTICE_TYPES } from '../domain/notice.ts';
import {
  DATE_KEYWORDS,
  EVENING_HOUR,
  DEFAULT_RANGE_DAYS,
  MAX_RANGE_DAYS,
} from '../domain/query/date-range.ts';
import { EVENT_FILTERS, type EventFilter, type FilterName } from '../domain/query/event-query.ts';
import { DEFAULT_SINCE_DAYS } from '../domain/query/list-queries.ts';
import { RESULT_LIMITS, MAX_INCLUDED_OCCURRENCES } from '../domain/query/parameters.ts';
import {
  MAX_EVENT_IDS,
  MAX_PRICE_FILTER,
  MAX_Q_LENGTH,
  type ParameterValues,
  RADIUS_LIMITS_KM,
} from '../domain/query/parameter-parsers.ts';
import type { SpellingCorrection } from '../domain/word-matching.ts';
import { type Taxonomy, serializeTaxon } from '../domain/taxon.ts';
import { formatLongRange, formatWhen } from './format-dates.ts';
import { recordPath } from './paths.ts';
import { formatFilterAmount } from './format-price.ts';
import { type MessageKey, formatList, t, tPlural } from './translate.ts';

/** The query as it was written, and whom its words are for. */
interface PhraseContext {
  readonly params: ParameterValues;
  readonly taxonomy: Taxonomy;
  readonly lang: Lang;
}

/** What one filter asks for: `gratis`, `Centro`, `«jazz»`; nothing where it is off. */
export function formatFilter(
  name: FilterName,
  filter: EventFilter,
  { params, taxonomy, lang }: PhraseContext,
): readonly string[] {
  const toNames = (list: keyof Taxonomy): readonly string[] =>
    (filter[list] ?? []).map((key) => serializeTaxon(taxonomy[list], key, lang)?.name ?? key);
  switch (name) {
    case 'category':
      return toNames('categories');
    case 'zone':
      return toNames('zones');
    case 'near': {
      if (filter.near === null) return [];
      const { radius_km: radius, lat, lng } = filter.near;
      return [t(lang, 'ics.filter.near', { radius, lat, lng })];
    }
    case 'q':
      return params.q === undefined ? [] : [t(lang, 'ics.filter.words', { words: params.q })];
    case 'updated_since': {
      const parts = { moment: params.updated_since ?? '' };
      return filter.updated_since === null ? [] : [t(lang, 'ics.filter.updated_since', parts)];
    }
    case 'status':
      return filter.status === null ? [] : [t(lang, `ics.filter.${filter.status}`)];
    case 'price_max': {
      const { price_max: price } = filter;
      if (price === null) return [];
      return [t(lang, 'ics.filter.price_max', { price: formatFilterAmount(price, lang) })];
    }
    case 'venue':
    case 'organizer':
      return filter[name] === null ? [] : [filter[name].name];
    default:
      return filter[name] ? [t(lang, `ics.filter.${name}`)] : [];
  }
}

/** The days as they were written: a feed's days move on, its name does not. */
function listDayPhrases({ date, from, to }: ParameterValues, lang: Lang): readonly string[] {
  const word = DATE_KEYWORDS.find((known) => known === date);
  if (word) return [t(lang, `ics.filter.${word}`)];
  if (date !== undefined) return [date];
  if (from !== undefined && to !== undefined) return [t(lang, 'ics.filter.range', { from, to })];
  if (from !== undefined) return [t(lang, 'ics.filter.from', { from })];
  return to === undefined ? [] : [t(lang, 'ics.filter.to', { to })];
}

/** Where and when come last. */
const NAMED = [
  ...EVENT_FILTERS.map(({ name }) => name).filter((name) => name !== 'near'),
  'near',
] as const;

/** What the filters that are on ask for, for the name of a feed and the title of a page. */
export const formatActiveFilters = (
  filter: EventFilter,
  context: PhraseContext,
): readonly string[] => [
  ...NAMED.flatMap((name) => formatFilter(name, filter, context)),
  ...listDayPhrases(context.params, context.lang),
];

type ParameterKey = Extract<MessageKey, `param.${string}`>;
/** The parameters that have words: those of events and those of single operations. */
export type ParameterName = ParameterKey extends `param.${infer Name}` ? Name : never;

/** What the sentences about limits are filled with. */
export const LIMIT_PLACEHOLDERS = {
  from_days: DEFAULT_RANGE_DAYS,
  max_days: MAX_RANGE_DAYS,
  q: MAX_Q_LENGTH,
  radius: RADIUS_LIMITS_KM.max,
  price: MAX_PRICE_FILTER,
  included: MAX_INCLUDED_OCCURRENCES,
  ids: MAX_EVENT_IDS,
  radius_default: RADIUS_LIMITS_KM.fallback,
  list: RESULT_LIMITS.list.max,
  list_default: RESULT_LIMITS.list.fallback,
  feed: RESULT_LIMITS.feed.max,
  feed_default: RESULT_LIMITS.feed.fallback,
  since_days: DEFAULT_SINCE_DAYS,
  changes: RESULT_LIMITS.changes.max,
  changes_default: RESULT_LIMITS.changes.fallback,
} as const;

const DAY_PARAMETERS: readonly string[] = ['notice_date', 'day_date', 'event_date', 'open_on'];

const toCode = (words: readonly string[]): string => words.map((word) => `\`${word}\``).join(', ');

export const formatParameterDescription = (name: ParameterName, lang: Lang): string =>
  t(lang, `param.${name}`, {
    words: toCode(DAY_PARAMETERS.includes(name) ? SINGLE_DAY_KEYWORDS : DATE_KEYWORDS),
    evening: EVENING_HOUR,
    morning: `0${NIGHT_ENDS_HOUR}`,
    statuses: toCode(EVENT_STATUSES),
    types: toCode(NOTICE_TYPES),
    kinds: toCode(RECORD_KINDS),
    ...LIMIT_PLACEHOLDERS,
  });

const quote = (word: string, lang: Lang): string => t(lang, 'search.quoted', { word });

/** `No hay nada con «muisca»; esto es lo que hay con «musica».`, a sentence for each such word. */
export const formatSpellingCorrections = (
  spellings: readonly SpellingCorrection[],
  lang: Lang,
): string[] =>
  spellings.map(({ word, read_as }) => {
    const quoted = read_as.map((each) => quote(each, lang));
    const list = formatList(quoted, lang, 'disjunction');
    return t(lang, 'search.spelling', { word: quote(word, lang), read_as: list });
  });

/** What a list around a point leaves out, and what is measured to the middle of a zone: a sentence each. */
export function formatNearCaveats(near: NearCaveats | null, lang: Lang): readonly string[] {
  if (near === null) return [];
  const { without_place, measured_to_zone: measured } = near;
  const left_out = without_place === 0 ? [] : [tPlural(lang, 'filters.unplaced', without_place)];
  if (measured === null) return left_out;
  const off =
    measured.off_km === null
      ? t(lang, 'filters.off.unknown')
      : t(lang, 'filters.off.km', { number: measured.off_km });
  return [tPlural(lang, 'filters.measured_to_zone', measured.count, { off }), ...left_out];
}

interface ToldEvent {
  readonly card: { readonly event: Pick<EventRecord, 'slug' | 'title'> };
  readonly occurrence: OccurrenceRecord;
}

/** Where a list has nothing: the next that matches, those that nearly do, those that are over. */
export interface EmptyResultAlternatives {
  readonly next: ToldEvent | null;
  readonly nearly: readonly (ToldEvent & { readonly missing: readonly string[] })[];
  readonly past: readonly ToldEvent[];
}

/** The events to show under one title; `words` go on after an event's name. */
export interface EmptyResultSection {
  readonly kind: keyof EmptyResultAlternatives;
  readonly title: string;
  readonly lines: readonly {
    readonly title: string;
    readonly path: string;
    readonly words: string;
  }[];
}

/** What is known of one thing, if anything, and which of the words it lacks. */
export function formatMissingWords(
  known: string | null,
  missing: readonly string[],
  lang: Lang,
): string {
  const quoted = missing.map((word) => quote(word, lang));
  const lacks = t(lang, 'nothing.missing', { words: formatList(quoted, lang, 'disjunction') });
  return known ? `${known}; ${lacks}` : lacks;
}

export function formatEmptyResult(
  { next, nearly, past }: EmptyResultAlternatives,
  lang: Lang,
): readonly EmptyResultSection[] {
  const toSection = <T extends ToldEvent>(
    kind: keyof EmptyResultAlternatives,
    told: readonly T[],
    toWords: (one: T) => string,
  ): EmptyResultSection => ({
    kind,
    title: t(lang, `nothing.${kind}`),
    lines: told.map((one) => ({
      title: one.card.event.title[lang],
      path: recordPath('event', one.card.event.slug, lang),
      words: toWords(one),
    })),
  });
  return [
    toSection('next', next === null ? [] : [next], (one) => `${formatWhen(one.occurrence, lang)}.`),
    // What has every word, though it is over, before what has some.
    toSection('past', past, ({ occurrence }) => toWasWords(occurrence, lang)),
    toSection('nearly', nearly, ({ occurrence, missing }) =>
      formatMissingWords(formatWhen(occurrence, lang), missing, lang),
    ),
  ].filter(({ lines }) => lines.length > 0);
}

/** The day, or the days, without the hours: nobody can go any more. */
function toWasWords({ first_day, last_day, certainty }: OccurrenceRecord, lang: Lang): string {
  const days = formatLongRange(
    { from: fromDayNumber(first_day), to: fromDayNumber(last_day) },
    lang,
  );
  if (certainty !== 'confirmed') return t(lang, 'nothing.was_unsure', { days });
  return first_day === last_day
    ? t(lang, 'nothing.was', { day: days })
    : t(lang, 'nothing.was_days', { days });
}
