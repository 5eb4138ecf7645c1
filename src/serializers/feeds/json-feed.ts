// A feed as JSON Feed 1.1 (jsonfeed.org/version/1.1).
import { t } from '../../i18n/translate.ts';
import { toHtml } from './atom.ts';
import type { Feed } from './feed.ts';

export const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8';

/** The whole document. */
export function toJsonFeed(feed: Feed): string {
  const { title, subtitle, page_url, feed_url, lang, site, items } = feed;
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description: subtitle,
    home_page_url: page_url,
    feed_url,
    language: t(lang, 'site.html_lang'),
    icon: `${site.url}/favicon.svg`,
    authors: [{ name: site.name, url: site.url }],
    items: items.map(({ id, url, title: item_title, paragraphs, updated, tags }) => ({
      id,
      url,
      title: item_title,
      summary: paragraphs[0] ?? '',
      content_text: paragraphs.join('\n\n'),
      content_html: toHtml(paragraphs),
      date_modified: updated,
      ...(tags.length === 0 ? {} : { tags }),
    })),
  });
}
