// The calendars: of the events that a query asks for, of a venue or an organizer, of one event
// (contract 8.3, 8.5, 12.8).
import type { Temporal } from 'temporal-polyfill';
import type { EventDetail } from '../domain/agenda.ts';
import { AppError } from '../domain/app-error.ts';
import { fromDayNumber, toLocalDay } from '../domain/local-time.ts';
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

interface CalendarResponse {
  readonly items: readonly CalendarItem[];
  readonly name: string;
  /** Said where not everything is in it. */
  readonly more: string | null;
  /** Of its page, and of itself. */
  readonly page_path: string;
  readonly path: string;
  /** Without `.ics`; a slug or another word of ours, so that it needs no quoting. */
  readonly file_name: string;
}

/** Shown inline, so that a subscriber and a browser both take it. */
function respondCalendar(
  call: OperationCall,
  lang: Lang,
  { items, name, more, page_path, path, file_name }: CalendarResponse,
): HttpResponse {
  const { site } = call;
  const description = t(lang, 'ics.description', { attribution: formatAttribution(lang, site) });
  const body = serializeCalendar(items, {
    name,
    description: more === null ? description : `${description} ${more}`,
    page_url: absoluteUrl(site.url, page_path),
    feed_url: absoluteUrl(site.url, path),
    lang,
    site,
  });
  return createFileResponse(call, CALENDAR_TYPE, body, {
    'content-disposition': `inline; filename="${file_name}.ics"`,
  });
}

/** The occurrences that a filter lets pass, and what is said where the limit left some out. */
function findItems({ snapshot }: OperationCall, filter: EventFilter, lang: Lang) {
  const { items, cut } = findOccurrences(snapshot, filter);
  return { items, more: cut ? t(lang, 'ics.cut', { count: items.length }) : null };
}

/** Of chosen events without days the next date of each, however far ahead (contract 7.27). */
function findNext({ snapshot }: OperationCall, filter: EventFilter, lang: Lang) {
  const { cards, next } = findEvents(snapshot, { ...filter, range: null }, lang);
  const items = cards.flatMap((card) => (card.next ? [{ card, occurrence: card.next }] : []));
  return { items, more: next ? t(lang, 'ics.cut', { count: items.length }) : null };
}

export function serveEventsCalendar(call: OperationCall): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const issues: string[] = [];
  const params = parseOperationParameters(call, EVENT_PARAMETER_NAMES, issues);
  const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'feed', issues);
  const { ids, date, from, to } = params;
  const is_list = ids !== undefined && (date ?? from ?? to) === undefined;
  return respondCalendar(call, lang, {
    ...(is_list ? findNext(call, filter, lang) : findItems(call, filter, lang)),
    name: calendarFeedName(filter, params, snapshot.taxonomy, lang, site),
    page_path: pagePath('calendar', lang),
    path: withQuery(API_PATHS.eventsCalendarFeed, params),
    file_name: 'agenda',
  });
}

export function serveVenueCalendar(call: OperationCall): HttpResponse {
  const venue = getVenueOrThrow(call);
  return respondPlace(call, 'venue', venue, { venue });
}

export function serveOrganizerCalendar(call: OperationCall): HttpResponse {
  const organizer = getOrganizerOrThrow(call);
  return respondPlace(call, 'organizer', organizer, { organizer });
}

/** Its occurrences, today … today + 60. */
function respondPlace(
  call: OperationCall,
  section: 'venue' | 'organizer',
  { name, slug }: { readonly name: string; readonly slug: LocalText },
  whose: Partial<EventFilter>,
): HttpResponse {
  const { now_ms, site } = call;
  const lang = parseLangOnly(call);
  const ahead = {
    ...unfilteredEventFilter(now_ms, RESULT_LIMITS.feed.max),
    range: defaultCalendarRange(now_ms),
  };
  return respondCalendar(call, lang, {
    ...findItems(call, { ...ahead, ...whose }, lang),
    name: t(lang, 'ics.name', { site: site.name, filters: name }),
    page_path: recordPath(section, slug, lang),
    path: recordIcsPath(section, slug, lang),
    file_name: slug[lang],
  });
}

/** Some dates of one event; `day`: of which alone. */
function respondDates(
  call: OperationCall,
  lang: Lang,
  card: EventDetail,
  dates: readonly OccurrenceRecord[],
  path: string,
  { more = null, day = null }: { readonly more?: string | null; readonly day?: string | null },
): HttpResponse {
  const { title, slug } = card.event;
  return respondCalendar(call, lang, {
    items: dates.map((occurrence) => ({ occurrence, card })),
    name: title[lang],
    more,
    page_path: recordPath('event', slug, lang),
    path,
    file_name: day === null ? slug[lang] : `${slug[lang]}-${day}`,
  });
}

/**
 * Every occurrence of one event, past ones too, of which the latest where there are more than a feed
 * holds; with `date` only those of that day, or AppError not_found where it has none.
 */
export function serveEventCalendar(call: OperationCall): HttpResponse {
  const issues: string[] = [];
  const params = parseOperationParameters(call, ['date', 'lang'], issues);
  const lang = parseLangParameter(params, issues);
  const day =
    params.date === undefined ? null : parseDayParameter(params.date, call.now_ms, issues);
  throwIfIssues(issues);
  const detail = getEventOrThrow(call);
  const { id } = detail.event;
  if (day === null) {
    const dates = detail.occurrences.slice(-RESULT_LIMITS.feed.max);
    return respondDates(call, lang, detail, dates, withQuery(eventIcsPath(id), { lang }), {});
  }
  const date = day.toString();
  const dates = findDates(detail, day, call.now_ms);
  return respondDates(call, lang, detail, dates, occurrenceIcsPath(id, date, lang), { day: date });
}

/** Days named where one is asked for that the event does not have. */
const NAMED_DAYS = 3;

/** Throws AppError not_found that names the days it does have. */
function findDates(
  { occurrences }: EventDetail,
  day: Temporal.PlainDate,
  now_ms: number,
): readonly OccurrenceRecord[] {
  const found = filterDates(occurrences, { from: day, to: day });
  if (found.length > 0) return found;
  const ahead = filterNotEnded(occurrences, now_ms);
  const days = (ahead.length > 0 ? ahead : occurrences.slice(-1)).map((one) =>
    fromDayNumber(one.first_day).toString(),
  );
  const named = [...new Set(days)].slice(0, NAMED_DAYS).join(', ');
  throw new AppError(
    'not_found',
    `date: the event has no date on ${day.toString()}. ${ahead.length > 0 ? 'Its next ones' : 'Its last one'}: ${named}`,
  );
}

/** What a subscriber follows of one event: from a week ago on, at most 60 dates ahead. */
export function serveEventSubscription(call: OperationCall): HttpResponse {
  const lang = parseLangOnly(call);
  const detail = getEventOrThrow(call);
  const { dates, is_cut } = listSubscriptionDates(detail.occurrences, toLocalDay(call.now_ms));
  const more = is_cut ? t(lang, 'ics.followed', { count: SUBSCRIPTION_WINDOW.dates_ahead }) : null;
  const path = recordIcsPath('event', detail.event.slug, lang);
  return respondDates(call, lang, detail, dates, path, { more });
}
