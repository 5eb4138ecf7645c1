// The query of an address in the one spelling that its page is made for and stored under: a page
// that takes the filters is the same whatever else stands there.
import { parsePagePath } from '../page-request.ts';
import type { SiteState } from '../state.ts';
import { readTwinQuery } from '../twin-query.ts';
import { readPageQuery } from './page-query.ts';

/** What an address asks of a page that takes the filters. */
export interface AskedQuery {
  /** Without its question mark; empty for the page as it is. */
  readonly text: string;
  /** Whether all of it was understood; the page says what was not, so it is like no other. */
  readonly is_understood: boolean;
}

/**
 * The query as sent, as the page at an address (decoded) reads it; null for a page that takes no
 * filters. A Markdown twin always says what it understands.
 */
export function toAskedQuery(
  address: string,
  query: string,
  state: Pick<SiteState, 'snapshot' | 'now_ms'>,
): AskedQuery | null {
  if (address.endsWith('.md')) {
    const { text, problem } = readTwinQuery(address.slice(0, -'.md'.length), query, state);
    return { text, is_understood: problem === null };
  }
  const page = parsePagePath(address, state.now_ms);
  if (page?.kind !== 'agenda' && page?.kind !== 'search') return null;
  if (query === '') return { text: '', is_understood: true };
  const { texts, ignored } = readPageQuery(query, page.kind, state);
  if (ignored.length > 0) return { text: query, is_understood: false };
  return {
    text: new URLSearchParams(texts[page.lang]).toString(),
    is_understood: true,
  };
}
