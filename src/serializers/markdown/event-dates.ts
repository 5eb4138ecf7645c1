// The dates of an event as Markdown: the next ones in its document, all of them in one of their own.
import type { PhrasingContent, RootContent } from 'mdast';
import type { EventDetail } from '../../domain/agenda.ts';
import { filterUpcoming, type OccurrenceRecord } from '../../domain/event/event.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toWhen } from '../../i18n/dates.ts';
import { toAbsolute, toDatesPath, toMarkdownPath, toThingPath } from '../../i18n/paths.ts';
import { toRegularityWords } from '../../i18n/regularity.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { toStatusWord } from './event-facts.ts';
import { heading, link, list, paragraph, plain } from './nodes.ts';

/** Most dates in the event's own document, and in that of its dates: a year of every day. */
const MAX_NEXT = 12;
const MAX_ALL = 366;

/** When it takes place, what became of it, what there is to know of that date. */
export function toDateItem(occurrence: OccurrenceRecord, lang: Lang): PhrasingContent[] {
  const status = toStatusWord(occurrence.status, lang);
  const note = occurrence.notes ? `: ${occurrence.notes[lang]}` : '';
  return [plain(`${toWhen(occurrence, lang)}${status === null ? '' : ` (${status})`}${note}`)];
}

/** The upcoming dates, or the last one where all is over; a link to the rest. */
export function toDatesSection(
  detail: EventDetail,
  lang: Lang,
  site: Site,
  now_ms: number,
): RootContent[] {
  const ahead = filterUpcoming(detail.occurrences, now_ms);
  const shown = ahead.length > 0 ? ahead.slice(0, MAX_NEXT) : detail.occurrences.slice(-1);
  const all = toAbsolute(site.url, toMarkdownPath(toDatesPath(detail.event.slug, lang)));
  return [
    heading(2, plain(t(lang, ahead.length > 0 ? 'label.dates' : 'label.dates_past'))),
    list(shown.map((occurrence) => toDateItem(occurrence, lang))),
    ...(ahead.length > MAX_NEXT
      ? [paragraph(link(all, tCount(lang, 'dates.all', ahead.length)))]
      : []),
  ];
}

/** The document of all dates; `now_ms` decides which are ahead. */
export function toDatesMarkdown(
  detail: EventDetail,
  lang: Lang,
  site: Site,
  now_ms: number,
): string {
  const { event, regularity, is_past, occurrences } = detail;
  const dates = is_past ? occurrences : filterUpcoming(occurrences, now_ms);
  const shown = is_past ? dates.slice(-MAX_ALL) : dates.slice(0, MAX_ALL);
  const page = toAbsolute(site.url, toThingPath('event', event.slug, lang));
  const title = event.title[lang];
  return toDocument(
    {
      title: t(lang, is_past ? 'dates.title_past' : 'dates.title', { title }),
      about: t(lang, 'md.about_thing', { zone: t(lang, 'time.zone') }),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: byLang((each) => toDatesPath(event.slug, each)),
    },
    [
      paragraph(link(page, title)),
      ...(regularity ? [paragraph(plain(`${toRegularityWords(regularity, lang)}.`))] : []),
      paragraph(plain(tCount(lang, is_past ? 'dates.count_past' : 'dates.count', dates.length))),
      list(shown.map((occurrence) => toDateItem(occurrence, lang))),
      ...(dates.length > shown.length && !is_past
        ? [paragraph(plain(tCount(lang, 'dates.left_out', dates.length - shown.length)))]
        : []),
    ],
    lang,
    site,
  );
}
