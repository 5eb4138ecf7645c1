// The calendar page: the feed that a choice makes, what is in it, or what is wrong with the
// choice.
import { toCancunDay } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import {
  CHOICE_NAMES,
  type EventFilter,
  formatChoices,
  parseEventQuery,
  sortTexts,
} from '../domain/query/event-query.ts';
import { parseParameters } from '../domain/query/parameters.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { PAGE_PATHS, toAbsolute, toFeedPath } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import { toFeedName } from '../serializers/calendar.ts';
import { renderCalendar } from '../serializers/markdown/pages.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import { toLangSelect, toTaxonSelects, toTicks, tryToRead } from './choice.ts';
import { printUpcoming } from './event-rows.ts';
import { definePage, type Loaded, type PageRequest, toPageRoutes } from './page-kind.ts';
import { buildMeta } from './page.ts';
import type { SiteState } from './state.ts';
import { show } from './visit.ts';

const SHOWN = 5;
/** The names of the form's fields, which are the feed's own parameters. */
const FORM_NAMES = [...CHOICE_NAMES, 'lang'] as const;

/** The page of a query as sent; the language of the feed is the page's unless it says another. */
export function loadCalendar(state: SiteState, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms } = state;
  const issues: string[] = [];
  const choice = parseParameters(query, FORM_NAMES, issues);
  const { asked, issue } = tryToRead(() =>
    parseEventQuery({ ...choice, lang: choice.lang ?? lang }, snapshot, now_ms, 'feed', issues),
  );
  const meta = buildMeta(state, lang, PAGE_PATHS.calendar, {
    title: t(lang, 'calendar.title'),
    description: t(lang, 'calendar.description'),
    calendar: asked && toPath(asked.filter, snapshot.taxonomy, asked.lang),
    entry: 'calendar',
  });
  const feed = asked && findFeed(state, asked.filter, asked.lang);
  const page = { meta, choice, feed, issue, now_ms };
  return issue === null ? show(page) : { ...show(page, 400), issue };
}

/** One spelling for each choice, whatever words it was made with. */
const toPath = (filter: EventFilter, taxonomy: Taxonomy, lang: Lang): string =>
  toFeedPath(sortTexts(formatChoices(filter, taxonomy, lang)), lang);

function findFeed({ snapshot, site }: SiteState, filter: EventFilter, lang: Lang) {
  const { items, cut } = findOccurrences(snapshot, filter);
  const ahead = items.filter(({ occurrence }) => occurrence.end_ms > filter.now_ms);
  return {
    /** What the calendar calls itself: its filters in words. */
    name: toFeedName(filter, {}, snapshot.taxonomy, lang, site),
    url: toAbsolute(site.url, toPath(filter, snapshot.taxonomy, lang)),
    /** Dates in it; where `is_cut`, only the first of more. */
    count: items.length,
    is_cut: cut,
    /** The next few, each with its own date as `next`. */
    upcoming: ahead.slice(0, SHOWN).map(({ card, occurrence }) => ({
      ...card,
      next: occurrence,
      more_dates: 0,
    })),
  };
}

export type CalendarView = ReturnType<typeof printCalendar>;

function printCalendar(
  { meta, choice, feed, issue, now_ms }: Loaded<typeof loadCalendar>,
  { snapshot }: SiteState,
) {
  const { lang } = meta;
  const toTally = ({ count, is_cut }: NonNullable<typeof feed>): string => {
    if (count === 0) return t(lang, 'calendar.none');
    return is_cut ? t(lang, 'calendar.cut', { count }) : tCount(lang, 'calendar.count', count);
  };
  return {
    meta,
    issue,
    selects: toTaxonSelects(choice, snapshot.taxonomy, lang),
    ticks: toTicks(choice, lang),
    lang_select: toLangSelect(t(lang, 'calendar.lang'), choice.lang ?? lang),
    feed: feed && { name: feed.name, url: feed.url, tally: toTally(feed) },
    upcoming:
      feed && feed.upcoming.length > 0
        ? printUpcoming(feed.upcoming, toCancunDay(now_ms), lang)
        : null,
  };
}

export const calendarPage = definePage({
  name: 'calendar',
  routes: toPageRoutes('calendar'),
  load: loadCalendar,
  print: printCalendar,
  toMarkdown: (view) => renderCalendar(view),
  parameters: () => FORM_NAMES,
});
