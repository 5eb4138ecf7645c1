// Embedding: builds the event list that other sites show in an `<iframe>` (the frame), and the page
// with a form that creates the HTML snippet for it (contract 8.20).
import { AGENDA_KEYWORDS } from '../domain/date-keywords.ts';
import type { EventCard } from '../domain/agenda.ts';
import { fromDayNumber, toLocalDay } from '../domain/local-time.ts';
import {
  findUntranslatedTexts,
  type OccurrenceRecord,
  isSeason,
  separateNightclubs,
  separateSeasons,
} from '../domain/event/event.ts';
import { getEffectiveStatus } from '../domain/event/facts.ts';
import type { Lang } from '../domain/lang.ts';
import { SUBSCRIBABLE_FILTER_NAMES } from '../domain/query/event-query.ts';
import { parseEmbedQuery, THEMES } from '../domain/query/list-queries.ts';
import { RESULT_LIMITS } from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { formatHours, formatShortDay } from '../i18n/format-dates.ts';
import {
  formatAttendanceNote,
  formatCalledOffDates,
  formatListUncertainty,
} from '../i18n/format-facts.ts';
import { formatDateParameter } from '../i18n/format-query.ts';
import { PAGE_PATHS, absoluteUrl, embedFramePath, recordPath, withQuery } from '../i18n/paths.ts';
import { formatPrice } from '../i18n/format-price.ts';
import { t } from '../i18n/translate.ts';
import { calendarFeedName } from '../serializers/icalendar.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { code, inlineCode, paragraph, section } from '../serializers/markdown/nodes.ts';
import { escapeXml } from '../serializers/sanitize-text.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { MAX_AGENDA_EVENTS } from '../snapshot/load-agenda.ts';
import { joinNotes, placeDateNote } from './event-list-views.ts';
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

/** Renders the HTML to copy: a frame without a script (contract 8.20). */
const renderSnippet = (url: string, title: string): string =>
  `<iframe src="${escapeXml(url)}" title="${escapeXml(title)}" width="100%" height="560" loading="lazy" style="border:0"></iframe>`;

/** Parameters of the frame: the filters for people, and its look. */
const FRAME_NAMES = ['date', ...SUBSCRIBABLE_FILTER_NAMES, 'nightclubs', 'limit', 'theme'] as const;
/** Parameters of the form: frame parameters and the frame's language. */
const FORM_NAMES = [...FRAME_NAMES, 'lang'] as const;

export type FrameView = ReturnType<typeof loadEmbedFrame>['page'];

/**
 * Loads the frame; status 400 and an issue if the query is invalid.
 * @param query Raw, without its question mark.
 */
export function loadEmbedFrame(context: PageContext, query: string, lang: Lang) {
  const { snapshot, site, now_ms } = context;
  const { params, parsed, issue } = parseChoice(query, FRAME_NAMES, (values, issues) =>
    parseEmbedQuery({ ...values, lang }, snapshot, now_ms, issues),
  );
  const today = toLocalDay(now_ms).toString();
  const cards = parsed ? findFrameEvents(snapshot, parsed, lang) : [];
  return {
    status: issue === null ? 200 : 400,
    page: {
      lang,
      site,
      issue,
      theme: parsed?.theme ?? 'auto',
      title: parsed
        ? calendarFeedName(parsed.filter, params, snapshot.taxonomy, lang, site)
        : site.name,
      warning: formatListUncertainty(separateSeasons(cards).others, lang, params.date === 'today'),
      entries: cards.map((card) => buildEntry(card, today, lang)),
    },
  };
}

function findFrameEvents(
  snapshot: PageContext['snapshot'],
  { filter, shows_nightclubs }: ReturnType<typeof parseEmbedQuery>,
  lang: Lang,
): readonly EventCard[] {
  const { cards } = findEvents(snapshot, { ...filter, limit: MAX_AGENDA_EVENTS }, lang);
  const { others, seasons } = separateSeasons(cards);
  const listed = shows_nightclubs ? others : separateNightclubs(others).others;
  return [...listed, ...seasons].slice(0, filter.limit);
}

function buildEntry(card: EventCard, today: string, lang: Lang) {
  const { event, next, venue, zone } = card;
  const status = getEffectiveStatus(event, next);
  const date_note = placeDateNote(next, status, 'hour', lang);
  const title_lang = findUntranslatedTexts(event, lang).title;
  return {
    status,
    /** Marks a season, which comes after the other events. */
    label: isSeason(card) ? t(lang, 'agenda.season') : null,
    status_text: status && t(lang, `status.${status}`),
    when: next && formatWhen(next, date_note.as_hour, today, lang),
    thumbnail_path: thumbnailUrl(card),
    path: recordPath('event', event.slug, lang),
    title: event.title[lang],
    title_lang,
    place: [title_lang && t(lang, `original.row.${title_lang}`), venue?.name, zone?.name[lang]]
      .filter((part) => part)
      .map((part) => `${part} · `)
      .join(''),
    price: formatPrice(event.price, lang),
    is_free: event.price.is_free,
    note: joinNotes(
      date_note.own_line,
      date_note.after_place,
      formatAttendanceNote(card, lang, 'row'),
    ),
    /** Further dates that are called off; null without any. */
    called_off: formatCalledOffDates(card, lang),
  };
}

