// The query of an address in the one spelling that its page is made for and stored under: a page
// that takes the filters is the same whatever else stands there.
import { type FoundPage, type Judge, MARKDOWN_ENDING } from '../page-kind.ts';
import { readTwinQuery } from '../twin-query.ts';
import { readPageQuery } from './page-query.ts';

/** What is asked of a page. */
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
    const { text, problem } = readTwinQuery(page, query, state);
    return { text, is_understood: problem === null };
  }
  if (narrowed === null || query === '')
    return { text: parameters.length > 0 ? query : '', is_understood: true };
  const { texts, ignored } = readPageQuery(query, narrowed, state);
  if (ignored.length > 0) return { text: query, is_understood: false };
  return { text: new URLSearchParams(texts[lang]).toString(), is_understood: true };
}
