// Saved page: lists saved or shared events by the ids in its address; the visitor's browser stores
// the ids (src/browser/saved-events.ts). Next weekend's events come first, past ones are folded,
// missing ones counted.
import { findLastDate } from '../domain/event/event.ts';
import { Temporal } from 'temporal-polyfill';
import { resolveAgendaKeyword } from '../domain/date-keywords.ts';
import { type EventDetail, isCardOver } from '../domain/agenda.ts';
import { floorToMinute, toLocalDay, toDayNumber } from '../domain/local-time.ts';
import { byLang } from '../domain/lang.ts';
import { unfilteredEventFilter } from '../domain/query/event-query.ts';
import { parseParameters } from '../domain/query/parameters.ts';
import {
  EVENT_ID_PATTERN,
  EVENT_IDS_PARSER,
  MAX_EVENT_IDS,
  splitList,
} from '../domain/query/parameter-parsers.ts';
import { formatLastWord, formatListDoubt } from '../i18n/format-facts.ts';
import { whatsAppShareUrl } from '../i18n/external-links.ts';
import {
  PAGE_PATHS,
  absoluteUrl,
  calendarFeedPath,
  markdownPath,
  savedEventsPath,
} from '../i18n/paths.ts';
import { capitalize, t, tPlural } from '../i18n/translate.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { renderEventEntry } from '../serializers/markdown/entries.ts';
import { heading } from '../serializers/markdown/nodes.ts';
import { findEvents, findOccurrences } from '../snapshot/find-events.ts';
import { getEvent } from '../snapshot/get-record.ts';
import {
  type EventGroup,
  groupByMonth,
  buildEventListView,
  groupHeading,
  createFurtherDaysFormatter,
  formatMoreDates,
} from './event-list-views.ts';
import {
  defineViewPage,
  type LoadedPage,
  type PageRequest,
  pageRoutes,
} from './page-definition.ts';
import { buildPageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';
import { pageResult } from './visitor-request.ts';

/** Query parameters: event ids, separated by commas. */
const PARAMETERS = ['ids'] as const;
/** Most occurrences that are loaded; saved events have fewer on a weekend. */
const MAX_OCCURRENCES = 1_000;

/** Returns whether an id belongs to an event that is not withdrawn. */
const isEvent = (result: EventDetail | 'gone' | null): result is EventDetail =>
  result !== null && result !== 'gone';

/** Converts an event without upcoming dates to a card with its last date, if any. */
const toPastCard = ({
  occurrences,
  regularity: _regularity,
  ahead_count: _ahead_count,
  ...card
}: EventDetail) => ({
  ...card,
  next: findLastDate(occurrences),
});

/** Loads the saved events. Skips invalid ids; an id without an event counts as missing. */
export function loadSavedPage(context: PageContext, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms, site } = context;
  const id_texts = splitList(parseParameters(query, PARAMETERS, []).ids ?? '');
  const ids = [...new Set(id_texts)]
    .filter((id) => EVENT_ID_PATTERN.test(id))
    .slice(0, MAX_EVENT_IDS);
  const details = ids.map((id) => getEvent(snapshot, id, now_ms)).filter(isEvent);
  const found_ids = details.map(({ event }) => event.id);
  const filter = {
    ...unfilteredEventFilter(floorToMinute(now_ms), MAX_OCCURRENCES),
    ids: found_ids,
  };
  const today = toLocalDay(now_ms);
  const range = resolveAgendaKeyword('weekend', today);
  const weekend_filter = { ...filter, range };
  const weekend_start = range ? toDayNumber(range.from) : 0;
  const cards = findEvents(snapshot, filter, lang).cards;
  const url = absoluteUrl(site.url, savedEventsPath(found_ids, lang));
  const count = tPlural(lang, 'events.count', found_ids.length);
  const share_text = t(lang, 'saved.share', { events: count, site: site.name });
  return pageResult({
    meta: buildPageMeta(context, lang, PAGE_PATHS.saved, {
      title: t(lang, 'saved.title'),
      description: t(lang, 'saved.description'),
      query: byLang((each) => savedEventsPath(ids, each).slice(PAGE_PATHS.saved[each].length)),
      markdown: markdownPath(PAGE_PATHS.saved[lang]) + (query && `?${query}`),
      calendar: cards.length > 0 ? calendarFeedPath({ ids: found_ids.join(',') }, lang) : null,
      entry: 'saved',
    }),
    ids,
    missing_ids: ids.filter((id) => !found_ids.includes(id)),
    today: today.toString(),
    /** Property `tally` of the layout (the line below the title): the number of events. */
    tally: found_ids.length > 0 ? { tally: count } : {},
    /** All upcoming saved events. */
    cards,
    /** Events that start on the weekend; those that began earlier are listed by their last day. */
    weekend: findEvents(snapshot, weekend_filter, lang).cards.filter(
      (card) => !isCardOver(card, now_ms) && (card.next?.first_day ?? 0) >= weekend_start,
    ),
    /** All dates of the saved events on the weekend. */
    dates: findOccurrences(snapshot, weekend_filter).items.map(({ occurrence }) => occurrence),
    past: details.filter(({ ahead_count }) => ahead_count === 0).map(toPastCard),
    share: { text: share_text, url, whatsapp: whatsAppShareUrl(`${share_text}\n${url}`) },
  });
}

