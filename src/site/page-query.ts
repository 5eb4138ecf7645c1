// The query behind a page's address: the shared filters read leniently, so that a wrong word is told in a sentence
// and never costs the page (contract 7.22); a Markdown version honours each parameter or refuses it (3.7).
import { type DayRange, toLocalDay } from '../domain/local-time.ts';
import { foldText, splitWords } from '../domain/text-folding.ts';
import { byLang, LANGS } from '../domain/lang.ts';
import {
  formatQuery,
  type LenientParseResult,
  parseEventQuery,
  parseQueryLeniently,
  categoryPageFilter,
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

/** Something in a query that was left out, and why. */
export interface IgnoredParameter {
  /**
   * A parameter whose value is wrong; `name` of one that is none, `repeated` of one given twice or not as text,
   * `two_dates` of a word for days beside first and last days, `fixed` of days on a page that has its own.
   */
  readonly reason: ListParameterName | 'name' | 'repeated' | 'two_dates' | 'fixed';
  readonly value: string;
  /** The name that a wrong one comes near to. */
  readonly meant?: string;
}

/** Nothing but days, and where a list goes on: not for a page whose days are fixed. */
const NOT_ON_AGENDA: ReadonlySet<string> = new Set(['date', 'from', 'to', 'limit', 'cursor']);

export const isFixedParameter = (name: string): boolean => NOT_ON_AGENDA.has(name);

/** The query as sent, without its question mark. Never throws for what it says. */
export function parsePageQuery(
  query: string,
  kind: FilterablePage,
  { snapshot, now_ms }: ValidationContext,
) {
  const issues: string[] = [];
  const params = parseParameters(query, LIST_PARAMETER_NAMES, issues);
  const ignored: IgnoredParameter[] = issues.map(toIgnoredName);
  const given: Record<string, string> = {};
  const has_days = params.from !== undefined || params.to !== undefined;
  for (const name of LIST_PARAMETER_NAMES) {
    const value = params[name];
    // A page is in the language of its path.
    if (value === undefined || name === 'lang') continue;
    if (kind === 'agenda' && isFixedParameter(name)) ignored.push({ reason: 'fixed', value });
    else if (name === 'date' && has_days) ignored.push({ reason: 'two_dates', value });
    else given[name] = value;
  }
  const category = given.category && findTaxon(snapshot.taxonomy.categories, given.category);
  if (category) {
    delete given.category;
    Object.assign(given, categoryPageFilter(category.key, category.slug.es).texts);
  }
  const read = kind === 'search' ? interpretWords(given, null, { snapshot, now_ms }) : null;
  const { filter, texts, left_out } = read ?? parseQueryLeniently(given, snapshot, now_ms);
  return {
    filter,
    /** One spelling for each language; what pages link to. */
    texts: byLang((lang) => formatQuery(filter, texts, snapshot.taxonomy, lang)),
    ignored: [...ignored, ...left_out.map(({ name, value }) => ({ reason: name, value }))],
  };
}

/**
 * The words for days, zones, categories, what is free or for families as the filters that they are; null where there
 * are none, or only the words as they stand find something (contract 7.32). `range` is that of a page of days.
 */
export function interpretWords(
  given: ParameterValues,
  range: DayRange | null,
  { snapshot, now_ms }: ValidationContext,
): LenientParseResult | null {
  const { q: text, ...others } = given;
  if (text === undefined) return null;
  const days = given.date ?? given.from ?? given.to;
  const taken = { ...others, ...(days === undefined ? {} : { date: days }) };
  const { q, texts } = interpretSearchText(text, snapshot.taxonomy, now_ms, taken);
  if (Object.keys(texts).length === 0) return null;
  const read = parseQueryLeniently({ ...texts, ...others, ...(q && { q }) }, snapshot, now_ms);
  const finds = ({ filter }: LenientParseResult): boolean =>
    countEvents(snapshot, { ...filter, range: filter.range ?? range }) > 0;
  return finds(read) || !finds(parseQueryLeniently(given, snapshot, now_ms)) ? read : null;
}

/** An issue of the query's form, which begins with the name that it is about. */
function toIgnoredName(issue: string): IgnoredParameter {
  const name = issue.slice(0, issue.indexOf(': '));
  const is_known = LIST_PARAMETER_NAMES.some((known) => known === name);
  const meant = is_known ? null : suggestParameterName(name, LIST_PARAMETER_NAMES);
  return meant === null
    ? { reason: 'repeated', value: name }
    : { reason: 'name', value: name, meant };
}

/** Of the filters that a page or a program says; throws AppError that names every issue. */
export function validateEventQuery(
  params: ParameterValues,
  issues: readonly string[],
  { snapshot, now_ms }: ValidationContext,
): readonly string[] {
  parseEventQuery(params, snapshot, now_ms, 'list', issues);
  return issues;
}

// What people type into a search means more than words: `gratis hoy`, `kids saturday`, `música en vivo Isla`.
// Days, zones, categories, what is free and what is for families are read as the filters that they are.

type Flag = 'free' | 'family' | 'indoor';
type Filter = readonly [name: 'date' | 'zone' | 'category' | Flag, value: string];

const READ = {
  now: ['date', 'now'],
  tonight: ['date', 'tonight'],
  today: ['date', 'today'],
  tomorrow: ['date', 'tomorrow'],
  weekend: ['date', 'weekend'],
  week: ['date', 'week'],
  free: ['free', '1'],
  family: ['family', '1'],
  indoor: ['indoor', '1'],
} as const satisfies Readonly<Record<string, Filter>>;
type ReadKey = keyof typeof READ;
const isReadKey = (key: string): key is ReadKey => key in READ;

/** Most words of a phrase: `este fin de semana`. */
const LONGEST = 4;

/** Filters by the folded phrases for them, in every language. */
function listPhrases({ zones, categories }: Taxonomy, now_ms: number): Map<string, Filter> {
  const phrases = new Map<string, Filter>();
  const add = (text: string, filter: Filter): void =>
    void phrases.set(splitWords(text).join(' '), filter);
  const today = toLocalDay(now_ms);
  for (const lang of LANGS) {
    for (const { key, name } of categories) add(name[lang], ['category', key]);
    for (const { key, name, search_words } of zones)
      for (const phrase of [name[lang], ...search_words]) add(phrase, ['zone', key]);
    for (const key of Object.keys(READ).filter(isReadKey))
      for (const phrase of t(lang, `search.reads.${key}`).split(', ')) add(phrase, READ[key]);
    for (let days = 0; days < 7; days++) {
      const day = today.add({ days });
      add(formatWeekday(day, lang), ['date', day.toString()]);
    }
  }
  return phrases;
}

/** A text as filters, by name, and the words that are left. */
interface ReadText {
  readonly q: string;
  readonly texts: Readonly<Partial<Record<Filter[0], string>>>;
}

/** Each filter is read once: what says another day than one that is there, in the text or in `given`, stays a word. */
export function interpretSearchText(
  text: string,
  taxonomy: Taxonomy,
  now_ms: number,
  given: ReadText['texts'] = {},
): ReadText {
  const phrases = listPhrases(taxonomy, now_ms);
  const words = text.split(/\s+/).filter(Boolean);
  const texts: Partial<Record<Filter[0], string>> = {};
  const left: string[] = [];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(LONGEST, words.length - at);
    const find = (): Filter | undefined =>
      phrases.get(splitWords(words.slice(at, at + length).join(' ')).join(' '));
    while (length > 0 && find() === undefined) length -= 1;
    const found = find();
    const [name, value] = found ?? [];
    if (length > 0 && name && value && [undefined, value].includes(texts[name] ?? given[name])) {
      texts[name] = value;
      at += length;
    } else left.push(words[at++] ?? '');
  }
  // `el sábado en el centro`: what is left of it says nothing.
  const is_said =
    Object.keys(texts).length === 0 || !left.every((word) => isStopWord(foldText(word)));
  return { q: is_said ? left.join(' ') : '', texts };
}

