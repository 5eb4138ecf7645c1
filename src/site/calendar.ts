// The calendar page: the feed that a choice makes, what is in it, or what is wrong with the choice.
import { toLocalDay } from '../domain/local-time.ts';
import type { Lang } from '../domain/lang.ts';
import {
  CHOICE_NAMES,
  type EventFilter,
  formatChoices,
  parseEventQuery,
  sortTexts,
} from '../domain/query/event-query.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { toListDoubt } from '../i18n/fact-words.ts';
import { toGoogleUrl, toOutlookUrl, toWebcalUrl } from '../i18n/links.ts';
import {
  FEED_FORMATS,
  FEED_KINDS,
  PAGE_PATHS,
  toAbsolute,
  toFeedPath,
  toNewsFeedPath,
  toReaderPath,
} from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import { toFeedName } from '../serializers/calendar.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { renderEntry } from '../serializers/markdown/entries.ts';
import {
  inlineCode,
  joined,
  link,
  list,
  paragraph,
  section,
} from '../serializers/markdown/nodes.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import { readChoice, showChoice, toLangSelect, toTaxonSelects, toTicks } from './choice.ts';
import { printUpcoming } from './event-lists.ts';
import { definePage, type Loaded, type PageRequest, toPageRoutes } from './page-kind.ts';
import { buildMeta } from './page.ts';
import type { SiteState } from './state.ts';

const SHOWN = 5;
const FORM_NAMES = [...CHOICE_NAMES, 'lang'] as const;

/** The choices of a query as sent; the language of what is followed is the page's unless it says another. */
export const readCalendarChoice = ({ snapshot, now_ms }: SiteState, lang: Lang, query: string) =>
  readChoice(query, FORM_NAMES, (params, issues) =>
    parseEventQuery({ lang, ...params }, snapshot, now_ms, 'feed', issues),
  );

export function loadCalendar(state: SiteState, { lang }: PageRequest, query: string) {
  const { snapshot } = state;
  const { params: choice, asked, issue } = readCalendarChoice(state, lang, query);
  const meta = buildMeta(state, lang, PAGE_PATHS.calendar, {
    title: t(lang, 'calendar.title'),
    description: t(lang, 'calendar.description'),
    calendar: asked && toPath(asked.filter, snapshot.taxonomy, asked.lang),
    entry: 'calendar',
  });
  return showChoice({
    meta,
    issue,
    selects: toTaxonSelects(choice, snapshot.taxonomy, lang),
    ticks: toTicks(choice, lang),
    lang_select: toLangSelect(t(lang, 'calendar.lang'), choice.lang ?? lang),
    feed: asked && loadFeed(state, asked.filter, asked.lang, lang),
  });
}

/** One spelling for each choice, whatever words it was made with. */
const toPath = (filter: EventFilter, taxonomy: Taxonomy, lang: Lang): string =>
  toFeedPath(sortTexts(formatChoices(filter, taxonomy, lang)), lang);

/** The feed in its language, what is said of it in that of the page. */
function loadFeed(state: SiteState, filter: EventFilter, feed_lang: Lang, lang: Lang) {
  const { snapshot, site, now_ms } = state;
  const { items, cut } = findOccurrences(snapshot, filter);
  const count = items.length;
  const filled = cut ? t(lang, 'calendar.cut', { count }) : tCount(lang, 'calendar.count', count);
  const ahead = items.filter(({ occurrence }) => occurrence.end_ms > filter.now_ms);
  // The next few, each with its own date as `next`.
  const cards = ahead
    .slice(0, SHOWN)
    .map(({ card, occurrence }) => ({ ...card, next: occurrence, more_dates: 0 }));
  return {
    name: toFeedName(filter, {}, snapshot.taxonomy, feed_lang, site),
    url: toAbsolute(site.url, toPath(filter, snapshot.taxonomy, feed_lang)),
    tally: count === 0 ? t(lang, 'calendar.none') : filled,
    cards,
    upcoming: cards.length === 0 ? null : printUpcoming(cards, toLocalDay(now_ms), lang),
  };
}

export type CalendarView = Loaded<typeof loadCalendar>;

function renderCalendar({ meta, feed }: CalendarView): string {
  const { lang, site } = meta;
  const feeds = FEED_KINDS.map((kind) => [
    `${t(lang, `feed.${kind}.name`)}: `,
    joined(
      FEED_FORMATS.map((format) => link(toAbsolute(site.url, toNewsFeedPath(kind, format, lang)))),
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
          link(toWebcalUrl(feed.url), t(lang, 'subscribe.webcal')),
          link(toGoogleUrl(feed.url), t(lang, 'subscribe.google')),
          link(toOutlookUrl(feed.url, feed.name), t(lang, 'subscribe.outlook')),
        ]),
        t(lang, 'subscribe.about'),
        feed.cards.length === 0 ? null : t(lang, 'calendar.next'),
        toListDoubt(feed.cards, lang),
        feed.cards.map((card) => renderEntry(card, lang, site)),
      ),
    site.sends_mail &&
      section(
        link(toAbsolute(site.url, toReaderPath(null, lang)), t(lang, 'weekly.title.ask')),
        t(lang, 'weekly.about.ask'),
      ),
    section(t(lang, 'feed.title'), t(lang, 'feed.about'), list(feeds)),
  );
}

export const calendarPage = definePage({
  name: 'calendar',
  routes: toPageRoutes('calendar'),
  load: loadCalendar,
  toMarkdown: renderCalendar,
  parameters: () => FORM_NAMES,
});
