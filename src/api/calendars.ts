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
import { toFeedName } from '../serializers/calendar/feed-name.ts';
import { toAttribution } from '../serializers/wire/meta.ts';
import { findCalendarItems, toCalendarResponse } from './calendar-response.ts';
import { findOrganizer, findVenue } from './get-record.ts';
import { type Call, parseLang, readParameters } from './operation.ts';

/** What a calendar says of itself: zone and terms; `more` where it does not hold everything. */
export function toDescription(more: string | null, lang: Lang, site: Site): string {
  const description = t(lang, 'ics.description', { attribution: toAttribution(lang, site) });
  return more === null ? description : `${description} ${more}`;
}

/** Where a limit cut a feed, that it did. */
const toCut = (cut: boolean, count: number, lang: Lang): string | null =>
  cut ? t(lang, 'ics.cut', { count }) : null;

/** Every occurrence that a query asks for; its name says its filters. */
export function toEventsFeedResponse({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = readParameters(request.query, EVENT_PARAMETER_NAMES, issues);
  const { filter, lang } = parseEventQuery(params, snapshot, now_ms, 'feed', issues);
  const { items, cut } = findCalendarItems(snapshot, filter);
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

/** An organizer's occurrences, today … today + 60. */
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
  const { items, cut } = findCalendarItems(snapshot, {
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
