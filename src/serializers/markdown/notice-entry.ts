// A notice inside a Markdown document: severity, type, title, what it says, where, how long, who
// says it.
import type { RootContent } from 'mdast';
import type { Lang } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import { type TaxonRecord, toTaxon } from '../../domain/taxon.ts';
import { toSourceDays } from '../../i18n/confirm.ts';
import { toForce, toInferredSentence, toSeasonLine } from '../../i18n/notice-words.ts';
import { t } from '../../i18n/translate.ts';
import { heading, labelled, link, list, paragraph, paragraphs, plain } from './nodes.ts';

/** The notice under a level 3 heading; its zone by the name that `zones` has for it. */
export function toNoticeEntry(
  notice: NoticeRecord,
  zones: readonly TaxonRecord[],
  lang: Lang,
): RootContent[] {
  const kind = `${t(lang, `notice.severity.${notice.severity}`)} (${t(lang, `notice.type.${notice.type}`)})`;
  const zone = toTaxon(zones, notice.zone, lang);
  const inferred = toInferredSentence(notice, lang);
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
  facts.push(labelled(t(lang, 'label.checked'), plain(toSourceDays(notice, lang))));
  return [
    heading(3, plain(`${kind}: ${notice.title[lang]}`)),
    ...paragraphs(notice.body[lang]),
    ...(inferred === null ? [] : [paragraph(plain(inferred))]),
    list(facts),
  ];
}

/** The seasons in one line. */
export function toSeasonEntry(seasons: readonly NoticeRecord[], lang: Lang): RootContent[] {
  const line = toSeasonLine(seasons, lang);
  return line === null ? [] : [paragraph(plain(line))];
}
