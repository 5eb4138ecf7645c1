// Calendar operations: serve iCalendar files of a filtered list, a venue, an organizer or one event
// (contract 8.3, 8.5, 12.8). A card is an event with its related records and next occurrence.
import type { Temporal } from 'temporal-polyfill';
import type { EventDetail } from '../domain/agenda.ts';
import { AppError } from '../domain/app-error.ts';
import { fromDayNumber, getToday, toLocalDay } from '../domain/local-time.ts';
import {
  filterNotEnded,
  SUBSCRIPTION_WINDOW,
  listSubscriptionDates,
  type OccurrenceRecord,
  filterDates,
} from '../domain/event/event.ts';
import { parseDayParameter, defaultCalendarRange } from '../domain/query/date-range.ts';
import {
  type EventFilter,
  parseEventQuery,
  unfilteredEventFilter,
} from '../domain/query/event-query.ts';
import { EVENT_PARAMETER_NAMES, RESULT_LIMITS } from '../domain/query/parameters.ts';
import { parseLangParameter, throwIfIssues } from '../domain/query/parameter-parsers.ts';
import type { Lang, LocalText } from '../domain/lang.ts';
import type { HttpResponse } from '../http/message.ts';
import {
  API_PATHS,
  absoluteUrl,
  occurrenceIcsPath,
  eventIcsPath,
  pagePath,
  recordIcsPath,
  recordPath,
  withQuery,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import {
  CALENDAR_TYPE,
  type CalendarItem,
  serializeCalendar,
  calendarFeedName,
} from '../serializers/icalendar.ts';
import { formatAttribution } from '../serializers/wire/meta.ts';
import { findEvents, findOccurrences } from '../snapshot/find-events.ts';
import {
  type OperationCall,
  parseLangOnly,
  parseOperationParameters,
  createFileResponse,
} from './operation.ts';
import { getEventOrThrow, getOrganizerOrThrow, getVenueOrThrow } from './serve-records.ts';
import type { ParameterIssue } from '../domain/query/parameter-issue.ts';

/** Contents of a calendar file. */
interface CalendarResponse {
  readonly items: readonly CalendarItem[];
  readonly name: string;
  /** Sentence for the description if a limit left out occurrences; otherwise null. */
  readonly limit_note: string | null;
  /** Path of the HTML page with the same events. */
  readonly page_path: string;
  /** Path of the calendar itself, with its query. */
  readonly path: string;
  /** Without `.ics`; a slug or a fixed word, so that it needs no quoting in a header. */
  readonly file_name: string;
}

/**
 * Creates the response with `inline` disposition, which calendar clients and browsers both accept.
 */
function createCalendarResponse(
  call: OperationCall,
  lang: Lang,
  { items, name, limit_note, page_path, path, file_name }: CalendarResponse,
): HttpResponse {
  const { site } = call;
  const description = t(lang, 'ics.description', { attribution: formatAttribution(lang, site) });
  const body = serializeCalendar(items, {
    name,
    description: limit_note === null ? description : `${description} ${limit_note}`,
    page_url: absoluteUrl(site.url, page_path),
    feed_url: absoluteUrl(site.url, path),
    lang,
    site,
    today_ms: getToday(call.now_ms).start_ms,
  });
  return createFileResponse(call, CALENDAR_TYPE, body, {
    'content-disposition': `inline; filename="${file_name}.ics"`,
  });
}

/** Finds the occurrences that match a filter, with a note if the limit was reached. */
function findOccurrencesInRange({ snapshot }: OperationCall, filter: EventFilter, lang: Lang) {
  const { items, is_truncated } = findOccurrences(snapshot, filter);
  return { items, limit_note: is_truncated ? t(lang, 'ics.cut', { count: items.length }) : null };
}

/** Finds the next occurrence of each selected event, however far ahead (contract 7.27). */
function findNextOccurrences({ snapshot }: OperationCall, filter: EventFilter, lang: Lang) {
  const any_day = { ...filter, range: null };
  const { cards, next: next_page_start } = findEvents(snapshot, any_day, lang);
  const items = cards.flatMap((card) => (card.next ? [{ card, occurrence: card.next }] : []));
  return {
    items,
    limit_note: next_page_start ? t(lang, 'ics.cut', { count: items.length }) : null,
  };
}

/** Serves the occurrences that match the filters of a list. */
export function serveEventsCalendar(call: OperationCall): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const issues: ParameterIssue[] = [];
  const params = parseOperationParameters(call, EVENT_PARAMETER_NAMES, issues);
  // 'feed': with the default days and the limit of calendars, not of lists.
  const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'feed', issues);
  const has_days = (params.date ?? params.from ?? params.to) !== undefined;
  // Selected events (`ids`) without days show only the next occurrence of each.
  const is_selection = params.ids !== undefined && !has_days;
  return createCalendarResponse(call, lang, {
    ...(is_selection
      ? findNextOccurrences(call, filter, lang)
      : findOccurrencesInRange(call, filter, lang)),
    name: calendarFeedName(filter, params, snapshot.taxonomy, lang, site),
    page_path: pagePath('calendar', lang),
    path: withQuery(API_PATHS.eventsCalendarFeed, params),
    file_name: 'agenda',
  });
}

