// Calendar page: shows a form to choose filters and the address of the calendar feed (iCalendar,
// for calendar apps) with these filters and its next events, or the issue that makes the choice
// invalid. Also links to the news feeds and the newsletter.
import { NO_DATES } from '../domain/agenda.ts';
import { toLocalDay } from '../domain/local-time.ts';
import type { Lang } from '../domain/lang.ts';
import {
  SUBSCRIBABLE_FILTER_NAMES,
  type EventFilter,
  formatFilterChoices,
  parseEventQuery,
  sortParameters,
} from '../domain/query/event-query.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { formatListUncertainty } from '../i18n/format-facts.ts';
import { googleCalendarUrl, outlookUrl, webcalUrl } from '../i18n/external-links.ts';
import {
  FEED_FORMATS,
  FEED_KINDS,
  PAGE_PATHS,
  absoluteUrl,
  calendarFeedPath,
  newsFeedPath,
  newsletterPath,
} from '../i18n/paths.ts';
import { t, tPlural } from '../i18n/translate.ts';
import { calendarFeedName } from '../serializers/icalendar.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { renderEventEntry } from '../serializers/markdown/entries.ts';
import {
  inlineCode,
  joinInline,
  link,
  list,
  paragraph,
  section,
} from '../serializers/markdown/nodes.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import {
  parseChoice,
  choicePageResult,
  buildLangSelect,
  buildTaxonSelects,
  buildFilterCheckboxes,
} from './filter-form.ts';
import { buildUpcomingView } from './event-list-views.ts';
import { definePage, type LoadedPage, type PageRequest, pageRoutes } from './page-definition.ts';
import { buildPageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';

/** Dates of the feed that the page shows. */
const MAX_NEXT_EVENTS = 5;
/** Parameters of the form. */
const FORM_NAMES = [...SUBSCRIBABLE_FILTER_NAMES, 'lang'] as const;

/**
 * Parses the query of the form. The feed is in the page's language unless the query has another.
 */
export const parseCalendarChoice = ({ snapshot, now_ms }: PageContext, lang: Lang, query: string) =>
  parseChoice(query, FORM_NAMES, (params, issues) =>
    parseEventQuery({ lang, ...params }, snapshot, now_ms, 'feed', issues),
  );

/** Loads the page; with an invalid choice, status 400 and no feed. */
export function loadCalendarPage(context: PageContext, { lang }: PageRequest, query: string) {
  const { snapshot } = context;
  const { params: choice, parsed, issue } = parseCalendarChoice(context, lang, query);
  const meta = buildPageMeta(context, lang, PAGE_PATHS.calendar, {
    title: t(lang, 'calendar.title'),
    description: t(lang, 'calendar.description'),
    calendar: parsed && feedPath(parsed.filter, snapshot.taxonomy, parsed.lang),
    entry: 'calendar',
  });
  return choicePageResult({
    meta,
    issue,
    selects: buildTaxonSelects(choice, snapshot.taxonomy, lang),
    checkboxes: buildFilterCheckboxes(choice, lang),
    lang_select: buildLangSelect(t(lang, 'calendar.lang'), choice.lang ?? lang),
    feed: parsed && loadFeed(context, parsed.filter, parsed.lang, lang),
  });
}

/** Returns the path of the feed, with normalized parameters. */
const feedPath = (filter: EventFilter, taxonomy: Taxonomy, lang: Lang): string =>
  calendarFeedPath(sortParameters(formatFilterChoices(filter, taxonomy, lang)), lang);

/**
 * Loads the feed. Its name is in the language of the feed, the texts about it in the language of
 * the page.
 */
function loadFeed(context: PageContext, filter: EventFilter, feed_lang: Lang, lang: Lang) {
  const { snapshot, site, now_ms } = context;
  const { items, is_truncated } = findOccurrences(snapshot, filter);
  const count = items.length;
  const count_text = is_truncated
    ? t(lang, 'calendar.cut', { count })
    : tPlural(lang, 'calendar.count', count);
  const upcoming = items.filter(({ occurrence }) => occurrence.end_ms > filter.now_ms);
  // One card per date, with that date as `next`.
  const cards = upcoming
    .slice(0, MAX_NEXT_EVENTS)
    .map(({ card, occurrence }) => ({ ...card, ...NO_DATES, next: occurrence }));
  return {
    name: calendarFeedName(filter, {}, snapshot.taxonomy, feed_lang, site),
    url: absoluteUrl(site.url, feedPath(filter, snapshot.taxonomy, feed_lang)),
    /** Number of dates, as a sentence. */
    tally: count === 0 ? t(lang, 'calendar.none') : count_text,
    /** The next dates: as cards for Markdown, as lists for HTML. */
    cards,
    upcoming: cards.length === 0 ? null : buildUpcomingView(cards, toLocalDay(now_ms), lang),
  };
}

export type CalendarView = LoadedPage<typeof loadCalendarPage>;

function renderCalendar({ meta, feed }: CalendarView): string {
  const { lang, site } = meta;
  const feeds = FEED_KINDS.map((kind) => [
    `${t(lang, `feed.${kind}.name`)}: `,
    joinInline(
      FEED_FORMATS.map((format) => link(absoluteUrl(site.url, newsFeedPath(kind, format, lang)))),
    ),
  ]);
  return renderDocument(
    meta,
    t(lang, 'calendar.lead'),
    paragraph(
      `${t(lang, 'md.choose')} `,
      inlineCode('?category=…&zone=…&free=1&family=1&indoor=1&lang=…'),
    ),
    feed &&
      section(
        feed.name,
        feed.tally,
        list([
          [`${t(lang, 'subscribe.address')}: `, link(feed.url)],
          link(webcalUrl(feed.url), t(lang, 'subscribe.webcal')),
          link(googleCalendarUrl(feed.url), t(lang, 'subscribe.google')),
          link(outlookUrl(feed.url, feed.name), t(lang, 'subscribe.outlook')),
        ]),
        t(lang, 'subscribe.about'),
        feed.cards.length === 0 ? null : t(lang, 'calendar.next'),
        formatListUncertainty(feed.cards, lang),
        feed.cards.map((card) => renderEventEntry(card, lang, site)),
      ),
    site.sends_mail &&
      section(
        link(absoluteUrl(site.url, newsletterPath(null, lang)), t(lang, 'weekly.title.ask')),
        t(lang, 'weekly.about.ask'),
      ),
    section(t(lang, 'feed.title'), t(lang, 'feed.about'), list(feeds)),
  );
}

export const calendarPage = definePage({
  name: 'calendar',
  routes: pageRoutes('calendar'),
  load: loadCalendarPage,
  toMarkdown: renderCalendar,
  parameters: () => FORM_NAMES,
});
