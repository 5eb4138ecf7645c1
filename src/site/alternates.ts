// Which pages exist as HTML and as Markdown, and what each says of the other (decisions, HTTP 4;
// RFC 9110 8.7).
import { SECTION_PATHS, toMarkdownPath } from '../i18n/paths.ts';
import { LANGS } from '../domain/lang.ts';

export const HTML_TYPE = 'text/html; charset=utf-8';
export const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** What a page with a twin can be had as; HTML wins ties. */
export const PAGE_TYPES = [HTML_TYPE, MARKDOWN_TYPE] as const;

const ALTERNATE_SECTIONS = ['day', 'event', 'venue', 'organizer'] as const;

/** Whether a page that is rendered on demand has a twin: one of a thing or a day. */
export function hasMarkdownOnDemand(path: string): boolean {
  if (path.endsWith('.md')) return false;
  return ALTERNATE_SECTIONS.some((section) =>
    LANGS.some((lang) => path.startsWith(`${SECTION_PATHS[section][lang]}/`)),
  );
}

/** The headers of a page that has a twin; `path` is as asked, percent-encoded, without `.md`. */
export function toPageAlternateHeaders(path: string): Readonly<Record<string, string>> {
  return {
    vary: 'Accept',
    link: `<${toMarkdownPath(path)}>; rel="alternate"; type="text/markdown"`,
  };
}

/**
 * The headers of a Markdown twin; `negotiated` where it was asked for by Accept at the page's own
 * address.
 */
export function toMarkdownHeaders(
  path: string,
  site_url: string,
  negotiated: boolean,
): Readonly<Record<string, string>> {
  return {
    link: `<${site_url}${path}>; rel="canonical"`,
    'x-robots-tag': 'noindex',
    ...(negotiated ? { vary: 'Accept', 'content-location': toMarkdownPath(path) } : {}),
  };
}
