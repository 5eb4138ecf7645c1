// What stands beside events in both halves of an answer: the notices that touch what was asked, the day
// itself, the places that are open (contract 4.14, 4.15, 13.10).
import { Temporal } from 'temporal-polyfill';
import type { EventDetail, OpenPlace } from '../domain/agenda.ts';
import { countDays, type DayRange, fromDayNumber, toLocalDay } from '../domain/local-time.ts';
import { isComputed, toDayFacts } from '../domain/day/day-facts.ts';
import type { OccurrenceRecord } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import type { EventFilter } from '../domain/query/event-query.ts';
import type { ParameterTexts } from '../domain/query/values.ts';
import { type NoticeRecord, type NoticeSplit, splitNotices } from '../domain/notice.ts';
import { listNoticeRemarks, toLinkWords, toSeasonLine } from '../i18n/day-words.ts';
import { tellPlaces, toOpenPlacesTitle } from '../i18n/opening.ts';
import { PAGE_PATHS, toAbsolute, toDayPath } from '../i18n/paths.ts';
import { listNoticeFacts } from '../i18n/thing-facts.ts';
import { t, tCount } from '../i18n/translate.ts';
import { toMarkdown, toParts } from '../serializers/markdown/document.ts';
import {
  heading,
  joined,
  link,
  linkItem,
  list,
  paragraph,
  strong,
  type Words,
} from '../serializers/markdown/nodes.ts';
import { toPublicDay, toPublicNotice } from '../serializers/wire/day.ts';
import { toPublicOccurrence } from '../serializers/wire/event.ts';
import { toPublicOpenPlaces } from '../serializers/wire/places.ts';
import { findBeside, type FoundSection, renderBeside } from '../site/beside.ts';
import { findNotices } from '../snapshot/agenda.ts';
import { cut, cutText, fewer } from './answer.ts';
import { BRIEF_DAY, keep } from './output.ts';
import type { Answering, McpContext } from './tool.ts';

/** Both halves of something; the text is empty where there is nothing to say. */
export interface Beside {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly text: string;
}
export const NOTHING_BESIDE: Beside = { fields: {}, text: '' };

/** A longer range is not about certain days: then only today's notices are given. */
const MAX_DAYS = 7;
/** Most notices beside events, the gravest first; avisos_hoy has the others. */
const MAX_NOTICES = 5;

/** Those that touch a range of days, of the whole area or of these zones (null is all). */
function findOfRange(
  range: DayRange,
  zones: readonly string[] | null,
  { snapshot }: McpContext,
): NoticeSplit {
  const found = findNotices(snapshot, range.from, range.to).filter(
    ({ zone }) => zones === null || zone === null || zones.includes(zone),
  );
  return splitNotices(found, range);
}

/**
 * Of a list the warnings and alerts of its days and zones; today's other notices too where the day
 * itself `is_asked` for. Nothing where it goes on.
 */
export function tellListNotices(
  { range, zones, now_ms, after }: EventFilter,
  is_asked: boolean,
  context: Answering,
): Beside {
  if (after !== null) return NOTHING_BESIDE;
  const today = toLocalDay(now_ms);
  const is_about_days = range !== null && countDays(range) <= MAX_DAYS;
  const split = findOfRange(is_about_days ? range : { from: today, to: today }, zones, context);
  const grave = split.now.filter(({ severity }) => severity !== 'info');
  return tellNotices(is_asked ? split : { now: grave, in_season: [] }, context);
}

/** Of an event those of the day and zone it is next in; seasons are no news to it. */
export function tellEventNotices({ next, zone }: EventDetail, context: Answering): Beside {
  if (next === null) return NOTHING_BESIDE;
  const day = fromDayNumber(next.first_day);
  const { now } = findOfRange({ from: day, to: day }, zone && [zone.key], context);
  return tellNotices({ now: now.filter(({ season }) => !season), in_season: [] }, context);
}

/** In full, and what is in season by name. */
function tellNotices({ now, in_season }: NoticeSplit, context: Answering): Beside {
  const { lang } = context;
  const told = fewer(now, context)
    .slice(0, MAX_NOTICES)
    .map((notice) => cut(notice, context));
  const seasons = fewer(in_season, context);
  const more = now.length - told.length;
  const season = toSeasonLine(seasons, lang);
  const items = list(told.map((notice) => toNoticeItem(notice, context)));
  const parts = [
    toMarkdown([heading(2, t(lang, 'label.notices')), items]),
    ...(more > 0 ? [`${tCount(lang, 'mcp.notices.more', more)}\n`] : []),
    ...(season === null ? [] : [toMarkdown([season])]),
  ];
  return {
    fields: {
      notices: told.map((notice) => toPublicNotice(notice, lang)),
      more_notices: more,
      in_season: seasons.map(({ short, title }) => (short ?? title)[lang]),
    },
    text: told.length === 0 && season === null ? '' : parts.join('\n'),
  };
}

