// A list of events for a reader: the query in words, notices, events, terms, how to go on.
import type { EventCard } from '../../domain/agenda.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';

import type { DayFacts } from '../../domain/day/day-facts.ts';
import { type Cursor, formatCursor } from '../../domain/filters/cursor.ts';
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import { foldNightclubs } from '../../domain/event/nightclub.ts';
import { EVENT_FILTERS } from '../../domain/filters/filters.ts';
import { LIMITS } from '../../domain/filters/limit.ts';
import type { Lang } from '../../domain/lang.ts';
import type { OpenPlace } from '../../domain/venue-day.ts';
import { toLongDays } from '../../i18n/dates.ts';
import { toSpellingSentences } from '../../i18n/spelling.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { toDayFactsEntry } from '../../serializers/markdown/day-facts.ts';
import { toEventEntry } from '../../serializers/markdown/event-entry.ts';
import { toOpenPlacesSection } from '../../serializers/markdown/open-places.ts';
import { toAttribution } from '../../serializers/wire/meta.ts';
import { findHits } from '../../snapshot/find-events.ts';
import { findSpellings } from '../../snapshot/scan.ts';
import type { McpContext } from '../context.ts';
import { cacheEntry } from './cache.ts';
import { fence } from './fence.ts';
import { toFilterNotices } from './notices.ts';

/** The days, or the hours of which days, that a query asks about. */
function toDays({ range, hours }: EventFilter, lang: Lang): string {
  if (range === null) return t(lang, 'mcp.list.upcoming');
  return hours === null
    ? toLongDays(range, lang)
    : t(lang, `mcp.list.${hours.word}`, { days: toLongDays(range, lang) });
}

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

/** `Antros de esta noche (18+)`; without the night where more than today is asked for. */
function toNightclubsTitle({ range, now_ms }: EventFilter, lang: Lang): string {
  const today = toCancunDay(now_ms);
  const is_today = range?.from.equals(today) === true && range.to.equals(today);
  const title = t(lang, is_today ? 'agenda.nightclubs.tonight' : 'agenda.nightclubs');
  return `${title} (${t(lang, 'agenda.adults')})`;
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
  facts: DayFacts | null = null,
): string {
  const opening = t(lang, 'mcp.list.opening', {
    days: toDays(filter, lang),
    count: tCount(lang, 'events.count', cards.length),
    zone: t(lang, 'time.zone'),
  });
  const notices = toFilterNotices(filter, lang, context);
  const { others, nightclubs } = foldNightclubs(cards);
  const toTexts = (title: string, part: readonly EventCard[]): readonly string[] =>
    part.length === 0
      ? []
      : [`## ${title}\n`, ...part.map((card) => toEventText(card, lang, context))];
  const parts = [opening, ...toSpellingSentences(findSpellings(context.snapshot, filter), lang)];
  if (facts !== null) parts.push(toMarkdown(toDayFactsEntry(facts, lang)).trimEnd());
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
          ...toTexts(t(lang, 'label.events'), others),
          ...(places.length > 0 ? [open] : []),
          ...toTexts(toNightclubsTitle(filter, lang), nightclubs),
        ].join('\n'),
        lang,
      ),
    );
  if (next) parts.push(t(lang, 'mcp.list.more', { cursor: formatCursor(next) }));
  parts.push(toAttribution(lang, context.site));
  return parts.join('\n\n');
}