export type SavedView = ReturnType<typeof buildSavedView>;

/**
 * Builds the lists: an event with a date on the weekend is under the weekend, any other under its
 * next date.
 */
function buildSavedView(loaded: LoadedPage<typeof loadSavedPage>) {
  const { meta, ids, missing_ids, tally, cards, weekend, dates, past, share } = loaded;
  const { lang } = meta;
  const today = Temporal.PlainDate.from(loaded.today);
  const weekend_dates = new Set(weekend.map(({ next }) => next?.id));
  const later = cards.filter(({ next }) => !weekend_dates.has(next?.id));
  const formatFurtherDays = createFurtherDaysFormatter(dates, lang);
  const all_groups: readonly EventGroup[] = [
    { key: 'weekend', title: t(lang, 'saved.weekend'), column: 'day', cards: weekend },
    ...groupByMonth(later, today, lang),
    {
      key: 'past',
      title: t(lang, 'saved.past'),
      column: 'day',
      cards: past,
      count: past.length,
      fold: 'closed',
    },
  ];
  const groups = all_groups.filter((group) => group.cards.length > 0);
  return {
    meta,
    tally,
    about: t(lang, 'saved.about', { most: MAX_EVENT_IDS }),
    empty_message: ids.length === 0 ? t(lang, 'saved.empty') : null,
    ...formatListDoubt([...weekend, ...later], lang),
    groups,
    lists: groups.map((group) =>
      buildEventListView(group, {
        lang,
        formatFurther: (card) => {
          if (group.key === 'past')
            return card.next === null ? formatLastWord(card.event, lang) : null;
          return group.key === 'weekend' ? formatFurtherDays(card) : formatMoreDates(card, lang);
        },
      }),
    ),
    /** Ids for the button that saves all events of a shared list. */
    all_ids: ids.length > 1 ? ids : null,
    /** Ids without an event, for the button that removes them from the saved ids. */
    missing:
      missing_ids.length > 0
        ? { ids: missing_ids, text: tPlural(lang, 'saved.gone', missing_ids.length) }
        : null,
    share: ids.length > 0 ? share : null,
  };
}

const renderSaved = ({ meta, warning, groups, missing }: SavedView): string => {
  const { lang, site } = meta;
  return renderDocument(
    { ...meta, terms: 'md.terms' },
    `${capitalize(t(lang, 'llms.note.saved'))}.`,
    warning,
    groups.map((group) => [
      heading(2, groupHeading(group, lang)),
      group.cards.map((card) => renderEventEntry(card, lang, site)),
    ]),
    missing?.text,
  );
};

export const savedPage = defineViewPage({
  name: 'saved',
  routes: pageRoutes('saved'),
  load: loadSavedPage,
  buildView: buildSavedView,
  toMarkdown: renderSaved,
  parameters: () => PARAMETERS,
  validate: (params, issues) => {
    EVENT_IDS_PARSER.parse({ texts: params, issues }, 'ids');
    return issues;
  },
  // Events move to the folded list when they end.
  changesEveryMinute: () => true,
});
