// Answers as HTTP: the status and the headers that an answer without a page needs; Markdown twins
// whole.
import { FAILURE_STATUS } from '../components/failures/failure-kind.ts';
import type { Lang } from '../domain/lang.ts';
import { toTwinPath } from '../i18n/paths.ts';
import { toAgendaMarkdown } from '../serializers/markdown/agenda.ts';
import { toEventMarkdown } from '../serializers/markdown/event.ts';
import { toFailureMarkdown } from '../serializers/markdown/failure.ts';
import { toOrganizerMarkdown } from '../serializers/markdown/organizer.ts';
import { toVenueMarkdown } from '../serializers/markdown/venue.ts';
import type { SiteState } from './state.ts';
import { answerPage, type ContentAnswer, type PageAnswer } from './page.ts';
import type { PageQuestion } from './page-request.ts';

/** The headers of a Markdown document. */
export const MARKDOWN = { 'content-type': 'text/markdown; charset=utf-8' } as const;

/** The status of an answer. */
export function toStatus(answer: PageAnswer): number {
  if (answer.kind === 'moved') return 301;
  return answer.kind === 'failure' ? FAILURE_STATUS[answer.failure] : 200;
}

/** A permanent redirection to a path of ours (RFC 9110, 15.4.2). */
export const redirectTo = (location: string): Response =>
  new Response(null, { status: 301, headers: { location } });

/** The same answer as Markdown; null where a page has no twin. */
function toMarkdown(answer: ContentAnswer, { site, snapshot, now_ms }: SiteState): string | null {
  const { lang } = answer.page.meta;
  switch (answer.kind) {
    case 'agenda':
      return toAgendaMarkdown(
        answer.page.agenda,
        lang,
        site,
        answer.page.kind,
        snapshot.taxonomy.zones,
        answer.page.occurrences,
      );
    case 'event':
      return toEventMarkdown(answer.page.detail, lang, site, now_ms);
    case 'venue':
      return toVenueMarkdown(answer.page.venue, answer.page.cards, snapshot.taxonomy, lang, site);
    case 'organizer':
      return toOrganizerMarkdown(answer.page.organizer, answer.page.cards, lang, site);
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
  question: PageQuestion | null,
  lang: Lang = question?.lang ?? 'es',
): Response {
  const answer = answerPage(state, question);
  if (answer.kind === 'moved') return redirectTo(toTwinPath(answer.location));
  const text = answer.kind === 'failure' ? null : toMarkdown(answer, state);
  if (text !== null) return new Response(text, { headers: MARKDOWN });
  const failure = answer.kind === 'failure' ? answer.failure : 'not_found';
  return new Response(toFailureMarkdown(failure, lang, state.site), {
    status: FAILURE_STATUS[failure],
    headers: MARKDOWN,
  });
}
