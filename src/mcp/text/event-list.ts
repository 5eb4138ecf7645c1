// A list of events for a reader: the query in words, notices, events, terms, how to go on.
import type { EventCard } from '../../domain/agenda.ts';
import { type Cursor, formatCursor } from '../../domain/filters/cursor.ts';
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import { EVENT_FILTERS } from '../../domain/filters/filters.ts';
import { LIMITS } from '../../domain/filters/limit.ts';
import type { Lang } from '../../domain/lang.ts';
import type { OpenPlace } from '../../domain/venue-day.ts';
import type { DayRange } from '../../domain/filters/range.ts';
import { toLongDays } from '../../i18n/dates.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { toEventEntry } from '../../serializers/markdown/event-entry.ts';
import { toOpenPlacesSection } from '../../serializers/markdown/open-places.ts';
import { toAttribution } from '../../serializers/wire/meta.ts';
import { findHits } from '../../snapshot/find-events.ts';
import type { McpContext } from '../context.ts';
import { cacheEntry } from './cache.ts';
import { fence } from './fence.ts';
import { toFilterNotices } from './notices.ts';

const toDays = (range: DayRange | null, lang: Lang): string =>
  range === null ? t(lang, 'mcp.list.upcoming') : toLongDays(range, lang);

/**
 * An event under a level 3 heading that is a link: day and hours in words, place, price, status,
 * summary.
 */
function toEventText(card: EventCard, lang: Lang, { snapshot, site }: McpContext): string {
  const key = `event ${lang} ${site.url} ${card.event.id} ${card.next?.id ?? ''} ${card.more_dates}`;
  return cacheEntry(snapshot, key, () => toMarkdown(toEventEntry(card, lang, site, 3, false)));
}

/**
 * What an empty list would hold with one filter less, so that a model can offer the next best thing
 * without asking again: `Sin zone hay 3 eventos.` for each filter without which there is something.
 */
function toFewerFilters(
  filter: EventFilter,
  lang: Lang,
  { snapshot }: McpContext,
): readonly string[] {
  return EVENT_FILTERS.flatMap(({ name, off, isOn }) => {
    if (!isOn(filter)) return [];
    const { length } = findHits(
      snapshot,
      { ...filter, ...off, after: null, limit: LIMITS.list.max },
      lang,
    ).hits;
    return length === 0
      ? []
      : [
          `- ${t(lang, 'mcp.list.without', { filter: name, count: tCount(lang, 'events.count', length) })}`,
        ];
  });
}

/**
 * The text beside `structuredContent`; every event of it is in, so that one of the two is enough.
 */
export function toEventListText(
  cards: readonly EventCard[],
  places: readonly OpenPlace[],
  next: Cursor | null,
  filter: EventFilter,
  lang: Lang,
  context: McpContext,
): string {
  const opening = t(lang, 'mcp.list.opening', {
    days: toDays(filter.range, lang),
    count: tCount(lang, 'events.count', cards.length),
    zone: t(lang, 'time.zone'),
  });
  const notices = toFilterNotices(filter, lang, context);
  const events = cards.map((card) => toEventText(card, lang, context));
  const parts = [opening];
  if (cards.length === 0)
    parts.push([t(lang, 'mcp.list.none'), ...toFewerFilters(filter, lang, context)].join('\n'));
  const open = toMarkdown(
    toOpenPlacesSection(places, t(lang, 'opening.title.today'), lang, context.site),
  );
  if (cards.length > 0 || notices !== '' || places.length > 0)
    parts.push(
      fence(
        [
          notices,
          ...(events.length > 0 ? [`## ${t(lang, 'label.events')}\n`, ...events] : []),
          ...(places.length > 0 ? [open] : []),
        ].join('\n'),
        lang,
      ),
    );
  if (next) parts.push(t(lang, 'mcp.list.more', { cursor: formatCursor(next) }));
  parts.push(toAttribution(lang, context.site));
  return parts.join('\n\n');
}
