// The query behind a page's address: the shared filters read leniently, so that a wrong word is
// told in a sentence and never costs the page (contract 7.22).
import {
  type EventFilter,
  formatQuery,
  type LenientQuery,
  parseEventQuery,
  readLeniently,
} from '../../domain/query/event-query.ts';
import {
  findNearName,
  LIST_PARAMETER_NAMES,
  type ListParameterName,
  type ParameterTexts,
  parseParameters,
} from '../../domain/query/parameters.ts';
import { type ByLang, byLang } from '../../domain/lang.ts';
import { countEvents } from '../../snapshot/count-events.ts';
import type { SiteState } from '../state.ts';
import { readSearchText } from './search-text.ts';

/** Pages of fixed days, which take the filters, and the search, which takes any days too. */
export type NarrowedKind = 'agenda' | 'search';

/** Something in a query that was left out, and why. */
export type Ignored =
  | { readonly reason: ListParameterName; readonly value: string }
  /** A name that is none; `meant` is the one that it comes near to. */
  | { readonly reason: 'name'; readonly value: string; readonly meant: string }
  /** Given twice, or not text. */
  | { readonly reason: 'repeated'; readonly value: string }
  /** Both a word for days and first and last days. */
  | { readonly reason: 'two_dates'; readonly value: string }
  /** Days, on a page that has its own. */
  | { readonly reason: 'fixed'; readonly value: string };

/** What a page understood of its query. */
export interface PageQuery {
  readonly filter: EventFilter;
  /** One spelling for each language; what pages link to. */
  readonly texts: ByLang<ParameterTexts>;
  readonly ignored: readonly Ignored[];
}

/** Nothing but days, and where a list goes on: not for a page whose days are fixed. */
const NOT_ON_AGENDA: ReadonlySet<string> = new Set(['date', 'from', 'to', 'limit', 'cursor']);

/** Whether a parameter is not for a page whose days are fixed. */
export const isFixedOnAgenda = (name: string): boolean => NOT_ON_AGENDA.has(name);

/** The query as sent, without its question mark. Never throws for what it says. */
export function readPageQuery(
  query: string,
  kind: NarrowedKind,
  { snapshot, now_ms }: Pick<SiteState, 'snapshot' | 'now_ms'>,
): PageQuery {
  const issues: string[] = [];
  const params = parseParameters(query, LIST_PARAMETER_NAMES, issues);
  const ignored: Ignored[] = issues.map(toIgnoredName);
  const given: Record<string, string> = {};
  const has_days = params.from !== undefined || params.to !== undefined;
  for (const name of LIST_PARAMETER_NAMES) {
    const value = params[name];
    // A page is in the language of its path.
    if (value === undefined || name === 'lang') continue;
    if (kind === 'agenda' && isFixedOnAgenda(name)) ignored.push({ reason: 'fixed', value });
    else if (name === 'date' && has_days) ignored.push({ reason: 'two_dates', value });
    else given[name] = value;
  }
  const { filter, texts, left_out } = readGiven(given, kind, { snapshot, now_ms });
  return {
    filter,
    texts: byLang((lang) => formatQuery(filter, texts, snapshot.taxonomy, lang)),
    ignored: [...ignored, ...left_out.map(({ name, value }) => ({ reason: name, value }))],
  };
}

/**
 * In a search the words for days, zones, categories, what is free or for families are filters too, unless only the
 * words as they stand find something (contract 7.32).
 */
function readGiven(
  given: Readonly<Record<string, string>>,
  kind: NarrowedKind,
  { snapshot, now_ms }: Pick<SiteState, 'snapshot' | 'now_ms'>,
): LenientQuery {
  const literal = readLeniently(given, snapshot, now_ms);
  const { q: text, ...others } = given;
  if (kind !== 'search' || text === undefined) return literal;
  const days = given.date ?? given.from ?? given.to;
  const taken = { ...others, ...(days === undefined ? {} : { date: days }) };
  const { q, texts } = readSearchText(text, snapshot.taxonomy, now_ms, taken);
  if (Object.keys(texts).length === 0) return literal;
  const read = readLeniently({ ...texts, ...others, ...(q && { q }) }, snapshot, now_ms);
  const finds = ({ filter }: LenientQuery): boolean => countEvents(snapshot, filter) > 0;
  return finds(read) || !finds(literal) ? read : literal;
}

/** An issue of the query's form, which begins with the name that it is about. */
function toIgnoredName(issue: string): Ignored {
  const name = issue.slice(0, issue.indexOf(': '));
  const is_known = LIST_PARAMETER_NAMES.some((known) => known === name);
  const meant = is_known ? null : findNearName(name, LIST_PARAMETER_NAMES);
  return meant === null
    ? { reason: 'repeated', value: name }
    : { reason: 'name', value: name, meant };
}

/** Of the filters that a page or a program says; throws AppError that names every issue. */
export function judgeEventQuery(
  params: ParameterTexts,
  issues: readonly string[],
  { snapshot, now_ms }: Pick<SiteState, 'snapshot' | 'now_ms'>,
): readonly string[] {
  parseEventQuery(params, snapshot, now_ms, 'list', issues);
  return issues;
}
