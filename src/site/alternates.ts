// Which pages exist as HTML and as Markdown, what each says of the other (contract 11.6; RFC 9110
// 8.7), and what the home page says of all that programs can read.
import { DEFAULT_LANG } from '../domain/lang.ts';
import {
  AI_CATALOG_PATH,
  API_CATALOG_PATH,
  LLMS_PATH,
  OPENAPI_PATH,
  PAGE_PATHS,
  toMarkdownPath,
} from '../i18n/paths.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** The types of a page with an alternate; HTML wins ties. */
export const PAGE_TYPES = [HTML_TYPE, MARKDOWN_TYPE] as const;

/** Where a model reads what there is and how to ask for it. */
const LLMS_LINK = `<${LLMS_PATH}>; rel="describedby"; type="text/markdown"`;

/** A path with what is asked of it, percent-encoded. */
const toAsked = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`);

/**
 * The headers of a page that has one; `path` is as requested, percent-encoded, without `.md`, and
 * `query` what it was narrowed by.
 */
export function toPageAlternateHeaders(path: string, query = ''): Readonly<Record<string, string>> {
  return {
    vary: 'Accept',
    link: `<${toAsked(toMarkdownPath(path), query)}>; rel="alternate"; type="text/markdown", ${LLMS_LINK}`,
  };
}

/**
 * The headers of a Markdown alternate; `negotiated` where Accept asked for it at the address of the
 * page.
 */
export function toMarkdownHeaders(
  path: string,
  site_url: string,
  negotiated: boolean,
  query = '',
): Readonly<Record<string, string>> {
  return {
    link: `<${site_url}${path}>; rel="canonical"`,
    'x-robots-tag': 'noindex',
    ...(negotiated
      ? { vary: 'Accept', 'content-location': toAsked(toMarkdownPath(path), query) }
      : {}),
  };
}

/**
 * What the home page says in its Link field to programs that look around (RFC 9727 4, RFC 8631):
 * the catalog of APIs, the description, the docs, llms.txt and the catalog for
 * agents.
 */
export const DISCOVERY_LINKS = [
  `<${API_CATALOG_PATH}>; rel="api-catalog"`,
  `<${OPENAPI_PATH}>; rel="service-desc"; type="application/json"`,
  `<${PAGE_PATHS.docs[DEFAULT_LANG]}>; rel="service-doc"; type="text/html"`,
  LLMS_LINK,
  `<${AI_CATALOG_PATH}>; rel="ai-catalog"`,
].join(', ');
