// The agenda on other people's sites: the list that stands in a frame, and the page that writes the
// snippet (contract 8.20).
import { AGENDA_KEYWORDS } from '../domain/date-keywords.ts';
import type { EventCard } from '../domain/agenda.ts';
import { fromDayNumber, toLocalDay } from '../domain/local-time.ts';
import { findUntranslatedTexts, type OccurrenceRecord } from '../domain/event/event.ts';
import { getEffectiveStatus } from '../domain/event/facts.ts';
import type { Lang } from '../domain/lang.ts';
import { SUBSCRIBABLE_FILTER_NAMES } from '../domain/query/event-query.ts';
import { parseEmbedQuery, THEMES } from '../domain/query/list-queries.ts';
import { RESULT_LIMITS } from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { formatHours, formatShortDay } from '../i18n/format-dates.ts';
import { PAGE_PATHS, absoluteUrl, embedFramePath, recordPath, withQuery } from '../i18n/paths.ts';
import { formatPrice } from '../i18n/format-price.ts';
import { t } from '../i18n/translate.ts';
import { calendarFeedName } from '../serializers/icalendar.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { code, inlineCode, paragraph, section } from '../serializers/markdown/nodes.ts';
import { escapeXml } from '../serializers/sanitize-text.ts';
import { findEvents } from '../snapshot/find-events.ts';
import {
  parseChoice,
  choicePageResult,
  buildLangSelect,
  buildTaxonSelects,
  buildFilterCheckboxes,
} from './filter-form.ts';
import { definePage, type LoadedPage, type PageRequest, pageRoutes } from './page-definition.ts';
import { buildPageMeta } from './page-meta.ts';
import { thumbnailUrl } from './picture-views.ts';
import type { PageContext } from './page-context.ts';

/** The element to be copied, for the frame at an absolute address: no script (contract 8.20). */
const toSnippet = (url: string, title: string): string =>
  `<iframe src="${escapeXml(url)}" title="${escapeXml(title)}" width="100%" height="560" loading="lazy" style="border:0"></iframe>`;

/** What the frame takes: the shared filters that a person may choose, and how it looks. */
const FRAME_NAMES = ['date', ...SUBSCRIBABLE_FILTER_NAMES, 'limit', 'theme'] as const;
/** What the form takes: the same, and the language of the frame. */
const FORM_NAMES = [...FRAME_NAMES, 'lang'] as const;

export type FrameView = ReturnType<typeof loadEmbedFrame>['page'];

/** The frame of a query as sent, without its question mark; 400 with a sentence for a bad one. */
export function loadEmbedFrame(state: PageContext, query: string, lang: Lang) {
  const { snapshot, site, now_ms } = state;
  const { params, asked, issue } = parseChoice(query, FRAME_NAMES, (sent, issues) =>
    parseEmbedQuery({ ...sent, lang }, snapshot, now_ms, issues),
  );
  const today = toLocalDay(now_ms).toString();
  return {
    status: issue === null ? 200 : 400,
    page: {
      lang,
      site,
      issue,
      theme: asked?.theme ?? 'auto',
      title: asked
        ? calendarFeedName(asked.filter, params, snapshot.taxonomy, lang, site)
        : site.name,
      entries: asked
        ? findEvents(snapshot, asked.filter, lang).cards.map((card) =>
            printEntry(card, today, lang),
          )
        : [],
    },
  };
}

function printEntry(card: EventCard, today: string, lang: Lang) {
  const { event, next, venue, zone } = card;
  const status = getEffectiveStatus(event, next);
  const original = findUntranslatedTexts(event, lang).title;
  return {
    status,
    status_words: status && t(lang, `status.${status}`),
    when: next && printWhen(next, today, lang),
    thumb: thumbnailUrl(card),
    path: recordPath('event', event.slug, lang),
    title: event.title[lang],
    original,
    where: [original && t(lang, `original.row.${original}`), venue?.name, zone?.name[lang]]
      .filter((part) => part)
      .map((part) => `${part} · `)
      .join(''),
    price: formatPrice(event.price, lang),
    is_free: event.price.is_free,
  };
}

