// Markdown responses: serve the Markdown version of a page, and build the Link and Vary headers
// that connect a page with its Markdown version (contract 11.6; RFC 9110 8.7) and the home page
// with the documents for programs.
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

/** Content types of pages. */
export const HTML_TYPE = 'text/html; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';
/** The types of a page with a Markdown version; HTML wins ties. */
export const PAGE_TYPES = [HTML_TYPE, MARKDOWN_TYPE] as const;
export const MARKDOWN_HEADERS = { 'content-type': MARKDOWN_TYPE } as const;

/** Link header value that points models to llms.txt. */
const LLMS_LINK = `<${LLMS_PATH}>; rel="describedby"; type="text/markdown"`;

/** Appends a percent-encoded query, if it is not empty. */
const joinQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}?${query}`;

/**
 * Returns the headers of a page with a Markdown version.
 * @param path As requested.
 * @param query The normalized filters.
 */
export const pageAlternateHeaders = (
  path: string,
  query = '',
): Readonly<Record<string, string>> => ({
  vary: 'Accept',
  link: `<${joinQuery(markdownPath(path), query)}>; rel="alternate"; type="text/markdown", ${LLMS_LINK}`,
});

/**
 * Returns the headers of a Markdown version.
 * @param negotiated Whether Accept selected it at the page's own address.
 */
export const markdownHeaders = (
  path: string,
  site_url: string,
  negotiated: boolean,
  query = '',
): Readonly<Record<string, string>> => ({
  link: `<${site_url}${path}>; rel="canonical"`,
  'x-robots-tag': 'noindex',
  ...(negotiated && { vary: 'Accept', 'content-location': joinQuery(markdownPath(path), query) }),
});

/**
 * Link header of the home page for programs (RFC 9727 4, RFC 8631): API catalog, OpenAPI, docs and
 * llms.txt.
 */
export const DISCOVERY_LINKS = [
  `<${API_CATALOG_PATH}>; rel="api-catalog"`,
  `<${OPENAPI_PATH}>; rel="service-desc"; type="application/json"`,
  `<${PAGE_PATHS.docs[DEFAULT_LANG]}>; rel="service-doc"; type="text/html"`,
  LLMS_LINK,
].join(', ');

const createResponse = (text: string, status = 200): Response =>
  new Response(text, { status, headers: MARKDOWN_HEADERS });

/**
 * Serves the Markdown version of a page, with the page's status.
 * @param path Decoded, without `.md`.
 * @param raw_query Each parameter is applied or rejected (contract 3.7).
 */
export function createMarkdownResponse(
  context: PageContext,
  path: string,
  raw_query = '',
): Response {
  const { site } = context;
  const page = matchPage(path);
  const lang = page?.lang ?? langOfPath(path);
  const fail = (failure: FailureKind): Response =>
    createResponse(renderFailure(failure, langOfPath(path), site), FAILURE_STATUS[failure]);
  if (!page?.has_markdown) return fail('not_found');
  const { text, problem } = parseMarkdownQuery(page, raw_query, context);
  const reject = (issue: string): Response =>
    createResponse(renderInvalidQuery(issue, page.parameters, lang, site), 400);
  // A missing page is 404 or 410 even if its query is invalid.
  const markdown = page.renderMarkdown(context, problem === null ? text : '');
  if (problem !== null && (typeof markdown === 'string' || markdown.kind !== 'failure'))
    return reject(problem);
  if (typeof markdown === 'string') return createResponse(markdown);
  if (markdown.kind === 'redirect') {
    const [target = '', query = text] = markdown.location.split('?');
    return redirectToResponse({ ...markdown, location: joinQuery(markdownPath(target), query) });
  }
  return markdown.kind === 'failure' ? fail(markdown.failure) : reject(markdown.issue ?? '');
}
