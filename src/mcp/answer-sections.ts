// Answer sections: builds the parts of MCP answers besides events: notices, day facts, open venues
// and related results, each for both the text and the structured content (contract 4.14, 4.15,
// 13.10). An open venue is one that is worth a visit without an event (`open_places` in JSON);
// related results are the records other than events that match a search.
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

/**
 * One section as structured fields and as Markdown; the text is empty if the section has no
 * content.
 */
export interface AnswerSection {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: string;
}
/** A section without content. */
export const EMPTY_SECTION: AnswerSection = { fields: {}, text: '' };

/** Lists with a longer range get today's notices instead of those in the range. */
const MAX_RANGE_DAYS = 7;
/**
 * Further notices next to events are only counted, the most severe come first; avisos_hoy lists
 * all.
 */
const MAX_NOTICES = 5;

/**
 * Finds the notices of a range of days that concern the whole area or one of the zones (keys; null
 * for all), and groups them into current ones and seasons.
 */
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
 * Builds the notices of a list: the warnings and alerts of its days and zones. Empty after the
 * first page (`after` is the cursor of a later page).
 * @param is_plain_today True for the list of today without filters other than zones; adds info
 * notices and seasons.
 */
export function buildListNotices(
  { range, zones, now_ms, after }: EventFilter,
  is_plain_today: boolean,
  context: AnswerContext,
): AnswerSection {
  if (after !== null) return EMPTY_SECTION;
  const today = toLocalDay(now_ms);
  const is_short_range = range !== null && countDays(range) <= MAX_RANGE_DAYS;
  const notice_range = is_short_range ? range : { from: today, to: today };
  const grouped = findRangeNotices(notice_range, zones, context);
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

/**
 * Builds a section with up to MAX_NOTICES notices in full, the number of others, and the seasons by
 * name.
 */
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
  const severity_and_type = `${t(lang, `notice.severity.${severity}`)} (${t(lang, `notice.type.${type}`)})`;
  const sentences = [body[lang], ...formatNoticeRemarks(notice, lang)];
  const zone = snapshot.taxonomy.zones.find(({ key }) => key === notice.zone) ?? null;
  const facts = listNoticeFacts(notice, zone, lang).map(({ lines }) =>
    renderFactLine(lines.flat()),
  );
  return [
    strong(`${severity_and_type}: ${title[lang]}.`),
    ` ${sentences.join(' ')} `,
    joinInline(facts),
  ];
}

/**
 * Builds the facts of a day with its links.
 * @param is_full Includes all fields and the topics of the links; otherwise only the fields of
 * BRIEF_DAY_SCHEMA.
 * @param is_detailed The text has the next full and new moon, and that forecasts are not given.
 * @returns null if the day is over, or outside the years for which sun and holidays can be
 * computed.
 */
export function buildDaySection(
  day: Temporal.PlainDate,
  is_full: boolean,
  context: AnswerContext,
  is_detailed = is_full,
): { readonly fields: unknown; readonly text: string } | null {
  const { lang, now_ms, snapshot } = context;
  const is_over = Temporal.PlainDate.compare(day, toLocalDay(now_ms)) < 0;
  if (is_over || !isComputableDay(day)) return null;
  const facts = truncateTexts(computeDayFacts(day, snapshot.calendar), context);
  const fields = serializeDay(facts, lang, { names_next_moons: is_detailed });
  const links = facts.links.map((day_link) => {
    const { topic, label } = formatDayLink(day_link, lang);
    // The topic of the weather says that forecasts are not given.
    const has_topic = is_full || (is_detailed && day_link.topic === 'weather');
    return has_topic ? [`${topic}: `, link(day_link.url, label)] : link(day_link.url, label);
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
 * Builds the open venues of a day, up to `limit`, one line each, and sentences about those that are
 * closed. On the current day, venues that are open now come first.
 */
export function buildOpenVenuesSection(
  full_venues: readonly OpenVenue[],
  day: Temporal.PlainDate,
  { now_ms, limit }: Pick<EventFilter, 'now_ms' | 'limit'>,
  context: AnswerContext,
): AnswerSection {
  const { lang, site } = context;
  const venues = full_venues.map((venue) => truncateTexts(venue, context));
  const is_today = day.equals(toLocalDay(now_ms));
  // `doubt`: a note that holiday hours are unconfirmed; `sentences`: about venues that are closed.
  const {
    doubt: doubt_note,
    lines,
    sentences: closed_sentences,
  } = formatOpenVenues(venues, is_today ? now_ms : null, lang);
  const listed_lines = lines.slice(0, limit);
  const fact_texts = listed_lines.map(({ facts }) => truncateText(facts.join(' · '), context));
  const open_places = serializeOpenVenues(
    listed_lines.map(({ place }) => place),
    lang,
    site,
  ).map((fields, index) => ({ ...fields, text: fact_texts[index] ?? '' }));
  const path = is_today ? PAGE_PATHS.today[lang] : dayPath(day.toString(), lang);
  const url = absoluteUrl(site.url, path);
  const omitted_count = lines.length - open_places.length;
  const omitted_notes =
    omitted_count > 0 ? [tPlural(lang, 'mcp.list.places_more', omitted_count, { url })] : [];
  const doubt_notes = doubt_note === null ? [] : [doubt_note];
  const closed_notes = closed_sentences.map((sentence) => truncateText(sentence, context));
  const title = formatOpenVenuesTitle(is_today ? 'today' : 'day', venues, lang);
  const items = open_places.map(({ url, name, text }) => linkItem(url, name, text));
  const parts = [
    toMarkdown([heading(2, title), doubt_notes, list(items)]),
    ...omitted_notes.map((line) => `${line}\n`),
    ...(closed_notes.length === 0 ? [] : [toMarkdown(closed_notes)]),
  ];
  return {
    fields: { open_places, others: [...doubt_notes, ...omitted_notes, ...closed_notes] },
    text: lines.length + closed_notes.length === 0 ? '' : parts.join('\n'),
  };
}

/**
 * Finds the related results of a search, as on its page, which has some before and some after the
 * events (contract 7.32).
 * @param event_count Number of events that match the search.
 */
export function findRelatedSections(
  params: ParameterValues,
  event_count: number,
  context: AnswerContext,
): readonly RelatedSection[] {
  const { before, after } = findRelatedResults(context, params, event_count, context.lang);
  return [...before, ...after];
}

/**
 * Builds the section of related results. In `others`, each result is one line `title: name, detail:
 * URL`.
 */
export function buildRelatedSections(
  related: readonly RelatedSection[],
  context: AnswerContext,
): AnswerSection {
  if (related.length === 0) return EMPTY_SECTION;
  const sections = truncateTexts(related, context);
  const others = sections.flatMap(({ title, lines }) =>
    lines.map((line) => {
      const name_and_detail = line.words ? `${line.title}, ${line.words}` : line.title;
      return `${title}: ${name_and_detail}: ${new URL(line.path, context.site.url).href}`;
    }),
  );
  return { fields: { others }, text: toMarkdown([renderRelatedResults(sections, context)]) };
}

/** Serializes an occurrence, with `last_date` if it lasts several whole days. */
export function serializeDate(occurrence: OccurrenceRecord, lang: Lang) {
  const { all_day, first_day, last_day } = occurrence;
  const lasts_several_days = all_day && last_day > first_day;
  return {
    ...serializeOccurrence(occurrence, lang),
    ...(lasts_several_days && { last_date: fromDayNumber(last_day).toString() }),
  };
}
