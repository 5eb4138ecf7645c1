// Quick sections: short lists on an agenda page of the most wanted selections (now, tonight, free,
// for children, indoors). Each names a few events or venues and links to its full list.
import type { AgendaPageKind } from '../domain/date-keywords.ts';
import {
  type EventCard,
  isNightTime,
  isAfterMidnight,
  type OpenVenue,
  groupVenuesByOpenState,
} from '../domain/agenda.ts';
import { type DayRange, fromDayNumber, toZoned } from '../domain/local-time.ts';
import {
  admitsNewcomers,
  closesSoon,
  findUntranslatedTexts,
  isNightclub,
  isSeason,
  listFreeVisitorsOf,
} from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { listFreeVisitors } from '../domain/opening-hours.ts';
import { resolveHourKeyword } from '../domain/query/date-range.ts';
import { HOUR_KEYWORDS } from '../domain/query/day-words.ts';
import type { EventFilter } from '../domain/query/event-query.ts';
import { formatHourColumn, formatShortDay, formatUntil } from '../i18n/format-dates.ts';
import { formatAttendanceNote } from '../i18n/format-facts.ts';
import { formatVenueBriefly, formatOpenUntil } from '../i18n/format-opening-hours.ts';
import { formatFreeMark } from '../i18n/format-price.ts';
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

/** Filters with a quick section, in the order of the page. */
const FLAGS = ['free', 'family', 'indoor'] as const;

/** Most events and venues in a section. */
const MAX_ITEMS = 4;
/** From this hour to the end of the night, today's page has no family section. */
const FAMILY_END_HOUR = 22;
const isLate = (now_ms: number): boolean =>
  toZoned(now_ms).hour >= FAMILY_END_HOUR || isAfterMidnight(now_ms);

/**
 * Orders by start, then by id. Never compares titles, which would select other events in the other
 * language.
 */
const byStart = (a: EventCard, b: EventCard): number =>
  (a.next?.start_ms ?? 0) - (b.next?.start_ms ?? 0) || (a.event.id < b.event.id ? -1 : 1);

/** A section (`shelf` in i18n keys) before its items are chosen; `path` leads to its full list. */
interface QuickSection {
  readonly key: (typeof HOUR_KEYWORDS)[number] | (typeof FLAGS)[number];
  readonly path: string;
  readonly cards: readonly EventCard[];
  readonly venues: readonly OpenVenue[];
}

/**
 * Finds the quick sections of a page that have events or open venues.
 * @param page `path` is that page's path; filters are added to it.
 */
export function findQuickSections(
  snapshot: Snapshot,
  page: { kind: AgendaPageKind; range: DayRange; path: string },
  filter: EventFilter,
  lang: Lang,
): readonly QuickSection[] {
  const { kind, range, path } = page;
  const { now_ms } = filter;
  const is_day = range.from.equals(range.to);
  const is_today = kind === 'today';
  const filterByHours = (keyword: (typeof HOUR_KEYWORDS)[number]): EventFilter => ({
    ...filter,
    range: null,
    hours: resolveHourKeyword(keyword, now_ms),
  });
  const findCards = (section_filter: EventFilter): readonly EventCard[] =>
    findEvents(snapshot, { ...section_filter, limit: MAX_AGENDA_EVENTS }, lang)
      .cards.filter(
        (card) =>
          card.next?.status === 'scheduled' &&
          admitsNewcomers(card.next, now_ms) &&
          !isSeason(card),
      )
      .toSorted(byStart);
  const hour_sections = (is_today ? HOUR_KEYWORDS : []).map((key): QuickSection => {
    const path = withQuery(pagePath('search', lang), { date: key });
    // Events at an hour come before all-day events.
    const cards = findCards(filterByHours(key)).toSorted(
      (a, b) => Number(a.next?.all_day) - Number(b.next?.all_day),
    );
    return { key, path, cards, venues: [] };
  });
  // At night, only tonight's events count.
  const base_filter = is_today && isNightTime(now_ms) ? filterByHours('tonight') : filter;
  const flags = is_today && isLate(now_ms) ? FLAGS.filter((key) => key !== 'family') : FLAGS;
  const flag_sections = flags.map((key): QuickSection => {
    const venues = is_day ? findOpenVenues(snapshot, range.from, { ...filter, [key]: true }) : [];
    return {
      key,
      path: withQuery(path, { [key]: '1' }),
      cards: findCards({ ...base_filter, [key]: true }).filter(({ event }) => !isNightclub(event)),
      venues: venues.filter(({ on_day }) => on_day.opening.is_open),
    };
  });
  return [...hour_sections, ...flag_sections].filter(
    ({ cards, venues }) => cards.length + venues.length > 0,
  );
}

/**
 * Builds the items of each section. Sections without items are left out.
 * @param shown_above Events that the page names before the sections.
 * @param options `minute_ms` is the current minute on a page that starts today, otherwise null.
 */
