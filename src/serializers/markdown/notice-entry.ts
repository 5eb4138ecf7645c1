// A notice inside a Markdown document: severity, type, title, what it says, where, how long, who
// says it.
import type { RootContent } from 'mdast';
import { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toCancun, toDayNumber } from '../../domain/cancun-time.ts';
import type { Lang } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { type TaxonRecord, toTaxon } from '../../domain/taxon.ts';
import { toAtHour, toHour, toLongDay, toLongDays } from '../../i18n/dates.ts';
import { t } from '../../i18n/translate.ts';
import { heading, labelled, link, list, paragraphs, plain } from './nodes.ts';

interface Moment {
  readonly day: Temporal.PlainDate;
  /** Null at midnight, which says nothing. */
  readonly hour: Temporal.PlainTime | null;
}

/** An exclusive end at midnight is the day before. */
function toMoment(epoch_ms: number, is_end: boolean): Moment {
  const moment = toCancun(epoch_ms);
  const midnight = moment.hour === 0 && moment.minute === 0;
  const day =
    midnight && is_end
      ? fromDayNumber(toDayNumber(moment.toPlainDate()) - 1)
      : moment.toPlainDate();
  return {
    day,
    hour: midnight ? null : moment.toPlainTime(),
  };
}

const toWords = ({ day, hour }: Moment, lang: Lang): string =>
  hour === null ? toLongDay(day, lang) : `${toLongDay(day, lang)}, ${toAtHour(hour, lang)}`;

/**
 * `viernes 20 de noviembre de 2026, de 14:00 a 20:00`; both days where there are two; until further
 * notice where there is no end.
 */
function toForce(notice: NoticeRecord, lang: Lang): string {
  const first = toMoment(notice.start_ms, false);
  if (notice.end_ms === null) return t(lang, 'md.until_closed', { start: toWords(first, lang) });
  const last = toMoment(notice.end_ms, true);
  const days = { from: first.day, to: last.day };
  if (first.hour === null && last.hour === null) return toLongDays(days, lang);
  if (!first.day.equals(last.day))
    return t(lang, 'time.days', { first: toWords(first, lang), last: toWords(last, lang) });
  if (last.hour === null) return toWords(first, lang);
  return `${toLongDay(first.day, lang)}, ${t(lang, 'time.range', { start: toHour(first.hour ?? new Temporal.PlainTime(), lang), end: toHour(last.hour, lang) })}`;
}

/** The notice under a level 3 heading; its zone by the name that `zones` has for it. */
export function toNoticeEntry(
  notice: NoticeRecord,
  zones: readonly TaxonRecord[],
  lang: Lang,
): RootContent[] {
  const kind = `${t(lang, `notice.severity.${notice.severity}`)} (${t(lang, `notice.type.${notice.type}`)})`;
  const zone = toTaxon(zones, notice.zone, lang);
  const facts = [
    ...(zone === null ? [] : [labelled(t(lang, 'label.where'), plain(zone.name))]),
    labelled(t(lang, 'label.until'), plain(toForce(notice, lang))),
  ];
  const source = notice.source ?? notice.source_url;
  if (source !== null)
    facts.push(
      labelled(
        t(lang, 'label.source'),
        notice.source_url ? link(notice.source_url, source) : plain(source),
      ),
    );
  return [
    heading(3, plain(`${kind}: ${notice.title[lang]}`)),
    ...paragraphs(notice.body[lang]),
    list(facts),
  ];
}
