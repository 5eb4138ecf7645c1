// What the Markdown version of a page answers: the same view as the page, as a document.
import { toMarkdownPath, toPathLang } from '../i18n/paths.ts';
import { renderFailure, renderRefusal } from '../serializers/markdown/document.ts';
import { MARKDOWN_TYPE } from './alternates.ts';
import { redirectTo } from './answer.ts';
import { FAILURE_STATUS, type Failure } from './page.ts';
import { findPage } from './registry.ts';
import type { SiteState } from './state.ts';
import { readMarkdownQuery } from './asked-query.ts';
import { toRedirectResponse } from './visit.ts';

/** The headers of a Markdown document. */
export const MARKDOWN = { 'content-type': MARKDOWN_TYPE } as const;

const respond = (text: string, status = 200): Response =>
  new Response(text, { status, headers: MARKDOWN });

/**
 * The Markdown version of the page at a path (decoded, without `.md`), with the status that the page has;
 * `sent` is the query as sent, which is honoured or refused (contract 3.7).
 */
export function respondMarkdown(state: SiteState, path: string, sent = ''): Response {
  const { site } = state;
  const page = findPage(path);
  const lang = page?.lang ?? toPathLang(path);
  const fail = (failure: Failure['failure']): Response =>
    respond(renderFailure(failure, lang, site), FAILURE_STATUS[failure]);
  if (!page?.has_markdown) return fail('not_found');
  const { text, problem } = readMarkdownQuery(page, sent, state);
  const refuse = (issue: string): Response =>
    respond(renderRefusal(issue, page.parameters, lang, site), 400);
  if (problem !== null) return refuse(problem);
  const written = page.write(state, text);
  if (typeof written === 'string') return respond(written);
  if (written.kind === 'moved')
    return redirectTo(toMarkdownPath(written.location) + (text === '' ? '' : `?${text}`));
  if (written.kind === 'redirect') return toRedirectResponse(written);
  return written.kind === 'failure' ? fail(written.failure) : refuse(written.issue ?? '');
}
