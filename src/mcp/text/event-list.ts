// A list of events for a reader: what was asked in words, notices, events, terms, how to go on.
import type { EventCard } from '../../domain/agenda.ts';
import { formatCursor, type Cursor } from '../../domain/filters/cursor.ts';
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import type { Lang } from '../../domain/lang.ts';
import type { DayRange } from '../../domain/filters/range.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toAttribution } from '../../serializers/wire/meta.ts';
import type { McpContext } from '../context.ts';
import { toEventText } from './entries.ts';
import { fence } from './fence.ts';
import { toFewerFilters } from './fewer-filters.ts';
import { toFilterNotices } from './notices.ts';

function toDays(range: DayRange | null, lang: Lang): string {
  if (range === null) return t(lang, 'mcp.list.upcoming');
  const [first, last] = [toLongDay(range.from, lang), toLongDay(range.to, lang)];
  return range.from.equals(range.to) ? first : t(lang, 'time.days', { first, last });
}

/**
 * The text beside `structuredContent`; every event of it is in, so that one of the two is enough.
 */
export function toEventListText(
  cards: readonly EventCard[],
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
  if (cards.length > 0 || notices !== '')
    parts.push(
      fence(
        [
          notices,
          ...(events.length > 0 ? [`## ${t(lang, 'label.events')}\n`, ...events] : []),
        ].join('\n'),
        lang,
      ),
    );
  if (next) parts.push(t(lang, 'mcp.list.more', { cursor: formatCursor(next) }));
  parts.push(toAttribution(lang, context.site));
  return parts.join('\n\n');
}
