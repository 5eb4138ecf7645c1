// The calendars: of the events that a query asks for, of a venue or an organizer, of one event
// (contract 8.3, 8.5, 12.8).
import type { Temporal } from 'temporal-polyfill';
import type { EventDetail } from '../domain/agenda.ts';
import { AppError } from '../domain/app-error.ts';
import { fromDayNumber, toCancunDay } from '../domain/cancun-time.ts';
import {
  filterUpcoming,
  FOLLOWED,
  listFollowed,
  type OccurrenceRecord,
  pickDates,
} from '../domain/event/event.ts';
import { readDay, toFeedRange } from '../domain/query/days.ts';
import { type EventFilter, parseEventQuery, toOpenFilter } from '../domain/query/event-query.ts';
import { EVENT_PARAMETER_NAMES, LIMITS } from '../domain/query/parameters.ts';
import { readLang } from '../domain/query/values.ts';
import type { Lang, LocalText } from '../domain/lang.ts';
import type { HttpResponse } from '../http/message.ts';
import {
  API_PATHS,
  toAbsolute,
  toDateIcsPath,
  toEventIcsPath,
  toPagePath,
  toThingIcsPath,
  toThingPath,
  withQuery,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import {
  CALENDAR_TYPE,
  type CalendarItem,
  toCalendar,
  toFeedName,
} from '../serializers/calendar.ts';
import { toAttribution } from '../serializers/wire/meta.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import { type Call, parseLang, readParameters, refuse, respondFile } from './operation.ts';
import { findEvent, findOrganizer, findVenue } from './records.ts';

interface CalendarFile {
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
  call: Call,
  items: readonly CalendarItem[],
  { name, more, page_path, path, file_name }: CalendarFile,
  lang: Lang,
): HttpResponse {
  const { site } = call;
  const description = t(lang, 'ics.description', { attribution: toAttribution(lang, site) });
  const body = toCalendar(items, {
    name,
    description: more === null ? description : `${description} ${more}`,
    page_url: toAbsolute(site.url, page_path),
    feed_url: toAbsolute(site.url, path),
    lang,
    site,
  });
  const disposition = { 'content-disposition': `inline; filename="${file_name}.ics"` };
  return respondFile(call, CALENDAR_TYPE, body, disposition);
}

/** The occurrences that a filter lets pass, and what is said where the limit left some out. */
function readFeed({ snapshot }: Call, filter: EventFilter, lang: Lang) {
  const { items, cut } = findOccurrences(snapshot, filter);
  return { items, more: cut ? t(lang, 'ics.cut', { count: items.length }) : null };
}

export function serveEventsCalendar(call: Call): HttpResponse {
  const { snapshot, now_ms, site } = call;
  const issues: string[] = [];
  const params = readParameters(call, EVENT_PARAMETER_NAMES, issues);
  const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'feed', issues);
  const { items, more } = readFeed(call, filter, lang);
  return respondCalendar(
    call,
    items,
    {
      name: toFeedName(filter, params, snapshot.taxonomy, lang, site),
      more,
      page_path: toPagePath('calendar', lang),
      path: withQuery(API_PATHS.eventsCalendarFeed, params),
      file_name: 'agenda',
    },
    lang,
  );
}

export function serveVenueCalendar(call: Call): HttpResponse {
  const venue = findVenue(call);
  return respondPlaceCalendar(call, 'venue', venue, { venue });
}

export function serveOrganizerCalendar(call: Call): HttpResponse {
  const organizer = findOrganizer(call);
  return respondPlaceCalendar(call, 'organizer', organizer, { organizer });
}

/** Its occurrences, today … today + 60. */
function respondPlaceCalendar(
  call: Call,
  section: 'venue' | 'organizer',
  { name, slug }: { readonly name: string; readonly slug: LocalText },
  whose: Partial<EventFilter>,
): HttpResponse {
  const { now_ms, site } = call;
  const lang = parseLang(call);
  const ahead = { ...toOpenFilter(now_ms, LIMITS.feed.max), range: toFeedRange(now_ms) };
  const { items, more } = readFeed(call, { ...ahead, ...whose }, lang);
  return respondCalendar(
    call,
    items,
    {
      name: t(lang, 'ics.name', { site: site.name, filters: name }),
      more,
      page_path: toThingPath(section, slug, lang),
      path: toThingIcsPath(section, slug, lang),
      file_name: slug[lang],
    },
    lang,
  );
}

interface DatesFile extends Pick<CalendarFile, 'more' | 'path'> {
  readonly dates: readonly OccurrenceRecord[];
  /** Behind the slug in its name. */
  readonly suffix: string;
}

function respondDates(
  call: Call,
  detail: EventDetail,
  { dates, more, path, suffix }: DatesFile,
  lang: Lang,
): HttpResponse {
  const { title, slug } = detail.event;
  const items = dates.map((occurrence) => ({ occurrence, card: detail }));
  return respondCalendar(
    call,
    items,
    {
      name: title[lang],
      more,
      page_path: toThingPath('event', slug, lang),
      path,
      file_name: `${slug[lang]}${suffix}`,
    },
    lang,
  );
}

/**
 * Every occurrence of one event, past ones too, of which the latest where there are more than a feed
 * holds; with `date` only those of that day, or AppError not_found where it has none.
 */
export function serveEventCalendar(call: Call): HttpResponse {
  const issues: string[] = [];
  const params = readParameters(call, ['date', 'lang'], issues);
  const lang = readLang(params, issues);
  const day = params.date === undefined ? null : readDay(params.date, call.now_ms, issues);
  refuse(issues);
  const detail = findEvent(call);
  const { id } = detail.event;
  const file =
    day === null
      ? {
          dates: detail.occurrences.slice(-LIMITS.feed.max),
          path: withQuery(toEventIcsPath(id), { lang }),
          suffix: '',
        }
      : {
          dates: findDates(detail, day, call.now_ms),
          path: toDateIcsPath(id, day.toString(), lang),
          suffix: `-${day.toString()}`,
        };
  return respondDates(call, detail, { ...file, more: null }, lang);
}

/** Days named where one is asked for that the event does not have. */
const NAMED_DAYS = 3;

/** Throws AppError not_found that names the days it does have. */
function findDates(
  { occurrences }: EventDetail,
  day: Temporal.PlainDate,
  now_ms: number,
): readonly OccurrenceRecord[] {
  const found = pickDates(occurrences, { from: day, to: day });
  if (found.length > 0) return found;
  const ahead = filterUpcoming(occurrences, now_ms);
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
export function serveEventSubscription(call: Call): HttpResponse {
  const lang = parseLang(call);
  const detail = findEvent(call);
  const { dates, is_cut } = listFollowed(detail.occurrences, toCancunDay(call.now_ms));
  const more = is_cut ? t(lang, 'ics.followed', { count: FOLLOWED.dates_ahead }) : null;
  const path = toThingIcsPath('event', detail.event.slug, lang);
  return respondDates(call, detail, { dates, more, path, suffix: '' }, lang);
}
