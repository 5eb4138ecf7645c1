// A list of events that somebody keeps or shares: its address has their ids, the reader's own browser remembers them
// (src/browser/saved-events.ts). What is on next weekend stands first, what is over folds, what is gone is counted.
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
import { formatListUncertainty, formatListLegend } from '../i18n/format-facts.ts';
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

const PARAMETERS = ['ids'] as const;
/** More than one event has on three days. */
const MAX_OCCURRENCES = 1_000;

const isEvent = (found: EventDetail | 'gone' | null): found is EventDetail =>
  found !== null && found !== 'gone';

/** What is over, with its last date. */
const toPastCard = ({ occurrences, regularity: _, ahead_count: __, ...card }: EventDetail) => ({
  ...card,
  next: occurrences.at(-1) ?? null,
});

/** Never throws for what a query says: what is no id is passed over, and an id of no event is of one that is gone. */
export function loadSavedPage(state: PageContext, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms, site } = state;
  const asked = splitList(parseParameters(query, PARAMETERS, []).ids ?? '');
  const ids = [...new Set(asked)].filter((id) => EVENT_ID_PATTERN.test(id)).slice(0, MAX_EVENT_IDS);
  const details = ids.map((id) => getEvent(snapshot, id, now_ms)).filter(isEvent);
  const kept = details.map(({ event }) => event.id);
  const of_list = { ...unfilteredEventFilter(floorToMinute(now_ms), MAX_OCCURRENCES), ids: kept };
  const today = toLocalDay(now_ms);
  const range = resolveAgendaKeyword('weekend', today);
  const weekend = { ...of_list, range };
  const from = range ? toDayNumber(range.from) : 0;
  const cards = findEvents(snapshot, of_list, lang).cards;
  const path = absoluteUrl(site.url, savedEventsPath(kept, lang));
  const count = tPlural(lang, 'events.count', kept.length);
  const share = t(lang, 'saved.share', { events: count, site: site.name });
  return pageResult({
    meta: buildPageMeta(state, lang, PAGE_PATHS.saved, {
      title: t(lang, 'saved.title'),
      description: t(lang, 'saved.description'),
      query: byLang((each) => savedEventsPath(ids, each).slice(PAGE_PATHS.saved[each].length)),
      markdown: markdownPath(PAGE_PATHS.saved[lang]) + (query && `?${query}`),
      calendar: cards.length > 0 ? calendarFeedPath({ ids: kept.join(',') }, lang) : null,
      entry: 'saved',
    }),
    ids,
    gone: ids.filter((id) => !kept.includes(id)),
    today: today.toString(),
    /** None of a list that is empty. */
    tally: kept.length > 0 ? { tally: count } : {},
    cards,
    /** What begins then; what goes on stands with its last day. */
    weekend: findEvents(snapshot, weekend, lang).cards.filter(
      (card) => !isCardOver(card, now_ms) && (card.next?.first_day ?? 0) >= from,
    ),
    dates: findOccurrences(snapshot, weekend).items.map(({ occurrence }) => occurrence),
    past: details.filter(({ is_past }) => is_past).map(toPastCard),
    share: { text: share, url: path, whatsapp: whatsAppShareUrl(`${share}\n${path}`) },
  });
}

export type SavedView = ReturnType<typeof printSaved>;

/** An event stands under its next date, and under the weekend where it has a date there. */
function printSaved(view: LoadedPage<typeof loadSavedPage>) {
  const { meta, ids, gone, tally, cards, weekend, dates, past, share } = view;
  const { lang } = meta;
  const today = Temporal.PlainDate.from(view.today);
  const told = new Set(weekend.map(({ next }) => next?.id));
  const later = cards.filter(({ next }) => !told.has(next?.id));
  const toFurther = createFurtherDaysFormatter(dates, lang);
  const groups: readonly EventGroup[] = [
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
  const shown = groups.filter((group) => group.cards.length > 0);
  return {
    meta,
    tally,
    about: t(lang, 'saved.about', { most: MAX_EVENT_IDS }),
    empty: ids.length === 0 ? t(lang, 'saved.empty') : null,
    legend: formatListLegend([...weekend, ...later], lang),
    groups: shown,
    lists: shown.map((group) =>
      buildEventListView(group, {
        lang,
        toMore: (card) =>
          group.key === 'weekend'
            ? toFurther(card)
            : group.key === 'past'
              ? null
              : formatMoreDates(card, lang),
      }),
    ),
    all: ids.length > 1 ? ids : null,
    gone: gone.length > 0 ? { ids: gone, words: tPlural(lang, 'saved.gone', gone.length) } : null,
    share: ids.length > 0 ? share : null,
  };
}

const renderSaved = ({ meta, groups, gone }: SavedView): string => {
  const { lang, site } = meta;
  return renderDocument(
    { ...meta, terms: 'md.terms' },
    `${capitalize(t(lang, 'llms.note.saved'))}.`,
    formatListUncertainty(
      groups.flatMap(({ cards }) => cards),
      lang,
    ),
    groups.map((group) => [
      heading(2, groupHeading(group, lang)),
      group.cards.map((card) => renderEventEntry(card, lang, site)),
    ]),
    gone?.words,
  );
};

export const savedPage = defineViewPage({
  name: 'saved',
  routes: pageRoutes('saved'),
  load: loadSavedPage,
  print: printSaved,
  toMarkdown: renderSaved,
  parameters: () => PARAMETERS,
  validate: (params, issues) => {
    EVENT_IDS_PARSER.read({ texts: params, issues }, 'ids');
    return issues;
  },
  // What is over folds.
  isOfMinute: () => true,
});
