// The Markdown versions of pages: what each answers, what it and its page say of each other (contract 11.6;
// RFC 9110 8.7), and what the home page says of all that programs can read.
import { DEFAULT_LANG } from '../domain/lang.ts';
import {
  API_CATALOG_PATH,
  LLMS_PATH,
  OPENAPI_PATH,
  PAGE_PATHS,
  markdownPath,
  langOfPath,
} from '../i18n/paths.ts';
import { renderFailure, renderInvalidQuery } from '../serializers/markdown/document.ts';
import { parseMarkdownQuery } from './page-query.ts';
import { FAILURE_STATUS, type FailureKind } from './page-meta.ts';
import { matchPage } from './page-registry.ts';
import type { PageContext } from './page-context.ts';
import { redirectToResponse } from './visitor-request.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
/** The types of a page with a Markdown version; HTML wins ties. */
export const PAGE_TYPES = [HTML_TYPE, MARKDOWN_TYPE] as const;
export const MARKDOWN_HEADERS = { 'content-type': MARKDOWN_TYPE } as const;

/** Where a model reads what there is and how to ask for it. */
const LLMS_LINK = `<${LLMS_PATH}>; rel="describedby"; type="text/markdown"`;

/** A path with what is asked of it, percent-encoded. */
const withAsked = (path: string, query: string): string =>
  query === '' ? path : `${path}?${query}`;

/** The headers of a page that has one; `path` is as requested, `query` what it was narrowed by. */
export const pageAlternateHeaders = (
  path: string,
  query = '',
): Readonly<Record<string, string>> => ({
  vary: 'Accept',
  link: `<${withAsked(markdownPath(path), query)}>; rel="alternate"; type="text/markdown", ${LLMS_LINK}`,
});

/** The headers of one; `negotiated` where Accept asked for it at the address of the page. */
export const markdownHeaders = (
  path: string,
  site_url: string,
  negotiated: boolean,
  query = '',
): Readonly<Record<string, string>> => ({
  link: `<${site_url}${path}>; rel="canonical"`,
  'x-robots-tag': 'noindex',
  ...(negotiated && { vary: 'Accept', 'content-location': withAsked(markdownPath(path), query) }),
});

/**
 * What the home page says in its Link field to programs that look around (RFC 9727 4, RFC 8631):
 * the catalog of APIs, the description, the docs and llms.txt.
 */
export const DISCOVERY_LINKS = [
  `<${API_CATALOG_PATH}>; rel="api-catalog"`,
  `<${OPENAPI_PATH}>; rel="service-desc"; type="application/json"`,
  `<${PAGE_PATHS.docs[DEFAULT_LANG]}>; rel="service-doc"; type="text/html"`,
  LLMS_LINK,
].join(', ');

const respond = (text: string, status = 200): Response =>
  new Response(text, { status, headers: MARKDOWN_HEADERS });

/**
 * The Markdown version of the page at a path (decoded, without `.md`), with the status that the page has;
 * `sent` is the query as sent, which is honoured or refused (contract 3.7).
 */
export function createMarkdownResponse(state: PageContext, path: string, sent = ''): Response {
  const { site } = state;
  const page = matchPage(path);
  const lang = page?.lang ?? langOfPath(path);
  const fail = (failure: FailureKind): Response =>
    respond(renderFailure(failure, langOfPath(path), site), FAILURE_STATUS[failure]);
  if (!page?.has_markdown) return fail('not_found');
  const { text, problem } = parseMarkdownQuery(page, sent, state);
  const refuse = (issue: string): Response =>
    respond(renderInvalidQuery(issue, page.parameters, lang, site), 400);
  // What does not exist does not, whatever is asked of it.
  const written = page.write(state, problem === null ? text : '');
  if (problem !== null && (typeof written === 'string' || written.kind !== 'failure'))
    return refuse(problem);
  if (typeof written === 'string') return respond(written);
  if (written.kind === 'redirect') {
    const [to = '', asked = text] = written.location.split('?');
    return redirectToResponse({ ...written, location: withAsked(markdownPath(to), asked) });
  }
  return written.kind === 'failure' ? fail(written.failure) : refuse(written.issue ?? '');
}
