// The notices beside a result: those of the days it is about and of the zones it is about.
import type { EventFilter } from '../../domain/filters/event-filter.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import type { Lang } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { type NoticeSplit, splitNotices } from '../../domain/notices-of-day.ts';
import { countDays, type DayRange } from '../../domain/filters/range.ts';
import { t } from '../../i18n/translate.ts';
import { toMarkdown } from '../../serializers/markdown/document.ts';
import { toNoticeEntry, toSeasonEntry } from '../../serializers/markdown/notice-entry.ts';
import { findNotices } from '../../snapshot/find-notices.ts';
import type { McpContext } from '../context.ts';
import { cacheDocument, cacheEntry } from './cache.ts';

/** A longer range is not about certain days: then only today's notices are given. */
const MAX_DAYS = 7;
/** Most notices beside a list, the gravest first. */
const MAX_NOTICES = 10;

/**
 * A notice under a level 3 heading: severity, type, title, what it says, where, how long, who says
 * it.
 */
function toNoticeText(notice: NoticeRecord, lang: Lang, { snapshot }: McpContext): string {
  return cacheEntry(snapshot, `notice ${lang} ${notice.id}`, () =>
    toMarkdown(toNoticeEntry(notice, snapshot.taxonomy.zones, lang)),
  );
}

/**
 * A level 2 section: at most `max` notices in full, the seasons in one line; nothing where there is
 * neither.
 */
export function toNoticesSection(
  { now, in_season }: NoticeSplit,
  lang: Lang,
  context: McpContext,
  max: number = now.length,
): string {
  if (now.length + in_season.length === 0) return '';
  return [
    `## ${t(lang, 'label.notices')}\n`,
    ...now.slice(0, max).map((notice) => toNoticeText(notice, lang, context)),
    ...(in_season.length === 0 ? [] : [toMarkdown(toSeasonEntry(in_season, lang))]),
  ].join('\n');
}

/**
 * The section of the notices that touch a range of days, of the whole area or of these zones (null
 * is all).
 */
export function toRangeNotices(
  { from, to }: DayRange,
  zones: readonly string[] | null,
  lang: Lang,
  context: McpContext,
): string {
  const { snapshot } = context;
  return cacheDocument(snapshot, `notices ${lang} ${from} ${to} ${zones?.join() ?? '*'}`, () => {
    const told = findNotices(snapshot, from, to).filter(
      ({ zone }) => zones === null || zone === null || zones.includes(zone),
    );
    return toNoticesSection(splitNotices(told, { from, to }), lang, context, MAX_NOTICES);
  });
}

/** The section that concerns what a filter asks for. */
export function toFilterNotices(
  { range, zones, now_ms }: EventFilter,
  lang: Lang,
  context: McpContext,
): string {
  const today = toCancunDay(now_ms);
  const days: DayRange =
    range !== null && countDays(range) <= MAX_DAYS ? range : { from: today, to: today };
  return toRangeNotices(days, zones, lang, context);
}
