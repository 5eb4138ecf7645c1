// What is on as Markdown: the agenda of a day or of several, the results of a search, the notices.
import type { AgendaKind } from '../../domain/agenda-words.ts';
import { type Part, isOver, splitByHour } from '../../domain/agenda-parts.ts';
import type { Agenda, EventCard } from '../../domain/agenda.ts';
import { fromDayNumber, toDayNumber } from '../../domain/cancun-time.ts';
import type { DayFacts } from '../../domain/day/day-facts.ts';
import { foldNightclubs, type OccurrenceRecord } from '../../domain/event/event.ts';
import { type Cursor, formatCursor } from '../../domain/query/event-query.ts';
import type { ParameterTexts } from '../../domain/query/values.ts';
import type { Lang } from '../../domain/lang.ts';
import { type NoticeBoard, type NoticeRecord, splitNotices } from '../../domain/notice.ts';
import type { Site } from '../../domain/site.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import { toListDoubt } from '../../i18n/fact-words.ts';
import { toDayLines, toInferredSentence, toLinkWords, toSeasonLine } from '../../i18n/day-words.ts';
import { toLongDay, toLongDays } from '../../i18n/dates.ts';
import type { NothingSection } from '../../i18n/query-words.ts';
import { tellPlaces, toOpenPlacesTitle } from '../../i18n/opening.ts';
import {
  PAGE_PATHS,
  toAbsolute,
  toMarkdownPath,
  toThingPath,
  withQuery,
} from '../../i18n/paths.ts';
import { listNoticeFacts } from '../../i18n/thing-facts.ts';
import { capitalise, t, tCount } from '../../i18n/translate.ts';
import { type Head, linkCorrection, renderDocument, renderFacts } from './document.ts';
import { renderEntry } from './event.ts';
import {
  type Block,
  heading,
  labelled,
  link,
  linkItem,
  list,
  paragraph,
  paragraphs,
  section,
} from './nodes.ts';

/** A list that filters narrow; all is empty where none does. */
interface NarrowedList {
  readonly meta: Head;
  readonly words: readonly string[];
  readonly narrowing: {
    /** How a word was read, and what the filters cannot tell and leave out, in sentences. */
    readonly remarks: readonly string[];
    readonly ways_out: readonly {
      readonly label: string;
      readonly path: string;
      readonly count: number;
    }[];
    /** What is on another day, what comes near, what is over. */
    readonly nothing: readonly NothingSection[];
  };
}

interface AgendaOfDays extends NarrowedList {
  readonly kind: AgendaKind;
  readonly agenda: Agenda;
  /** All of its range, so that an event is listed with its further days. */
  readonly occurrences: readonly OccurrenceRecord[];
  readonly taxonomy: { readonly zones: readonly TaxonRecord[] };
  /** Null of several days. */
  readonly facts: DayFacts | null;
  /** The minute of one that begins today; null for what holds all day. */
  readonly hour_ms: number | null;
}

const isOneDay = ({ from, to }: Agenda): boolean => from.equals(to);

export function renderAgenda(view: AgendaOfDays): string {
  const { meta, kind, agenda, taxonomy, facts, hour_ms } = view;
  const { lang } = meta;
  const { events, still_on } = agenda;
  const { now, in_season } = splitNotices(agenda.notices, agenda);
  const about = t(lang, 'md.about', {
    events: tCount(lang, 'events.count', events.length),
    notices: tCount(lang, 'notices.count', now.length),
    zone: t(lang, 'time.zone'),
  });
  const title = t(lang, `md.title.${kind}`, { when: toLongDays(agenda, lang) });
  const is_by_hour = isOneDay(agenda) && events.length + still_on.length > 0;
  return renderDocument(
    { ...meta, title, about, terms: 'md.terms' },
    renderNarrowing(view),
    facts && renderDayFacts(facts, lang),
    section(
      t(lang, 'label.notices'),
      now.map((notice) => renderNotice(notice, taxonomy.zones, meta)),
      toSeasonLine(in_season, lang),
    ),
    toListDoubt([...still_on, ...events], lang),
    hour_ms !== null && is_by_hour
      ? renderHours(view, hour_ms)
      : [renderLastNight(view), renderDays(view)],
  );
}

/** Which filters are on, and where there is something when there is nothing here. */
const renderNarrowing = ({ meta, words, narrowing }: NarrowedList): Block => {
  const { lang, site } = meta;
  const { remarks, ways_out, nothing } = narrowing;
  const ways = ways_out.map(({ label, path, count }) =>
    linkItem(toAbsolute(site.url, path), label, tCount(lang, 'events.count', count)),
  );
  return [
    words.length === 0 ? null : paragraph(labelled(t(lang, 'filters.on'), words.join(', '))),
    remarks,
    ways.length === 0 ? null : [t(lang, 'filters.ways_out'), list(ways)],
    renderNothing(nothing, lang, site),
  ];
};