export function serveVenueCalendar(call: OperationCall): HttpResponse {
  const venue = getVenueOrThrow(call);
  return serveRecordCalendar(call, 'venue', venue, { venue });
}

export function serveOrganizerCalendar(call: OperationCall): HttpResponse {
  const organizer = getOrganizerOrThrow(call);
  return serveRecordCalendar(call, 'organizer', organizer, { organizer });
}

/**
 * Serves the occurrences of a venue or organizer in the default range of calendars: 60 days from
 * today.
 */
function serveRecordCalendar(
  call: OperationCall,
  kind: 'venue' | 'organizer',
  { name, slug }: { readonly name: string; readonly slug: LocalText },
  record_filter: Partial<EventFilter>,
): HttpResponse {
  const { now_ms, site } = call;
  const lang = parseLangOnly(call);
  const range_filter = {
    ...unfilteredEventFilter(now_ms, RESULT_LIMITS.feed.max),
    range: defaultCalendarRange(now_ms),
  };
  return createCalendarResponse(call, lang, {
    ...findOccurrencesInRange(call, { ...range_filter, ...record_filter }, lang),
    name: t(lang, 'ics.name', { site: site.name, filters: name }),
    page_path: recordPath(kind, slug, lang),
    path: recordIcsPath(kind, slug, lang),
    file_name: slug[lang],
  });
}

/**
 * Creates the calendar of one event with some of its occurrences.
 * @param options.day The only day included, as YYYY-MM-DD for the file name; null for several.
 */
function createEventCalendarResponse(
  call: OperationCall,
  lang: Lang,
  card: EventDetail,
  occurrences: readonly OccurrenceRecord[],
  path: string,
  {
    limit_note = null,
    day = null,
  }: { readonly limit_note?: string | null; readonly day?: string | null },
): HttpResponse {
  const { title, slug } = card.event;
  return createCalendarResponse(call, lang, {
    items: occurrences.map((occurrence) => ({ occurrence, card })),
    name: title[lang],
    limit_note,
    page_path: recordPath('event', slug, lang),
    path,
    file_name: day === null ? slug[lang] : `${slug[lang]}-${day}`,
  });
}

/**
 * Serves all occurrences of one event including past ones; the latest if there are more than a feed
 * may hold. With `date`, only the occurrences on that day.
 * @throws AppError not_found if the event has no occurrence on that day.
 */
export function serveEventCalendar(call: OperationCall): HttpResponse {
  const issues: ParameterIssue[] = [];
  const params = parseOperationParameters(call, ['date', 'lang'], issues);
  const lang = parseLangParameter(params, issues);
  const day =
    params.date === undefined ? null : parseDayParameter(params.date, call.now_ms, issues, lang);
  throwIfIssues(issues);
  const detail = getEventOrThrow(call);
  const { id } = detail.event;
  if (day === null) {
    const latest = detail.occurrences.slice(-RESULT_LIMITS.feed.max);
    return createEventCalendarResponse(
      call,
      lang,
      detail,
      latest,
      withQuery(eventIcsPath(id), { lang }),
      {},
    );
  }
  const iso_day = day.toString();
  const on_day = getOccurrencesOn(day, detail, call.now_ms);
  const path = occurrenceIcsPath(id, iso_day, lang);
  return createEventCalendarResponse(call, lang, detail, on_day, path, { day: iso_day });
}

/** At most this many other days of the event are named in the error. */
const MAX_SUGGESTED_DAYS = 3;

/**
 * Returns the occurrences of an event on a day.
 * @throws AppError not_found, naming the next days of the event.
 */
function getOccurrencesOn(
  day: Temporal.PlainDate,
  { occurrences }: EventDetail,
  now_ms: number,
): readonly OccurrenceRecord[] {
  const on_day = filterDates(occurrences, { from: day, to: day });
  if (on_day.length > 0) return on_day;
  const upcoming = filterNotEnded(occurrences, now_ms);
  const days = (upcoming.length > 0 ? upcoming : occurrences.slice(-1)).map(
    ({ first_day: first_day_number }) => fromDayNumber(first_day_number).toString(),
  );
  const suggested_days = [...new Set(days)].slice(0, MAX_SUGGESTED_DAYS).join(', ');
  throw new AppError(
    'not_found',
    `date: the event has no date on ${day.toString()}. ${upcoming.length > 0 ? 'Its next ones' : 'Its last one'}: ${suggested_days}`,
  );
}

/**
 * Serves the subscription to one event (operation `followEvent`): occurrences from a week ago on,
 * and at most 60 ahead (SUBSCRIPTION_WINDOW).
 */
export function serveEventSubscription(call: OperationCall): HttpResponse {
  const lang = parseLangOnly(call);
  const detail = getEventOrThrow(call);
  const { dates: occurrences, is_truncated } = listSubscriptionDates(
    detail.occurrences,
    toLocalDay(call.now_ms),
  );
  const limit_note = is_truncated
    ? t(lang, 'ics.followed', { count: SUBSCRIPTION_WINDOW.dates_ahead })
    : null;
  const path = recordIcsPath('event', detail.event.slug, lang);
  return createEventCalendarResponse(call, lang, detail, occurrences, path, { limit_note });
}
