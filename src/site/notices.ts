// The page of notices: what a day's readers should know, what begins tomorrow, what is in season
// and what comes in the next days.
import type { NoticeBoard } from '../domain/notices-of-day.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { toLongDay } from '../i18n/dates.ts';
import { PAGE_PATHS, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { readNoticeBoard } from '../snapshot/agenda.ts';
import type { PageMeta } from './page.ts';
import type { NoticesRequest } from './page-request.ts';
import type { SiteState } from './state.ts';

/** What the page is given. */
export interface NoticesResult {
  readonly kind: 'notices';
  readonly page: {
    readonly meta: PageMeta;
    readonly board: NoticeBoard;
    readonly zones: readonly TaxonRecord[];
  };
}

/** The board of the requested day; there is one for every day. */
export function resolveNotices(
  { snapshot, site }: SiteState,
  { lang, day }: NoticesRequest,
): NoticesResult {
  const board = readNoticeBoard(snapshot, day);
  const titles = board.today.slice(0, 3).map((notice) => notice.title[lang]);
  const meta: PageMeta = {
    lang,
    site,
    paths: PAGE_PATHS.notices,
    title: `${t(lang, 'notices.title')}, ${toLongDay(day, lang)}`,
    description:
      titles.length === 0
        ? t(lang, 'notices.none')
        : t(lang, 'notices.description', { titles: titles.join('; ') }),
    markdown: toMarkdownPath(PAGE_PATHS.notices[lang]),
    calendar: null,
    json_ld: null,
    entry: 'notices',
  };
  return { kind: 'notices', page: { meta, board, zones: snapshot.taxonomy.zones } };
}
