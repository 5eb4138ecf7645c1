// A calendar as a response: its type, its file name, the lines cached for its snapshot.
import { CALENDAR_TYPE, toCalendar } from '../serializers/calendar/calendar.ts';
import {
  type CalendarItem,
  createLineCache,
  type LineCache,
} from '../serializers/calendar/vevent.ts';
import type { EventFilter } from '../domain/filters/event-filter.ts';
import type { Lang } from '../domain/lang.ts';
import type { HttpResponse } from '../http/message.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import type { Snapshot } from '../snapshot/open.ts';
import { type ApiContext, toFreshness } from './operation.ts';

/**
 * Finished lines by snapshot and base address: they live as long as the data they were made from.
 */
const CACHE = new WeakMap<Snapshot, Map<string, LineCache>>();

function cacheFor({ snapshot, site }: ApiContext): LineCache {
  const by_site = CACHE.get(snapshot) ?? new Map<string, LineCache>();
  CACHE.set(snapshot, by_site);
  const cache = by_site.get(site.url) ?? createLineCache();
  by_site.set(site.url, cache);
  return cache;
}

/** The occurrences of a feed in order of time. */
export function findCalendarItems(
  snapshot: Snapshot,
  filter: EventFilter,
): { readonly items: readonly CalendarItem[]; readonly cut: boolean } {
  const { items, cut } = findOccurrences(snapshot, filter);
  return {
    items: items.map(({ occurrence, card }) => ({ occurrence, readEvent: () => card })),
    cut,
  };
}

export interface CalendarFile {
  readonly name: string;
  readonly description: string;
  readonly page_url: string;
  readonly feed_url: string;
  /** Without `.ics`; a slug or another word of ours, so that it needs no quoting. */
  readonly file_name: string;
}

/** The calendar with status 200, shown inline so that a subscriber and a browser both take it. */
export function toCalendarResponse(
  items: readonly CalendarItem[],
  file: CalendarFile,
  lang: Lang,
  context: ApiContext,
): HttpResponse {
  const body = toCalendar(items, { ...file, lang, site: context.site, cache: cacheFor(context) });
  return {
    status: 200,
    headers: {
      'content-type': CALENDAR_TYPE,
      'content-disposition': `inline; filename="${file.file_name}.ics"`,
      'cache-control': toFreshness(context.now_ms),
    },
    body,
  };
}
