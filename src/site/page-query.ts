// Page queries: parse the query of an HTML page leniently (an invalid value is ignored, and the
// page names it; contract 7.22), and the query of a Markdown version strictly (it applies or
// rejects every parameter; 3.7). Also interprets search words as filters: `gratis hoy` is
// `free=1&date=today` (7.32).
import { type DayRange, toLocalDay } from '../domain/local-time.ts';
import { DATE_KEYWORDS } from '../domain/query/date-range.ts';
import { DAY_PHRASES } from '../domain/query/day-words.ts';
import { foldText, splitWords } from '../domain/text-folding.ts';
import { byLang, LANGS } from '../domain/lang.ts';
import {
  formatQuery,
  type LenientParseResult,
  parseEventQuery,
  parseQueryLeniently,
  categoryPageFilter,
  FLAG_FILTERS,
} from '../domain/query/event-query.ts';
import {
  suggestParameterName,
  LIST_PARAMETER_NAMES,
  type ListParameterName,
  parseParameters,
  stripTrackingParameters,
} from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { isStopWord } from '../domain/word-matching.ts';
import { findTaxon, type Taxonomy } from '../domain/taxon.ts';
import { formatWeekday } from '../i18n/format-dates.ts';
import { PAGE_PATHS, markdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { countEvents } from '../snapshot/count-events.ts';
import { parseOrIssue } from './filter-form.ts';
import {
  type MatchedPage,
  type ValidationContext,
  MARKDOWN_EXTENSION,
  type FilterablePage,
} from './page-definition.ts';
import { formatIssues, type ParameterIssue } from '../domain/query/parameter-issue.ts';

/** A parameter that the page ignores, with the reason. */
export interface IgnoredParameter {
  /**
   * The name of a parameter with an invalid value; `name`: unknown parameter; `repeated`: sent
   * twice or not as text; `two_dates`: `date` together with `from` or `to`; `fixed`: days on a page
   * with fixed days.
   */
  readonly reason: ListParameterName | 'name' | 'repeated' | 'two_dates' | 'fixed';
  /** The invalid value; for `name` and `repeated`, the name of the parameter. */
  readonly value: string;
  /** Similar name of a known parameter. */
  readonly meant?: string;
}

/** Parameters that pages with fixed days do not take: days and pagination. */
const FIXED_PARAMETERS: ReadonlySet<string> = new Set(['date', 'from', 'to', 'limit', 'cursor']);

/** Returns whether pages with fixed days ignore a parameter. */
export const isFixedParameter = (name: string): boolean => FIXED_PARAMETERS.has(name);

/**
 * Parses a page's query leniently; no query makes it throw.
 * @param query Raw, without its question mark.
 */
export function parsePageQuery(
  query: string,
  kind: FilterablePage,
  { snapshot, now_ms }: ValidationContext,
) {
  const issues: ParameterIssue[] = [];
  const params = parseParameters(query, LIST_PARAMETER_NAMES, issues);
  const ignored: IgnoredParameter[] = issues.map(toIgnoredParameter);
  const accepted: Record<string, string> = {};
  const has_days = params.from !== undefined || params.to !== undefined;
  for (const name of LIST_PARAMETER_NAMES) {
    const value = params[name];
    // The path determines the language.
    if (value === undefined || name === 'lang') continue;
    if (kind === 'agenda' && isFixedParameter(name)) ignored.push({ reason: 'fixed', value });
    else if (name === 'date' && has_days) ignored.push({ reason: 'two_dates', value });
    else accepted[name] = value;
  }
  const category = accepted.category && findTaxon(snapshot.taxonomy.categories, accepted.category);
  if (category) {
    delete accepted.category;
    Object.assign(accepted, categoryPageFilter(category.key, category.slug.es).texts);
  }
  const interpreted =
    kind === 'search' ? interpretWords(accepted, null, { snapshot, now_ms }) : null;
  const {
    filter,
    texts,
    ignored: invalid,
  } = interpreted ?? parseQueryLeniently(accepted, snapshot, now_ms);
  return {
    filter,
    /** Normalized parameters in each language, for links. */
    texts: byLang((lang) => formatQuery(filter, texts, snapshot.taxonomy, lang)),
    ignored: [...ignored, ...invalid.map(({ name, value }) => ({ reason: name, value }))],
  };
}

/**
 * Reads the search words for days, zones, categories, free and family events as filters (contract
 * 7.32).
 * @param range The fixed days of an agenda page.
 * @returns null if no word is a filter, or if only the plain words match events.
 */
export function interpretWords(
  params: ParameterValues,
  range: DayRange | null,
  { snapshot, now_ms }: ValidationContext,
): LenientParseResult | null {
  const { q: search_text, ...others } = params;
  if (search_text === undefined) return null;
  // A query with days, in any form, keeps them.
  const days = params.date ?? params.from ?? params.to;
  const set_filters = { ...others, ...(days === undefined ? {} : { date: days }) };
  const { q, texts } = interpretSearchText(search_text, snapshot.taxonomy, now_ms, set_filters);
  if (Object.keys(texts).length === 0) return null;
  const interpreted = parseQueryLeniently(
    { ...texts, ...others, ...(q && { q }) },
    snapshot,
    now_ms,
  );
  const hasMatches = ({ filter }: LenientParseResult): boolean =>
    countEvents(snapshot, { ...filter, range: filter.range ?? range }) > 0;
  const hasPlainMatches = (): boolean => hasMatches(parseQueryLeniently(params, snapshot, now_ms));
  return hasMatches(interpreted) || !hasPlainMatches() ? interpreted : null;
}

/** Converts a syntax issue of the query. */
function toIgnoredParameter({ param: name }: ParameterIssue): IgnoredParameter {
  const is_known = LIST_PARAMETER_NAMES.some((known) => known === name);
  const suggestion = is_known ? null : suggestParameterName(name, LIST_PARAMETER_NAMES);
  return suggestion === null
    ? { reason: 'repeated', value: name }
    : { reason: 'name', value: name, meant: suggestion };
}

/**
 * Validates event filters strictly.
 * @throws AppError that names every issue.
 */
export function validateEventQuery(
  params: ParameterValues,
  issues: readonly ParameterIssue[],
  { snapshot, now_ms }: ValidationContext,
): readonly ParameterIssue[] {
  parseEventQuery(params, snapshot, now_ms, 'list', issues);
  return issues;
}

// Search words as filters: `gratis hoy`, `kids saturday`, `música en vivo Isla`.

type FlagName = (typeof FLAG_FILTERS)[number]['name'];
/** Filter that a phrase means, such as `['date', 'tonight']`. */
type PhraseFilter = readonly [name: 'date' | 'zone' | 'category' | FlagName, value: string];

/** Most words in a phrase that is read as a filter, such as `este fin de semana`. */
const MAX_PHRASE_WORDS = 4;

/** Returns the filters by folded phrase, in every language. */
function listPhrases({ zones, categories }: Taxonomy, now_ms: number): Map<string, PhraseFilter> {
  const phrases = new Map<string, PhraseFilter>();
  const add = (text: string, filter: PhraseFilter): void =>
    void phrases.set(splitWords(text).join(' '), filter);
  const today = toLocalDay(now_ms);
  for (const lang of LANGS) {
    for (const { key, name } of categories) add(name[lang], ['category', key]);
    for (const { key, name, search_words } of zones)
      for (const phrase of [name[lang], ...search_words]) add(phrase, ['zone', key]);
    for (const keyword of DATE_KEYWORDS)
      for (const phrase of DAY_PHRASES[keyword][lang]) add(phrase, ['date', keyword]);
    for (const { name } of FLAG_FILTERS)
      for (const phrase of t(lang, `search.reads.${name}`).split(', ')) add(phrase, [name, '1']);
    for (let days = 0; days < 7; days++) {
      const day = today.add({ days });
      add(formatWeekday(day, lang), ['date', day.toString()]);
    }
  }
  return phrases;
}

/** A search text, split into filters (`texts`, parameters by name) and remaining words (`q`). */
interface InterpretedText {
  readonly q: string;
  readonly texts: Readonly<Partial<Record<PhraseFilter[0], string>>>;
}

/**
 * Reads the phrases of a search text as filters, the longest phrase first. Each filter is read
 * once: a phrase for a second day stays a word, and so does one that contradicts `set_filters`.
 * @param set_filters Filters that the query sets already.
 */
export function interpretSearchText(
  text: string,
  taxonomy: Taxonomy,
  now_ms: number,
  set_filters: InterpretedText['texts'] = {},
): InterpretedText {
  const phrases = listPhrases(taxonomy, now_ms);
  const words = text.split(/\s+/).filter(Boolean);
  const texts: Partial<Record<PhraseFilter[0], string>> = {};
  const remaining: string[] = [];
  for (let position = 0; position < words.length; ) {
    let length = Math.min(MAX_PHRASE_WORDS, words.length - position);
    const findFilter = (): PhraseFilter | undefined =>
      phrases.get(splitWords(words.slice(position, position + length).join(' ')).join(' '));
    while (length > 0 && findFilter() === undefined) length -= 1;
    const [name, value] = findFilter() ?? [];
    const isAvailable = (filter: PhraseFilter[0]): boolean =>
      [undefined, value].includes(texts[filter] ?? set_filters[filter]);
    if (length > 0 && name && value && isAvailable(name)) {
      texts[name] = value;
      position += length;
    } else {
      remaining.push(words[position] ?? '');
      position += 1;
    }
  }
  // Stop words left over from phrases, as in `el sábado en el centro`, are not searched for.
  const is_searched =
    Object.keys(texts).length === 0 || !remaining.every((word) => isStopWord(foldText(word)));
  return { q: is_searched ? remaining.join(' ') : '', texts };
}

/**
 * Parses the query of a page or, if `address` ends in `.md`, of its Markdown version.
 * @returns `text`, the query that is part of the page cache's key (normalized if `is_understood`;
 *   empty for the page without a query), and `is_understood`, false if a parameter is ignored or
 *   invalid: the page then names it, and must not be cached under the normalized query.
 */
export function parsePageRequest(
  page: MatchedPage,
  address: string,
  query: string,
  context: ValidationContext,
) {
  const { filterable, lang, parameters } = page;
  if (address.endsWith(MARKDOWN_EXTENSION)) {
    const { text, problem } = parseMarkdownQuery(page, query, context);
    return { text, is_understood: problem === null };
  }
  if (filterable === null || query === '')
    return { text: parameters.length > 0 ? query : '', is_understood: true };
  const { texts, ignored } = parsePageQuery(query, filterable, context);
  if (ignored.length > 0) return { text: query, is_understood: false };
  return { text: new URLSearchParams(texts[lang]).toString(), is_understood: true };
}

/**
 * Parses the query of a Markdown version.
 * @returns `text`, the normalized query without tracking parameters, and `problem`, the issues in
 *   the API's words or null.
 */
export function parseMarkdownQuery(
  page: MatchedPage,
  raw_query: string,
  context: ValidationContext,
) {
  const query = stripTrackingParameters(raw_query);
  if (query === '') return { text: '', problem: null };
  const issues: ParameterIssue[] = [];
  const params = parseParameters(query, page.parameters, issues);
  issues.push(...listUnknownParameters(page, query, issues));
  const { parsed, issue } = parseOrIssue(() =>
    formatIssues(page.validate(params, issues, context)),
  );
  const problem = (parsed ?? issue) || null;
  return { text: problem === null ? normalizeQuery(page, query, context) : query, problem };
}

/**
 * Lists issues for the parameters that the page does not take, except those with an issue already.
 */
function listUnknownParameters(
  { lang, parameters, filterable }: MatchedPage,
  query: string,
  issues: readonly ParameterIssue[],
): ParameterIssue[] {
  const search_path = markdownPath(PAGE_PATHS.search[lang]);
  const unknown = [...new URLSearchParams(query)].filter(
    ([name, value]) =>
      !parameters.includes(name) &&
      !(name === 'lang' && value === lang) &&
      !issues.some(({ param }) => param === name),
  );
  return unknown.map(([name]) => {
    if (name === 'lang')
      return {
        param: name,
        message: `this address is in '${lang}'. Follow its link to the other language`,
      };
    const is_fixed = filterable === 'agenda' && isFixedParameter(name);
    const message = is_fixed
      ? `is not for this address, which has its own days and lists all of them. Use ${search_path}`
      : 'unknown parameter';
    return { param: name, message };
  });
}

/**
 * Normalizes a valid query: event filters to their canonical spelling; other queries lose `lang`.
 */
function normalizeQuery(
  { lang, parameters, filterable }: MatchedPage,
  query: string,
  context: ValidationContext,
): string {
  if (filterable !== null)
    return new URLSearchParams(parsePageQuery(query, filterable, context).texts[lang]).toString();
  // The path determines the language, unless the page takes `lang` itself.
  return query
    .split('&')
    .filter((pair) => parameters.includes('lang') || !pair.startsWith('lang='))
    .join('&');
}
