// Answer sections: builds notices, day facts, open venues and related results for both the text and the structured
// content of an answer (contract 4.14, 4.15, 13.10).
import { Temporal } from 'temporal-polyfill';
import type { EventDetail, OpenVenue } from '../domain/agenda.ts';
import { countDays, type DayRange, fromDayNumber, toLocalDay } from '../domain/local-time.ts';
import { isComputableDay, computeDayFacts } from '../domain/day/day-facts.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import type { EventFilter } from '../domain/query/event-query.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { type NoticeRecord, type GroupedNotices, groupNotices } from '../domain/notice.ts';
import { formatNoticeRemarks, formatDayLink, formatSeasonLine } from '../i18n/format-day.ts';
import { formatOpenVenues, formatOpenVenuesTitle } from '../i18n/format-opening-hours.ts';
import { PAGE_PATHS, absoluteUrl, dayPath } from '../i18n/paths.ts';
import { listNoticeFacts } from '../i18n/record-facts.ts';
import { t, tPlural } from '../i18n/translate.ts';
import { toMarkdown, renderFactLine } from '../serializers/markdown/document.ts';
import {
  heading,
  joinInline,
  link,
  linkItem,
  list,
  paragraph,
  strong,
  type Inline,
} from '../serializers/markdown/nodes.ts';
import { serializeDay, serializeNotice } from '../serializers/wire/day.ts';
import { serializeOccurrence } from '../serializers/wire/event.ts';
import { serializeOpenVenues } from '../serializers/wire/venues.ts';
import {
  findRelatedResults,
  type RelatedSection,
  renderRelatedResults,
} from '../site/related-results.ts';
import { findNotices } from '../snapshot/load-agenda.ts';
import { truncateTexts, truncateText, truncateList } from './tool-answer.ts';
import { BRIEF_DAY_SCHEMA, pickBySchema } from './output-schemas.ts';
import type { AnswerContext, McpContext } from './tool.ts';

/** One section as structured fields and as Markdown; the text is empty if the section has no content. */
export interface AnswerSection {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: string;
}
export const EMPTY_SECTION: AnswerSection = { fields: {}, text: '' };

/** Lists with a longer range get today's notices instead of those in the range. */
const MAX_RANGE_DAYS = 7;
/** Further notices next to events are only counted, the most severe come first; avisos_hoy lists all. */
const MAX_NOTICES = 5;

/** Finds the notices of a range of days that concern the whole area or one of the zones (null is all). */
function findRangeNotices(
  range: DayRange,
  zones: readonly string[] | null,
  { snapshot }: McpContext,
): GroupedNotices {
  const notices = findNotices(snapshot, range.from, range.to).filter(
    ({ zone }) => zones === null || zone === null || zones.includes(zone),
  );
  return groupNotices(notices, range);
}

/**
 * Builds the notices of a list: the warnings and alerts of its days and zones. Empty after the first page.
 * @param is_plain_today Includes info notices and seasons.
 */
export function buildListNotices(
  { range, zones, now_ms, after }: EventFilter,
  is_plain_today: boolean,
  context: AnswerContext,
): AnswerSection {
  if (after !== null) return EMPTY_SECTION;
  const today = toLocalDay(now_ms);
  const is_short = range !== null && countDays(range) <= MAX_RANGE_DAYS;
  const grouped = findRangeNotices(is_short ? range : { from: today, to: today }, zones, context);
  const severe = grouped.now.filter(({ severity }) => severity !== 'info');
  return buildNotices(is_plain_today ? grouped : { now: severe, in_season: [] }, context);
}

/** Builds the notices of the day and zone of the next occurrence of an event, without seasons. */
export function buildEventNotices(
  { next, zone }: EventDetail,
  context: AnswerContext,
): AnswerSection {
  if (next === null) return EMPTY_SECTION;
  const day = fromDayNumber(next.first_day);
  const { now } = findRangeNotices({ from: day, to: day }, zone && [zone.key], context);
  return buildNotices({ now: now.filter(({ season }) => !season), in_season: [] }, context);
}

/** Builds a section with the notices in full and the seasons by name. */
function buildNotices({ now, in_season }: GroupedNotices, context: AnswerContext): AnswerSection {
  const { lang } = context;
  const notices = truncateList(now, context)
    .slice(0, MAX_NOTICES)
    .map((notice) => truncateTexts(notice, context));
  const seasons = truncateList(in_season, context);
  const more_count = now.length - notices.length;
  const season_line = formatSeasonLine(seasons, lang);
  const items = list(notices.map((notice) => renderNoticeItem(notice, context)));
  const parts = [
    toMarkdown([heading(2, t(lang, 'label.notices')), items]),
    ...(more_count > 0 ? [`${tPlural(lang, 'mcp.notices.more', more_count)}\n`] : []),
    ...(season_line === null ? [] : [toMarkdown([season_line])]),
  ];
  return {
    fields: {
      notices: notices.map((notice) => serializeNotice(notice, lang)),
      more_notices: more_count,
      in_season: seasons.map(({ short, title }) => (short ?? title)[lang]),
    },
    text: notices.length === 0 && season_line === null ? '' : parts.join('\n'),
  };
}

