// News feeds: serializes new events, notices and changes as Atom (RFC 4287) and JSON Feed
// (jsonfeed.org/version/1.1; contract 8.21). A change here is an entry of the change log. Libraries
// would write times in UTC, but ours have their offset (contract 2.1).
import { createHash } from 'node:crypto';
import { CALENDAR_ID_DOMAIN } from '../town.ts';
import type { EventCard } from '../domain/agenda.ts';
import type { ChangeLogEntry } from '../domain/record-history.ts';
import { findUntranslatedTexts } from '../domain/event/event.ts';
import { getEffectiveStatus, listFacts } from '../domain/event/facts.ts';
import type { Lang } from '../domain/lang.ts';
import type { NoticeRecord } from '../domain/notice.ts';
import type { Site } from '../domain/site.ts';
import {
  formatChangeDetail,
  formatChangedName,
  changedRecordPath,
} from '../i18n/format-changes.ts';
import { formatFactLines } from '../i18n/format-facts.ts';
import { formatNoticeRemarks, formatNoticePeriod } from '../i18n/format-day.ts';
import { absoluteUrl, noticePath, pagePath, pictureLink, recordPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { escapeXml } from './sanitize-text.ts';

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';
export const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8';

/** One entry, independent of the format. */
export interface NewsFeedItem {
  /** A URN; permanent, even if title, URL or host change. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** Plain text paragraphs, which may contain line ends. */
  readonly paragraphs: readonly string[];
  /** Timestamp of the last update. */
  readonly updated: string;
  /** Null or omitted without a picture. */
  readonly picture?: ReturnType<typeof pictureLink>;
  /** Labels in the language of the feed. */
  readonly tags: readonly string[];
}

/** A feed, independent of the format. */
export interface NewsFeed {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  /** Absolute URLs of the HTML page with the same content, and of the feed. */
  readonly page_url: string;
  readonly feed_url: string;
  readonly lang: Lang;
  readonly site: Site;
  /** Time of the last update if there are no items. */
  readonly generated_at: string;
  /** Newest first. */
  readonly items: readonly NewsFeedItem[];
}

/** The URL namespace of RFC 9562. */
const UUID_NAMESPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/**
 * Returns a version 5 UUID (RFC 9562, 5.5) of a record id as a URN; it does not depend on host or
 * title.
 */
export function urnOfId(id: string): string {
  const bytes = createHash('sha1')
    .update(UUID_NAMESPACE)
    .update(`${CALENDAR_ID_DOMAIN}:${id}`)
    .digest();
  // Version 5 and variant 10 in binary.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.subarray(0, 16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, 'urn:uuid:$1-$2-$3-$4-$5');
}

/**
 * Builds the item of an event with its date, place and price; the title shows if it is cancelled or
 * postponed.
 */
export function eventFeedItem(card: EventCard, lang: Lang, site: Site): NewsFeedItem {
  const { event, category, zone, next } = card;
  const status = getEffectiveStatus(event, next);
  const title = event.title[lang];
  const original_lang = findUntranslatedTexts(event, lang).summary;
  const facts = listFacts(card, 'feed').map(
    ({ name, value }) => `${t(lang, `label.${name}`)}: ${formatFactLines(value, lang).join(', ')}`,
  );
  return {
    id: urnOfId(event.id),
    url: absoluteUrl(site.url, recordPath('event', event.slug, lang)),
    title: status === null ? title : t(lang, `ics.status.${status}`, { title }),
    paragraphs: [
      ...(original_lang === undefined ? [] : [`${t(lang, `original.${original_lang}`)}:`]),
      event.summary[lang],
      facts.join('\n'),
    ],
    updated: event.updated_at,
    picture: pictureLink(card, lang, site),
    tags: [category, zone].flatMap((taxon) => (taxon === null ? [] : [taxon.name[lang]])),
  };
}

/** Builds the item of a notice with its severity, text, period and source. */
export function noticeFeedItem(notice: NoticeRecord, lang: Lang, site: Site): NewsFeedItem {
  const severity = t(lang, `notice.severity.${notice.severity}`);
  const facts = [
    `${t(lang, 'label.until')}: ${formatNoticePeriod(notice, lang)}`,
    ...(notice.source === null ? [] : [`${t(lang, 'label.source')}: ${notice.source}`]),
  ];
  return {
    id: urnOfId(notice.id),
    url: absoluteUrl(site.url, noticePath(notice.id, lang)),
    title: `${severity}: ${notice.title[lang]}`,
    paragraphs: [
      ...notice.body[lang].split(/\n\s*\n/),
      ...formatNoticeRemarks(notice, lang),
      facts.join('\n'),
    ],
    updated: notice.updated_at,
    tags: [t(lang, `notice.type.${notice.type}`)],
  };
}

/**
 * Builds the item of a change log entry. `thing`: the current record; null if it was withdrawn.
 * `at`: the time of the change.
 */
export function changeFeedItem(change: ChangeLogEntry, lang: Lang, site: Site): NewsFeedItem {
  const { id, thing, at } = change;
  const change_word = t(lang, `changes.word.${change.change}`);
  const detail = formatChangeDetail(change, lang);
  const path = thing === null ? pagePath('changes', lang) : changedRecordPath(thing, lang);
  return {
    id: urnOfId(`${id} ${change.change} ${at}`),
    url: absoluteUrl(site.url, path),
    title: `${change_word}: ${formatChangedName(change, lang)}`,
    paragraphs: detail === null ? [] : [detail],
    updated: at,
    tags: [change_word],
  };
}

/** Returns the time of the newest item, which is the first. */
const getUpdated = ({ items, generated_at }: NewsFeed): string => items[0]?.updated ?? generated_at;

/** Display width of pictures in CSS pixels, as wide as the column of a feed reader. */
const DISPLAY_WIDTH = 320;

/** Renders the picture and the paragraphs as HTML, with all text escaped. */
function renderItemHtml({ picture, paragraphs }: NewsFeedItem): string {
  const paragraphs_html = paragraphs
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeXml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`);
  if (!picture) return paragraphs_html.join('');
  const { url, alt, width, height } = picture;
  const display_height = Math.round((height * DISPLAY_WIDTH) / width);
  const img = `<img src="${escapeXml(url)}" width="${DISPLAY_WIDTH}" height="${display_height}" alt="${escapeXml(alt)}">`;
  return `<p>${img}</p>${paragraphs_html.join('')}`;
}

function renderAtomEntry(item: NewsFeedItem): string {
  const { id, url, title, paragraphs, updated, tags } = item;
  return [
    '<entry>',
    `<id>${id}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`,
    `<updated>${updated}</updated>`,
    ...tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
    `<summary>${escapeXml(paragraphs[0] ?? '')}</summary>`,
    `<content type="html">${escapeXml(renderItemHtml(item))}</content>`,
    '</entry>',
  ].join('\n');
}

/** Writes a feed as an Atom document. */
export function toAtom(feed: NewsFeed): string {
  const { id, title, subtitle, page_url, feed_url, lang, site, items } = feed;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${t(lang, 'site.html_lang')}">`,
    `<id>${id}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<subtitle>${escapeXml(subtitle)}</subtitle>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(feed_url)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(page_url)}"/>`,
    `<updated>${getUpdated(feed)}</updated>`,
    `<author><name>${escapeXml(site.name)}</name><uri>${escapeXml(site.url)}</uri></author>`,
    `<icon>${escapeXml(`${site.url}/favicon.svg`)}</icon>`,
    ...items.map(renderAtomEntry),
    '</feed>',
    '',
  ].join('\n');
}

/** Writes a feed as a JSON Feed document. */
export function toJsonFeed(feed: NewsFeed): string {
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
    items: items.map((item) => ({
      id: item.id,
      url: item.url,
      title: item.title,
      summary: item.paragraphs[0] ?? '',
      content_text: item.paragraphs.join('\n\n'),
      content_html: renderItemHtml(item),
      ...(item.picture && { image: item.picture.url }),
      date_modified: item.updated,
      ...(item.tags.length === 0 ? {} : { tags: item.tags }),
    })),
  });
}