export function buildQuickSectionsView(
  sections: readonly QuickSection[],
  shown_above: readonly EventCard[],
  { is_day, minute_ms, lang }: { is_day: boolean; minute_ms: number | null; lang: Lang },
) {
  const shown_ids = new Set(shown_above.map(({ event }) => event.id));
  const is_night = minute_ms !== null && isNightTime(minute_ms);
  const views = sections.map(({ key, path, cards, venues }) => {
    const candidates = [
      ...cards.map((card) => ({
        id: card.event.id,
        ...buildEventItem(card, is_day, minute_ms, lang),
      })),
      ...selectNotClosed(venues, minute_ms).map((place) => ({
        id: place.venue.id,
        ...buildVenueItem(place, minute_ms, lang),
      })),
    ];
    // Items that the page shows already come last, then those that are free for some visitors, then
    // venues with unknown hours, then events that need a booking, then nightclubs by day, then those
    // that close soon.
    const rankOf = (item: (typeof candidates)[number]): number =>
      Number(item.closes_soon) * 32 +
      Number(item.is_nightclub && !is_night) * 16 +
      Number(item.needs_booking) * 8 +
      Number(item.has_unknown_hours) * 4 +
      Number(key === 'free' && item.free_mark !== null) * 2 +
      Number(shown_ids.has(item.id));
    const items = candidates
      .toSorted((a, b) => rankOf(a) - rankOf(b))
      .slice(0, MAX_ITEMS)
      .map(({ free_mark, ...item }) => ({
        ...item,
        hint: key === 'free' && free_mark ? joinHints([item.hint, free_mark]) : item.hint,
      }));
    for (const { id } of items) shown_ids.add(id);
    return { key, path, title: t(lang, `shelf.${key}`), items };
  });
  return views.filter(({ items }) => items.length > 0);
}

const joinHints = (hints: readonly (string | null)[]): string =>
  hints.filter((hint) => hint !== null && hint !== '').join(' · ');

/** The sections of a page. `hint` is a short text beside an item: its hours and zone. */
export type QuickSectionsView = ReturnType<typeof buildQuickSectionsView>;

/**
 * Selects the venues that have not closed for the day: open ones first, then those that open later.
 */
function selectNotClosed(
  venues: readonly OpenVenue[],
  minute_ms: number | null,
): readonly OpenVenue[] {
  if (minute_ms === null) return venues;
  return groupVenuesByOpenState(venues, minute_ms).flatMap(({ place, state }) =>
    state === 'over' || state === 'full' ? [] : [place],
  );
}

/** Builds the item of an event; its hint has the day on a page of several days. */
function buildEventItem(card: EventCard, is_day: boolean, minute_ms: number | null, lang: Lang) {
  const { event, venue, zone, next } = card;
  const hours = next && formatHourColumn(next, lang);
  const has_begun = next !== null && minute_ms !== null && next.start_ms <= minute_ms;
  const open_until = hours?.end && has_begun ? formatOpenUntil(next.end_ms, lang) : null;
  const hints = [
    is_day || next === null || next.all_day
      ? null
      : formatShortDay(fromDayNumber(next.first_day), lang),
    next && (formatUntil(next, lang) ?? open_until ?? hours?.start ?? null),
    zone?.name[lang] ?? venue?.locality ?? null,
    event.registration_url === null ? null : t(lang, 'shelf.booking'),
    formatAttendanceNote(card, lang, 'brief'),
  ];
  return {
    title: event.title[lang],
    title_lang: findUntranslatedTexts(event, lang).title,
    is_nightclub: isNightclub(event),
    has_unknown_hours: false,
    needs_booking: event.registration_url !== null,
    closes_soon:
      next !== null &&
      minute_ms !== null &&
      closesSoon(next.start_ms, next.last_entry_ms ?? next.end_ms, minute_ms),
    path: recordPath('event', event.slug, lang),
    hint: joinHints(hints),
    free_mark: formatFreeMark(listFreeVisitorsOf(event.price), event.price.visitors, lang),
  };
}

/** Builds the item of an open venue. */
function buildVenueItem(place: OpenVenue, minute_ms: number | null, lang: Lang) {
  const { hours, zone } = formatVenueBriefly(place, minute_ms, lang);
  const [current] = minute_ms === null ? [] : groupVenuesByOpenState([place], minute_ms);
  const span = current?.span ?? null;
  const { admission } = place.venue;
  const free_visitors = listFreeVisitors(admission, place.on_day.opening.free_for);
  return {
    title: place.venue.name,
    title_lang: undefined,
    is_nightclub: false,
    has_unknown_hours: hours === null,
    needs_booking: false,
    closes_soon:
      span !== null &&
      minute_ms !== null &&
      closesSoon(span.open_ms, span.last_entry_ms ?? span.close_ms, minute_ms),
    path: recordPath('venue', place.venue.slug, lang),
    hint: joinHints([hours, ...zone]),
    free_mark: formatFreeMark(free_visitors, admission, lang),
  };
}

/** Renders the quick sections as Markdown. */
export const renderQuickSections = (
  sections: QuickSectionsView,
  { lang, site }: PageMeta,
): MarkdownBlock =>
  section(
    t(lang, 'shelf.title'),
    list(
      sections.map(({ title, path, items }) => [
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
