// An event by itself as Markdown: everything that its page says.
import type { PhrasingContent, RootContent } from 'mdast';
import type { EventDetail } from '../../domain/agenda.ts';
import type { OccurrenceRecord } from '../../domain/event/event.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toWhen } from '../../i18n/dates.ts';
import { toThingPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toCorrectLine } from './correct-line.ts';
import { toMarkdown, toOpening } from './document.ts';
import { toFactItems, toStatusWord } from './event-facts.ts';
import { heading, list, paragraph, paragraphs, plain } from './nodes.ts';

/** Most dates written out; the rest is counted. */
const MAX_DATES = 12;

function toDateItem(occurrence: OccurrenceRecord, lang: Lang): PhrasingContent[] {
  const status = toStatusWord(occurrence.status, lang);
  const note = occurrence.notes ? `: ${occurrence.notes[lang]}` : '';
  return [plain(`${toWhen(occurrence, lang)}${status === null ? '' : ` (${status})`}${note}`)];
}

/** The upcoming dates, or the last one where all is over. */
function toDates(detail: EventDetail, lang: Lang, now_ms: number): RootContent[] {
  const ahead = detail.occurrences.filter((occurrence) => occurrence.end_ms > now_ms);
  const shown = ahead.length > 0 ? ahead.slice(0, MAX_DATES) : detail.occurrences.slice(-1);
  const left_out = ahead.length - MAX_DATES;
  return [
    heading(2, plain(t(lang, ahead.length > 0 ? 'label.dates' : 'label.dates_past'))),
    list(shown.map((occurrence) => toDateItem(occurrence, lang))),
    ...(left_out > 0
      ? [paragraph(plain(t(lang, 'md.more_dates_left_out', { count: left_out })))]
      : []),
  ];
}

/** The whole document; `now_ms` decides which dates are ahead. */
export function toEventMarkdown(
  detail: EventDetail,
  lang: Lang,
  site: Site,
  now_ms: number,
): string {
  const { event } = detail;
  const when = detail.next && toWhen(detail.next, lang);
  const path = byLang((each) => toThingPath('event', event.slug, each));
  return toMarkdown([
    ...toOpening(
      {
        title: event.title[lang],
        about: t(lang, 'md.about_thing', { zone: t(lang, 'time.zone') }),
        terms: t(lang, 'md.terms_thing', { name: site.name }),
        path,
      },
      lang,
      site,
    ),
    ...(detail.is_past ? [paragraph(plain(t(lang, 'label.past')))] : []),
    ...paragraphs(event.summary[lang]),
    list(toFactItems(detail, { surface: 'document', when, lang, site })),
    ...(event.description ? paragraphs(event.description[lang]) : []),
    ...toDates(detail, lang, now_ms),
    toCorrectLine('event', event.id, lang, site),
  ]);
}