/** Renders a notice as one list item: severity, type, title, body, zone, times and source. */
export function renderNoticeItem(notice: NoticeRecord, { lang, snapshot }: AnswerContext): Inline {
  const { severity, type, title, body } = notice;
  const kind = `${t(lang, `notice.severity.${severity}`)} (${t(lang, `notice.type.${type}`)})`;
  const sentences = [body[lang], ...formatNoticeRemarks(notice, lang)];
  const zone = snapshot.taxonomy.zones.find(({ key }) => key === notice.zone) ?? null;
  const facts = listNoticeFacts(notice, zone, lang).map(({ lines }) =>
    renderFactLine(lines.flat()),
  );
  return [strong(`${kind}: ${title[lang]}.`), ` ${sentences.join(' ')} `, joinInline(facts)];
}

/**
 * Builds the facts of a day with its links.
 * @param is_full Includes all fields and the topics of the links.
 * @returns null if the day is over or cannot be computed.
 */
export function buildDaySection(
  day: Temporal.PlainDate,
  is_full: boolean,
  context: AnswerContext,
): { readonly fields: unknown; readonly text: string } | null {
  const { lang, now_ms, snapshot } = context;
  const is_over = Temporal.PlainDate.compare(day, toLocalDay(now_ms)) < 0;
  if (is_over || !isComputableDay(day)) return null;
  const facts = truncateTexts(computeDayFacts(day, snapshot.calendar), context);
  const fields = serializeDay(facts, lang);
  const links = facts.links.map((day_link) => {
    const { topic, label } = formatDayLink(day_link, lang);
    return is_full ? [`${topic}: `, link(day_link.url, label)] : link(day_link.url, label);
  });
  return {
    fields: is_full ? fields : pickBySchema(fields, BRIEF_DAY_SCHEMA, BRIEF_DAY_SCHEMA),
    text: toMarkdown([
      fields.text,
      links.length === 0 ? null : paragraph(joinInline(links)),
    ]).trimEnd(),
  };
}

/**
 * Builds the open venues of a day, up to `limit`, one line each, and sentences about those that are closed. On the
 * current day, venues that are open now come first.
 */
export function buildOpenVenuesSection(
  all: readonly OpenVenue[],
  day: Temporal.PlainDate,
  { now_ms, limit }: Pick<EventFilter, 'now_ms' | 'limit'>,
  context: AnswerContext,
): AnswerSection {
  const { lang, site } = context;
  const venues = all.map((venue) => truncateTexts(venue, context));
  const is_today = day.equals(toLocalDay(now_ms));
  const { doubt, lines, sentences } = formatOpenVenues(venues, is_today ? now_ms : null, lang);
  const listed_lines = lines.slice(0, limit);
  const texts = listed_lines.map(({ facts }) => truncateText(facts.join(' · '), context));
  const open_places = serializeOpenVenues(
    listed_lines.map(({ place }) => place),
    lang,
    site,
  ).map((fields, at) => ({ ...fields, text: texts[at] ?? '' }));
  const path = is_today ? PAGE_PATHS.today[lang] : dayPath(day.toString(), lang);
  const url = absoluteUrl(site.url, path);
  const omitted_count = lines.length - open_places.length;
  const more =
    omitted_count > 0 ? [tPlural(lang, 'mcp.list.places_more', omitted_count, { url })] : [];
  const doubts = doubt === null ? [] : [doubt];
  const closed = sentences.map((sentence) => truncateText(sentence, context));
  const title = formatOpenVenuesTitle(is_today ? 'today' : 'day', venues, lang);
  const items = open_places.map(({ url, name, text }) => linkItem(url, name, text));
  const parts = [
    toMarkdown([heading(2, title), doubts, list(items)]),
    ...more.map((line) => `${line}\n`),
    ...(closed.length === 0 ? [] : [toMarkdown(closed)]),
  ];
  return {
    fields: { open_places, others: [...doubts, ...more, ...closed] },
    text: lines.length + closed.length === 0 ? '' : parts.join('\n'),
  };
}

/** Finds the related results of a search with `event_count` events, as on its page (contract 7.32). */
export function findRelatedSections(
  params: ParameterValues,
  event_count: number,
  context: AnswerContext,
): readonly RelatedSection[] {
  const { before, after } = findRelatedResults(context, params, event_count, context.lang);
  return [...before, ...after];
}

/** Builds the section of related results; each structured entry is one line with its URL. */
export function buildRelatedSections(
  related: readonly RelatedSection[],
  context: AnswerContext,
): AnswerSection {
  if (related.length === 0) return EMPTY_SECTION;
  const sections = truncateTexts(related, context);
  const others = sections.flatMap(({ title, lines }) =>
    lines.map((line) => {
      const words = line.words ? `${line.title}, ${line.words}` : line.title;
      return `${title}: ${words}: ${new URL(line.path, context.site.url).href}`;
    }),
  );
  return { fields: { others }, text: toMarkdown([renderRelatedResults(sections, context)]) };
}

/** Serializes an occurrence, with `last_date` if it lasts several days. */
export const serializeDate = (date: OccurrenceRecord, lang: Lang) => ({
  ...serializeOccurrence(date, lang),
  ...(date.all_day &&
    date.last_day > date.first_day && { last_date: fromDayNumber(date.last_day).toString() }),
});