/**
 * Formats the day and hours of an occurrence, or its first and last day if it lasts several whole
 * days.
 * @param hour_note Replaces an unknown hour.
 */
function formatWhen(next: OccurrenceRecord, hour_note: string | null, today: string, lang: Lang) {
  const formatDay = (day_number: number): string => {
    const day = fromDayNumber(day_number);
    return formatShortDay(day, lang, Number(today.slice(0, 4)));
  };
  const { start, all_day, first_day, last_day } = next;
  const first = formatDay(first_day);
  if (all_day && last_day > first_day) {
    const days = t(lang, 'time.days', { first, last: formatDay(last_day) });
    return { start, days, hours: null };
  }
  const is_today = fromDayNumber(first_day).toString() === today;
  const hours = hour_note ?? formatHours(next, lang);
  return { start, days: is_today ? t(lang, 'nav.today') : first, hours };
}

/**
 * Loads the page with the snippet. The frame is in the page's language unless the query has
 * another.
 */
export function loadEmbedPage(context: PageContext, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms } = context;
  const {
    params: choice,
    parsed,
    issue,
  } = parseChoice(query, FORM_NAMES, (params, issues) =>
    parseEmbedQuery({ lang, ...params }, snapshot, now_ms, issues),
  );
  const meta = buildPageMeta(context, lang, PAGE_PATHS.embed, {
    title: t(lang, 'embed.title'),
    description: t(lang, 'embed.description'),
    entry: 'embed',
  });
  const frame = parsed && buildFrame(context, choice, parsed);
  return choicePageResult({ meta, issue, frame, ...buildForm(context, choice, lang) });
}

/** Builds the address of the chosen frame, its title and its snippet. */
function buildFrame(
  { snapshot, site }: PageContext,
  { lang: _lang, ...choice }: ParameterValues,
  { filter, lang }: ReturnType<typeof parseEmbedQuery>,
) {
  const path = withQuery(embedFramePath(lang), choice);
  const title = calendarFeedName(filter, choice, snapshot.taxonomy, lang, site);
  return { path, title, snippet: renderSnippet(absoluteUrl(site.url, path), title) };
}

/** Builds the menus and checkboxes of the form, with the chosen values selected. */
function buildForm({ snapshot }: PageContext, choice: ParameterValues, lang: Lang) {
  const { date, theme, limit = RESULT_LIMITS.frame.fallback } = choice;
  const keywords = AGENDA_KEYWORDS.map((keyword) => ({
    value: keyword,
    text: t(lang, `nav.${keyword}`),
  }));
  // A date, which only a typed address can have, becomes one extra option.
  const is_other_date = date !== undefined && !keywords.some(({ value }) => value === date);
  const dates = [
    ...(is_other_date ? [{ value: date, text: formatDateParameter(date, lang) }] : []),
    ...keywords,
  ];
  const themes = THEMES.map((name) => ({ value: name, text: t(lang, `embed.theme.${name}`) }));
  return {
    selects: [
      {
        name: 'date',
        label: t(lang, 'embed.date'),
        any: t(lang, 'embed.upcoming'),
        options: dates.map((option) => ({ ...option, is_selected: option.value === date })),
      },
      ...buildTaxonSelects(choice, snapshot.taxonomy, lang),
      buildLangSelect(t(lang, 'embed.lang'), choice.lang ?? lang),
      {
        name: 'theme',
        label: t(lang, 'embed.theme'),
        options: themes.map((option) => ({ ...option, is_selected: option.value === theme })),
      },
    ],
    checkboxes: [
      ...buildFilterCheckboxes(choice, lang),
      {
        name: 'nightclubs',
        value: '0',
        label: t(lang, 'embed.without_nightclubs'),
        is_checked: choice.nightclubs === '0',
      },
    ],
    limit,
  };
}

export type EmbedView = LoadedPage<typeof loadEmbedPage>;

/** Query of the form for the Markdown version. */
const QUERY_EXAMPLE = `?date=week&category=…&zone=…&free=1&family=1&indoor=1&nightclubs=0&limit=1–${RESULT_LIMITS.frame.max}&theme=${THEMES.join('|')}&lang=…`;

const renderEmbed = ({ meta, frame }: EmbedView): string =>
  renderDocument(
    { ...meta, about: meta.description },
    t(meta.lang, 'embed.lead'),
    paragraph(`${t(meta.lang, 'md.choose')} `, inlineCode(QUERY_EXAMPLE)),
    frame && section(frame.title, code('html', frame.snippet), t(meta.lang, 'embed.how')),
  );

export const embedPage = definePage({
  name: 'embed',
  routes: pageRoutes('embed'),
  load: loadEmbedPage,
  toMarkdown: renderEmbed,
  parameters: () => FORM_NAMES,
});
