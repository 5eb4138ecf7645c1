// The page of notices: what a day's readers should know, what begins tomorrow, what is in season
// and what comes in the next days; and how a notice is printed on any page.
import { type DayRange, toCancunDay } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { type NoticeRecord, splitNotices } from '../domain/notice.ts';
import { type TaxonRecord, toTaxon } from '../domain/taxon.ts';
import { toLongDay } from '../i18n/dates.ts';
import { toForce, toInferredSentence, toSeasonLine } from '../i18n/day-words.ts';
import { toSourceSentence } from '../i18n/fact-words.ts';
import { toHostName } from '../i18n/links.ts';
import { PAGE_PATHS } from '../i18n/paths.ts';
import { t, tCount } from '../i18n/translate.ts';
import { renderNotices } from '../serializers/markdown/agenda.ts';
import { readNoticeBoard } from '../snapshot/agenda.ts';
import {
  definePage,
  listPagePaths,
  type Loaded,
  type PageRequest,
  toPageRoutes,
} from './page-kind.ts';
import { buildMeta } from './page.ts';
import type { SiteState } from './state.ts';
import { show } from './visit.ts';

export type PrintedNotice = ReturnType<typeof printNotice>;

export function printNotice(notice: NoticeRecord, zones: readonly TaxonRecord[], lang: Lang) {
  const { id, severity, type, title, body, source, source_url } = notice;
  const source_name = source ?? (source_url && toHostName(source_url));
  return {
    id,
    severity,
    type,
    title: title[lang],
    body: body[lang],
    force: toForce(notice, lang),
    inferred: toInferredSentence(notice, lang),
    zone: toTaxon(zones, notice.zone, lang)?.name ?? null,
    source: source_name ? { name: source_name, url: source_url } : null,
    checked: toSourceSentence(notice, lang),
  };
}

/**
 * The notices of the days of a page: the gravest in front, the others behind their number, what is in season in
 * one line. No alert is ever behind a number.
 */
export function printNotices(
  notices: readonly NoticeRecord[],
  days: DayRange,
  zones: readonly TaxonRecord[],
  lang: Lang,
) {
  const { now, in_season } = splitNotices(notices, days);
  const in_front = Math.max(1, now.filter(({ severity }) => severity === 'alert').length);
  const printed = now.map((notice) => printNotice(notice, zones, lang));
  const others = printed.slice(in_front);
  return {
    front: printed.slice(0, in_front),
    others,
    others_title: tCount(lang, 'notices.others', others.length),
    season_line: toSeasonLine(in_season, lang),
  };
}

function loadNotices(state: SiteState, { lang }: PageRequest) {
  const day = toCancunDay(state.now_ms);
  const board = readNoticeBoard(state.snapshot, day);
  const titles = board.today.slice(0, 3).map((notice) => notice.title[lang]);
  const meta = buildMeta(state, lang, PAGE_PATHS.notices, {
    title: `${t(lang, 'notices.title')}, ${toLongDay(day, lang)}`,
    description:
      titles.length === 0
        ? t(lang, 'notices.none')
        : t(lang, 'notices.description', { titles: titles.join('; ') }),
    entry: 'notices',
  });
  return show({ meta, board, zones: state.snapshot.taxonomy.zones });
}

export type NoticesView = ReturnType<typeof printBoard>;

function printBoard({ meta, board, zones }: Loaded<typeof loadNotices>) {
  const { lang } = meta;
  const section = (id: string, title: string, notices: readonly NoticeRecord[]) => ({
    id,
    title,
    notices: notices.map((one) => printNotice(one, zones, lang)),
  });
  const later = [
    section('tomorrow', t(lang, 'nav.tomorrow'), board.tomorrow),
    section('season', t(lang, 'notices.in_season'), board.in_season),
    section('soon', t(lang, 'notices.soon'), board.soon),
  ];
  return {
    meta,
    day: board.day,
    sections: [
      section('today', t(lang, 'nav.today'), board.today),
      ...later.filter(({ notices }) => notices.length > 0),
    ],
  };
}

export const noticesPage = definePage({
  name: 'notices',
  routes: toPageRoutes('notices'),
  load: loadNotices,
  print: printBoard,
  toMarkdown: (view) => renderNotices(view),
  listBuilt: () => listPagePaths('notices'),
});
