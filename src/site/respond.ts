// Answers as HTTP: the status and the headers that an answer without a page needs; Markdown twins
// whole.
import { FAILURE_STATUS } from '../components/failures/failure-kind.ts';
import type { Lang } from '../domain/lang.ts';
import { toMarkdownPath } from '../i18n/paths.ts';
import { toAgendaMarkdown } from '../serializers/markdown/agenda.ts';
import { toEventMarkdown } from '../serializers/markdown/event.ts';
import { toFailureMarkdown } from '../serializers/markdown/failure.ts';
import { toOrganizerMarkdown } from '../serializers/markdown/organizer.ts';
import { toVenueMarkdown } from '../serializers/markdown/venue.ts';
import type { SiteState } from './state.ts';
import { resolvePage, type ContentResult, type PageResult } from './page.ts';
import type { PageRequest } from './page-request.ts';

/** The headers of a Markdown document. */
export const MARKDOWN = { 'content-type': 'text/markdown; charset=utf-8' } as const;

/** The status of an answer. */
export function toStatus(result: PageResult): number {
  if (result.kind === 'moved') return 301;
  return result.kind === 'failure' ? FAILURE_STATUS[result.failure] : 200;
}

/** A permanent redirection to a path of ours (RFC 9110, 15.4.2). */
export const redirectTo = (location: string): Response =>
  new Response(null, { status: 301, headers: { location } });

/** The same answer as Markdown; null where a page has no twin. */
function toMarkdown(result: ContentResult, { site, snapshot, now_ms }: SiteState): string | null {
  const { lang } = result.page.meta;
  switch (result.kind) {
    case 'agenda':
      return toAgendaMarkdown(
        result.page.agenda,
        lang,
        site,
        result.page.kind,
        snapshot.taxonomy.zones,
        result.page.occurrences,
      );
    case 'event':
      return toEventMarkdown(result.page.detail, lang, site, now_ms);
    case 'venue':
      return toVenueMarkdown(result.page.venue, result.page.cards, snapshot.taxonomy, lang, site);
    case 'organizer':
      return toOrganizerMarkdown(result.page.organizer, result.page.cards, lang, site);
    case 'taxon':
      return null;
  }
}

/**
 * The Markdown twin of a page, with the status that the page has; `lang` is that of a path that
 * asks nothing we know.
 */
export function respondMarkdown(
  state: SiteState,
  request: PageRequest | null,
  lang: Lang = request?.lang ?? 'es',
): Response {
  const result = resolvePage(state, request);
  if (result.kind === 'moved') return redirectTo(toMarkdownPath(result.location));
  const text = result.kind === 'failure' ? null : toMarkdown(result, state);
  if (text !== null) return new Response(text, { headers: MARKDOWN });
  const failure = result.kind === 'failure' ? result.failure : 'not_found';
  return new Response(toFailureMarkdown(failure, lang, state.site), {
    status: FAILURE_STATUS[failure],
    headers: MARKDOWN,
  });
}
