// What stands beside events in both halves of an answer: the notices that touch what was asked, the day
// itself, the places that are open (contract 4.14, 4.15, 13.10).
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

/** Both halves of something; the text is empty where there is nothing to say. */
export interface AnswerSection {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: string;
}
export const EMPTY_SECTION: AnswerSection = { fields: {}, text: '' };

/** A longer range is not about certain days: then only today's notices are given. */
const MAX_DAYS = 7;
/** Most notices beside events, the gravest first; avisos_hoy has the others. */
const MAX_NOTICES = 5;

/** Those that touch a range of days, of the whole area or of these zones (null is all). */
function findOfRange(
  range: DayRange,
  zones: readonly string[] | null,
  { snapshot }: McpContext,
): GroupedNotices {
  const found = findNotices(snapshot, range.from, range.to).filter(
    ({ zone }) => zones === null || zone === null || zones.includes(zone),
  );
  return groupNotices(found, range);
}

/**
 * Of a list the warnings and alerts of its days and zones; today's other notices too where the day
 * itself `is_asked` for. Nothing where it goes on.
 */
export function buildListNotices(
  { range, zones, now_ms, after }: EventFilter,
  is_asked: boolean,
  context: AnswerContext,
): AnswerSection {
  if (after !== null) return EMPTY_SECTION;
  const today = toLocalDay(now_ms);
  const is_about_days = range !== null && countDays(range) <= MAX_DAYS;
  const split = findOfRange(is_about_days ? range : { from: today, to: today }, zones, context);
  const grave = split.now.filter(({ severity }) => severity !== 'info');
  return tellNotices(is_asked ? split : { now: grave, in_season: [] }, context);
}

/** Of an event those of the day and zone it is next in; seasons are no news to it. */
export function buildEventNotices(
  { next, zone }: EventDetail,
  context: AnswerContext,
): AnswerSection {
  if (next === null) return EMPTY_SECTION;
  const day = fromDayNumber(next.first_day);
  const { now } = findOfRange({ from: day, to: day }, zone && [zone.key], context);
  return tellNotices({ now: now.filter(({ season }) => !season), in_season: [] }, context);
}

/** In full, and what is in season by name. */
function tellNotices({ now, in_season }: GroupedNotices, context: AnswerContext): AnswerSection {
  const { lang } = context;
  const told = truncateList(now, context)
    .slice(0, MAX_NOTICES)
    .map((notice) => truncateTexts(notice, context));
  const seasons = truncateList(in_season, context);
  const more = now.length - told.length;
  const season = formatSeasonLine(seasons, lang);
  const items = list(told.map((notice) => renderNoticeItem(notice, context)));
  const parts = [
    toMarkdown([heading(2, t(lang, 'label.notices')), items]),
    ...(more > 0 ? [`${tPlural(lang, 'mcp.notices.more', more)}\n`] : []),
    ...(season === null ? [] : [toMarkdown([season])]),
  ];
  return {
    fields: {
      notices: told.map((notice) => serializeNotice(notice, lang)),
      more_notices: more,
      in_season: seasons.map(({ short, title }) => (short ?? title)[lang]),
    },
    text: told.length === 0 && season === null ? '' : parts.join('\n'),
  };
}

/** A notice in a line: severity, type, title, what it says, where, how long, who says it. */
export function renderNoticeItem(notice: NoticeRecord, { lang, snapshot }: AnswerContext): Inline {
  const { severity, type, title, body } = notice;
  const kind = `${t(lang, `notice.severity.${severity}`)} (${t(lang, `notice.type.${type}`)})`;
  const words = [body[lang], ...formatNoticeRemarks(notice, lang)];
  const zone = snapshot.taxonomy.zones.find(({ key }) => key === notice.zone) ?? null;
  const facts = listNoticeFacts(notice, zone, lang).map(({ lines }) =>
    renderFactLine(lines.flat()),
  );
  return [strong(`${kind}: ${title[lang]}.`), ` ${words.join(' ')} `, joinInline(facts)];
}

/**
 * A day in full where nothing but it `is_asked` for, else its sentences and where to look. Null of one
 * that is over, or not computed.
 */
