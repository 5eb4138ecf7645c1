// GET /api/v1/events.ics: every occurrence in the range as a calendar to subscribe to (interface 4,
// eventsCalendarFeed).
import { EVENT_PARAMETER_NAMES } from '../domain/filters/filters.ts';
import { parseEventQuery } from '../domain/filters/event-query.ts';
import type { HttpResponse } from '../http/message.ts';
import { parseParameters } from '../http/parameters.ts';
import { toAbsolute, toPagePath } from '../i18n/paths.ts';
import { toFeedName } from '../serializers/calendar/feed-name.ts';
import { findCalendarItems, toCalendarResponse } from './calendar-response.ts';
import type { Call } from './context.ts';
import { toFeedDescription } from './feed-description.ts';

const FEED_PATH = '/api/v1/events.ics';

/** The feed; its name says its filters, its description whether the limit cut it. */
export function eventsCalendarFeed({ request, context }: Call): HttpResponse {
  const { snapshot, now_ms, site } = context;
  const issues: string[] = [];
  const params = parseParameters(request.query, EVENT_PARAMETER_NAMES, issues);
  const { filter, lang } = parseEventQuery(params, snapshot.taxonomy, now_ms, 'feed', issues);
  const { items, cut } = findCalendarItems(snapshot, filter);
  const query = new URLSearchParams(params).toString();
  return toCalendarResponse(
    items,
    {
      name: toFeedName(filter, params, snapshot.taxonomy, lang, site),
      description: toFeedDescription(cut ? items.length : null, lang, site),
      page_url: toAbsolute(site.url, toPagePath('calendar', lang)),
      feed_url: `${site.url}${FEED_PATH}${query === '' ? '' : `?${query}`}`,
      file_name: 'agenda',
    },
    lang,
    context,
  );
}
