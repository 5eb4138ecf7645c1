// A list of events as one value, read once: what both halves of the answer are written from.
import type { EventCard } from '../../domain/agenda.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import { type DayFacts, toDayFacts } from '../../domain/day/day-facts.ts';
import { type Cursor, formatCursor } from '../../domain/filters/cursor.ts';
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import { asksOfEvents } from '../../domain/filters/filters.ts';
import type { Lang } from '../../domain/lang.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toPublicDay } from '../../serializers/wire/day.ts';
import { type PublicEvent, toEventFields, toNextFields } from '../../serializers/wire/event.ts';
import { toListMeta, toMeta } from '../../serializers/wire/meta.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import { findOpenPlaces } from '../../snapshot/find-open-places.ts';
import { findStillOn } from '../../snapshot/read-agenda.ts';
import { type ListFacts, readListFacts } from '../../snapshot/read-list-facts.ts';
import type { Nothing } from '../../snapshot/find-nothing.ts';
import { toNothing } from '../../serializers/wire/nothing.ts';
import type { McpContext } from '../context.ts';
import { createCache } from '../text/cache.ts';
import { findBesideList, toNoticeFields, type ToldNotices } from '../text/notices.ts';
import { toListedEvent } from './event.ts';
import { tellOpenPlaces, toLeanPlaces, type ToldPlaces } from './place.ts';
import { withoutEmpty } from './without-empty.ts';

/** What a list tells. */
export interface EventList {
  readonly filter: EventFilter;
  readonly lang: Lang;
  readonly cards: readonly EventCard[];
  readonly next: Cursor | null;
  readonly notices: ToldNotices;
  readonly said: ListFacts;
  /** What to try where nothing was found. */
  readonly hints: readonly string[];
  /** What only today has; null of other days. */
  readonly today: TodayParts | null;
}

interface TodayParts {
  /** Last night's that go on. */
  readonly still_on: readonly EventCard[];
  readonly places: ToldPlaces;
  /** The day itself, where nothing is asked for but the day. */
  readonly facts: DayFacts | null;
}

/** Reads the list that a filter asks for; `is_today` adds what only eventos_hoy gives. */
export function readEventList(
  filter: EventFilter,
  lang: Lang,
  is_today: boolean,
  context: McpContext,
): EventList {
  const { snapshot } = context;
  const { cards, next } = findEvents(snapshot, filter, lang);
  const said = readListFacts(snapshot, filter, lang, { count: cards.length, next });
  return {
    filter,
    lang,
    cards,
    next,
    notices: findBesideList(filter, is_today && !asksOfEvents(filter), context),
    said,
    hints: said.nothing === null ? [] : toHints(said.nothing, lang),
    today: is_today ? readToday(filter, lang, context) : null,
  };
}

function readToday(filter: EventFilter, lang: Lang, { snapshot, site }: McpContext): TodayParts {
  const day = toCancunDay(filter.now_ms);
  const is_plain = !asksOfEvents(filter) && filter.after === null;
  const places = is_plain ? findOpenPlaces(snapshot, day, filter.zones ?? []) : [];
  const still_on = filter.after === null ? findStillOn(snapshot, filter, lang) : [];
  return {
    still_on: still_on.slice(0, filter.limit),
    places: tellOpenPlaces(places, filter.now_ms, filter.limit, lang, site),
    facts: is_plain && filter.zones === null ? toDayFacts(day, snapshot.calendar) : null,
  };
}

/**
 * What to try where nothing was found, so that a model can offer the next best thing without asking
 * again: `Sin zone: 3 eventos.` for each filter without which there is something.
 */
const toHints = ({ without }: Nothing, lang: Lang): readonly string[] => [
  t(lang, 'mcp.list.none'),
  ...without.map(({ parameter, count }) =>
    t(lang, 'mcp.list.without', { filter: parameter, count: tCount(lang, 'events.count', count) }),
  ),
];

/** Events in their wire form without `next` and `more_dates`, about two kilobytes each. */
const pickFields = createCache<Omit<PublicEvent, 'next' | 'more_dates' | 'distance_km'>>(2_000);

function toFields(card: EventCard, lang: Lang, { snapshot, site }: McpContext): unknown {
  const fields = pickFields(snapshot, `${lang} ${site.url} ${card.event.id}`, () =>
    toEventFields(card, lang, site),
  );
  return toListedEvent({ ...fields, ...toNextFields(card, lang) });
}

/** The structured half: REST's data and meta, with what a tool adds to them (contract 13.9). */
export function toEventListFields(
  list: EventList,
  context: McpContext,
): Readonly<Record<string, unknown>> {
  const { lang, cards, today, next, hints, said } = list;
  const { nothing } = said;
  const { snapshot, site } = context;
  const base = toMeta(snapshot.generated_at, lang, site);
  return {
    ...toNoticeFields(list.notices, lang),
    ...(today?.facts && { day: withoutEmpty(toPublicDay(today.facts, lang), DAY_ALWAYS) }),
    data: cards.map((card) => toFields(card, lang, context)),
    ...(today && {
      still_on: today.still_on.map((card) => toFields(card, lang, context)),
      open_places: toLeanPlaces(today.places, lang, site),
      ...toOtherPlaces(today.places),
    }),
    next_cursor: next && formatCursor(next),
    ...(hints.length > 0 && { hints }),
    meta: toListMeta(base, { ...said, nothing: nothing && toNothing(nothing, lang, site) }),
  };
}

/** What is said of the places that are not told. */
function toOtherPlaces({ sentences, more }: ToldPlaces) {
  const all = more === null ? sentences : [more, ...sentences];
  return all.length === 0 ? {} : { other_places: all };
}

/** Fields of a day that are there even where they hold nothing (contract 4.15). */
const DAY_ALWAYS = ['holidays', 'seasons', 'links', 'closes'];
