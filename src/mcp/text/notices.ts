// The notices beside an answer: those of the days it is about and of the zones it is about.
import type { EventFilter } from '../../domain/event-filter.ts';
import { toCancunDay } from '../../domain/cancun-time.ts';
import type { Lang } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { countDays, type DayRange } from '../../domain/range.ts';
import { t } from '../../i18n/translate.ts';
import { findNotices } from '../../snapshot/find-notices.ts';
import type { McpContext } from '../context.ts';
import { toNoticeText } from './entries.ts';

/** A longer question is not about certain days: then only today's notices are told. */
const MAX_DAYS = 7;
/** Most notices beside a list, the gravest first. */
const MAX_NOTICES = 10;

/** The notices that concern what a filter asks for. */
export function findNoticesFor({ range, zones, now_ms }: EventFilter, { snapshot }: McpContext): readonly NoticeRecord[] {
  const today = toCancunDay(now_ms);
  const days: DayRange = range !== null && countDays(range) <= MAX_DAYS ? range : { from: today, to: today };
  const told = findNotices(snapshot, days.from, days.to).filter(({ zone }) => zones === null || zone === null || zones.includes(zone));
  return told.slice(0, MAX_NOTICES);
}

/** A level 2 section, or nothing where there is no notice. */
export function toNoticesSection(notices: readonly NoticeRecord[], lang: Lang, context: McpContext): string {
  if (notices.length === 0) return '';
  return [`## ${t(lang, 'md.notices')}\n`, ...notices.map((notice) => toNoticeText(notice, lang, context))].join('\n');
}
