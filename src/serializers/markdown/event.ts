// An event by itself as Markdown: everything that its page says.
import type { EventDetail } from '../../domain/agenda.ts';
import { findOriginals } from '../../domain/event/event.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toWhen } from '../../i18n/dates.ts';
import { toThingPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toCorrectLine } from './correct-line.ts';
import { toDocument } from './document.ts';
import { toDatesSection } from './event-dates.ts';
import { toFactItems, toOriginalParagraphs } from './event-facts.ts';
import { list, paragraph, paragraphs, plain } from './nodes.ts';

export function toEventMarkdown(
  detail: EventDetail,
  lang: Lang,
  site: Site,
  now_ms: number,
): string {
  const { event } = detail;
  const original = findOriginals(event, lang);
  const when = detail.next && toWhen(detail.next, lang);
  const path = byLang((each) => toThingPath('event', event.slug, each));
  return toDocument(
    {
      title: event.title[lang],
      about: t(lang, 'md.about_thing', { zone: t(lang, 'time.zone') }),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path,
    },
    [
      ...(detail.is_past && !event.open_end ? [paragraph(plain(t(lang, 'label.past')))] : []),
      ...toOriginalParagraphs(original.summary, lang),
      ...paragraphs(event.summary[lang]),
      list(toFactItems(detail, { surface: 'document', when, lang, site })),
      ...(original.summary ? [] : toOriginalParagraphs(original.description, lang)),
      ...(event.description ? paragraphs(event.description[lang]) : []),
      ...toDatesSection(detail, lang, site, now_ms),
      toCorrectLine('event', event.id, lang, site),
    ],
    lang,
    site,
  );
}
