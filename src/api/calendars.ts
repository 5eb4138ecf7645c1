// The calendars of the events that a query asks for, and of a venue or an organizer
// (contract 8.3, 8.10, 12.8).
import { toFeedRange } from '../domain/filters/date.ts';
import { type EventFilter, toOpenFilter } from '../domain/filters/event-filter.ts';
import { parseEventQuery } from '../domain/filters/event-query.ts';
import { EVENT_PARAMETER_NAMES } from '../domain/filters/filters.ts';
import { LIMITS } from '../domain/filters/limit.ts';
import type { Lang, LocalText } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import type { HttpResponse } from '../http/message.ts';
import { toAbsolute, toPagePath, toThingIcsPath, toThingPath } from '../i18n/paths.ts';
import { withQuery, API_PATHS } from '../i18n/api-paths.ts';
import { t } from '../i18n/translate.ts';
import {
  CALENDAR_TYPE,
  type CalendarItem,
  toCalendar,
  toFeedName,
} from '../serializers/calendar/calendar.ts';
import { toAttribution } from '../serializers/wire/meta.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import { findOrganizer, findVenue } from './get-record.ts';
import { type ApiContext, type Call, parseLang, readParameters, toFreshness } from './operation.ts';

interface CalendarFile {
  readonly name: string;
  readonly description: string;
  readonly page_url: string;
  readonly feed_url: string;
  /** Without `.ics`; a slug or another word of ours, so that it needs no quoting. */
  readonly file_name: string;
}

/** The calendar with status 200, shown inline so that a subscriber and a browser both take it. */
export const toCalendarResponse = (
  items: readonly CalendarItem[],
  { file_name, ...file }: CalendarFile,
  lang: Lang,
  { site, now_ms }: ApiContext,
): HttpResponse => ({
  status: 200,
  headers: {
    'content-type': CALENDAR_TYPE,
    'content-disposition': `inline; filename="${file_name}.ics"`,
    'cache-control': toFreshness(now_ms),
  },
  body: toCalendar(items, { ...file, lang, site }),
});

/** What a calendar says of itself: zone and terms; `more` where it does not hold everything. */
export function toDescription(more: string | null, lang: Lang, site: Site): string {
  const description = t(lang, 'ics.description', { attribution: toAttribution(lang, site) });
  return more === null ? description : `${description} ${more}`;
}

const toCut = (cut: boolean, count: number, lang: Lang): string | null =>
  cut ? t(lang, 'ics.cut', { count }) : null;

export function toEventsFeedResponse({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = readParameters(request.query, EVENT_PARAMETER_NAMES, issues);
  const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'feed', issues);
  const { items, cut } = findOccurrences(snapshot, filter);
  return toCalendarResponse(
    items,
    {
      name: toFeedName(filter, params, snapshot.taxonomy, lang, site),
      description: toDescription(toCut(cut, items.length, lang), lang, site),
      page_url: toAbsolute(site.url, toPagePath('calendar', lang)),
      feed_url: toAbsolute(site.url, withQuery(API_PATHS.eventsCalendarFeed, params)),
      file_name: 'agenda',
    },
    lang,
    context,
  );
}

/** A venue's occurrences, today … today + 60. */
export function toVenueCalendarResponse(call: Call): HttpResponse {
  const venue = findVenue(call.id, call.context);
  return toPlaceFeed('venue', venue, { venue }, call);
}

export function toOrganizerCalendarResponse(call: Call): HttpResponse {
  const organizer = findOrganizer(call.id, call.context);
  return toPlaceFeed('organizer', organizer, { organizer }, call);
}

function toPlaceFeed(
  section: 'venue' | 'organizer',
  { name, slug }: { readonly name: string; readonly slug: LocalText },
  whose: Partial<EventFilter>,
  { request, context }: Call,
): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const lang = parseLang(request.query);
  const { items, cut } = findOccurrences(snapshot, {
    ...toOpenFilter(now_ms, LIMITS.feed.max),
    range: toFeedRange(now_ms),
    ...whose,
  });
  return toCalendarResponse(
    items,
    {
      name: t(lang, 'ics.name', { site: site.name, filters: name }),
      description: toDescription(toCut(cut, items.length, lang), lang, site),
      page_url: toAbsolute(site.url, toThingPath(section, slug, lang)),
      feed_url: toAbsolute(site.url, toThingIcsPath(section, slug, lang)),
      file_name: slug[lang],
    },
    lang,
    context,
  );
}
