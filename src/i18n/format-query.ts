// Query texts: describes active filters and parameters, spelling corrections, the caveats of a list
// around a point, and the alternatives of an empty result: the next match, partial matches
// (`nearly`) and past ones (contract 7.15, 7.16, 7.25).
import { type DescribableEvent, formatLastWord } from './format-facts.ts';
import { SINGLE_DAY_KEYWORDS } from '../domain/date-keywords.ts';
import { fromDayNumber, NIGHT_ENDS_HOUR, parseDay } from '../domain/local-time.ts';
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
import { formatLongDay, formatLongRange, formatWhen } from './format-dates.ts';
import { recordPath } from './paths.ts';
import { formatFilterAmount } from './format-price.ts';
import { type MessageKey, formatList, t, tPlural } from './translate.ts';

/** The raw query, and the language and taxonomy of its texts. */
interface PhraseContext {
  readonly params: ParameterValues;
  readonly taxonomy: Taxonomy;
  readonly lang: Lang;
}

/**
 * Formats one filter as a list of phrases: `gratis`, `Centro`, `«jazz»`; empty if it is not set.
 */
export function formatFilter(
  name: FilterName,
  filter: EventFilter,
  { params, taxonomy, lang }: PhraseContext,
): readonly string[] {
  const listNames = (list: keyof Taxonomy): readonly string[] =>
    (filter[list] ?? []).map((key) => serializeTaxon(taxonomy[list], key, lang)?.name ?? key);
  switch (name) {
    case 'category':
      return listNames('categories');
    case 'zone':
      return listNames('zones');
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

/** Formats a `date` parameter: `viernes 20 de noviembre de 2026`; as it is if it is no day. */
export function formatDateParameter(date: string, lang: Lang): string {
  const day = parseDay(date);
  return day ? formatLongDay(day, lang) : date;
}

/**
 * Formats the days of the query, a keyword as requested (`hoy`): the name of a feed must not change
 * every day.
 */
function listDayPhrases({ date, from, to }: ParameterValues, lang: Lang): readonly string[] {
  const word = DATE_KEYWORDS.find((keyword) => keyword === date);
  if (word) return [t(lang, `ics.filter.${word}`)];
  if (date !== undefined) return [formatDateParameter(date, lang)];
  const [from_day, to_day] = [parseDay(from ?? ''), parseDay(to ?? '')];
  if (from_day && to_day) return [formatLongRange({ from: from_day, to: to_day }, lang)];
  if (from !== undefined)
    return [t(lang, 'ics.filter.from', { from: formatDateParameter(from, lang) })];
  return to === undefined ? [] : [t(lang, 'ics.filter.to', { to: formatDateParameter(to, lang) })];
}

/** Filters in display order; location comes last, before the days. */
const DISPLAY_ORDER = [
  ...EVENT_FILTERS.map(({ name }) => name).filter((name) => name !== 'near'),
  'near',
] as const;

/** Formats all active filters, for feed names and page titles. */
export const formatActiveFilters = (
  filter: EventFilter,
  context: PhraseContext,
): readonly string[] => [
  ...DISPLAY_ORDER.flatMap((name) => formatFilter(name, filter, context)),
  ...listDayPhrases(context.params, context.lang),
];

type ParameterKey = Extract<MessageKey, `param.${string}`>;
/** Names of the query parameters that have a description. */
export type ParameterName = ParameterKey extends `param.${infer Name}` ? Name : never;

/** Placeholder values of the texts about limits. */
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

const formatAsCode = (words: readonly string[]): string =>
  words.map((word) => `\`${word}\``).join(', ');

/** Formats the description of a parameter for the API documentation. */
export const formatParameterDescription = (name: ParameterName, lang: Lang): string =>
  t(lang, `param.${name}`, {
    words: formatAsCode(DAY_PARAMETERS.includes(name) ? SINGLE_DAY_KEYWORDS : DATE_KEYWORDS),
    evening: EVENING_HOUR,
    morning: `0${NIGHT_ENDS_HOUR}`,
    statuses: formatAsCode(EVENT_STATUSES),
    types: formatAsCode(NOTICE_TYPES),
    kinds: formatAsCode(RECORD_KINDS),
    ...LIMIT_PLACEHOLDERS,
  });

const quote = (word: string, lang: Lang): string => t(lang, 'search.quoted', { word });

/**
 * Formats spelling corrections, one sentence each: `No hay nada con «muisca»; esto es lo que hay
 * con «musica».`
 */
export const formatSpellingCorrections = (
  spellings: readonly SpellingCorrection[],
  lang: Lang,
): string[] =>
  spellings.map(({ word, read_as }) => {
    const quoted = read_as.map((replacement) => quote(replacement, lang));
    const list = formatList(quoted, lang, 'disjunction');
    return t(lang, 'search.spelling', { word: quote(word, lang), read_as: list });
  });

/**
 * Formats the caveats of a list around a point, one sentence each: the number of results without a
 * known point (`without_place`), and of distances to the middle of a zone, with their largest error
 * (`off_km`).
 */
export function formatNearCaveats(near: NearCaveats | null, lang: Lang): readonly string[] {
  if (near === null) return [];
  const { without_place, measured_to_zone: measured } = near;
  const unlocated = without_place === 0 ? [] : [tPlural(lang, 'filters.unplaced', without_place)];
  if (measured === null) return unlocated;
  const off =
    measured.off_km === null
      ? t(lang, 'filters.off.unknown')
      : t(lang, 'filters.off.km', { number: measured.off_km });
  return [tPlural(lang, 'filters.measured_to_zone', measured.count, { off }), ...unlocated];
}

/** An event with the date to show. */
interface AlternativeOccurrence {
  readonly card: { readonly event: Pick<EventRecord, 'slug' | 'title'> };
  readonly occurrence: OccurrenceRecord;
}

/** A match without upcoming dates: its last date, or null if it has none. */
interface PastAlternative {
  readonly card: { readonly event: Pick<EventRecord, 'slug' | 'title'> & DescribableEvent };
  readonly occurrence: OccurrenceRecord | null;
}

/** Alternatives to an empty list; `missing` are the search words that a partial match lacks. */
export interface EmptyResultAlternatives {
  readonly next: (AlternativeOccurrence & { readonly is_earlier: boolean }) | null;
  readonly nearly: readonly (AlternativeOccurrence & { readonly missing: readonly string[] })[];
  readonly past: readonly PastAlternative[];
}

/** Events under one title; `words` is the text after an event's title. */
export interface EmptyResultSection {
  readonly kind: keyof EmptyResultAlternatives;
  readonly title: string;
  readonly lines: readonly {
    readonly title: string;
    readonly path: string;
    readonly words: string;
  }[];
}

/** Formats the search words that a partial match lacks, after its description, if any. */
export function formatMissingWords(
  description: string | null,
  missing: readonly string[],
  lang: Lang,
): string {
  const quoted = missing.map((word) => quote(word, lang));
  const lacks = t(lang, 'nothing.missing', { words: formatList(quoted, lang, 'disjunction') });
  return description ? `${description}; ${lacks}` : lacks;
}

/** Formats the alternatives of an empty result as sections, without empty ones. */
export function formatEmptyResult(
  { next, nearly, past }: EmptyResultAlternatives,
  lang: Lang,
): readonly EmptyResultSection[] {
  const buildSection = <T extends Pick<AlternativeOccurrence, 'card'>>(
    kind: keyof EmptyResultAlternatives,
    matches: readonly T[],
    describe: (match: T) => string,
  ): EmptyResultSection => ({
    kind,
    title: t(lang, kind === 'next' && next?.is_earlier ? 'nothing.earlier' : `nothing.${kind}`),
    lines: matches.map((match) => ({
      title: match.card.event.title[lang],
      path: recordPath('event', match.card.event.slug, lang),
      words: describe(match),
    })),
  });
  return [
    buildSection(
      'next',
      next === null ? [] : [next],
      ({ occurrence }) => `${formatWhen(occurrence, lang)}.`,
    ),
    // Past events with all words come before upcoming ones with some.
    buildSection('past', past, ({ card, occurrence }) =>
      occurrence ? formatPastDays(occurrence, lang) : formatLastWord(card.event, lang),
    ),
    buildSection('nearly', nearly, ({ occurrence, missing }) =>
      formatMissingWords(formatWhen(occurrence, lang), missing, lang),
    ),
  ].filter(({ lines }) => lines.length > 0);
}

/** Formats the days of a past occurrence, without hours. */
function formatPastDays({ first_day, last_day, certainty }: OccurrenceRecord, lang: Lang): string {
  const days = formatLongRange(
    { from: fromDayNumber(first_day), to: fromDayNumber(last_day) },
    lang,
  );
  if (certainty !== 'confirmed') return t(lang, 'nothing.was_unsure', { days });
  return first_day === last_day
    ? t(lang, 'nothing.was', { day: days })
    : t(lang, 'nothing.was_days', { days });
}

/**
 * Formats the size of a list: `3 eventos y 1 en temporada`. Seasons are not counted as events.
 * @param total Number of entries on all pages, with seasons.
 * @param events Number of those that are not seasons.
 */
export function formatEventCount(total: number, events: number, lang: Lang): string {
  const events_text = tPlural(lang, 'events.count', events);
  if (events === total) return events_text;
  const seasons = tPlural(lang, 'events.in_season', total - events);
  return events === 0 ? seasons : t(lang, 'events.and_seasons', { events: events_text, seasons });
}
