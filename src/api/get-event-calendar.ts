// GET /api/v1/events/{idOrSlug}.ics: one event with all its occurrences as iCalendar (interface 4,
// getEvent).
import { LIMITS } from '../domain/filters/limit.ts';
import type { HttpResponse } from '../http/message.ts';
import { toAbsolute, toEventIcsPath, toThingPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toAttribution } from '../serializers/wire/meta.ts';
import { toCalendarResponse } from './calendar-response.ts';
import type { Call } from './context.ts';
import { findEvent } from './find-event.ts';
import { parseLang } from './parse-lang.ts';

/** Every occurrence, past ones too; where there are more than a feed holds, the latest. */
export function getEventCalendar({ request, id, context }: Call): HttpResponse {
  const { site } = context;
  const lang = parseLang(request.query);
  const detail = findEvent(id, context);
  const { event } = detail;
  const items = detail.occurrences
    .slice(-LIMITS.feed.max)
    .map((occurrence) => ({ occurrence, readEvent: () => detail }));
  return toCalendarResponse(
    items,
    {
      name: event.title[lang],
      description: t(lang, 'ics.description', { attribution: toAttribution(lang, site) }),
      page_url: toAbsolute(site.url, toThingPath('event', event.slug, lang)),
      feed_url: `${toAbsolute(site.url, toEventIcsPath(event.id))}?lang=${lang}`,
      file_name: event.slug[lang],
    },
    lang,
    context,
  );
}
