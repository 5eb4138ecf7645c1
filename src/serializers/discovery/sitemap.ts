// sitemap.xml (sitemaps.org 0.9): every page in every language, each naming the others.
import { DEFAULT_LANG, LANGS, type LocalText } from '../../domain/lang.ts';
import { toAbsolute } from '../../i18n/paths.ts';
import { toXml } from '../xml.ts';

export interface SitemapEntry {
  readonly paths: LocalText;
  /** When what the page says last changed, with offset; null where the day decides. */
  readonly updated_at: string | null;
}

/** Addresses that one file may have. */
export const MAX_SITEMAP_URLS = 50_000;

function toUrls({ paths, updated_at }: SitemapEntry, site_url: string): string[] {
  const address = (path: string): string => toXml(toAbsolute(site_url, path));
  const links = [
    ...LANGS.map((lang) => [lang, paths[lang]] as const),
    ['x-default', paths[DEFAULT_LANG]] as const,
  ]
    .map(
      ([lang, path]) => `<xhtml:link rel="alternate" hreflang="${lang}" href="${address(path)}"/>`,
    )
    .join('');
  // The schema wants foreign elements last: lastmod first, then the links.
  const lastmod = updated_at === null ? '' : `<lastmod>${updated_at}</lastmod>`;
  return LANGS.map((lang) => `<url><loc>${address(paths[lang])}</loc>${lastmod}${links}</url>`);
}

/**
 * The file; entries past MAX_SITEMAP_URLS addresses are left out, so the most wanted come first.
 */
export function toSitemap(entries: readonly SitemapEntry[], site_url: string): string {
  const urls = entries
    .slice(0, MAX_SITEMAP_URLS / LANGS.length)
    .flatMap((entry) => toUrls(entry, site_url));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}