/** A notice in a line: severity, type, title, what it says, where, how long, who says it. */
export function toNoticeItem(notice: NoticeRecord, { lang, snapshot }: Answering): Words {
  const { severity, type, title, body } = notice;
  const kind = `${t(lang, `notice.severity.${severity}`)} (${t(lang, `notice.type.${type}`)})`;
  const words = [body[lang], ...listNoticeRemarks(notice, lang)];
  const zone = snapshot.taxonomy.zones.find(({ key }) => key === notice.zone) ?? null;
  const facts = listNoticeFacts(notice, zone, lang).map(({ lines }) => toParts(lines.flat()));
  return [strong(`${kind}: ${title[lang]}.`), ` ${words.join(' ')} `, joined(facts)];
}

/**
 * A day in full where nothing but it `is_asked` for, else its sentences and where to look. Null of one
 * that is over, or not computed.
 */
export function tellDay(
  day: Temporal.PlainDate,
  is_asked: boolean,
  context: Answering,
): { readonly fields: unknown; readonly text: string } | null {
  const { lang, now_ms, snapshot } = context;
  const is_over = Temporal.PlainDate.compare(day, toLocalDay(now_ms)) < 0;
  if (is_over || !isComputed(day)) return null;
  const facts = cut(toDayFacts(day, snapshot.calendar), context);
  const whole = toPublicDay(facts, lang);
  const links = facts.links.map((one) => {
    const { topic, label } = toLinkWords(one, lang);
    return is_asked ? [`${topic}: `, link(one.url, label)] : link(one.url, label);
  });
  return {
    fields: is_asked ? whole : keep(whole, BRIEF_DAY, BRIEF_DAY),
    text: toMarkdown([whole.text, links.length === 0 ? null : paragraph(joined(links))]).trimEnd(),
  };
}

/** At most so many of a day's places, a line each, those that are open first, today's by the hour; which of the others have closed. */
export function tellOpenPlaces(
  all: readonly OpenPlace[],
  day: Temporal.PlainDate,
  { now_ms, limit }: Pick<EventFilter, 'now_ms' | 'limit'>,
  context: Answering,
): Beside {
  const { lang, site } = context;
  const places = all.map((place) => cut(place, context));
  const is_today = day.equals(toLocalDay(now_ms));
  const { doubt, lines, sentences } = tellPlaces(places, is_today ? now_ms : null, lang);
  const shown = lines.slice(0, limit);
  const words = shown.map(({ facts }) => cutText(facts.join(' · '), context));
  const told = toPublicOpenPlaces(
    shown.map(({ place }) => place),
    lang,
    site,
  ).map((fields, at) => ({ ...fields, text: words[at] ?? '' }));
  const path = is_today ? PAGE_PATHS.today[lang] : toDayPath(day.toString(), lang);
  const url = toAbsolute(site.url, path);
  const left_out = lines.length - told.length;
  const more = left_out > 0 ? [tCount(lang, 'mcp.list.places_more', left_out, { url })] : [];
  const unsure = doubt === null ? [] : [doubt];
  const others = sentences.map((sentence) => cutText(sentence, context));
  const title = toOpenPlacesTitle(is_today ? 'today' : 'day', places, lang);
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
export function findFound(
  asked: ParameterTexts,
  events: number,
  context: Answering,
): readonly FoundSection[] {
  const { before, after } = findBeside(context, asked, events, context.lang);
  return [...before, ...after];
}

export function tellFound(found: readonly FoundSection[], context: Answering): Beside {
  if (found.length === 0) return NOTHING_BESIDE;
  const sections = cut(found, context);
  const others = sections.flatMap(({ title, lines }) =>
    lines.map((line) => {
      const words = line.words ? `${line.title}, ${line.words}` : line.title;
      return `${title}: ${words}: ${new URL(line.path, context.site.url).href}`;
    }),
  );
  return { fields: { others }, text: toMarkdown([renderBeside(sections, context)]) };
}

/** A date; of one that lasts several days also the last of them. */
export const tellDate = (date: OccurrenceRecord, lang: Lang) => ({
  ...toPublicOccurrence(date, lang),
  ...(date.all_day &&
    date.last_day > date.first_day && { last_date: fromDayNumber(date.last_day).toString() }),
});
