// The shelves of a page of days, what a reader most often asks of them: what is on now and tonight, free, for
// children, under a roof. Each names a few and leads to its whole list.
import type { AgendaPageKind } from '../domain/date-keywords.ts';
import {
  type EventCard,
  isNightTime,
  isAfterMidnight,
  type OpenVenue,
  groupVenuesByOpenState,
} from '../domain/agenda.ts';
import { type DayRange, fromDayNumber, toZoned } from '../domain/local-time.ts';
import { findUntranslatedTexts, isNightclub } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { HOUR_KEYWORDS, resolveHourKeyword } from '../domain/query/date-range.ts';
import type { EventFilter } from '../domain/query/event-query.ts';
import { formatHourColumn, formatShortDay, formatUntil } from '../i18n/format-dates.ts';
import { formatVenueBriefly, formatOpenUntil } from '../i18n/format-opening-hours.ts';
import { absoluteUrl, pagePath, recordPath, withQuery } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import {
  type MarkdownBlock,
  joinInline,
  link,
  list,
  section,
} from '../serializers/markdown/nodes.ts';
import { MAX_AGENDA_EVENTS } from '../snapshot/load-agenda.ts';
import { findEvents } from '../snapshot/find-events.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { findOpenVenues } from '../snapshot/find-directory.ts';
import type { PageMeta } from './page-meta.ts';

/** In the order of the page; each is the name of a filter or a word for hours. */
const FLAGS = ['free', 'family', 'indoor'] as const;

const MAX_NAMED = 4;
/** From this hour to the end of the night nobody goes out with children. */
const LATE = 22;
const isLate = (now_ms: number): boolean => toZoned(now_ms).hour >= LATE || isAfterMidnight(now_ms);

/** Never by title, which would name other events in the other language. */
const byStart = (a: EventCard, b: EventCard): number =>
  (a.next?.start_ms ?? 0) - (b.next?.start_ms ?? 0) || (a.event.id < b.event.id ? -1 : 1);

interface QuickSection {
  readonly key: (typeof HOUR_KEYWORDS)[number] | (typeof FLAGS)[number];
  readonly path: string;
  readonly cards: readonly EventCard[];
  readonly places: readonly OpenVenue[];
}

/** Without those that have nothing left. `path`: of the page whose days these are. */
export function findQuickSections(
  snapshot: Snapshot,
  { kind, range, path }: { kind: AgendaPageKind; range: DayRange; path: string },
  filter: EventFilter,
  lang: Lang,
): readonly QuickSection[] {
  const { now_ms } = filter;
  const is_day = range.from.equals(range.to);
  const is_today = kind === 'today';
  const toHours = (word: (typeof HOUR_KEYWORDS)[number]): EventFilter => ({
    ...filter,
    range: null,
    hours: resolveHourKeyword(word, now_ms),
  });
  const find = (asked: EventFilter): readonly EventCard[] =>
    findEvents(snapshot, { ...asked, limit: MAX_AGENDA_EVENTS }, lang)
      .cards.filter(({ next }) => next?.status === 'scheduled' && next.end_ms > now_ms)
      .toSorted(byStart);
  const hours = (is_today ? HOUR_KEYWORDS : []).map((key): QuickSection => {
    const path = withQuery(pagePath('search', lang), { date: key });
    // What has an hour is more of the moment than what is there all day.
    const cards = find(toHours(key)).toSorted(
      (a, b) => Number(a.next?.all_day) - Number(b.next?.all_day),
    );
    return { key, path, cards, places: [] };
  });
  // By night nobody asks for what the day had.
  const left = is_today && isNightTime(now_ms) ? toHours('tonight') : filter;
  const asked_of = is_today && isLate(now_ms) ? FLAGS.filter((key) => key !== 'family') : FLAGS;
  const flags = asked_of.map((key): QuickSection => {
    const places = is_day ? findOpenVenues(snapshot, range.from, { ...filter, [key]: true }) : [];
    return {
      key,
      path: withQuery(path, { [key]: '1' }),
      cards: find({ ...left, [key]: true }).filter(({ event }) => !isNightclub(event)),
      places: places.filter(({ on_day }) => on_day.opening.is_open),
    };
  });
  return [...hours, ...flags].filter(({ cards, places }) => cards.length + places.length > 0);
}