export function buildDaySection(
  day: Temporal.PlainDate,
  is_asked: boolean,
  context: AnswerContext,
): { readonly fields: unknown; readonly text: string } | null {
  const { lang, now_ms, snapshot } = context;
  const is_over = Temporal.PlainDate.compare(day, toLocalDay(now_ms)) < 0;
  if (is_over || !isComputableDay(day)) return null;
  const facts = truncateTexts(computeDayFacts(day, snapshot.calendar), context);
  const whole = serializeDay(facts, lang);
  const links = facts.links.map((one) => {
    const { topic, label } = formatDayLink(one, lang);
    return is_asked ? [`${topic}: `, link(one.url, label)] : link(one.url, label);
  });
  return {
    fields: is_asked ? whole : pickBySchema(whole, BRIEF_DAY_SCHEMA, BRIEF_DAY_SCHEMA),
    text: toMarkdown([
      whole.text,
      links.length === 0 ? null : paragraph(joinInline(links)),
    ]).trimEnd(),
  };
}

/** At most so many of a day's places, a line each, those that are open first, today's by the hour; which of the others have closed. */
export function buildOpenVenuesSection(
  all: readonly OpenVenue[],
  day: Temporal.PlainDate,
  { now_ms, limit }: Pick<EventFilter, 'now_ms' | 'limit'>,
  context: AnswerContext,
): AnswerSection {
  const { lang, site } = context;
  const places = all.map((place) => truncateTexts(place, context));
  const is_today = day.equals(toLocalDay(now_ms));
  const { doubt, lines, sentences } = formatOpenVenues(places, is_today ? now_ms : null, lang);
  const shown = lines.slice(0, limit);
  const words = shown.map(({ facts }) => truncateText(facts.join(' · '), context));
  const told = serializeOpenVenues(
    shown.map(({ place }) => place),
    lang,
    site,
  ).map((fields, at) => ({ ...fields, text: words[at] ?? '' }));
  const path = is_today ? PAGE_PATHS.today[lang] : dayPath(day.toString(), lang);
  const url = absoluteUrl(site.url, path);
  const left_out = lines.length - told.length;
  const more = left_out > 0 ? [tPlural(lang, 'mcp.list.places_more', left_out, { url })] : [];
  const unsure = doubt === null ? [] : [doubt];
  const others = sentences.map((sentence) => truncateText(sentence, context));
  const title = formatOpenVenuesTitle(is_today ? 'today' : 'day', places, lang);
  const items = told.map((place) => linkItem(place.url, place.name, place.text));
  const parts = [
    toMarkdown([heading(2, title), unsure, list(items)]),
    ...more.map((line) => `${line}\n`),
    ...(others.length === 0 ? [] : [toMarkdown(others)]),
  ];
  return {
    fields: { open_places: told, others: [...unsure, ...more, ...others] },
    text: lines.length + others.length === 0 ? '' : parts.join('\n'),
  };
}

/** What the words of a search find beside so many events, as on its page (contract 7.32). */
export function findRelatedSections(
  asked: ParameterValues,
  events: number,
  context: AnswerContext,
): readonly RelatedSection[] {
  const { before, after } = findRelatedResults(context, asked, events, context.lang);
  return [...before, ...after];
}

export function buildRelatedSections(
  found: readonly RelatedSection[],
  context: AnswerContext,
): AnswerSection {
  if (found.length === 0) return EMPTY_SECTION;
  const sections = truncateTexts(found, context);
  const others = sections.flatMap(({ title, lines }) =>
    lines.map((line) => {
      const words = line.words ? `${line.title}, ${line.words}` : line.title;
      return `${title}: ${words}: ${new URL(line.path, context.site.url).href}`;
    }),
  );
  return { fields: { others }, text: toMarkdown([renderRelatedResults(sections, context)]) };
}

/** A date; of one that lasts several days also the last of them. */
export const serializeDate = (date: OccurrenceRecord, lang: Lang) => ({
  ...serializeOccurrence(date, lang),
  ...(date.all_day &&
    date.last_day > date.first_day && { last_date: fromDayNumber(date.last_day).toString() }),
});
