// A feed as Atom (RFC 4287).
import { t } from '../../i18n/translate.ts';
import { toXml } from '../xml.ts';
import { type Feed, type FeedItem, toUpdated } from './feed.ts';

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** Paragraphs as HTML in which every word is text. */
export const toHtml = (paragraphs: readonly string[]): string =>
  paragraphs
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${toXml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('');

const toEntry = ({ id, url, title, paragraphs, updated, tags }: FeedItem): string =>
  [
    '<entry>',
    `<id>${id}</id>`,
    `<title>${toXml(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${toXml(url)}"/>`,
    `<updated>${updated}</updated>`,
    ...tags.map((tag) => `<category term="${toXml(tag)}"/>`),
    `<summary>${toXml(paragraphs[0] ?? '')}</summary>`,
    `<content type="html">${toXml(toHtml(paragraphs))}</content>`,
    '</entry>',
  ].join('\n');

/** The whole document. */
export function toAtom(feed: Feed): string {
  const { id, title, subtitle, page_url, feed_url, lang, site, items } = feed;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${t(lang, 'site.html_lang')}">`,
    `<id>${id}</id>`,
    `<title>${toXml(title)}</title>`,
    `<subtitle>${toXml(subtitle)}</subtitle>`,
    `<link rel="self" type="application/atom+xml" href="${toXml(feed_url)}"/>`,
    `<link rel="alternate" type="text/html" href="${toXml(page_url)}"/>`,
    `<updated>${toUpdated(feed)}</updated>`,
    `<author><name>${toXml(site.name)}</name><uri>${toXml(site.url)}</uri></author>`,
    `<icon>${toXml(`${site.url}/favicon.svg`)}</icon>`,
    ...items.map(toEntry),
    '</feed>',
    '',
  ].join('\n');
}