/** What there is in place of a list, each kind under its name. */
export const renderNothing = (sections: readonly NothingSection[], lang: Lang, site: Site): Block =>
  sections.map(({ title, lines }) => [
    t(lang, 'nothing.title', { title }),
    list(lines.map((line) => linkItem(toAbsolute(site.url, line.path), line.title, line.words))),
  ]);

/** A sentence an item, then the pages to look at. */
function renderDayFacts(facts: DayFacts, lang: Lang): Block {
  const links = facts.links.map((one) => {
    const { topic, label, note } = toLinkWords(one, lang);
    return labelled(topic, link(one.url, label), ` ${note}`);
  });
  const sentences = toDayLines(facts, lang).map((line) => line.text);
  return section(t(lang, 'day.title'), list([...sentences, ...links]));
}

/** `Ahora`, `Antros abiertos ahora (18+)`, `Ya terminó (3)`: the heading of a part of today. */
export function toHourTitle({ key, cards }: Part, lang: Lang): string {
  const title = t(lang, `agenda.${key === 'nightclubs' ? 'nightclubs.tonight' : key}`);
  if (key === 'ended') return `${title} (${cards.length})`;
  return key === 'nightclubs' || key === 'now_nightclubs'
    ? `${title} (${t(lang, 'agenda.adults')})`
    : title;
}

export const isAfterPlaces = ({ key }: Part): boolean => key === 'nightclubs' || key === 'ended';

/** Today's events under the headings of its page, the open places among them. */
function renderHours({ meta, kind, agenda }: AgendaOfDays, hour_ms: number): Block {
  const { lang, site } = meta;
  const today = toDayNumber(agenda.from);
  const parts = splitByHour(agenda, hour_ms);
  const renderPart = (part: Part): Block =>
    section(
      toHourTitle(part, lang),
      part.cards.map((card) => {
        const is_last_night = card.next !== null && card.next.first_day < today;
        return renderEntry(card, lang, site, !is_last_night);
      }),
    );
  return [
    parts.filter((part) => !isAfterPlaces(part)).map(renderPart),
    renderPlaces(agenda, kind, hour_ms, meta),
    parts.filter(isAfterPlaces).map(renderPart),
  ];
}

/** Before several days that begin today: what of last night goes on, as their page says it. */
function renderLastNight({ meta, agenda, hour_ms }: AgendaOfDays): Block {
  if (hour_ms === null || isOneDay(agenda)) return null;
  const { lang, site } = meta;
  const { still_on, from } = agenda;
  return splitByHour({ events: [], still_on, from }, hour_ms).map((part) =>
    section(
      part.key === 'now' ? t(lang, 'agenda.last_night') : toHourTitle(part, lang),
      part.cards.map((card) => renderEntry(card, lang, site)),
    ),
  );
}

/** The other occurrences of each event in the agenda, by event, without those that took place before the next. */
function groupFurther(
  { events }: Agenda,
  occurrences: readonly OccurrenceRecord[],
): ReadonlyMap<string, readonly OccurrenceRecord[]> {
  const nexts = new Map(events.map(({ event, next }) => [event.id, next]));
  const further = occurrences.filter(({ id, event, status, start_ms }) => {
    const next = nexts.get(event);
    const took_place = status === 'scheduled' && start_ms < (next?.start_ms ?? 0);
    return id !== next?.id && !took_place;
  });
  return Map.groupBy(further, ({ event }) => event);
}

/** Events by the day of their next date, or the first where it began before; open places; nightclubs. */
function renderDays({ meta, kind, agenda, occurrences, hour_ms }: AgendaOfDays): Block {
  const { lang, site } = meta;
  const is_one_day = isOneDay(agenda);
  const further = groupFurther(agenda, is_one_day ? [] : occurrences);
  const renderCards = (cards: readonly EventCard[], under_day: boolean): Block =>
    cards.map((card) => renderEntry(card, lang, site, under_day, further.get(card.event.id)));
  const { others, nightclubs } = foldNightclubs(agenda.events);
  const first = toDayNumber(agenda.from);
  const days = Map.groupBy(others, ({ next }) => Math.max(first, next?.first_day ?? first));
  const night_title = t(lang, kind === 'today' ? 'agenda.nightclubs.tonight' : 'agenda.nightclubs');
  return [
    agenda.events.length === 0 ? section(t(lang, 'label.events'), t(lang, 'md.no_events')) : null,
    [...days].map(([day, cards]) => {
      const over = cards.filter((card) => isOver(card, hour_ms));
      const title = capitalise(toLongDay(fromDayNumber(day), lang));
      return [
        heading(2, is_one_day ? t(lang, 'label.events') : title),
        renderCards(
          cards.filter((card) => !over.includes(card)),
          true,
        ),
        section(`${t(lang, 'agenda.ended_today')} (${over.length})`, renderCards(over, true)),
      ];
    }),
    renderPlaces(agenda, kind, null, meta),
    section(`${night_title} (${t(lang, 'agenda.adults')})`, renderCards(nightclubs, is_one_day)),
  ];
}

