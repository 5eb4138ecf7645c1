// What is new in the agenda, notices and changes as Atom (RFC 4287) and JSON Feed
// (jsonfeed.org/version/1.1; contract 8.21). Not by a library: those write moments in UTC, ours carry their offset (2.1).
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
import { absoluteUrl, pagePath, pictureLink, recordPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { escapeXml } from './sanitize-text.ts';

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';
export const JSON_FEED_TYPE = 'application/feed+json; charset=utf-8';

export interface NewsFeedItem {
  /** For good, whatever becomes of title, address and host. */
  readonly id: string;
  readonly url: string;
  readonly title: string;
  /** Plain text, one paragraph an entry; line ends inside are kept. */
  readonly paragraphs: readonly string[];
  readonly updated: string;
  readonly picture?: ReturnType<typeof pictureLink>;
  readonly tags: readonly string[];
}

export interface NewsFeed {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  /** The page that a person would read instead; where this very feed is. Both absolute. */
  readonly page_url: string;
  readonly feed_url: string;
  readonly lang: Lang;
  readonly site: Site;
  /** Where it has no items. */
  readonly generated_at: string;
  /** Newest first. */
  readonly items: readonly NewsFeedItem[];
}

/** Of RFC 9562, the one for names that are addresses. */
const NAME_SPACE = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** A UUID of version 5 (RFC 9562, 5.5) as a URN: from our own id, which outlives host and title. */
export function urnOfId(id: string): string {
  const bytes = createHash('sha1')
    .update(NAME_SPACE)
    .update(`${CALENDAR_ID_DOMAIN}:${id}`)
    .digest();
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.subarray(0, 16).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, 'urn:uuid:$1-$2-$3-$4-$5');
}

/** An event with when, where and for how much; its title says where it was called off. */
export function eventFeedItem(card: EventCard, lang: Lang, site: Site): NewsFeedItem {
  const { event, category, zone, next } = card;
  const status = getEffectiveStatus(event, next);
  const title = event.title[lang];
  const written = findUntranslatedTexts(event, lang).summary;
  const facts = listFacts(card, 'feed').map(
    ({ name, value }) => `${t(lang, `label.${name}`)}: ${formatFactLines(value, lang).join(', ')}`,
  );
  return {
    id: urnOfId(event.id),
    url: absoluteUrl(site.url, recordPath('event', event.slug, lang)),
    title: status === null ? title : t(lang, `ics.status.${status}`, { title }),
    paragraphs: [
      ...(written === undefined ? [] : [`${t(lang, `original.${written}`)}:`]),
      event.summary[lang],
      facts.join('\n'),
    ],
    updated: event.updated_at,
    picture: pictureLink(card, lang, site),
    tags: [category, zone].flatMap((taxon) => (taxon === null ? [] : [taxon.name[lang]])),
  };
}

/** A notice with its severity in the title, what it says, how long it holds and who says it. */
export function noticeFeedItem(notice: NoticeRecord, lang: Lang, site: Site): NewsFeedItem {
  const severity = t(lang, `notice.severity.${notice.severity}`);
  const facts = [
    `${t(lang, 'label.until')}: ${formatNoticePeriod(notice, lang)}`,
    ...(notice.source === null ? [] : [`${t(lang, 'label.source')}: ${notice.source}`]),
  ];
  return {
    id: urnOfId(notice.id),
    url: absoluteUrl(site.url, pagePath('notices', lang)),
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

export function changeFeedItem(change: ChangeLogEntry, lang: Lang, site: Site): NewsFeedItem {
  const { id, thing, at } = change;
  const word = t(lang, `changes.word.${change.change}`);
  const detail = formatChangeDetail(change, lang);
  const path = thing === null ? pagePath('changes', lang) : changedRecordPath(thing, lang);
  return {
    id: urnOfId(`${id} ${change.change} ${at}`),
    url: absoluteUrl(site.url, path),
    title: `${word}: ${formatChangedName(change, lang)}`,
    paragraphs: detail === null ? [] : [detail],
    updated: at,
    tags: [word],
  };
}

/** When anything in it last changed: the newest stands first. */
const toUpdated = ({ items, generated_at }: NewsFeed): string => items[0]?.updated ?? generated_at;

/** As wide as a column of a reader's program; the picture has more pixels. */
const SHOWN_WIDTH = 320;

/** The picture and the paragraphs as HTML in which every word is text. */
function toHtml({ picture, paragraphs }: NewsFeedItem): string {
  const texts = paragraphs
    .filter((paragraph) => paragraph.trim() !== '')
    .map((paragraph) => `<p>${escapeXml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`);
  if (!picture) return texts.join('');
  const { url, alt, width, height } = picture;
  const shown = Math.round((height * SHOWN_WIDTH) / width);
  const img = `<img src="${escapeXml(url)}" width="${SHOWN_WIDTH}" height="${shown}" alt="${escapeXml(alt)}">`;
  return `<p>${img}</p>${texts.join('')}`;
}

function toEntry(item: NewsFeedItem): string {
  const { id, url, title, paragraphs, updated, tags } = item;
  return [
    '<entry>',
    `<id>${id}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`,
    `<updated>${updated}</updated>`,
    ...tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
    `<summary>${escapeXml(paragraphs[0] ?? '')}</summary>`,
    `<content type="html">${escapeXml(toHtml(item))}</content>`,
    '</entry>',
  ].join('\n');
}

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
    `<updated>${toUpdated(feed)}</updated>`,
    `<author><name>${escapeXml(site.name)}</name><uri>${escapeXml(site.url)}</uri></author>`,
    `<icon>${escapeXml(`${site.url}/favicon.svg`)}</icon>`,
    ...items.map(toEntry),
    '</feed>',
    '',
  ].join('\n');
}

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
      content_html: toHtml(item),
      ...(item.picture && { image: item.picture.url }),
      date_modified: item.updated,
      ...(item.tags.length === 0 ? {} : { tags: item.tags }),
    })),
  });
}
