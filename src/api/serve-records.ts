// Record operations: serve one event, one venue or organizer with its upcoming events, one notice
// and one day (contract 8.4, 8.6, 8.8, 8.14).
import type { EventDetail } from '../domain/agenda.ts';
import { filterDates } from '../domain/event/event.ts';
import { AppError } from '../domain/app-error.ts';
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import { computeDayFacts } from '../domain/day/day-facts.ts';
import { EVENT_DATES_NAMES, parseEventDatesQuery } from '../domain/query/list-queries.ts';
import { type EventFilter, unfilteredEventFilter } from '../domain/query/event-query.ts';
import { parseLangParameter, throwIfIssues } from '../domain/query/parameter-parsers.ts';
import { RESULT_LIMITS } from '../domain/query/parameters.ts';
import { parseComputableDay } from '../domain/query/date-range.ts';
import type { Lang } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { VenueRecord } from '../domain/venue.ts';
import type { HttpResponse } from '../http/message.ts';
import { serializeDay, serializeNotice } from '../serializers/wire/day.ts';
import { serializeEventDetail, serializeEvent } from '../serializers/wire/event.ts';
import {
  serializeOpenVenues,
  serializeOrganizer,
  serializeVenue,
} from '../serializers/wire/venues.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { findVenueDay, getEvent, getOrganizer, getVenue } from '../snapshot/get-record.ts';
import { findOpenVenues } from '../snapshot/find-directory.ts';
import {
  type OperationCall,
  parseLangOnly,
  parseOperationParameters,
  createDataResponse,
} from './operation.ts';
import type { ParameterIssue } from '../domain/query/parameter-issue.ts';

/**
 * Returns an event by id or any current or former slug.
 * @throws AppError not_found or gone (contract 5.5, 5.7)
 */
export function getEventOrThrow({ id, snapshot, now_ms }: OperationCall): EventDetail {
  const detail = getEvent(snapshot, id, floorToMinute(now_ms));
  if (detail === null) throw new AppError('not_found', 'idOrSlug: no event has this id or slug');
  if (detail === 'gone') throw new AppError('gone', 'idOrSlug: this event was withdrawn');
  return detail;
}

/** Returns a venue by id or any current or former slug. @throws AppError not_found or gone */
export const getVenueOrThrow = (call: OperationCall): VenueRecord =>
  requireRecord(call, 'venue', getVenue(call.snapshot, call.id));
/** Returns an organizer by id or any current or former slug. @throws AppError not_found or gone */
export const getOrganizerOrThrow = (call: OperationCall): OrganizerRecord =>
  requireRecord(call, 'organizer', getOrganizer(call.snapshot, call.id));

/**
 * Returns `record` unless it is null.
 * @throws AppError gone if the id or slug was withdrawn, not_found if it never existed.
 */
function requireRecord<T>(
  { id, snapshot }: OperationCall,
  kind: 'venue' | 'organizer',
  record: T | null,
): T {
  if (snapshot.findId(kind, id) === 'gone')
    throw new AppError('gone', `slug: this ${kind} is no longer listed`);
  if (record === null) throw new AppError('not_found', `slug: no ${kind} has this slug`);
  return record;
}

/** Serves an event, also a past one, with all occurrences or those in a range of days. */
export function serveEvent(call: OperationCall): HttpResponse {
  const issues: ParameterIssue[] = [];
  const params = parseOperationParameters(call, EVENT_DATES_NAMES, issues);
  // Throws if there are issues.
  const { lang, range } = parseEventDatesQuery(params, call.now_ms, issues);
  const detail = getEventOrThrow(call);
  const occurrences = filterDates(detail.occurrences, range);
  return createDataResponse(call, {
    data: serializeEventDetail(detail, lang, call.site, occurrences),
    lang,
  });
}

/** Serves a notice, also a past or future one. @throws AppError not_found */
export function serveNotice(call: OperationCall): HttpResponse {
  const lang = parseLangOnly(call);
  const notice = call.snapshot.notices.get(call.id);
  if (notice === undefined)
    throw new AppError('not_found', 'id: no notice has this id, or it is no longer listed');
  return createDataResponse(call, { data: serializeNotice(notice, lang), lang });
}

/** Serves a venue with its hours of today and its upcoming events. */
export function serveVenue(call: OperationCall): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const lang = parseLangOnly(call);
  const venue = getVenueOrThrow(call);
  const venue_today = findVenueDay(snapshot, venue, toLocalDay(now_ms));
  const fields = serializeVenue(venue, venue_today, snapshot.taxonomy, lang, site);
  return createDataResponse(call, {
    data: { ...fields, ...listUpcomingEvents({ venue }, lang, call) },
    lang,
  });
}

/** Serves an organizer with its upcoming events. */
export function serveOrganizer(call: OperationCall): HttpResponse {
  const lang = parseLangOnly(call);
  const organizer = getOrganizerOrThrow(call);
  const fields = serializeOrganizer(organizer, lang, call.site);
  return createDataResponse(call, {
    data: { ...fields, ...listUpcomingEvents({ organizer }, lang, call) },
    lang,
  });
}

/**
 * Lists the upcoming events of a venue or organizer in chronological order, as the field
 * `upcoming_events`.
 */
function listUpcomingEvents(
  record_filter: Partial<EventFilter>,
  lang: Lang,
  { snapshot, now_ms, site }: OperationCall,
) {
  const filter = {
    ...unfilteredEventFilter(floorToMinute(now_ms), RESULT_LIMITS.list.max),
    ...record_filter,
  };
  const { cards: events } = findEvents(snapshot, filter, lang);
  return { upcoming_events: events.map((event) => serializeEvent(event, lang, site)) };
}

/**
 * Serves the facts of a day: holidays, sun and moon, and the venues that are worth a visit
 * (`open_places`). They do not depend on its events. `id` is the day: YYYY-MM-DD, or a keyword such
 * as `today`. A computable day is in the years for which sun, moon and holidays are computed.
 */
export function serveDay(call: OperationCall): HttpResponse {
  const { snapshot, now_ms, site, id } = call;
  const issues: ParameterIssue[] = [];
  const lang = parseLangParameter(parseOperationParameters(call, ['lang'], issues), issues);
  const day = parseComputableDay(id, now_ms, issues, lang);
  throwIfIssues(issues);
  const data = {
    ...serializeDay(computeDayFacts(day, snapshot.calendar), lang),
    open_places: serializeOpenVenues(findOpenVenues(snapshot, day), lang, site),
  };
  return createDataResponse(call, { data, lang });
}
