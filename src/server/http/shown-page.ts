// What is shown at an address, and how long and since when it holds.
import { ASSET, IMMUTABLE, PAGE, toTodayCacheControl } from '../../http/cache-control.ts';
import type { Representation } from '../../http/representation.ts';
import { findToday } from '../../domain/today.ts';
import { hasMarkdownOnDemand, HTML_TYPE, MARKDOWN_TYPE } from '../../site/alternates.ts';
import { toMarkdownPath } from '../../i18n/paths.ts';
import type { RequestContext } from './request-context.ts';
import type { ReleaseState } from './release-state.ts';

export interface Shown {
  /** Where the page is found, decoded. */
  readonly address: string;
  /** Whether the clock chose it. */
  readonly is_alias: boolean;
}

/** Whether it can be had as Markdown too. */
export function hasMarkdown(state: ReleaseState, shown: Shown): boolean {
  if (shown.is_alias || state.files.has(toMarkdownPath(shown.address))) return true;
  return !state.files.has(shown.address) && hasMarkdownOnDemand(shown.address);
}

/**
 * An alias shows another page each day, so it has changed at midnight at the latest, whatever the
 * file's own date says.
 */
export function dateShown(
  context: RequestContext,
  shown: Shown,
  page: Representation,
): Representation {
  if (!shown.is_alias || page.last_modified_ms === null) return page;
  return {
    ...page,
    last_modified_ms: Math.max(page.last_modified_ms, findToday(context.now_ms).start_ms),
  };
}

/** How long it may be kept; a page that failed or is missing says so itself. */
export function toCacheHeaders(
  context: RequestContext,
  shown: Shown,
  page: Representation,
): Record<string, string> {
  if (page.status !== 200) return {};
  if (shown.is_alias) return { 'cache-control': toTodayCacheControl(context.now_ms) };
  if (shown.address.startsWith('/_astro/')) return { 'cache-control': IMMUTABLE };
  const type = page.headers['content-type'];
  return { 'cache-control': type === HTML_TYPE || type === MARKDOWN_TYPE ? PAGE : ASSET };
}