/** The day and the hours, or both days of what lasts several whole ones. */
function printWhen(next: OccurrenceRecord, today: string, lang: Lang) {
  const toDay = (number: number): string => {
    const day = fromDayNumber(number);
    return formatShortDay(day, lang, Number(today.slice(0, 4)));
  };
  const { start, all_day, first_day, last_day } = next;
  const [first, last] = [toDay(first_day), toDay(last_day)];
  if (all_day && last_day > first_day)
    return { start, days: t(lang, 'time.days', { first, last }), hours: null };
  const is_today = fromDayNumber(first_day).toString() === today;
  return { start, days: is_today ? t(lang, 'nav.today') : first, hours: formatHours(next, lang) };
}

/** The page that writes the snippet; the frame's language is the page's unless the query says another. */
export function loadEmbedPage(state: PageContext, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms } = state;
  const {
    params: choice,
    asked,
    issue,
  } = parseChoice(query, FORM_NAMES, (params, issues) =>
    parseEmbedQuery({ lang, ...params }, snapshot, now_ms, issues),
  );
  const meta = buildPageMeta(state, lang, PAGE_PATHS.embed, {
    title: t(lang, 'embed.title'),
    description: t(lang, 'embed.description'),
    entry: 'embed',
  });
  const frame = asked && toFrame(state, choice, asked);
  return choicePageResult({ meta, issue, frame, ...printForm(state, choice, lang) });
}

function toFrame(
  { snapshot, site }: PageContext,
  { lang: _, ...choice }: ParameterValues,
  { filter, lang }: ReturnType<typeof parseEmbedQuery>,
) {
  const path = withQuery(embedFramePath(lang), choice);
  const title = calendarFeedName(filter, choice, snapshot.taxonomy, lang, site);
  return { path, title, snippet: toSnippet(absoluteUrl(site.url, path), title) };
}

function printForm({ snapshot }: PageContext, choice: ParameterValues, lang: Lang) {
  const { date, theme, limit = RESULT_LIMITS.frame.fallback } = choice;
  const words = AGENDA_KEYWORDS.map((word) => ({ value: word, text: t(lang, `nav.${word}`) }));
  // A day that only an address can ask for is an option of its own.
  const is_other = date !== undefined && !words.some(({ value }) => value === date);
  const dates = [...(is_other ? [{ value: date, text: date }] : []), ...words];
  const themes = THEMES.map((one) => ({ value: one, text: t(lang, `embed.theme.${one}`) }));
  return {
    selects: [
      {
        name: 'date',
        label: t(lang, 'embed.date'),
        any: t(lang, 'embed.upcoming'),
        options: dates.map((one) => ({ ...one, is_selected: one.value === date })),
      },
      ...buildTaxonSelects(choice, snapshot.taxonomy, lang),
      buildLangSelect(t(lang, 'embed.lang'), choice.lang ?? lang),
      {
        name: 'theme',
        label: t(lang, 'embed.theme'),
        options: themes.map((one) => ({ ...one, is_selected: one.value === theme })),
      },
    ],
    ticks: buildFilterCheckboxes(choice, lang),
    limit,
  };
}

export type EmbedView = LoadedPage<typeof loadEmbedPage>;

const CHOICE = `?date=week&category=…&zone=…&free=1&family=1&indoor=1&limit=1–${RESULT_LIMITS.frame.max}&theme=${THEMES.join('|')}&lang=…`;

const renderEmbed = ({ meta, frame }: EmbedView): string =>
  renderDocument(
    { ...meta, about: meta.description },
    t(meta.lang, 'embed.lead'),
    paragraph(`${t(meta.lang, 'md.choose')} `, inlineCode(CHOICE)),
    frame && section(frame.title, code('html', frame.snippet), t(meta.lang, 'embed.how')),
  );

export const embedPage = definePage({
  name: 'embed',
  routes: pageRoutes('embed'),
  load: loadEmbedPage,
  toMarkdown: renderEmbed,
  parameters: () => FORM_NAMES,
});
