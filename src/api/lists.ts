// What lists things: events, venues, organizers, categories, zones, notices, changes
// (contract 8.2, 8.8, 8.27 to 8.31).
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import {
  CHANGES_PARAMETER_NAMES,
  formatChangesCursor,
  formatPlaceCursor,
  NOTICE_LIST_PARAMETERS,
  ORGANIZER_LIST_PARAMETERS,
  parseChangesQuery,
  parseNoticeQuery,
  parsePlaceQuery,
  type PlaceFilter,
  VENUE_LIST_PARAMETERS,
} from '../domain/query/list-queries.ts';
import { type EventFilter, formatCursor, parseEventQuery } from '../domain/query/event-query.ts';
import { choiceOf } from '../domain/query/values.ts';
import { LIST_PARAMETER_NAMES, MAX_INCLUDED } from '../domain/query/parameters.ts';
import type { Lang } from '../domain/lang.ts';
import { toVenueDay } from '../domain/opening-hours.ts';
import type { HttpResponse } from '../http/message.ts';
import { API_PATHS, withQuery } from '../i18n/paths.ts';
import { toPublicChange } from '../serializers/wire/change.ts';
import { type PublicEvent, toPublicEvent, toPublicOccurrence } from '../serializers/wire/event.ts';
import { toListMeta, toNothing, toPlacesMeta } from '../serializers/wire/meta.ts';
import { toPublicNotice } from '../serializers/wire/day.ts';
import { toListedTaxon, toPublicOrganizer, toPublicVenue } from '../serializers/wire/places.ts';
import { findNotices } from '../snapshot/agenda.ts';
import { listChanges } from '../snapshot/changes.ts';
import { countUpcoming } from '../snapshot/count-events.ts';
import { findEvents, findOccurrences } from '../snapshot/find-events.ts';
import { readListFacts } from '../snapshot/list-facts.ts';
import { findOrganizers, findVenues, type FoundPlaces } from '../snapshot/places.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { type Call, parseLang, readParameters, respondData } from './operation.ts';

/** One item an event, with its next occurrence in the range. */
export function serveEvents(call: Call): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const issues: string[] = [];
  const params = readParameters(call, [...LIST_PARAMETER_NAMES, 'include'], issues);
  const include = choiceOf(['occurrences']).read({ texts: params, issues }, 'include');
  const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'list', issues);
  const { cards, next, total } = findEvents(snapshot, filter, lang);
  const facts = readListFacts(snapshot, filter, lang, { count: cards.length, next, total });
  const readDates = include ? groupDates(snapshot, filter, lang) : () => ({});
  return respondData(call, {
    data: cards.map((card) => ({
      ...toPublicEvent(card, lang, site),
      ...readDates(card.event.id),
    })),
    lang,
    meta: toListMeta({ ...facts, nothing: facts.nothing && toNothing(facts.nothing, lang, site) }),
    next: next && withQuery(API_PATHS.listEvents, { ...params, cursor: formatCursor(next) }),
    hours: filter.hours,
  });
}

type Dates = Pick<PublicEvent, 'occurrences' | 'dates_in_range'>;

/** Gives the occurrences of an event in the range (contract 8.2). */
function groupDates(snapshot: Snapshot, filter: EventFilter, lang: Lang): (event: string) => Dates {
  const all = { ...filter, limit: Number.POSITIVE_INFINITY };
  const dates = Map.groupBy(findOccurrences(snapshot, all).items, ({ card }) => card.event.id);
  return (event) => {
    const own = dates.get(event) ?? [];
    const shown = own.slice(0, MAX_INCLUDED);
    return {
      occurrences: shown.map(({ occurrence }) => toPublicOccurrence(occurrence, lang)),
      dates_in_range: own.length,
    };
  };
}

/** By name; around a point the nearest first. */
export function serveVenues(call: Call): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const { calendar, taxonomy } = snapshot;
  const today = toLocalDay(now_ms);
  return respondPlaces(call, 'listVenues', VENUE_LIST_PARAMETERS, findVenues, (venue, lang) =>
    toPublicVenue(venue, toVenueDay(venue, today, calendar.holidays), taxonomy, lang, site),
  );
}

/** By name. */
export const serveOrganizers = (call: Call): HttpResponse =>
  respondPlaces(
    call,
    'listOrganizers',
    ORGANIZER_LIST_PARAMETERS,
    findOrganizers,
    (organizer, lang) => toPublicOrganizer(organizer, lang, call.site),
  );

function respondPlaces<T>(
  call: Call,
  operation: 'listVenues' | 'listOrganizers',
  names: readonly string[],
  find: (snapshot: Snapshot, filter: PlaceFilter) => FoundPlaces<T>,
  toFields: (record: T, lang: Lang) => object,
): HttpResponse {
  const issues: string[] = [];
  const params = readParameters(call, names, issues);
  const { filter, lang } = parsePlaceQuery(params, call.snapshot, call.now_ms, issues);
  const found = find(call.snapshot, filter);
  const cursor = found.next && formatPlaceCursor(found.next);
  return respondData(call, {
    data: found.items.map(({ record, upcoming_count, distance_km }) => ({
      ...toFields(record, lang),
      upcoming_count,
      ...(distance_km !== null && { distance_km }),
    })),
    lang,
    meta: toPlacesMeta({ ...found, count: found.items.length }),
    next: cursor && withQuery(API_PATHS[operation], { ...params, cursor }),
  });
}

export const serveCategories = (call: Call): HttpResponse => respondTaxa(call, 'category');
export const serveZones = (call: Call): HttpResponse => respondTaxa(call, 'zone');

/** All of them, in their order. */
function respondTaxa(call: Call, section: 'category' | 'zone'): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const lang = parseLang(call);
  const counts = countUpcoming({ snapshot, now_ms: floorToMinute(now_ms) }).get(section);
  const taxa = snapshot.taxonomy[section === 'category' ? 'categories' : 'zones'];
  return respondData(call, {
    data: taxa.map((taxon) =>
      toListedTaxon(section, taxon, counts?.get(taxon.key) ?? 0, lang, site),
    ),
    lang,
    meta: toPlacesMeta({ count: taxa.length, total: taxa.length }),
  });
}

/** Those that touch a day, the gravest first. */
export function serveNotices(call: Call): HttpResponse {
  const { snapshot, now_ms } = call;
  const issues: string[] = [];
  const params = readParameters(call, NOTICE_LIST_PARAMETERS, issues);
  const { day, lang, isAsked } = parseNoticeQuery(params, snapshot, now_ms, issues);
  const notices = findNotices(snapshot, day).filter(isAsked);
  return respondData(call, {
    data: notices.map((notice) => toPublicNotice(notice, lang)),
    lang,
    meta: { count: notices.length, date: day.toString() },
  });
}

/** What came, changed and went, the earliest first, for who keeps a copy in step. */
export function serveChanges(call: Call): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const issues: string[] = [];
  const params = readParameters(call, CHANGES_PARAMETER_NAMES, issues);
  const { lang, ...query } = parseChangesQuery(params, now_ms, issues);
  const { changes, end, has_more } = listChanges(snapshot, query, now_ms);
  const { since } = query;
  const cursor = formatChangesCursor(since, end);
  const { since: _in_the_cursor, ...others } = params;
  return respondData(call, {
    data: changes.map((change) => toPublicChange(change, lang, site)),
    lang,
    meta: { count: changes.length, since, cursor, has_more },
    next: has_more ? withQuery(API_PATHS.listChanges, { ...others, cursor }) : null,
  });
}
