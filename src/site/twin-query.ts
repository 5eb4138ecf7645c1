// What is asked behind the address of a Markdown twin: each parameter is honoured or refused with what
// is accepted, never ignored, for no program reads a page's sentence about it (contract 3.7).
import { AppError } from '../domain/app-error.ts';
import type { ParameterTexts } from '../domain/filters/filter.ts';
import { parseEventQuery } from '../domain/filters/event-query.ts';
import { LIST_PARAMETER_NAMES } from '../domain/filters/filters.ts';
import { parsePlaceQuery } from '../domain/filters/place-query.ts';
import { parseParameters, withoutTrackers } from '../http/address.ts';
import { PAGE_PATHS, toMarkdownPath } from '../i18n/paths.ts';
import { CHOICE_NAMES } from './calendar.ts';
import { readSince } from './changes.ts';
import { DIRECTORY_NAMES } from './directory.ts';
import { FORM_NAMES } from './embed.ts';
import { isFixedOnAgenda, readPageQuery } from './narrowing/page-query.ts';
import { findTwin, type TwinRequest } from './twin-request.ts';
import type { SiteState } from './state.ts';

/** As much as is needed to judge a query. */
type Judge = Pick<SiteState, 'snapshot' | 'now_ms'>;

/** What a twin is asked. */
export interface TwinQuery {
  /** In one spelling, without what only says where its reader came from. */
  readonly text: string;
  /** Why it is refused, in the API's words; null where it is not. */
  readonly problem: string | null;
  /** The names that this twin takes. */
  readonly names: readonly string[];
}

/** The names that a twin takes; its language is that of its address, unless it writes for others. */
function listNames(twin: TwinRequest): readonly string[] {
  switch (twin.kind) {
    case 'agenda':
      return LIST_PARAMETER_NAMES.filter((name) => name !== 'lang' && !isFixedOnAgenda(name));
    case 'search':
      return LIST_PARAMETER_NAMES.filter((name) => name !== 'lang');
    case 'changes':
      return ['since'];
    case 'calendar':
      return CHOICE_NAMES;
    case 'embed':
      return FORM_NAMES;
    case 'directory':
      return DIRECTORY_NAMES[twin.section];
    default:
      return [];
  }
}

/** The query as sent behind a path, which is without `.md`; an address without a twin takes anything. */
export function readTwinQuery(path: string, sent: string, state: Judge): TwinQuery {
  const query = withoutTrackers(sent);
  const twin = query === '' ? null : findTwin(path, state.now_ms);
  if (twin === null) return { text: '', problem: null, names: [] };
  const names = listNames(twin);
  const issues: string[] = [];
  const params = parseParameters(query, names, issues);
  issues.push(...listUnknown(twin, query, names, issues));
  const problem = judge(twin, params, issues, state);
  return { text: problem === null ? toText(twin, query, names, state) : query, problem, names };
}

/** The names that are not taken and that nothing was said of. */
function listUnknown(
  twin: TwinRequest,
  query: string,
  names: readonly string[],
  said: readonly string[],
): string[] {
  const lang = twin.lang;
  const search = toMarkdownPath(PAGE_PATHS.search[lang]);
  const unknown = [...new URLSearchParams(query)].filter(
    ([name, value]) =>
      !names.includes(name) &&
      !(name === 'lang' && value === lang) &&
      !said.some((issue) => issue.startsWith(`${name}: `)),
  );
  return unknown.map(([name]) => {
    if (name === 'lang')
      return `lang: is not that of this address, which is in '${lang}'. The document links to the same in the other language`;
    if (twin.kind === 'agenda' && isFixedOnAgenda(name))
      return `${name}: is not for this address, which has its own days and lists all of them. Use ${search}`;
    return `${name}: is not a parameter of this address`;
  });
}

/** Every issue in one sentence; null where there is none. */
function judge(
  { kind }: TwinRequest,
  params: ParameterTexts,
  issues: readonly string[],
  { snapshot, now_ms }: Judge,
): string | null {
  try {
    if (kind === 'agenda' || kind === 'search')
      parseEventQuery(params, snapshot, now_ms, 'list', issues);
    else if (kind === 'directory') parsePlaceQuery(params, snapshot, now_ms, issues);
    else if (kind === 'changes' && readSince(params.since, now_ms).ignored !== null)
      return [...issues, SINCE_ISSUE].join('; ');
    return issues.length > 0 ? issues.join('; ') : null;
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.message;
    throw thrown;
  }
}

const SINCE_ISSUE =
  'since: is not a day that has been. Use YYYY-MM-DD, or an instant with its offset';

/** A query that is understood in one spelling: that of its filters where it takes them. */
function toText(
  { kind, lang }: TwinRequest,
  query: string,
  names: readonly string[],
  state: Judge,
): string {
  if (kind === 'agenda' || kind === 'search')
    return new URLSearchParams(readPageQuery(query, kind, state).texts[lang]).toString();
  // What is left of others is its own language, which goes without saying.
  return query
    .split('&')
    .filter((pair) => names.includes('lang') || !pair.startsWith('lang='))
    .join('&');
}
