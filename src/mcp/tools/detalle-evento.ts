// detalle_evento tool: returns one event with all facts, and its next dates or the dates in a range
// (contract 8.4, 13.10). In its texts for callers, a date is an occurrence.
import type { EventDetail } from '../../domain/agenda.ts';
import { AppError } from '../../domain/app-error.ts';
import { floorToMinute } from '../../domain/local-time.ts';
import {
  findLastDate,
  filterNotEnded,
  findUntranslatedTexts,
  type OccurrenceRecord,
  filterDates,
} from '../../domain/event/event.ts';
import { findBookingContactUrl } from '../../domain/event/facts.ts';
import {
  formatLastDateLabel,
  formatPastDateNote,
  formatConfirmedWhen,
} from '../../i18n/format-facts.ts';
import { EVENT_DATES_NAMES, parseEventDatesQuery } from '../../domain/query/list-queries.ts';
import { eventDirectionsUrl } from '../../i18n/external-links.ts';
import {
  absoluteUrl,
  eventDatesPath,
  markdownPath,
  pictureLink,
  recordIcsPath,
  recordPath,
} from '../../i18n/paths.ts';
import { capitalize, t, tPlural } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import {
  renderDates,
  renderFactItems,
  renderLanguageNote,
} from '../../serializers/markdown/entries.ts';
import {
  type MarkdownBlock,
  heading,
  labeled,
  link,
  list,
  paragraph,
  paragraphs,
  section,
} from '../../serializers/markdown/nodes.ts';
import { serializeEventDetail } from '../../serializers/wire/event.ts';
import { getEvent } from '../../snapshot/get-record.ts';
import { truncateTexts, defineReadTool, type ToolAnswer } from '../tool-answer.ts';
import { findVenueByName, parseArguments, parseRecordReference } from '../tool-arguments.ts';
import { serializeDate, buildEventNotices } from '../answer-sections.ts';
import { NOTICE_FIELDS_SCHEMA, EVENT_DETAIL_SCHEMA } from '../output-schemas.ts';
import {
  LANG_ARGUMENT,
  type AnswerContext,
  type McpContext,
  TEXT_SCHEMA,
  inputSchema,
} from '../tool.ts';
import type { ParameterIssue } from '../../domain/query/parameter-issue.ts';

const INPUT = inputSchema({
  id: { ...TEXT_SCHEMA, description: "The event's id, its slug, or the address of its page." },
  // The name of the REST parameter.
  idOrSlug: { ...TEXT_SCHEMA, description: 'The same as id.' },
  from: { ...TEXT_SCHEMA, description: 'First day; without from and to: the next 12 dates.' },
  to: { ...TEXT_SCHEMA, description: 'Last day.' },
  lang: LANG_ARGUMENT,
});

/** Maximum dates without a range (contract 13.10). */
const MAX_DATES = 12;

/** The tool. `min_items`: texts are shortened before any of the next dates is left out. */
export const detalleEvento = defineReadTool({
  name: 'detalle_evento',
  input: () => INPUT,
  output: { ...NOTICE_FIELDS_SCHEMA, data: EVENT_DETAIL_SCHEMA },
  required: ['data'],
  min_items: MAX_DATES,
  plan: (args, context) => {
    const issues: ParameterIssue[] = [];
    const params = parseArguments(args, ['id', 'idOrSlug', ...EVENT_DATES_NAMES], issues);
    const { id, idOrSlug } = params;
    if (id === undefined && idOrSlug === undefined)
      issues.push({
        param: 'id',
        message: "is missing. Give an event's id, its slug, or the address of its page",
      });
    if (id !== undefined && idOrSlug !== undefined && id !== idOrSlug)
      issues.push({
        param: 'idOrSlug',
        message: "names another event than 'id'. Give one of the two",
      });
    const { lang, range } = parseEventDatesQuery(params, context.now_ms, issues);
    const detail = findEvent(id ?? idOrSlug ?? '', context);
    const dates =
      range === null ? selectNextDates(detail, context) : filterDates(detail.occurrences, range);
    return {
      lang,
      max_items: dates.length,
      buildAnswer: (count, limited_context) =>
        buildEventAnswer(detail, dates.slice(0, count), limited_context),
    };
  },
});

/** Finds an event by id, slug or URL. @throws AppError `not_found` or `gone`, as REST does. */
function findEvent(reference: string, context: McpContext): EventDetail {
  const { snapshot, now_ms, site } = context;
  const id = parseRecordReference('event', reference, site);
  const detail = id === null ? null : getEvent(snapshot, id, floorToMinute(now_ms));
  if (detail === 'gone') throw new AppError('gone', 'id: this event was withdrawn');
  if (detail !== null) return detail;
  const venue = findVenueByName(reference, context);
  throw new AppError(
    'not_found',
    venue === null
      ? "id: no event has this id, slug or address. Take it from an event's id or url, or look for it with buscar_eventos"
      : `id: is a place (${venue.name}), no event. Ask lugares for it, or buscar_eventos for its events, with q`,
  );
}

