// A list of events as one value, read once: what both halves of the answer are written from.
import { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../../domain/agenda.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import {
  asksOfEvents,
  type Cursor,
  type EventFilter,
  formatCursor,
  isNarrowed,
} from '../../domain/query/event-query.ts';
import type { Lang } from '../../domain/lang.ts';
import { PAGE_PATHS, toAbsolute } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { type PublicEvent, toEventFields, toNextFields } from '../../serializers/wire/event.ts';
import { toListMeta, toMeta, toNothing } from '../../serializers/wire/meta.ts';
import { findEvents } from '../../snapshot/find-events.ts';
import { findOpenPlaces } from '../../snapshot/places.ts';
import { findStillOn } from '../../snapshot/agenda.ts';
import { type ListFacts, type Nothing, readListFacts } from '../../snapshot/list-facts.ts';
import type { McpContext } from '../context.ts';
import { cutCard, cutTexts, toCutHints } from '../cut.ts';
import { createCache } from '../text/cache.ts';
import { findBesideList, toNoticeFields, type ToldNotices } from '../text/notices.ts';
import { tellDay, type ToldDay } from './day.ts';
import { toListedEvent } from './event.ts';
import { tellOpenPlaces, toLeanPlaces, type ToldPlaces } from './place.ts';

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
  /** Where texts that are cut go on. */
  readonly cut_hints: readonly string[];
  /** What stands beside the events of one day; null of other lists. */
  readonly beside: BesideDay | null;
  /** The one day that it is about; null of other lists, and where one goes on. */
  readonly day: ToldDay | null;
}

interface BesideDay {
  /** Last night's that go on; only of today. */
  readonly still_on: readonly EventCard[] | null;
  readonly places: ToldPlaces;
}

/** Reads the list that a filter asks for; `is_today` adds what only eventos_hoy gives. */
export function readEventList(
  filter: EventFilter,
  lang: Lang,
  is_today: boolean,
  context: McpContext,
): EventList {
  const { snapshot } = context;
  const { cards, next, total } = findEvents(snapshot, filter, lang);
  const day = filter.after === null ? findOneDay(filter) : null;
  const said = readListFacts(snapshot, filter, lang, { count: cards.length, next, total });
  return {
    filter,
    lang,
    cards: cards.map((card) => cutCard(card, context)),
    next,
    notices: findBesideList(filter, is_today && !isNarrowed(filter), context),
    said: { ...said, nothing: said.nothing && cutTexts(said.nothing, context) },
    hints: said.nothing === null ? [] : toHints(said.nothing, lang),
    cut_hints: toCutHints(toAbsolute(context.site.url, PAGE_PATHS.notices[lang]), lang, context),
    day:
      day &&
      tellDay(
        day,
        is_today && !isNarrowed(filter) && filter.after === null && filter.zones === null,
        lang,
        context,
      ),
    beside: is_today ? readToday(filter, lang, context) : readDay(filter, lang, context),
  };
}

/** Most places beside a list that is narrowed by more than a zone. */
const MAX_NARROWED_PLACES = 2;

const toMostPlaces = (filter: EventFilter): number =>
  isNarrowed(filter) ? Math.min(filter.limit, MAX_NARROWED_PLACES) : filter.limit;

/** Whether places may be in the answer: those of the day, from the beginning. */
const hasPlaces = (filter: EventFilter): boolean => !asksOfEvents(filter) && filter.after === null;

/** The day that is asked for; null where it is several, or certain hours. */
const findOneDay = ({ range, hours }: EventFilter): Temporal.PlainDate | null =>
  range !== null && hours === null && range.from.equals(range.to) ? range.from : null;

function readToday(filter: EventFilter, lang: Lang, context: McpContext): BesideDay {
  const { snapshot } = context;
  const { now_ms, limit } = filter;
  const day = toCancunDay(now_ms);
  const places = hasPlaces(filter) ? findOpenPlaces(snapshot, day, filter) : [];
  const still_on = filter.after === null ? findStillOn(snapshot, filter, lang) : [];
  return {
    still_on: still_on.slice(0, limit).map((card) => cutCard(card, context)),
    places: tellOpenPlaces(
      places,
      day,
      { now_ms: filter.now_ms, limit: toMostPlaces(filter) },
      lang,
      context,
    ),
  };
}

/**
 * The places that are open on the one day that is asked for, where it is no holiday whose hours nobody
 * has confirmed and no zone is asked for; else null.
 */
function readDay(filter: EventFilter, lang: Lang, context: McpContext): BesideDay | null {
  const day = findOneDay(filter);
  if (day === null || filter.zones !== null || !hasPlaces(filter)) return null;
  if (Temporal.PlainDate.compare(day, toCancunDay(filter.now_ms)) < 0) return null;
  const places = findOpenPlaces(context.snapshot, day, filter);
  if (places.length === 0) return null;
  if (places.some(({ on_day }) => on_day.opening.is_unsure)) return null;
  const told = tellOpenPlaces(
    places,
    day,
    { now_ms: filter.now_ms, limit: toMostPlaces(filter) },
    lang,
    context,
  );
  return { still_on: null, places: told };
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

function toFields(card: EventCard, lang: Lang, context: McpContext): unknown {
  const { snapshot, site, characters } = context;
  const fields = pickFields(snapshot, `${lang} ${site.url} ${characters} ${card.event.id}`, () =>
    toEventFields(card, lang, site),
  );
  return toListedEvent({ ...fields, ...toNextFields(card, lang) });
}

/** The structured half: REST's data and meta, with what a tool adds to them (contract 13.9). */
export function toEventListFields(
  list: EventList,
  context: McpContext,
): Readonly<Record<string, unknown>> {
  const { lang, cards, beside, next, said } = list;
  const hints = [...list.hints, ...list.cut_hints];
  const { nothing } = said;
  const { snapshot, site } = context;
  const base = toMeta(snapshot.generated_at, lang, site);
  return {
    ...toNoticeFields(list.notices, lang),
    ...(list.day && { day: list.day.fields }),
    data: cards.map((card) => toFields(card, lang, context)),
    ...(beside?.still_on && {
      still_on: beside.still_on.map((card) => toFields(card, lang, context)),
    }),
    ...(beside && {
      open_places: toLeanPlaces(beside.places, lang, context),
      ...toOtherPlaces(beside.places),
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