/** A line for each place that is open; `hour_ms`: the minute that today's document is of, else null. */
function renderPlaces(
  { open_places }: Agenda,
  kind: AgendaKind,
  hour_ms: number | null,
  { lang, site }: Head,
): Block {
  const { lines, sentences } = tellPlaces(open_places, hour_ms, lang);
  return section(
    toOpenPlacesTitle(kind, open_places, lang),
    list(
      lines.map(({ place: { venue }, facts }) => {
        const path = toThingPath('venue', venue.slug, lang);
        return linkItem(toAbsolute(site.url, path), venue.name, ...facts);
      }),
    ),
    sentences,
  );
}

interface FoundEvents extends NarrowedList {
  readonly cards: readonly EventCard[];
  readonly total: number;
  readonly texts: ParameterTexts;
  /** Where the list goes on; null at its end. */
  readonly next: Cursor | null;
  /** Places, notices and pages that the words find too; before the events or behind them. */
  readonly beside: {
    readonly sections: readonly FoundSection[];
    readonly is_first: boolean;
  } | null;
}
interface FoundSection {
  readonly title: string;
  readonly lines: readonly {
    readonly name: string;
    readonly path: string;
    readonly facts: readonly string[];
  }[];
  readonly more: { readonly label: string; readonly path: string } | null;
}

export function renderSearch(view: FoundEvents): string {
  const { meta, cards, total, texts, next, beside } = view;
  const { lang, site } = meta;
  const about = t(lang, 'md.about_search', {
    events: tCount(lang, 'events.count', total),
    zone: t(lang, 'time.zone'),
  });
  const toUrl = (path: string): string => new URL(path, site.url).href;
  const { sections = [], is_first = false } = beside ?? {};
  const others = sections.map(({ title, lines, more: rest }) =>
    section(
      title,
      list([
        ...lines.map(({ name, path, facts }) => linkItem(toUrl(path), name, ...facts)),
        rest && link(toUrl(rest.path), rest.label),
      ]),
    ),
  );
  const path = toMarkdownPath(PAGE_PATHS.search[lang]);
  const more = next && withQuery(path, { ...texts, cursor: formatCursor(next) });
  return renderDocument(
    { ...meta, title: t(lang, 'search.title'), about, terms: 'md.terms' },
    renderNarrowing(view),
    is_first ? others : null,
    section(
      t(lang, 'label.events'),
      toListDoubt(cards, lang),
      cards.length === 0 ? t(lang, 'search.none') : null,
      cards.map((card) => renderEntry(card, lang, site)),
    ),
    more && paragraph(link(toAbsolute(site.url, more), t(lang, 'search.next'))),
    is_first ? null : others,
  );
}

/** Under a heading of level 3: severity, type, title, what it says, where, how long, who says it. */
function renderNotice(notice: NoticeRecord, zones: readonly TaxonRecord[], meta: Head): Block {
  const { lang } = meta;
  const { severity, type, title, body } = notice;
  const kind = `${t(lang, `notice.severity.${severity}`)} (${t(lang, `notice.type.${type}`)})`;
  return [
    heading(3, `${kind}: ${title[lang]}`),
    paragraphs(body[lang]),
    toInferredSentence(notice, lang),
    renderFacts(
      listNoticeFacts(notice, zones.find(({ key }) => key === notice.zone) ?? null, lang),
    ),
    linkCorrection('notice', notice.id, meta),
  ];
}

interface BoardOfDay {
  readonly meta: Head;
  readonly board: NoticeBoard;
  readonly zones: readonly TaxonRecord[];
}

/** Today's in full, what begins tomorrow, seasons, what comes. */
export function renderNotices({ meta, board, zones }: BoardOfDay): string {
  const { lang } = meta;
  const render = (notices: readonly NoticeRecord[]): Block =>
    notices.map((notice) => renderNotice(notice, zones, meta));
  const about = t(lang, 'md.about_notices', {
    notices: tCount(lang, 'notices.count', board.today.length),
    zone: t(lang, 'time.zone'),
  });
  return renderDocument(
    { ...meta, about, terms: 'md.terms_notices' },
    section(
      t(lang, 'nav.today'),
      board.today.length === 0 ? t(lang, 'notices.none') : render(board.today),
    ),
    section(t(lang, 'nav.tomorrow'), render(board.tomorrow)),
    section(t(lang, 'notices.in_season'), render(board.in_season)),
    section(t(lang, 'notices.soon'), render(board.soon)),
  );
}
