// The dates of an event as its pages show them: the next few, each with the ways to save it, and all
// that are ahead on a page of their own (contract 8.17).
import { renderDates } from '../serializers/markdown/event.ts';
import { definePage, type SlugRequest, toRoutes } from './page-kind.ts';
import { show, type Shown } from './visit.ts';
import type { EventDetail } from '../domain/agenda.ts';
import { isSavable } from '../domain/event/calendar-dates.ts';
import { filterUpcoming, type OccurrenceRecord } from '../domain/event/event.ts';
import { fromDayNumber, toCancunDay } from '../domain/cancun-time.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import {
  toAbsolute,
  toDateIcsPath,
  toDatesPath,
  toMarkdownPath,
  toThingIcsPath,
  SECTION_PATHS,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toGoogleTemplateUrl } from '../serializers/calendar.ts';
import { getEvent } from '../snapshot/get-thing.ts';
import type { SiteState } from './state.ts';
import { type Failure, GONE, type Moved, NOT_FOUND, type PageMeta, toMoved } from './page.ts';

/** Dates on the page of the event. */
const IN_SIGHT = 4;
/** Most dates on the page of dates: a year of every day. */
export const MAX_DATES = 366;

/** Dates of that page that can be saved there: those that one may know whether one will go. */
const SAVED_IN_LIST = 60;

/** Where one date is saved: a file with that day alone, and Google's form filled in. */
export interface SaveLinks {
  readonly file: string;
  /** Null in a long list: each is as long as the event's words. */
  readonly google: string | null;
}
/** A date, and the ways to save it; null where there is nothing to go to. */
export interface ShownDate {
  readonly occurrence: OccurrenceRecord;
  readonly save: SaveLinks | null;
}

/** What the page of an event says of when. */
export interface EventDates {
  /** The ways to save the date that stands in the heading. */
  readonly save: SaveLinks | null;
  /** The next few; none where there is only one. */
  readonly next: readonly ShownDate[];
  /** How many are ahead in all. */
  readonly count: number;
  /** Path of the page with all of them. */
  readonly path: string;
  /** The calendar of all dates, absolute; null where one date is all that is left. */
  readonly follow_url: string | null;
}

function toShownDate(
  detail: EventDetail,
  occurrence: OccurrenceRecord,
  { now_ms, site }: Pick<SiteState, 'now_ms' | 'site'>,
  lang: Lang,
): ShownDate {
  if (!isSavable(occurrence, now_ms)) return { occurrence, save: null };
  const day = fromDayNumber(occurrence.first_day).toString();
  return {
    occurrence,
    save: {
      file: toDateIcsPath(detail.event.id, day, lang),
      google: toGoogleTemplateUrl(detail, occurrence, lang, site),
    },
  };
}

const withoutGoogle = ({ occurrence, save }: ShownDate): ShownDate => ({
  occurrence,
  save: save && { ...save, google: null },
});

/** The calendar to follow an event, absolute. */
const toFollowUrl = ({ event }: EventDetail, lang: Lang, site: Site): string =>
  toAbsolute(site.url, toThingIcsPath('event', event.slug, lang));

/** What the page of an event says of when. */
export function toEventDates(detail: EventDetail, state: SiteState, lang: Lang): EventDates {
  const ahead = filterUpcoming(detail.occurrences, state.now_ms);
  const [next] = detail.next === null ? [] : [toShownDate(detail, detail.next, state, lang)];
  const has_more = ahead.length > 1;
  return {
    save: next?.save ?? null,
    next: has_more
      ? ahead.slice(0, IN_SIGHT).map((one) => toShownDate(detail, one, state, lang))
      : [],
    count: ahead.length,
    path: toDatesPath(detail.event.slug, lang),
    follow_url:
      has_more && ahead.some((one) => isSavable(one, state.now_ms))
        ? toFollowUrl(detail, lang, state.site)
        : null,
  };
}

/** What the page of all dates is given. */
export interface DatesView {
  readonly meta: PageMeta;
  readonly detail: EventDetail;
  /** Those ahead, at most MAX_DATES; where all is over, the last ones. */
  readonly dates: readonly ShownDate[];
  /** How many there are in all. */
  readonly count: number;
  readonly follow_url: string | null;
  /** The year that it is. */
  readonly year: number;
}

/** The dates, the way to their address, 410 where the event was withdrawn (contract 5.5, 5.7). */
export function resolveDates(
  state: SiteState,
  { slug, lang }: SlugRequest,
): Shown<DatesView> | Moved | Failure {
  const { snapshot, now_ms, site } = state;
  const detail = getEvent(snapshot, slug, now_ms);
  if (detail === 'gone') return GONE;
  if (detail === null) return NOT_FOUND;
  const { event } = detail;
  const paths = byLang((each) => toDatesPath(event.slug, each));
  if (event.slug[lang] !== slug) return toMoved(paths[lang]);
  const told = detail.is_past ? detail.occurrences : filterUpcoming(detail.occurrences, now_ms);
  const shown = detail.is_past ? told.slice(-MAX_DATES) : told.slice(0, MAX_DATES);
  const { follow_url } = toEventDates(detail, state, lang);
  const title = t(lang, detail.is_past ? 'dates.title_past' : 'dates.title', {
    title: event.title[lang],
  });
  const meta: PageMeta = {
    lang,
    paths,
    site,
    title,
    description: event.summary[lang],
    markdown: toMarkdownPath(paths[lang]),
    calendar: toThingIcsPath('event', event.slug, lang),
    json_ld: null,
    entry: null,
  };
  return show({
    meta,
    detail,
    dates: shown.map((one, at) =>
      at < SAVED_IN_LIST
        ? withoutGoogle(toShownDate(detail, one, state, lang))
        : { occurrence: one, save: null },
    ),
    count: told.length,
    follow_url,
    year: toCancunDay(now_ms).year,
  });
}

export const datesPage = definePage({
  name: 'dates',
  routes: toRoutes(
    byLang((lang) => `${SECTION_PATHS.event[lang]}/[slug]/${t(lang, 'path.dates')}`),
    (lang, slug) => ({ lang, slug }),
  ),
  load: resolveDates,
  toMarkdown: (view: DatesView) => renderDates(view),
});
