// Discovery files: builds the files by which programs find their way: the API catalog for API
// clients, OpenSearch and the web manifest for browsers, robots.txt and the sitemap for crawlers.
import { townColor } from '../town.ts';
import { AGENDA_KEYWORDS } from '../domain/date-keywords.ts';
import { MAP_LABEL_KEY } from '../domain/town-map.ts';
import { DEFAULT_LANG, LANGS, type Lang, type LocalText } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import {
  API_BASE,
  API_CATALOG_PATH,
  HEALTH_PATH,
  LLMS_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  PAGE_PATHS,
  SECTION_PATHS,
  SERVER_CARD_PATH,
  SITEMAP_PATH,
  STATUS_PATH,
  absoluteUrl,
  homePath,
  openSearchPath,
  pagePath,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { escapeXml } from './sanitize-text.ts';

/** Media type of the API catalog, a linkset (RFC 9264) with the profile of RFC 9727. */
export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/**
 * Builds the catalog of both interfaces, REST and MCP, with their descriptions, docs, terms and
 * status.
 */
export function buildApiCatalog({ url }: Pick<Site, 'url'>) {
  const createLink = (path: string, type: string) => ({ href: absoluteUrl(url, path), type });
  const docs = LANGS.map((lang) => createLink(PAGE_PATHS.docs[lang], 'text/html'));
  const api = absoluteUrl(url, API_BASE);
  const mcp = absoluteUrl(url, MCP_PATH);
  return {
    linkset: [
      { anchor: absoluteUrl(url, API_CATALOG_PATH), item: [{ href: api }, { href: mcp }] },
      {
        anchor: api,
        'service-desc': [createLink(OPENAPI_PATH, 'application/json')],
        'service-doc': docs,
        'terms-of-service': docs.map(({ href, type }) => ({ href: `${href}#terms`, type })),
        status: [HEALTH_PATH, STATUS_PATH].map((path) => createLink(path, 'application/json')),
      },
      {
        anchor: mcp,
        'service-meta': [createLink(SERVER_CARD_PATH, 'application/mcp-server-card+json')],
        'service-doc': docs,
      },
    ],
  };
}

export const OPENSEARCH_TYPE = 'application/opensearchdescription+xml; charset=utf-8';

/** Maximum characters of a ShortName (OpenSearch 1.1). */
const MAX_SHORT_NAME_LENGTH = 16;

/**
 * Builds the description by which browsers offer the site search in the address bar (OpenSearch
 * 1.1).
 */
export function buildOpenSearch(lang: Lang, site: Site): string {
  const search = `${escapeXml(absoluteUrl(site.url, pagePath('search', lang)))}?q={searchTerms}`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    `<ShortName>${escapeXml(site.name.slice(0, MAX_SHORT_NAME_LENGTH))}</ShortName>`,
    `<Description>${escapeXml(t(lang, 'opensearch.description'))}</Description>`,
    `<Language>${t(lang, 'site.html_lang')}</Language>`,
    '<InputEncoding>UTF-8</InputEncoding>',
    '<OutputEncoding>UTF-8</OutputEncoding>',
    `<Image height="16" width="16" type="image/svg+xml">${escapeXml(absoluteUrl(site.url, '/favicon.svg'))}</Image>`,
    `<Url type="text/html" template="${search}"/>`,
    `<Url type="application/opensearchdescription+xml" rel="self" template="${escapeXml(absoluteUrl(site.url, openSearchPath(lang)))}"/>`,
    '</OpenSearchDescription>',
    '',
  ].join('\n');
}

/**
 * Disallowed URL patterns: pages with two or more filters. Crawlers that combine filters would
 * never finish, and such pages list nothing new (contract 11.7). Pages with one filter may be
 * crawled.
 */
const MULTI_FILTER_PATTERNS = LANGS.flatMap((lang) => [
  ...[...AGENDA_KEYWORDS, 'search' as const].map((page) => `${PAGE_PATHS[page][lang]}?*&`),
  `${SECTION_PATHS.day[lang]}/*?*&`,
]);

/**
 * Builds robots.txt (RFC 9309; contentsignals.org): allows search and AI input, declines training
 * (contract 1.5).
 */
export const buildRobotsTxt = ({ url }: Pick<Site, 'url'>): string =>
  [
    `# ${absoluteUrl(url, LLMS_PATH)}`,
    'User-agent: *',
    'Content-Signal: search=yes, ai-input=yes, ai-train=no',
    'Allow: /',
    ...MULTI_FILTER_PATTERNS.map((pattern) => `Disallow: ${pattern}`),
    '',
    `Sitemap: ${absoluteUrl(url, SITEMAP_PATH)}`,
    '',
  ].join('\n');

/** A page in all its languages. */
export interface SitemapEntry {
  /** Path in each language. */
  readonly paths: LocalText;
  /**
   * Timestamp of the last change of the page's data; null if the page depends on the current day.
   */
  readonly updated_at: string | null;
}

/** Maximum URLs in one sitemap file (sitemaps.org). */
export const MAX_SITEMAP_URLS = 50_000;

/** Builds one `<url>` element per language of a page, each with links to all languages. */
function buildUrlElements({ paths, updated_at }: SitemapEntry, site_url: string): string[] {
  const buildEscapedUrl = (path: string): string => escapeXml(absoluteUrl(site_url, path));
  const alternate_links = [
    ...LANGS.map((lang) => [lang, paths[lang]] as const),
    ['x-default', paths[DEFAULT_LANG]] as const,
  ]
    .map(
      ([lang, path]) =>
        `<xhtml:link rel="alternate" hreflang="${lang}" href="${buildEscapedUrl(path)}"/>`,
    )
    .join('');
  // The schema requires foreign elements last: lastmod first, then the links.
  const lastmod = updated_at === null ? '' : `<lastmod>${updated_at}</lastmod>`;
  return LANGS.map(
    (lang) => `<url><loc>${buildEscapedUrl(paths[lang])}</loc>${lastmod}${alternate_links}</url>`,
  );
}

/**
 * Builds sitemap.xml (sitemaps.org 0.9), where each URL links its translations. Entries beyond
 * MAX_SITEMAP_URLS are omitted, so the most important must come first.
 */
export function buildSitemap(entries: readonly SitemapEntry[], site_url: string): string {
  const urls = entries
    .slice(0, MAX_SITEMAP_URLS / LANGS.length)
    .flatMap((entry) => buildUrlElements(entry, site_url));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** Widths in pixels of the icons in public/icons. */
const ICON_SIZES = [192, 512] as const;

/** Builds the manifest for installing the site on a phone (W3C); it opens today's agenda. */
export const buildWebManifest = (site: Site, lang: Lang) => ({
  id: homePath(lang),
  name: site.name,
  short_name: site.name,
  description: t(lang, 'footer.about'),
  lang: t(lang, 'site.html_lang'),
  start_url: pagePath('today', lang),
  scope: '/',
  display: 'standalone',
  theme_color: townColor('sky'),
  background_color: townColor('sand'),
  icons: ICON_SIZES.flatMap((size) => [
    { src: `/icons/icon-${size}.png`, sizes: `${size}x${size}`, type: 'image/png' },
    {
      src: `/icons/maskable-${size}.png`,
      sizes: `${size}x${size}`,
      type: 'image/png',
      purpose: 'maskable',
    },
  ]),
  shortcuts: (['tomorrow', 'weekend', 'map'] as const).map((page) => ({
    name: t(lang, `nav.${page === 'map' ? MAP_LABEL_KEY : page}`),
    url: pagePath(page, lang),
  })),
});
