// Events and notices as Markdown entries, the same as in the site's own documents.
import type { EventCard } from '../../domain/agenda.ts';
import type { Lang } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { toEventEntry } from '../../serializers/markdown/event-entry.ts';
import { toNoticeEntry } from '../../serializers/markdown/notice-entry.ts';
import type { McpContext } from '../context.ts';
import { cacheEntry } from './cache.ts';

/**
 * An event under a level 3 heading that is a link: day and hours in words, place, price, status,
 * summary.
 */
export function toEventText(card: EventCard, lang: Lang, { snapshot, site }: McpContext): string {
  const key = `event ${lang} ${site.url} ${card.event.id} ${card.next?.id ?? ''} ${card.more_dates}`;
  return cacheEntry(snapshot, key, () => toMarkdown(toEventEntry(card, lang, site, 3, false)));
}

/**
 * A notice under a level 3 heading: severity, type, title, what it says, where, how long, who says
 * it.
 */
export function toNoticeText(notice: NoticeRecord, lang: Lang, { snapshot }: McpContext): string {
  return cacheEntry(snapshot, `notice ${lang} ${notice.id}`, () =>
    toMarkdown(toNoticeEntry(notice, snapshot.taxonomy.zones, lang)),
  );
}
