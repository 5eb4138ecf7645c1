// The agenda of a day or of several as Markdown: notices first, then the events in order of
// time, then the places that are open; today's by the hour, as its page.
import type { RootContent } from 'mdast';
import type { AgendaKind } from '../../domain/agenda-words.ts';
import { type HourPart, splitByHour } from '../../domain/agenda-parts/hour-parts.ts';
import { isOver } from '../../domain/agenda-parts/several-days.ts';
import type { Agenda, EventCard } from '../../domain/agenda.ts';
import { fromDayNumber, toDayNumber } from '../../domain/cancun-time.ts';
import type { DayFacts } from '../../domain/day/day-facts.ts';
import type { OccurrenceRecord } from '../../domain/event/event.ts';
import { foldNightclubs } from '../../domain/event/nightclub.ts';
import { byLang, type Lang, type LocalText } from '../../domain/lang.ts';
import { splitNotices } from '../../domain/notices-of-day.ts';
import type { Site } from '../../domain/site.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import type { OpenPlace } from '../../domain/venue-day.ts';
import { toLongDay, toLongDays } from '../../i18n/dates.ts';
import { toOpenPlacesTitle } from '../../i18n/opening.ts';
import { tellPlaces } from '../../i18n/open-places.ts';
import { toPartTitle } from '../../i18n/part-titles.ts';
import { PAGE_PATHS, toAbsolute, toDayPath, toThingPath } from '../../i18n/paths.ts';
import { capitalise, t, tCount } from '../../i18n/translate.ts';
import { toCorrectLine } from './correct-line.ts';
import { toDayFactsEntry } from './day-facts.ts';
import { toDocument } from './document.ts';
import { toDoubtEntry, toEventEntry } from './event-entry.ts';
import { NOT_NARROWED, type NarrowedText, toNarrowedEntry } from './narrowed.ts';
import { heading, link, list, paragraph, plain, text } from './nodes.ts';
import { toNoticeEntry, toSeasonEntry } from './notice-entry.ts';

const isOneDay = (agenda: Agenda): boolean => agenda.from.equals(agenda.to);

function toPath(agenda: Agenda, kind: AgendaKind): LocalText {
  const day = agenda.from.toString();
  return kind === 'day' ? byLang((lang) => toDayPath(day, lang)) : PAGE_PATHS[kind];
}

/**
 * Cards by the day that they are listed under: that of `next`, or the first where it began before.
 */
function groupByDay(agenda: Agenda, cards: readonly EventCard[]): Map<number, EventCard[]> {
  const first = toDayNumber(agenda.from);
  const groups = new Map<number, EventCard[]>();
  for (const card of cards) {
    const day = Math.max(first, card.next?.first_day ?? first);
    groups.set(day, [...(groups.get(day) ?? []), card]);
  }
  return groups;
}

/** The other occurrences of each event in the agenda, by event, without those that took place before the next. */
function groupFurther(
  agenda: Agenda,
  occurrences: readonly OccurrenceRecord[],
): Map<string, OccurrenceRecord[]> {
  const nexts = new Map(agenda.events.map(({ event, next }) => [event.id, next]));
  const groups = new Map<string, OccurrenceRecord[]>();
  for (const occurrence of occurrences) {
    const next = nexts.get(occurrence.event);
    const took_place =
      occurrence.status === 'scheduled' && occurrence.start_ms < (next?.start_ms ?? 0);
    if (occurrence.id !== next?.id && !took_place)
      groups.set(occurrence.event, [...(groups.get(occurrence.event) ?? []), occurrence]);
  }
  return groups;
}

/** The nightclubs after all else, under a heading of their own. */
function toNightclubSection(
  cards: readonly EventCard[],
  kind: AgendaKind,
  toEntry: (card: EventCard) => RootContent[],
  lang: Lang,
): RootContent[] {
  if (cards.length === 0) return [];
  const title = t(lang, kind === 'today' ? 'agenda.nightclubs.tonight' : 'agenda.nightclubs');
  return [
    heading(2, plain(`${title} (${t(lang, 'agenda.adults')})`)),
    ...cards.flatMap((card) => toEntry(card)),
  ];
}

/** `Ahora`, `Antros abiertos ahora (18+)`, `Ya terminó (3)`: the heading of a part of today. */
export function toHourTitle({ key, cards }: HourPart, lang: Lang): string {
  const title = toPartTitle(key === 'nightclubs' ? 'nightclubs.tonight' : key, lang);
  if (key === 'ended') return `${title} (${cards.length})`;
  return key === 'nightclubs' || key === 'now_nightclubs'
    ? `${title} (${t(lang, 'agenda.adults')})`
    : title;
}

/** What stands after the places that are open. */
export const isAfterPlaces = ({ key }: HourPart): boolean =>
  key === 'nightclubs' || key === 'ended';

/** Today's events under the headings of its page, the open places among them. */
function toHourSections(
  agenda: Agenda,
  kind: AgendaKind,
  hour_ms: number,
  lang: Lang,
  site: Site,
): RootContent[] {
  const parts = splitByHour(agenda, hour_ms);
  const toSection = (part: HourPart): RootContent[] => [
    heading(2, plain(toHourTitle(part, lang))),
    ...part.cards.flatMap((card) => {
      const is_last_night = card.next !== null && card.next.first_day < toDayNumber(agenda.from);
      return toEventEntry(card, lang, site, 3, !is_last_night);
    }),
  ];
  return [
    ...parts.filter((part) => !isAfterPlaces(part)).flatMap(toSection),
    ...toOpenPlacesSection(
      agenda.open_places,
      toOpenPlacesTitle(kind, agenda.open_places, lang),
      hour_ms,
      lang,
      site,
    ),
    ...parts.filter(isAfterPlaces).flatMap(toSection),
  ];
}

