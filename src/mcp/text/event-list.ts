// A list of events for a reader: the query in words, notices, events, places, terms, how to go on.
import { splitByHour } from '../../domain/agenda-parts/hour-parts.ts';
import type { EventCard } from '../../domain/agenda.ts';
import { countDays, toCancunDay, toDayNumber } from '../../domain/cancun-time.ts';
import { foldNightclubs } from '../../domain/event/nightclub.ts';
import { type EventFilter, formatCursor } from '../../domain/query/event-query.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { findTaxon, type TaxonRecord } from '../../domain/taxon.ts';
import { toBriefDay } from '../../i18n/brief-dates.ts';
import { toListDoubt } from '../../i18n/confirm.ts';
import { toLongDays } from '../../i18n/dates.ts';
import {
  toNothingSections,
  toSpellingSentences,
  toUnplacedSentences,
} from '../../i18n/query-words.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { capitalise, t, tCount } from '../../i18n/translate.ts';
import { isAfterPlaces, renderNothing, toHourTitle } from '../../serializers/markdown/agenda.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { link, list as toItems, paragraph, plain, text } from '../../serializers/markdown/nodes.ts';
import { toAttribution } from '../../serializers/wire/meta.ts';
import type { McpContext } from '../context.ts';
import type { EventList } from '../lean/event-list.ts';
import type { ToldPlaces } from '../lean/place.ts';
import { cacheEntry } from './cache.ts';
import { toEventLine } from './event-line.ts';
import { fence } from './fence.ts';
import { toNoticesSection } from './notices.ts';

/** The days, or the hours of which days, that a query asks about. */
function toDays({ range, hours, now_ms }: EventFilter, lang: Lang): string {
  if (range === null) return t(lang, 'mcp.list.upcoming');
  const days = range.from.equals(range.to)
    ? toBriefDay(range.from, toCancunDay(now_ms).year, lang)
    : toLongDays(range, lang);
  return hours === null ? days : t(lang, `mcp.list.${hours.word}`, { days });
}

/** The zone that a query asks about, where it is one. */
function findZone({ zones }: EventFilter, { snapshot }: McpContext): TaxonRecord | null {
  const [key, ...others] = zones ?? [];
  return key === undefined || others.length > 0 ? null : findTaxon(snapshot.taxonomy.zones, key);
}

/** `Domingo 22 de noviembre, Centro`. */
function toAsked(filter: EventFilter, lang: Lang, context: McpContext): string {
  const zone = findZone(filter, context);
  return [capitalise(toDays(filter, lang)), ...(zone === null ? [] : [zone.name[lang]])].join(', ');
}

/** Whether it asks for today, which is told by the hour. */
function isToday({ range, hours, now_ms }: EventFilter): boolean {
  const today = toCancunDay(now_ms);
  return hours === null && range?.from.equals(today) === true && range.to.equals(today);
}

interface Section {
  /** Null where nothing else stands beside it. */
  readonly title: string | null;
  readonly cards: readonly EventCard[];
  readonly is_after_places: boolean;
}

/** The headings of a list: today's are those of its page; else the events, then the nightclubs. */
function toSections({ cards, beside, filter, lang, notices }: EventList): readonly Section[] {
  if (isToday(filter)) {
    const from = toCancunDay(filter.now_ms);
    const still_on = beside?.still_on ?? [];
    return splitByHour({ events: cards, still_on, from }, filter.now_ms).map((part) => ({
      title: toHourTitle(part, lang),
      cards: part.cards,
      is_after_places: isAfterPlaces(part),
    }));
  }
  const { others, nightclubs } = foldNightclubs(cards);
  const others_beside = [nightclubs, notices.now, notices.in_season, beside?.places.lines ?? []];
  const is_alone = others_beside.every((each) => each.length === 0);
  const title = `${t(lang, 'agenda.nightclubs')} (${t(lang, 'agenda.adults')})`;
  return [
    {
      title: is_alone ? null : t(lang, 'label.events'),
      cards: others,
      is_after_places: false,
    },
    { title, cards: nightclubs, is_after_places: true },
  ].filter((section) => section.cards.length > 0);
}

