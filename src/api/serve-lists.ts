// List operations: serve lists of events, venues, organizers, categories, zones, notices, and
// entries of the change log (contract 8.2, 8.8, 8.27 to 8.31). A card is an event with its related
// records and next occurrence.
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import {
  CHANGES_PARAMETER_NAMES,
  encodeChangesCursor,
  encodeDirectoryCursor,
  NOTICE_LIST_PARAMETERS,
  ORGANIZER_LIST_PARAMETERS,
  parseChangesQuery,
  parseNoticeQuery,
  parseDirectoryQuery,
  type DirectoryFilter,
  VENUE_LIST_PARAMETERS,
} from '../domain/query/list-queries.ts';
import {
  type EventFilter,
  encodeEventCursor,
  parseEventQuery,
} from '../domain/query/event-query.ts';
import { oneOfParser } from '../domain/query/parameter-parsers.ts';
import { LIST_PARAMETER_NAMES, MAX_INCLUDED_OCCURRENCES } from '../domain/query/parameters.ts';
import type { Lang } from '../domain/lang.ts';
import { countNotices } from '../domain/notice.ts';
import type { HttpResponse } from '../http/message.ts';
import { formatNoticeCounts } from '../i18n/format-day.ts';
import { capitalize } from '../i18n/translate.ts';
import { API_PATHS, withQuery } from '../i18n/paths.ts';
import { serializeChange } from '../serializers/wire/change.ts';
import {
  type PublicEvent,
  serializeEvent,
  serializeOccurrence,
} from '../serializers/wire/event.ts';
import {
  serializeListMeta,
  serializeAskFirst,
  serializeEmptyResult,
  serializePlacesMeta,
  serializeUnlistedVenues,
} from '../serializers/wire/meta.ts';
import { serializeNotice } from '../serializers/wire/day.ts';
import {
  serializeListedTaxon,
  serializeOrganizer,
  serializeVenue,
} from '../serializers/wire/venues.ts';
import { findNotices } from '../snapshot/load-agenda.ts';
import { listChangeLog } from '../snapshot/change-log.ts';
import { countUpcomingByTaxon } from '../snapshot/count-events.ts';
import { findEvents, findOccurrences } from '../snapshot/find-events.ts';
import { summarizeList } from '../snapshot/list-summary.ts';
import { findOrganizers, findVenues, type DirectoryResults } from '../snapshot/find-directory.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import {
  type OperationCall,
  parseLangOnly,
  parseOperationParameters,
  createDataResponse,
} from './operation.ts';
import type { ParameterIssue } from '../domain/query/parameter-issue.ts';

/**
 * Serves one item per event, with its next occurrence in the range. `nothing`: the alternatives of
 * an empty list.
 */
export function serveEvents(call: OperationCall): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const issues: ParameterIssue[] = [];
  const params = parseOperationParameters(call, [...LIST_PARAMETER_NAMES, 'include'], issues);
  const include = oneOfParser(['occurrences']).parse({ texts: params, issues }, 'include');
  const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'list', issues);
  const { cards, next: next_page_start, total } = findEvents(snapshot, filter, lang);
  const summary = summarizeList(snapshot, filter, lang, {
    count: cards.length,
    next: next_page_start,
    total,
  });
  const serializeOccurrences = include
    ? createOccurrenceSerializer(snapshot, filter, lang)
    : () => ({});
  return createDataResponse(call, {
    data: cards.map((card) => ({
      ...serializeEvent(card, lang, site),
      ...serializeOccurrences(card.event.id),
    })),
    lang,
    meta: serializeListMeta({
      ...summary,
      ask_first: serializeAskFirst(summary.ask_first, lang, site),
      nothing: summary.nothing && serializeEmptyResult(summary.nothing, lang, site),
    }),
    next_page:
      next_page_start &&
      withQuery(API_PATHS.listEvents, {
        ...params,
        cursor: encodeEventCursor(next_page_start, filter),
      }),
    hour_span: filter.hours,
  });
}

/** The fields that `include=occurrences` adds. */
type OccurrenceFields = Pick<PublicEvent, 'occurrences' | 'dates_in_range'>;

/** Creates a function that serializes the occurrences of an event in the range (contract 8.2). */
function createOccurrenceSerializer(
  snapshot: Snapshot,
  filter: EventFilter,
  lang: Lang,
): (event_id: string) => OccurrenceFields {
  const unlimited_filter = { ...filter, limit: Number.POSITIVE_INFINITY };
  const occurrences_by_event = Map.groupBy(
    findOccurrences(snapshot, unlimited_filter).items,
    ({ card }) => card.event.id,
  );
  return (event_id) => {
    const in_range = occurrences_by_event.get(event_id) ?? [];
    const included = in_range.slice(0, MAX_INCLUDED_OCCURRENCES);
    return {
      occurrences: included.map(({ occurrence }) => serializeOccurrence(occurrence, lang)),
      dates_in_range: in_range.length,
    };
  };
}