/** Before several days that begin today: what of last night goes on, as their page says it. */
const toStillOnSections = (
  { still_on, from }: Agenda,
  hour_ms: number | null,
  lang: Lang,
  site: Site,
): RootContent[] =>
  hour_ms === null
    ? []
    : splitByHour({ events: [], still_on, from }, hour_ms).flatMap((part) => [
        heading(
          2,
          plain(part.key === 'now' ? t(lang, 'agenda.last_night') : toHourTitle(part, lang)),
        ),
        ...part.cards.flatMap((card) => toEventEntry(card, lang, site, 3, false)),
      ]);

/** Events by day, the places that are open, the nightclubs. */
function toEventSections(
  agenda: Agenda,
  kind: AgendaKind,
  lang: Lang,
  site: Site,
  occurrences: readonly OccurrenceRecord[],
  hour_ms: number | null,
): RootContent[] {
  if (agenda.events.length === 0)
    return [
      heading(2, plain(t(lang, 'label.events'))),
      paragraph(plain(t(lang, 'md.no_events'))),
      ...toOpenPlacesSection(
        agenda.open_places,
        toOpenPlacesTitle(kind, agenda.open_places, lang),
        null,
        lang,
        site,
      ),
    ];
  const one_day = isOneDay(agenda);
  const further = groupFurther(agenda, one_day ? [] : occurrences);
  const toEntry = (card: EventCard, under_day: boolean): RootContent[] =>
    toEventEntry(card, lang, site, 3, under_day, further.get(card.event.id));
  const { others, nightclubs } = foldNightclubs(agenda.events);
  return [
    ...[...groupByDay(agenda, others)].flatMap(([day, cards]) => {
      const title = capitalise(toLongDay(fromDayNumber(day), lang));
      const ahead = cards.filter((card) => !isOver(card, hour_ms));
      const over = cards.filter((card) => isOver(card, hour_ms));
      return [
        heading(2, plain(one_day ? t(lang, 'label.events') : title)),
        ...ahead.flatMap((card) => toEntry(card, true)),
        ...(over.length === 0
          ? []
          : [heading(2, plain(`${t(lang, 'agenda.ended_today')} (${over.length})`))]),
        ...over.flatMap((card) => toEntry(card, true)),
      ];
    }),
    ...toOpenPlacesSection(
      agenda.open_places,
      toOpenPlacesTitle(kind, agenda.open_places, lang),
      null,
      lang,
      site,
    ),
    ...toNightclubSection(nightclubs, kind, (card) => toEntry(card, one_day), lang),
  ];
}

/**
 * The whole document. `zones` name those of the notices; `occurrences`: all of the range, so that
 * an event is listed with its further days; `facts` stand first where it is about one day, after
 * what the list was `narrowed` by; `hour_ms` is the
 * minute of one that begins today, null for what holds all day.
 */
export function toAgendaMarkdown(
  agenda: Agenda,
  lang: Lang,
  site: Site,
  kind: AgendaKind,
  zones: readonly TaxonRecord[],
  occurrences: readonly OccurrenceRecord[] = [],
  facts: DayFacts | null = null,
  narrowed: NarrowedText = NOT_NARROWED,
  hour_ms: number | null = null,
): string {
  const { now, in_season } = splitNotices(agenda.notices, agenda);
  const about = t(lang, 'md.about', {
    events: tCount(lang, 'events.count', agenda.events.length),
    notices: tCount(lang, 'notices.count', now.length),
    zone: t(lang, 'time.zone'),
  });
  const opening = {
    title: t(lang, `md.title.${kind}`, { when: toLongDays(agenda, lang) }),
    about,
    terms: t(lang, 'md.terms', { name: site.name }),
    path: toPath(agenda, kind),
    query: narrowed.query,
  };
  const notices =
    agenda.notices.length === 0
      ? []
      : [
          heading(2, plain(t(lang, 'label.notices'))),
          ...now.flatMap((notice) => [
            ...toNoticeEntry(notice, zones, lang),
            toCorrectLine('notice', notice.id, lang, site),
          ]),
          ...toSeasonEntry(in_season, lang),
        ];
  const day = facts === null ? [] : toDayFactsEntry(facts, lang);
  return toDocument(
    opening,
    [
      ...toNarrowedEntry(narrowed, lang, site),
      ...day,
      ...notices,
      ...toDoubtEntry([...agenda.still_on, ...agenda.events], lang),
      ...(hour_ms === null ||
      !isOneDay(agenda) ||
      agenda.events.length + agenda.still_on.length === 0
        ? [
            ...toStillOnSections(agenda, isOneDay(agenda) ? null : hour_ms, lang, site),
            ...toEventSections(agenda, kind, lang, site, occurrences, hour_ms),
          ]
        : toHourSections(agenda, kind, hour_ms, lang, site)),
    ],
    lang,
    site,
  );
}

/** A line for each place that is open; `hour_ms`: the minute that today's document is of, else null. */
function toOpenPlacesSection(
  places: readonly OpenPlace[],
  title: string,
  hour_ms: number | null,
  lang: Lang,
  site: Site,
): RootContent[] {
  if (places.length === 0) return [];
  const { lines, sentences } = tellPlaces(places, hour_ms, lang);
  const items = lines.map(({ place, facts }) => [
    link(toAbsolute(site.url, toThingPath('venue', place.venue.slug, lang)), place.venue.name),
    text(': '),
    plain(facts.join(' · ')),
  ]);
  return [
    heading(2, plain(title)),
    ...(items.length === 0 ? [] : [list(items)]),
    ...sentences.map((sentence) => paragraph(plain(sentence))),
  ];
}
