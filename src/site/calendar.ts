// The calendar page: the feed that a choice makes, what is in it, or what is wrong with the
// choice.
import { renderCalendar } from '../serializers/markdown/pages.ts';
import { definePage, toPageRoutes } from './page-kind.ts';
import { show, type Shown } from './visit.ts';
import type { PageMeta } from './page.ts';
import type { EventCard } from '../domain/agenda.ts';
import { AppError } from '../domain/app-error.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import {
  CHOICE_NAMES,
  type EventFilter,
  formatChoices,
  parseEventQuery,
  sortTexts,
} from '../domain/query/event-query.ts';
import { parseParameters } from '../domain/query/parameters.ts';
import type { Lang } from '../domain/lang.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import { PAGE_PATHS, toAbsolute, toFeedPath, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toFeedName } from '../serializers/calendar.ts';
import { findOccurrences } from '../snapshot/find-events.ts';
import type { SiteState } from './state.ts';

/** How many dates are shown of a feed. */
const SHOWN = 5;

/** The names of the form's fields, which are the feed's own parameters. */
const FORM_NAMES = [...CHOICE_NAMES, 'lang'] as const;

/** What was chosen, as it was written. */
export type FeedChoice = Readonly<Partial<Record<(typeof FORM_NAMES)[number], string>>>;

/** The feed of a choice. */
export interface ShownFeed {
  /** What the calendar calls itself: its filters in words. */
  readonly name: string;
  /** Absolute. */
  readonly url: string;
  /** Dates in it; where `is_cut`, only the first of more. */
  readonly count: number;
  readonly is_cut: boolean;
  /** The next few, each with its own date as `next`. */
  readonly upcoming: readonly (EventCard & { readonly next: OccurrenceRecord })[];
}

/** All that the calendar page shows. */
export interface CalendarView {
  readonly meta: PageMeta;
  readonly choice: FeedChoice;
  readonly taxonomy: Taxonomy;
  /** The feed, or what is wrong with the query, in the API's words. */
  readonly feed: ShownFeed | null;
  readonly issue: string | null;
  /** The instant of the request, epoch ms. */
  readonly now_ms: number;
}

/**
 * The page of a query as sent, without its question mark; the language of the feed is the page's
 * unless it says another.
 */
export function resolveCalendar(state: SiteState, query: string, lang: Lang): Shown<CalendarView> {
  const {
    snapshot: { taxonomy },
    now_ms,
  } = state;
  const issues: string[] = [];
  const choice: FeedChoice = parseParameters(query, FORM_NAMES, issues);
  const meta: PageMeta = {
    lang,
    site: state.site,
    paths: PAGE_PATHS.calendar,
    title: t(lang, 'calendar.title'),
    description: t(lang, 'calendar.description'),
    markdown: toMarkdownPath(PAGE_PATHS.calendar[lang]),
    calendar: null,
    json_ld: null,
    entry: 'calendar',
  };
  try {
    const asked = parseEventQuery(
      { ...choice, lang: choice.lang ?? lang },
      state.snapshot,
      now_ms,
      'feed',
      issues,
    );
    const feed = toShownFeed(state, asked.filter, asked.lang);
    return show({
      meta: { ...meta, calendar: toPath(asked.filter, taxonomy, asked.lang) },
      choice,
      taxonomy,
      feed,
      issue: null,
      now_ms,
    });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    const { message: issue } = thrown;
    return { ...show({ meta, choice, taxonomy, feed: null, issue, now_ms }, 400), issue };
  }
}

/** One spelling for each choice, whatever words it was made with. */
function toPath(filter: EventFilter, taxonomy: Taxonomy, lang: Lang): string {
  return toFeedPath(sortTexts(formatChoices(filter, taxonomy, lang)), lang);
}

function toShownFeed({ snapshot, site }: SiteState, filter: EventFilter, lang: Lang): ShownFeed {
  const { items, cut } = findOccurrences(snapshot, filter);
  const ahead = items.filter(({ occurrence }) => occurrence.end_ms > filter.now_ms);
  return {
    name: toFeedName(filter, {}, snapshot.taxonomy, lang, site),
    url: toAbsolute(site.url, toPath(filter, snapshot.taxonomy, lang)),
    count: items.length,
    is_cut: cut,
    upcoming: ahead.slice(0, SHOWN).map(({ card, occurrence }) => ({
      ...card,
      next: occurrence,
      more_dates: 0,
    })),
  };
}

export const calendarPage = definePage({
  name: 'calendar',
  routes: toPageRoutes('calendar'),
  load: (state, { lang }, query) => resolveCalendar(state, query, lang),
  toMarkdown: (view: CalendarView) => renderCalendar(view),
  parameters: () => FORM_NAMES,
});
