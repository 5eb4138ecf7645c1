// What a calendar file says of an event, in words: for whoever chooses what to send of it.
import { Temporal } from 'temporal-polyfill';
import type { FeedEvent } from '../domain/batch/feed-event.ts';
import { parseDay } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { toDays, toHour, toShortDay } from './dates.ts';
import { t, tCount } from './translate.ts';

/** `sáb 5 dic 2026, 20:00–23:00 y 3 fechas más`. */
export function toFeedWhen(
  { start, end, all_day, dates }: Pick<FeedEvent, 'start' | 'end' | 'all_day' | 'dates'>,
  lang: Lang,
): string {
  const from = parseDay(start.slice(0, 10));
  if (from === null) return start;
  const to = parseDay(end?.slice(0, 10) ?? '') ?? from;
  const hourOf = (moment: string): string =>
    toHour(Temporal.PlainTime.from(moment.slice(11)), lang);
  const is_night = to.since(from).days <= 1 && !all_day;
  const day = is_night || to.equals(from) ? toShortDay(from, lang) : toDays({ from, to }, lang);
  const hours = all_day
    ? t(lang, 'batch.all_day')
    : [start, end ?? ''].flatMap((one) => (one.includes('T') ? [hourOf(one)] : [])).join('–');
  const more = dates.length > 0 ? ` ${tCount(lang, 'batch.more_dates', dates.length)}` : '';
  // Once sent, its hour may be one that is not known yet.
  return `${[day, hours].filter(Boolean).join(', ')}${more}`;
}