/** `hour_ms`: the minute of a page of today; null for any other. */
export function buildQuickSectionsView(
  shelves: readonly QuickSection[],
  named: readonly EventCard[],
  { is_day, hour_ms, lang }: { is_day: boolean; hour_ms: number | null; lang: Lang },
) {
  const seen = new Set(named.map(({ event }) => event.id));
  const is_night = hour_ms !== null && isNightTime(hour_ms);
  const printed = shelves.map(({ key, path, cards, places }) => {
    const all = [
      ...cards.map((card) => ({ id: card.event.id, ...nameCard(card, is_day, hour_ms, lang) })),
      ...pickOpen(places, hour_ms).map((place) => ({
        id: place.venue.id,
        ...namePlace(place, hour_ms, lang),
      })),
    ];
    // What is said above is said again only where there is nothing else but places of unknown hours, and
    // nightclubs by day after all.
    const rank = ({ id, is_club, is_hourless }: (typeof all)[number]): number =>
      Number(is_club && !is_night) * 4 + Number(is_hourless) * 2 + Number(seen.has(id));
    const items = all.toSorted((a, b) => rank(a) - rank(b));
    const shown = items.slice(0, MAX_NAMED);
    for (const { id } of shown) seen.add(id);
    return { key, path, title: t(lang, `shelf.${key}`), items: shown };
  });
  return printed.filter(({ items }) => items.length > 0);
}
export type QuickSectionsView = ReturnType<typeof buildQuickSectionsView>;

/** What is open now stands before what opens later; what has closed is no plan. */
function pickOpen(places: readonly OpenVenue[], hour_ms: number | null): readonly OpenVenue[] {
  if (hour_ms === null) return places;
  return groupVenuesByOpenState(places, hour_ms).flatMap(({ place, state }) =>
    state === 'over' ? [] : [place],
  );
}

function nameCard(card: EventCard, is_day: boolean, hour_ms: number | null, lang: Lang) {
  const { event, venue, zone, next } = card;
  const hours = next && formatHourColumn(next, lang);
  const is_on = next !== null && hour_ms !== null && next.start_ms <= hour_ms;
  const until = hours?.end && is_on ? formatOpenUntil(next.end_ms, lang) : null;
  const hints = [
    is_day || next === null || next.all_day
      ? null
      : formatShortDay(fromDayNumber(next.first_day), lang),
    next && (formatUntil(next, lang) ?? until ?? hours?.start ?? null),
    zone?.name[lang] ?? venue?.locality ?? null,
  ];
  return {
    title: event.title[lang],
    original: findUntranslatedTexts(event, lang).title,
    is_club: isNightclub(event),
    is_hourless: false,
    path: recordPath('event', event.slug, lang),
    hint: hints.filter((hint) => hint !== null).join(' · '),
  };
}

function namePlace(place: OpenVenue, hour_ms: number | null, lang: Lang) {
  const { hours, zone } = formatVenueBriefly(place, hour_ms, lang);
  return {
    title: place.venue.name,
    original: undefined,
    is_club: false,
    is_hourless: hours === null,
    path: recordPath('venue', place.venue.slug, lang),
    hint: [hours, ...zone].filter((hint) => hint !== null).join(' · '),
  };
}

export const renderQuickSections = (
  shelves: QuickSectionsView,
  { lang, site }: PageMeta,
): MarkdownBlock =>
  section(
    t(lang, 'shelf.title'),
    list(
      shelves.map(({ title, path, items }) => [
        link(absoluteUrl(site.url, path), title),
        ': ',
        joinInline(
          items.map((item) => [
            link(absoluteUrl(site.url, item.path), item.title),
            item.hint && ` (${item.hint})`,
          ]),
        ),
      ]),
    ),
  );