/** Serves venues by name, or by distance if `near` is set. */
export function serveVenues(call: OperationCall): HttpResponse {
  const { snapshot, site } = call;
  return serveDirectory(call, 'listVenues', VENUE_LIST_PARAMETERS, (filter, lang) => {
    const results = findVenues(snapshot, filter);
    const records = results.items.map(({ record, on_day }) =>
      serializeVenue(record, on_day, snapshot.taxonomy, lang, site),
    );
    const { unlisted } = results;
    return {
      results,
      records,
      further_meta: unlisted ? serializeUnlistedVenues(unlisted, lang, site) : {},
    };
  });
}

/** Serves organizers by name. */
export const serveOrganizers = (call: OperationCall): HttpResponse =>
  serveDirectory(call, 'listOrganizers', ORGANIZER_LIST_PARAMETERS, (filter, lang) => {
    const results = findOrganizers(call.snapshot, filter);
    const records = results.items.map(({ record }) => serializeOrganizer(record, lang, call.site));
    return { results, records, further_meta: {} };
  });

/** A page of venues or organizers; `records` are its serialized items. */
interface DirectoryPage {
  readonly results: DirectoryResults<unknown>;
  readonly records: readonly object[];
  readonly further_meta: object;
}

/** Serves a page of venues or organizers, with the number of upcoming events of each. */
function serveDirectory(
  call: OperationCall,
  operation: 'listVenues' | 'listOrganizers',
  parameter_names: readonly string[],
  loadPage: (filter: DirectoryFilter, lang: Lang) => DirectoryPage,
): HttpResponse {
  const issues: ParameterIssue[] = [];
  const params = parseOperationParameters(call, parameter_names, issues);
  const { filter, lang } = parseDirectoryQuery(params, call.snapshot, call.now_ms, issues);
  const { results, records, further_meta } = loadPage(filter, lang);
  const cursor = results.next && encodeDirectoryCursor(results.next, filter);
  return createDataResponse(call, {
    data: results.items.map(({ upcoming_count, distance_km }, index) => ({
      ...records[index],
      upcoming_count,
      ...(distance_km !== null && { distance_km }),
    })),
    lang,
    meta: { ...serializePlacesMeta({ ...results, count: results.items.length }), ...further_meta },
    next_page: cursor && withQuery(API_PATHS[operation], { ...params, cursor }),
  });
}

/** Serves all categories. */
export const serveCategories = (call: OperationCall): HttpResponse => serveTaxa(call, 'category');
/** Serves all zones. */
export const serveZones = (call: OperationCall): HttpResponse => serveTaxa(call, 'zone');

/** Serves all taxa of a section, in the order of content. */
function serveTaxa(call: OperationCall, section: 'category' | 'zone'): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const lang = parseLangOnly(call);
  const counts = countUpcomingByTaxon({ snapshot, now_ms: floorToMinute(now_ms) }).get(section);
  const taxa = snapshot.taxonomy[section === 'category' ? 'categories' : 'zones'];
  return createDataResponse(call, {
    data: taxa.map((taxon) =>
      serializeListedTaxon(section, taxon, counts?.get(taxon.key) ?? 0, lang, site),
    ),
    lang,
    meta: serializePlacesMeta({ count: taxa.length, total: taxa.length }),
  });
}

/** Serves the notices of a day, the most severe first. */
export function serveNotices(call: OperationCall): HttpResponse {
  const { snapshot, now_ms } = call;
  const issues: ParameterIssue[] = [];
  const params = parseOperationParameters(call, NOTICE_LIST_PARAMETERS, issues);
  const { day, lang, matches } = parseNoticeQuery(params, snapshot, now_ms, issues);
  const notices = findNotices(snapshot, day).filter(matches);
  const counts = countNotices(notices, { from: day, to: day });
  const summary = formatNoticeCounts(counts, day.equals(toLocalDay(now_ms)), lang);
  return createDataResponse(call, {
    data: notices.map((notice) => serializeNotice(notice, lang)),
    lang,
    meta: { count: notices.length, date: day.toString(), text: `${capitalize(summary)}.` },
  });
}

/** Serves the change log, the earliest entry first, for clients that keep a copy of the agenda. */
export function serveChanges(call: OperationCall): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const issues: ParameterIssue[] = [];
  const params = parseOperationParameters(call, CHANGES_PARAMETER_NAMES, issues);
  const { lang, ...query } = parseChangesQuery(params, now_ms, issues);
  const { changes, end: page_end, has_more } = listChangeLog(snapshot, query, now_ms);
  const { since } = query;
  const cursor = encodeChangesCursor(since, page_end);
  const { since: _in_cursor, ...other_params } = params;
  return createDataResponse(call, {
    data: changes.map((change) => serializeChange(change, lang, site)),
    lang,
    meta: { count: changes.length, since, cursor, has_more },
    next_page: has_more ? withQuery(API_PATHS.listChanges, { ...other_params, cursor }) : null,
  });
}
