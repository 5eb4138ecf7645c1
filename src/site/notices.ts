// The page of notices: what a day's readers should know, what begins tomorrow, what is in season
// and what comes in the next days.
import { toCancunDay } from '../domain/cancun-time.ts';
import { renderNotices } from '../serializers/markdown/agenda.ts';
import { definePage, listPagePaths, type PageRequest, toPageRoutes } from './page-kind.ts';
import { show, type Shown } from './visit.ts';
import type { NoticeBoard } from '../domain/notices-of-day.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { toLongDay } from '../i18n/dates.ts';
import { PAGE_PATHS, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { readNoticeBoard } from '../snapshot/agenda.ts';
import type { PageMeta } from './page.ts';
import type { SiteState } from './state.ts';

/** What the page is given. */
export interface NoticesView {
  readonly meta: PageMeta;
  readonly board: NoticeBoard;
  readonly zones: readonly TaxonRecord[];
}

/** The board of the day of the request. */
export function resolveNotices(
  { snapshot, site, now_ms }: SiteState,
  { lang }: PageRequest,
): Shown<NoticesView> {
  const day = toCancunDay(now_ms);
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
  return show({ meta, board, zones: snapshot.taxonomy.zones });
}

export const noticesPage = definePage({
  name: 'notices',
  routes: toPageRoutes('notices'),
  load: resolveNotices,
  toMarkdown: (view: NoticesView) => renderNotices(view),
  listBuilt: () => listPagePaths('notices'),
});