/** The events of a section, an item each; of one day their hours suffice. */
function toSectionText({ title, cards }: Section, list: EventList, context: McpContext): string {
  const { lang, filter } = list;
  const { snapshot, site, characters } = context;
  const { range, hours } = filter;
  const one_day = range !== null && countDays(range) === 1 ? toDayNumber(range.from) : null;
  const zone = findZone(filter, context) !== null;
  const { year } = toCancunDay(filter.now_ms);
  const lines = cards.map((card) => {
    const day = hours === null && card.next?.first_day === one_day;
    const { event, next, more_dates, distance_km = '' } = card;
    const key = `line ${lang} ${site.url} ${characters} ${day} ${zone} ${year} ${event.id} ${next?.id} ${more_dates} ${distance_km}`;
    return cacheEntry(snapshot, key, () => toEventLine(card, lang, site, { day, zone, year }));
  });
  return title === null ? lines.join('') : `## ${title}\n\n${lines.join('')}`;
}

/** The places that are open, a line each, and what is said of the others. */
function toPlacesText(
  { title, lines, sentences, more }: ToldPlaces,
  lang: Lang,
  site: Site,
): string {
  if (lines.length + sentences.length === 0) return '';
  const items = lines.map(({ place: { venue }, text: words }) => [
    link(toAbsolute(site.url, toThingPath('venue', venue.slug, lang)), venue.name),
    text(': '),
    plain(words),
  ]);
  const told = items.length > 0 ? [toMarkdown([toItems(items)])] : [];
  const others = sentences.map((sentence) => toMarkdown([paragraph(plain(sentence))]));
  const rest = more === null ? [] : [`${more}\n`];
  return [`## ${title}\n`, ...told, ...rest, ...others].join('\n');
}

/** What strangers wrote, fenced; nothing where there is none of it. */
function toFenced(list: EventList, context: McpContext): readonly string[] {
  const { lang, beside, notices } = list;
  const sections = toSections(list);
  const toTexts = (after_places: boolean): readonly string[] =>
    sections
      .filter(({ is_after_places }) => is_after_places === after_places)
      .map((section) => toSectionText(section, list, context));
  const { nothing } = list.said;
  const parts = [
    nothing === null
      ? ''
      : toMarkdown([renderNothing(toNothingSections(nothing, lang), lang, context.site)]),
    toNoticesSection(notices, lang, context),
    ...toTexts(false),
    beside === null ? '' : toPlacesText(beside.places, lang, context.site),
    ...toTexts(true),
  ].filter((part) => part !== '');
  return parts.length === 0 ? [] : [fence(parts.join('\n'), lang)];
}

/** The text beside `structuredContent`: each of the two is whole by itself (contract 13.9). */
export function toEventListText(list: EventList, context: McpContext): string {
  const { cards, filter, lang, next, hints, said, beside } = list;
  const { total } = said;
  const events = tCount(lang, 'events.count', total);
  const parts = [
    t(lang, 'mcp.list.opening', {
      asked: toAsked(filter, lang, context),
      count:
        cards.length === total
          ? events
          : t(lang, 'mcp.list.some', { count: cards.length, total: events }),
    }),
    ...toSpellingSentences(said.spellings, lang),
    ...toUnplacedSentences(said.near, lang),
    ...[toListDoubt([...(beside?.still_on ?? []), ...cards], lang)].filter((line) => line !== null),
  ];
  if (list.day) parts.push(list.day.text);
  if (hints.length > 0) parts.push(hints.join('\n- '));
  parts.push(...toFenced(list, context), ...list.cut_hints);
  if (next) parts.push(t(lang, 'mcp.list.more', { cursor: formatCursor(next) }));
  parts.push(toAttribution(lang, context.site));
  return parts.join('\n\n');
}
