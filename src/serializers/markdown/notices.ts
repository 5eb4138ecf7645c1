// The page of notices as Markdown: today's in full, what begins tomorrow, seasons, what comes.
import type { RootContent } from 'mdast';
import type { Lang } from '../../domain/lang.ts';
import type { NoticeRecord } from '../../domain/notice.ts';
import type { NoticeBoard } from '../../domain/notices-of-day.ts';
import type { Site } from '../../domain/site.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import { toLongDay } from '../../i18n/dates.ts';
import { PAGE_PATHS } from '../../i18n/paths.ts';
import { t, tCount } from '../../i18n/translate.ts';
import { toCorrectLine } from './correct-line.ts';
import { toDocument } from './document.ts';
import { heading, paragraph, plain } from './nodes.ts';
import { toNoticeEntry } from './notice-entry.ts';

export function toNoticesMarkdown(
  board: NoticeBoard,
  lang: Lang,
  site: Site,
  zones: readonly TaxonRecord[],
): string {
  const toSection = (title: string, notices: readonly NoticeRecord[]): RootContent[] =>
    notices.length === 0
      ? []
      : [
          heading(2, plain(title)),
          ...notices.flatMap((notice) => [
            ...toNoticeEntry(notice, zones, lang),
            toCorrectLine('notice', notice.id, lang, site),
          ]),
        ];
  const opening = {
    title: `${t(lang, 'notices.title')}, ${toLongDay(board.day, lang)}`,
    about: t(lang, 'md.about_notices', {
      notices: tCount(lang, 'notices.count', board.today.length),
      zone: t(lang, 'time.zone'),
    }),
    terms: t(lang, 'md.terms_notices', { name: site.name }),
    path: PAGE_PATHS.notices,
  };
  const today =
    board.today.length === 0
      ? [heading(2, plain(t(lang, 'nav.today'))), paragraph(plain(t(lang, 'notices.none')))]
      : toSection(t(lang, 'nav.today'), board.today);
  return toDocument(
    opening,
    [
      ...today,
      ...toSection(t(lang, 'nav.tomorrow'), board.tomorrow),
      ...toSection(t(lang, 'notices.in_season'), board.in_season),
      ...toSection(t(lang, 'notices.soon'), board.soon),
    ],
    lang,
    site,
  );
}