/**
 * The query as sent, as the page reads it, or its Markdown version where the address is of that, which always
 * says what it understands: in the one spelling that its page is made for and stored under, empty for the page as it
 * is. Of what was not understood the page says what, so it is like no other.
 */
export function parsePageRequest(
  page: MatchedPage,
  address: string,
  query: string,
  state: ValidationContext,
) {
  const { narrowed, lang, parameters } = page;
  if (address.endsWith(MARKDOWN_EXTENSION)) {
    const { text, problem } = parseMarkdownQuery(page, query, state);
    return { text, is_understood: problem === null };
  }
  if (narrowed === null || query === '')
    return { text: parameters.length > 0 ? query : '', is_understood: true };
  const { texts, ignored } = parsePageQuery(query, narrowed, state);
  if (ignored.length > 0) return { text: query, is_understood: false };
  return { text: new URLSearchParams(texts[lang]).toString(), is_understood: true };
}

/** In one spelling, without what only says where its reader came from; and why it is refused, in the API's words. */
export function parseMarkdownQuery(page: MatchedPage, sent: string, state: ValidationContext) {
  const query = stripTrackingParameters(sent);
  if (query === '') return { text: '', problem: null };
  const issues: string[] = [];
  const params = parseParameters(query, page.parameters, issues);
  issues.push(...listUnknown(page, query, issues));
  const { asked, issue } = parseOrIssue(() => page.judge(params, issues, state).join('; '));
  const problem = (asked ?? issue) || null;
  return { text: problem === null ? toText(page, query, state) : query, problem };
}

/** The names that are not taken and that nothing was said of. */
function listUnknown(
  { lang, parameters, narrowed }: MatchedPage,
  query: string,
  said: readonly string[],
): string[] {
  const search = markdownPath(PAGE_PATHS.search[lang]);
  const unknown = [...new URLSearchParams(query)].filter(
    ([name, value]) =>
      !parameters.includes(name) &&
      !(name === 'lang' && value === lang) &&
      !said.some((issue) => issue.startsWith(`${name}: `)),
  );
  return unknown.map(([name]) => {
    if (name === 'lang')
      return `lang: is not that of this address, which is in '${lang}'. The document links to the same in the other language`;
    if (narrowed === 'agenda' && isFixedParameter(name))
      return `${name}: is not for this address, which has its own days and lists all of them. Use ${search}`;
    return `${name}: is not a parameter of this address`;
  });
}

/** A query that is understood in one spelling: that of its filters where it takes them. */
function toText(
  { lang, parameters, narrowed }: MatchedPage,
  query: string,
  state: ValidationContext,
): string {
  if (narrowed !== null)
    return new URLSearchParams(parsePageQuery(query, narrowed, state).texts[lang]).toString();
  // What is left of others is its own language, which goes without saying.
  return query
    .split('&')
    .filter((pair) => parameters.includes('lang') || !pair.startsWith('lang='))
    .join('&');
}
