// A list of events for a reader: the query in words, notices, events, terms, how to go on.
import { splitByHour } from '../../domain/agenda-parts/hour-parts.ts';
import type { EventCard } from '../../domain/agenda.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import type { DayFacts } from '../../domain/day/day-facts.ts';
import { type Cursor, formatCursor } from '../../domain/filters/cursor.ts';
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import { foldNightclubs } from '../../domain/event/nightclub.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { OpenPlace } from '../../domain/venue-day.ts';
import { toLongDays } from '../../i18n/dates.ts';
import { toNothingSections } from '../../i18n/nothing-words.ts';
import { toSpellingSentences } from '../../i18n/spelling.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toUnplacedSentences } from '../../i18n/unplaced.ts';
import { isAfterPlaces, toHourTitle } from '../../serializers/markdown/agenda.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { toDayFactsEntry } from '../../serializers/markdown/day-facts.ts';
import { toEventEntry } from '../../serializers/markdown/event-entry.ts';
import { toNothingEntry } from '../../serializers/markdown/narrowed.ts';
import { toOpenPlacesSection } from '../../serializers/markdown/open-places.ts';
import { toAttribution } from '../../serializers/wire/meta.ts';
import type { Nothing } from '../../snapshot/find-nothing.ts';
import type { ListFacts } from '../../snapshot/read-list-facts.ts';
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
  const key = `event ${lang} ${site.url} ${card.event.id} ${card.next?.id ?? ''} ${card.more_dates} ${card.distance_km ?? ''}`;
  return cacheEntry(snapshot, key, () => toMarkdown(toEventEntry(card, lang, site, 3, false)));
}

/**
 * What there is in place of an empty list, so that a model can offer the next best thing without
 * asking again: `Sin zone: 3 eventos.` for each filter, another day, what comes near, what is over.
 */
function toNothingText(nothing: Nothing, lang: Lang, site: Site): string {
  const fewer = nothing.without.map(
    ({ parameter, count }) =>
      `- ${t(lang, 'mcp.list.without', { filter: parameter, count: tCount(lang, 'events.count', count) })}`,
  );
  const found = toMarkdown(toNothingEntry(toNothingSections(nothing, lang), lang, site)).trim();
  return [
    [t(lang, 'mcp.list.none'), ...fewer].join('\n'),
    ...(found === '' ? [] : [fence(found, lang)]),
  ].join('\n\n');
}

/** Whether it asks for today, which is told by the hour. */
function isToday({ range, hours, now_ms }: EventFilter): boolean {
  const today = toCancunDay(now_ms);
  return hours === null && range?.from.equals(today) === true && range.to.equals(today);
}

interface Section {
  readonly title: string;
  readonly cards: readonly EventCard[];
  readonly is_after_places: boolean;
}

/** The headings of a list: today's are those of its page; else the events, then the nightclubs. */
function toSections(list: EventListParts, filter: EventFilter, lang: Lang): readonly Section[] {
  const { cards, still_on } = list;
  if (isToday(filter)) {
    const from = toCancunDay(filter.now_ms);
    return splitByHour({ events: cards, still_on, from }, filter.now_ms).map((part) => ({
      title: toHourTitle(part, lang),
      cards: part.cards,
      is_after_places: isAfterPlaces(part),
    }));
  }
  const { others, nightclubs } = foldNightclubs(cards);
  const title = `${t(lang, 'agenda.nightclubs')} (${t(lang, 'agenda.adults')})`;
  return [
    { title: t(lang, 'label.events'), cards: others, is_after_places: false },
    { title, cards: nightclubs, is_after_places: true },
  ].filter((section) => section.cards.length > 0);
}

/** What a list holds, beside the query that asked for it. */
export interface EventListParts {
  readonly cards: readonly EventCard[];
  /** Last night's that go on, where today is asked for. */
  readonly still_on: readonly EventCard[];
  readonly places: readonly OpenPlace[];
  readonly facts: DayFacts | null;
  readonly next: Cursor | null;
  readonly said: ListFacts;
}

/**
 * The text beside `structuredContent`; every event of it is in, so that one of the two is enough.
 */
export function toEventListText(
  list: EventListParts,
  filter: EventFilter,
  lang: Lang,
  context: McpContext,
): string {
  const { cards, places, facts, next, said } = list;
  const opening = t(lang, 'mcp.list.opening', {
    days: toDays(filter, lang),
    count: tCount(lang, 'events.count', cards.length),
    zone: t(lang, 'time.zone'),
  });
  const notices = toFilterNotices(filter, lang, context);
  const sections = toSections(list, filter, lang);
  const toTexts = (after_places: boolean): readonly string[] =>
    sections
      .filter(({ is_after_places }) => is_after_places === after_places)
      .flatMap((section) => [
        `## ${section.title}\n`,
        ...section.cards.map((card) => toEventText(card, lang, context)),
      ]);
  const parts = [
    opening,
    ...toSpellingSentences(said.spellings, lang),
    ...toUnplacedSentences(said.without_place, lang),
  ];
  if (facts !== null) parts.push(toMarkdown(toDayFactsEntry(facts, lang)).trimEnd());
  if (said.nothing !== null) parts.push(toNothingText(said.nothing, lang, context.site));
  const open = toMarkdown(
    toOpenPlacesSection(places, t(lang, 'opening.title.today'), filter.now_ms, lang, context.site),
  );
  if (sections.length > 0 || notices !== '' || places.length > 0)
    parts.push(
      fence(
        [notices, ...toTexts(false), ...(places.length > 0 ? [open] : []), ...toTexts(true)].join(
          '\n',
        ),
        lang,
      ),
    );
  if (next) parts.push(t(lang, 'mcp.list.more', { cursor: formatCursor(next) }));
  parts.push(toAttribution(lang, context.site));
  return parts.join('\n\n');
}