/** Selects the next dates, or the last one if all are over. */
function selectNextDates(
  { occurrences }: EventDetail,
  { now_ms }: McpContext,
): readonly OccurrenceRecord[] {
  const upcoming = filterNotEnded(occurrences, floorToMinute(now_ms));
  const last_date = upcoming.length > 0 ? null : findLastDate(occurrences);
  return last_date ? [last_date] : upcoming.slice(0, MAX_DATES);
}

/**
 * Builds the answer about one event.
 * @param dates The occurrences to list.
 */
function buildEventAnswer(
  full_detail: EventDetail,
  dates: readonly OccurrenceRecord[],
  context: AnswerContext,
): ToolAnswer {
  const { lang, site } = context;
  const { slug } = full_detail.event;
  const detail = truncateTexts(full_detail, context);
  const listed_dates = dates.map((date) => truncateTexts(date, context));
  const notices = buildEventNotices(detail, context);
  const urlOf = (path: string): string => absoluteUrl(site.url, path);
  const calendar_url = urlOf(recordIcsPath('event', slug, lang));
  // `ahead_count`: number of occurrences that have not ended.
  const date_count = detail.is_past ? detail.occurrences.length : detail.ahead_count;
  const has_more_dates = date_count > listed_dates.length;
  const dates_url = has_more_dates ? urlOf(markdownPath(eventDatesPath(slug, lang))) : undefined;
  const blocks = [
    renderFacts(detail, calendar_url, context),
    renderListedDates(detail, listed_dates, dates_url, context),
  ];
  return {
    opening: [],
    items: [toMarkdown(blocks), notices.text].join('\n'),
    full_list_url: urlOf(markdownPath(recordPath('event', slug, lang))),
    fields: {
      ...notices.fields,
      data: {
        ...serializeEventDetail(detail, lang, site, listed_dates),
        next: detail.next === null ? undefined : serializeDate(detail.next, lang),
        occurrences: listed_dates.map((date) => serializeDate(date, lang)),
        source_url: findBookingContactUrl(detail.event),
        calendar_url,
        dates_url,
        // A venue has its own directions.
        directions_url: detail.venue === null ? eventDirectionsUrl(detail, lang) : null,
      },
    },
  };
}

/**
 * Renders the facts and description of an event; also directions, tags, coordinates, picture and
 * calendar.
 */
function renderFacts(
  detail: EventDetail,
  calendar_url: string,
  { lang, site }: AnswerContext,
): MarkdownBlock {
  const { event, venue, next } = detail;
  const { tags } = event;
  const image = pictureLink(detail, lang, site);
  const original_langs = findUntranslatedTexts(event, lang);
  const directions_url = eventDirectionsUrl(detail, lang);
  const page_url = absoluteUrl(site.url, recordPath('event', event.slug, lang));
  const when = next && formatConfirmedWhen(next, lang);
  return [
    heading(1, link(page_url, event.title[lang])),
    formatPastDateNote(detail, lang),
    renderLanguageNote(original_langs.summary, lang),
    paragraphs(event.summary[lang]),
    list([
      ...renderFactItems(detail, { surface: 'answer', when, lang, site }),
      directions_url && labeled(capitalize(t(lang, 'label.directions')), link(directions_url)),
      tags.length === 0 ? null : labeled(t(lang, 'mcp.label.tags'), tags.join(', ')),
      venue?.coordinates === 'venue'
        ? labeled(t(lang, 'mcp.label.point'), `${venue.lat}, ${venue.lng}`)
        : null,
      image && labeled(t(lang, 'mcp.label.image'), link(image.url, image.alt)),
      labeled(t(lang, 'label.calendar'), link(calendar_url)),
    ]),
    original_langs.summary ? null : renderLanguageNote(original_langs.description, lang),
    event.description && paragraphs(event.description[lang]),
  ];
}

/**
 * Renders the listed dates, with the number of upcoming and of all dates. Null if the event has
 * only the upcoming date that its facts already show.
 */
function renderListedDates(
  { occurrences, is_past, ahead_count }: EventDetail,
  dates: readonly OccurrenceRecord[],
  dates_url: string | undefined,
  { lang }: AnswerContext,
): MarkdownBlock {
  const last_date = is_past ? dates.at(-1) : undefined;
  if (occurrences.length <= 1 && !is_past) return null;
  const counts = { shown: dates.length, ahead: ahead_count, all: occurrences.length };
  const summary = is_past
    ? tPlural(lang, 'mcp.detail.dates_past', occurrences.length)
    : t(lang, 'mcp.detail.dates', counts);
  return section(
    last_date ? formatLastDateLabel(last_date, lang) : t(lang, 'label.dates'),
    renderDates(dates, lang),
    dates_url === undefined ? summary : paragraph(link(dates_url, summary)),
  );
}
