// What the Markdown twin of a page answers: the same result as the page, as a document.
import { toMarkdownPath, toPathLang } from '../i18n/paths.ts';
import { toAgendaMarkdown } from '../serializers/markdown/agenda.ts';
import { toCalendarMarkdown } from '../serializers/markdown/calendar.ts';
import { toChangesMarkdown } from '../serializers/markdown/changes.ts';
import { toDataMarkdown } from '../serializers/markdown/data.ts';
import { toDatesMarkdown } from '../serializers/markdown/event-dates.ts';
import { toDirectoryMarkdown } from '../serializers/markdown/directory.ts';
import { toDocsMarkdown } from '../serializers/markdown/docs.ts';
import { toEmbedMarkdown } from '../serializers/markdown/embed.ts';
import { toEventMarkdown } from '../serializers/markdown/event.ts';
import { toFailureMarkdown } from '../serializers/markdown/failure.ts';
import { toGuideMarkdown } from '../serializers/markdown/guide.ts';
import { toMapMarkdown } from '../serializers/markdown/map.ts';
import { NOT_NARROWED, type NarrowedText } from '../serializers/markdown/narrowed.ts';
import { toNoticesMarkdown } from '../serializers/markdown/notices.ts';
import { toOrganizerMarkdown } from '../serializers/markdown/organizer.ts';
import { toRefusalMarkdown } from '../serializers/markdown/refusal.ts';
import { toSearchMarkdown } from '../serializers/markdown/search.ts';
import { toImportMarkdown } from '../serializers/markdown/import.ts';
import { toSubmitMarkdown } from '../serializers/markdown/submit.ts';
import { toTaxonMarkdown } from '../serializers/markdown/taxon.ts';
import { toVenueMarkdown } from '../serializers/markdown/venue.ts';
import type { AgendaResult } from './agenda.ts';
import { MARKDOWN_TYPE } from './alternates.ts';
import { type ContentResult, redirectTo, resolvePage } from './answer.ts';
import { resolveCalendar } from './calendar.ts';
import { resolveEmbed } from './embed.ts';
import { FAILURE_STATUS, type Failure } from './page.ts';
import type { SearchResult } from './search.ts';
import type { SiteState } from './state.ts';
import { readTwinQuery } from './twin-query.ts';
import { findTwin } from './twin-request.ts';

/** The headers of a Markdown document. */
export const MARKDOWN = { 'content-type': MARKDOWN_TYPE } as const;

/** What the Markdown of a list says of its filters. */
const toNarrowedText = ({
  narrowing: { remarks, ways_out, nothing },
  words,
  meta: { query },
}: (AgendaResult | SearchResult)['page']): NarrowedText => ({
  words,
  remarks,
  ways_out,
  nothing,
  query: query ?? NOT_NARROWED.query,
});

/** The same result as Markdown. */
function toMarkdown(result: ContentResult, { site, snapshot, now_ms }: SiteState): string {
  const { lang } = result.page.meta;
  const { taxonomy } = snapshot;
  switch (result.kind) {
    case 'agenda': {
      const { agenda, kind, occurrences, facts, hour_ms } = result.page;
      const { zones } = taxonomy;
      const narrowed = toNarrowedText(result.page);
      return toAgendaMarkdown(
        agenda,
        lang,
        site,
        kind,
        zones,
        occurrences,
        facts,
        narrowed,
        hour_ms,
      );
    }
    case 'search':
      return toSearchMarkdown(result.page, toNarrowedText(result.page), lang, site);
    case 'map':
      return toMapMarkdown(result.page, lang, site);
    case 'notices':
      return toNoticesMarkdown(result.page.board, lang, site, taxonomy.zones);
    case 'changes':
      return toChangesMarkdown(result.page, lang, site);
    case 'guide':
      return toGuideMarkdown(result.page.guide, result.page.sections, lang, site);
    case 'docs':
      return toDocsMarkdown(result.page.guide, lang, site);
    case 'data': {
      const { meta: _meta, ...data } = result.page;
      return toDataMarkdown(data, lang, site);
    }
    case 'directory':
      return toDirectoryMarkdown(result.page, lang, site);
    case 'event':
      return toEventMarkdown(result.page.detail, lang, site, now_ms);
    case 'dates':
      return toDatesMarkdown(result.page.detail, lang, site, now_ms);
    case 'venue': {
      const { venue, today, cards } = result.page;
      return toVenueMarkdown(venue, today, cards, taxonomy, lang, site);
    }
    case 'organizer':
      return toOrganizerMarkdown(result.page.organizer, result.page.cards, lang, site);
    case 'taxon':
      return toTaxonMarkdown(result.page, lang, site);
  }
}

const respond = (text: string, status = 200): Response =>
  new Response(text, { status, headers: MARKDOWN });

/**
 * The Markdown twin of the page at a path (decoded, without `.md`), with the status that the page has;
 * `sent` is the query as sent, which is honoured or refused (contract 3.7).
 */
export function respondMarkdown(state: SiteState, path: string, sent = ''): Response {
  const { site, snapshot } = state;
  const twin = findTwin(path, state.now_ms);
  const lang = twin?.lang ?? toPathLang(path);
  const fail = (failure: Failure['failure']): Response =>
    respond(toFailureMarkdown(failure, lang, site), FAILURE_STATUS[failure]);
  if (twin === null) return fail('not_found');
  const { text, problem, names } = readTwinQuery(path, sent, state);
  const refuse = (issue: string): Response =>
    respond(toRefusalMarkdown(issue, names, lang, site), 400);
  if (problem !== null) return refuse(problem);
  switch (twin.kind) {
    case 'calendar': {
      const { page } = resolveCalendar(state, text, lang);
      return page.issue === null
        ? respond(toCalendarMarkdown(page, lang, site))
        : refuse(page.issue);
    }
    case 'embed': {
      const { page } = resolveEmbed(state, text, lang);
      return page.issue === null ? respond(toEmbedMarkdown(page, lang, site)) : refuse(page.issue);
    }
    case 'import':
      return respond(toImportMarkdown(lang, site));
    case 'submit':
      return respond(toSubmitMarkdown(snapshot.taxonomy, lang, site));
    default: {
      const result = resolvePage(state, twin, text);
      if (result.kind === 'moved')
        return redirectTo(toMarkdownPath(result.location) + (text === '' ? '' : `?${text}`));
      return result.kind === 'failure' ? fail(result.failure) : respond(toMarkdown(result, state));
    }
  }
}
