// The query of an address in the one spelling that its page is made for and stored under. A Markdown version
// honours each parameter or refuses it with what is accepted (contract 3.7).
import { AppError } from '../domain/app-error.ts';
import { parseParameters, withoutTrackers } from '../domain/query/parameters.ts';
import { PAGE_PATHS, toMarkdownPath } from '../i18n/paths.ts';
import { type FoundPage, type Judge, MARKDOWN_ENDING } from './page-kind.ts';
import { isFixedOnAgenda, readPageQuery } from './page-query.ts';

export interface AskedQuery {
  /** Without its question mark; empty for the page as it is. */
  readonly text: string;
  /** Whether all of it was understood; the page says what was not, so it is like no other. */
  readonly is_understood: boolean;
}

/**
 * The query as sent, as the page reads it, or its Markdown version where the address is of that, which always
 * says what it understands.
 */
export function readAsked(
  page: FoundPage,
  address: string,
  query: string,
  state: Judge,
): AskedQuery {
  const { narrowed, lang, parameters } = page;
  if (address.endsWith(MARKDOWN_ENDING)) {
    const { text, problem } = readMarkdownQuery(page, query, state);
    return { text, is_understood: problem === null };
  }
  if (narrowed === null || query === '')
    return { text: parameters.length > 0 ? query : '', is_understood: true };
  const { texts, ignored } = readPageQuery(query, narrowed, state);
  if (ignored.length > 0) return { text: query, is_understood: false };
  return { text: new URLSearchParams(texts[lang]).toString(), is_understood: true };
}

export interface MarkdownQuery {
  /** In one spelling, without what only says where its reader came from. */
  readonly text: string;
  /** Why it is refused, in the API's words; null where it is not. */
  readonly problem: string | null;
}

export function readMarkdownQuery(page: FoundPage, sent: string, state: Judge): MarkdownQuery {
  const query = withoutTrackers(sent);
  if (query === '') return { text: '', problem: null };
  const issues: string[] = [];
  const params = parseParameters(query, page.parameters, issues);
  issues.push(...listUnknown(page, query, issues));
  const problem = findProblem(() => page.judge(params, issues, state));
  return { text: problem === null ? toText(page, query, state) : query, problem };
}

/** The names that are not taken and that nothing was said of. */
function listUnknown(
  { lang, parameters, narrowed }: FoundPage,
  query: string,
  said: readonly string[],
): string[] {
  const search = toMarkdownPath(PAGE_PATHS.search[lang]);
  const unknown = [...new URLSearchParams(query)].filter(
    ([name, value]) =>
      !parameters.includes(name) &&
      !(name === 'lang' && value === lang) &&
      !said.some((issue) => issue.startsWith(`${name}: `)),
  );
  return unknown.map(([name]) => {
    if (name === 'lang')
      return `lang: is not that of this address, which is in '${lang}'. The document links to the same in the other language`;
    if (narrowed === 'agenda' && isFixedOnAgenda(name))
      return `${name}: is not for this address, which has its own days and lists all of them. Use ${search}`;
    return `${name}: is not a parameter of this address`;
  });
}

/** Every issue in one sentence; null where there is none. */
function findProblem(judge: () => readonly string[]): string | null {
  try {
    const issues = judge();
    return issues.length > 0 ? issues.join('; ') : null;
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown.message;
    throw thrown;
  }
}

/** A query that is understood in one spelling: that of its filters where it takes them. */
function toText({ lang, parameters, narrowed }: FoundPage, query: string, state: Judge): string {
  if (narrowed !== null)
    return new URLSearchParams(readPageQuery(query, narrowed, state).texts[lang]).toString();
  // What is left of others is its own language, which goes without saying.
  return query
    .split('&')
    .filter((pair) => parameters.includes('lang') || !pair.startsWith('lang='))
    .join('&');
}
