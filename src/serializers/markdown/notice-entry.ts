// A notice inside a Markdown document: severity, type, title, what it says, how long, who says it.
import type { RootContent } from 'mdast';
import { fromDayNumber, toCancun, toDayNumber } from '../../domain/cancun-time.ts';
import type { Lang } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { toHour, toShortDay } from '../../i18n/dates.ts';
import { t } from '../../i18n/translate.ts';
import { heading, labelled, link, list, paragraphs, said } from './nodes.ts';

/** `vie 20 nov 2026, 14:00`; midnight is left out, and as an exclusive end it is the day before. */
function toMoment(epoch_ms: number, lang: Lang, is_end: boolean): string {
  const moment = toCancun(epoch_ms);
  const midnight = moment.hour === 0 && moment.minute === 0;
  const day = midnight && is_end ? fromDayNumber(toDayNumber(moment.toPlainDate()) - 1) : moment.toPlainDate();
  const words = toShortDay(day, lang, 0);
  return midnight ? words : `${words}, ${toHour(moment.toPlainTime(), lang)}`;
}

function toForce(notice: NoticeRecord, lang: Lang): string {
  const start = toMoment(notice.start_ms, lang, false);
  if (notice.end_ms === null) return t(lang, 'md.until_closed', { start });
  const end = toMoment(notice.end_ms, lang, true);
  return start === end ? start : t(lang, 'time.range', { start, end });
}

/** The notice under a level 3 heading. */
export function toNoticeEntry(notice: NoticeRecord, lang: Lang): RootContent[] {
  const kind = `${t(lang, `notice.severity.${notice.severity}`)} (${t(lang, `notice.type.${notice.type}`)})`;
  const facts = [labelled(t(lang, 'md.until'), said(toForce(notice, lang)))];
  const source = notice.source ?? notice.source_url;
  if (source !== null) facts.push(labelled(t(lang, 'md.source'), notice.source_url ? link(notice.source_url, source) : said(source)));
  return [heading(3, said(`${kind}: ${notice.title[lang]}`)), ...paragraphs(notice.body[lang]), list(facts)];
}
