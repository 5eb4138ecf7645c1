// GET /venues/{slug}.ics and /organizers/{slug}.ics: the feed of one place or organizer, for people
// who follow it.
import { toOpenFilter, type EventFilter } from '../domain/filters/event-filter.ts';
import { LIMITS } from '../domain/filters/limit.ts';
import { toFeedRange } from '../domain/filters/date.ts';
import type { LocalText } from '../domain/lang.ts';
import type { HttpResponse } from '../http/message.ts';
import { toAbsolute, toThingIcsPath, toThingPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { findCalendarItems, toCalendarResponse } from './calendar-response.ts';
import type { Call } from './context.ts';
import { toFeedDescription } from './feed-description.ts';
import { findOrganizer } from './get-organizer.ts';
import { findVenue } from './get-venue.ts';
import { parseLang } from './parse-lang.ts';

interface Followed {
  readonly section: 'venue' | 'organizer';
  readonly name: string;
  readonly slug: LocalText;
  readonly filter: Partial<EventFilter>;
}

function toFeed(
  { section, name, slug, filter }: Followed,
  { request, context }: Call,
): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const lang = parseLang(request.query);
  const range = toFeedRange(now_ms);
  const { items, cut } = findCalendarItems(snapshot, {
    ...toOpenFilter(now_ms, LIMITS.feed.max),
    range,
    ...filter,
  });
  return toCalendarResponse(
    items,
    {
      name: t(lang, 'ics.name', { site: site.name, filters: name }),
      description: toFeedDescription(cut ? items.length : null, lang, site),
      page_url: toAbsolute(site.url, toThingPath(section, slug, lang)),
      feed_url: toAbsolute(site.url, toThingIcsPath(section, slug, lang)),
      file_name: slug[lang],
    },
    lang,
    context,
  );
}

/** A venue's occurrences, today … today + 60. */
export function getVenueCalendar(call: Call): HttpResponse {
  const venue = findVenue(call.id, call.context);
  return toFeed(
    { section: 'venue', name: venue.name, slug: venue.slug, filter: { venue: venue.id } },
    call,
  );
}

/** An organizer's occurrences, today … today + 60. */
export function getOrganizerCalendar(call: Call): HttpResponse {
  const organizer = findOrganizer(call.id, call.context);
  return toFeed(
    {
      section: 'organizer',
      name: organizer.name,
      slug: organizer.slug,
      filter: { organizer: organizer.id },
    },
    call,
  );
}
