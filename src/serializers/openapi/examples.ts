// An example response for each operation, written by the serializers themselves, so that it is what
// the service would say.
import { formatChangesCursor } from '../../domain/filters/changes-query.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { toAbsolute } from '../../i18n/paths.ts';
import { API_PATHS } from '../../i18n/api-paths.ts';
import { toCalendar } from '../calendar/calendar.ts';
import { toPublicChange } from '../wire/change.ts';
import { toPublicDay } from '../wire/day.ts';
import { toPublicOpenPlaces } from '../wire/opening.ts';
import { toChangesMeta, toListMeta, toMeta, toNoticesMeta, toPlacesMeta } from '../wire/meta.ts';
import { toEventDetail, toPublicEvent } from '../wire/event.ts';
import { toPublicNotice } from '../wire/notice.ts';
import { toListedOrganizer, toPublicOrganizer } from '../wire/organizer.ts';
import { toListedCategory, toListedZone } from '../wire/taxon.ts';
import { toListedVenue, toPublicVenue } from '../wire/venue.ts';
import {
  SAMPLE_CARD,
  SAMPLE_CHANGE,
  SAMPLE_NOTICE,
  SAMPLE_OCCURRENCE,
  SAMPLE_OPEN_PLACES,
  SAMPLE_ORGANIZER,
  SAMPLE_SINCE,
  SAMPLE_TIME,
  SAMPLE_VENUE,
  SAMPLE_VENUE_DAY,
  toSampleDay,
} from './sample.ts';

const ONE = { count: 1, total: 1 } as const;

export function toExamples(taxonomy: Taxonomy, site: Site, lang: Lang) {
  const meta = toMeta(SAMPLE_TIME, lang, site);
  const calendar = toCalendar([{ occurrence: SAMPLE_OCCURRENCE, card: SAMPLE_CARD }], {
    name: site.name,
    description: meta.attribution,
    page_url: site.url,
    feed_url: toAbsolute(site.url, API_PATHS.eventsCalendarFeed),
    lang,
    site,
  });
  return {
    event_list: {
      data: [toPublicEvent(SAMPLE_CARD, lang, site)],
      meta: toListMeta(meta, { count: 1, total: 1, range: null }),
    },
    event: {
      data: toEventDetail(
        {
          ...SAMPLE_CARD,
          occurrences: [SAMPLE_OCCURRENCE],
          ahead_count: 1,
          regularity: null,
          is_past: false,
        },
        lang,
        site,
      ),
      meta,
    },
    venue_list: {
      data: [
        toListedVenue(
          { record: SAMPLE_VENUE, upcoming_count: 1, distance_km: null },
          SAMPLE_VENUE_DAY,
          taxonomy,
          lang,
          site,
        ),
      ],
      meta: toPlacesMeta(meta, ONE),
    },
    organizer_list: {
      data: [toListedOrganizer(SAMPLE_ORGANIZER, 1, lang, site)],
      meta: toPlacesMeta(meta, ONE),
    },
    category_list: {
      data: taxonomy.categories.slice(0, 1).map((each) => toListedCategory(each, 1, lang, site)),
      meta: toPlacesMeta(meta, ONE),
    },
    zone_list: {
      data: taxonomy.zones.slice(0, 1).map((each) => toListedZone(each, 1, lang, site)),
      meta: toPlacesMeta(meta, ONE),
    },
    venue: {
      data: toPublicVenue(SAMPLE_VENUE, SAMPLE_VENUE_DAY, [SAMPLE_CARD], taxonomy, lang, site),
      meta,
    },
    organizer: { data: toPublicOrganizer(SAMPLE_ORGANIZER, [SAMPLE_CARD], lang, site), meta },
    notice_list: {
      data: [toPublicNotice(SAMPLE_NOTICE, lang)],
      meta: toNoticesMeta(meta, 1, '2026-11-20'),
    },
    change_list: {
      data: [toPublicChange(SAMPLE_CHANGE, lang, site)],
      meta: toChangesMeta(meta, {
        count: 1,
        since: SAMPLE_SINCE,
        cursor: formatChangesCursor(SAMPLE_SINCE, SAMPLE_CHANGE),
        has_more: false,
      }),
    },
    day: {
      data: {
        ...toPublicDay(toSampleDay(), lang),
        open_places: toPublicOpenPlaces(SAMPLE_OPEN_PLACES, lang, site),
      },
      meta,
    },
    calendar,
  };
}
export type Examples = ReturnType<typeof toExamples>;
