// The page of notices: what a day's readers should know, what begins tomorrow, what is in season,
// what comes in the next days and later; and how a notice is printed on any page.
import { type DayRange, startOfDayMs, toLocalDay } from '../domain/local-time.ts';
import type { Lang } from '../domain/lang.ts';
import { findOriginalLang, type NoticeRecord, groupNotices } from '../domain/notice.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { formatLongDay } from '../i18n/format-dates.ts';
import { formatNoticeRemarks, formatNoticePeriod, formatSeasonLine } from '../i18n/format-day.ts';
import { formatSourceSentence } from '../i18n/format-facts.ts';
import { displayHost } from '../i18n/external-links.ts';
import { PAGE_PATHS } from '../i18n/paths.ts';
import { listNoticeFacts } from '../i18n/record-facts.ts';
import { t, tPlural } from '../i18n/translate.ts';
import { correctionLink, renderDocument, renderFacts } from '../serializers/markdown/document.ts';
import { type MarkdownBlock, heading, paragraphs, section } from '../serializers/markdown/nodes.ts';
import { loadNoticeBoard } from '../snapshot/load-agenda.ts';
import {
  definePage,
  listPagePaths,
  type LoadedPage,
  type PageRequest,
  pageRoutes,
} from './page-definition.ts';
import { buildPageMeta, type PageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';
import { pageResult } from './visitor-request.ts';

export type NoticeView = ReturnType<typeof buildNoticeView>;

export function buildNoticeView(notice: NoticeRecord, zones: readonly TaxonRecord[], lang: Lang) {
  const { id, severity, type, title, body, source, source_url } = notice;
  const zone = zones.find(({ key }) => key === notice.zone) ?? null;
  const source_name = source ?? (source_url && displayHost(source_url));
  return {
    id,
    severity,
    type,
    title: title[lang],
    body: body[lang],
    force: formatNoticePeriod(notice, lang),
    /** Of its words, where that is not the page's. */
    words_lang: findOriginalLang(notice, lang),
    remarks: formatNoticeRemarks(notice, lang),
    zone: zone?.name[lang] ?? null,
    source: source_name ? { name: source_name, url: source_url } : null,
    checked: formatSourceSentence(notice, lang),
    facts: listNoticeFacts(notice, zone, lang),
  };
}

/** Under a heading of level 3: severity, type, title, what it says, where, how long, who says it. */
export function renderNotice(notice: NoticeView, meta: PageMeta): MarkdownBlock {
  const { id, severity, type, title, body, remarks, facts } = notice;
  const { lang } = meta;
  const kind = `${t(lang, `notice.severity.${severity}`)} (${t(lang, `notice.type.${type}`)})`;
  return [
    heading(3, `${kind}: ${title}`),
    paragraphs(body),
    ...remarks,
    renderFacts(facts),
    correctionLink('notice', id, meta),
  ];
}

/** A notice is news for so many days. */
const NEWS_DAYS = 7;

/**
 * The notices of the days of a page: alerts and the first of what began lately in front; behind their number at
 * the end what has long been so, and what is in season in one line. No alert is ever behind a number.
 */
export function buildNoticesOfDays(
  notices: readonly NoticeRecord[],
  days: DayRange,
  zones: readonly TaxonRecord[],
  lang: Lang,
) {
  const { now, in_season } = groupNotices(notices, days);
  const since_ms = startOfDayMs(days.from.subtract({ days: NEWS_DAYS }));
  const alerts = now.filter(({ severity }) => severity === 'alert');
  const news = now.filter(({ start_ms }) => start_ms >= since_ms);
  const front = alerts.length > 0 ? alerts : news.slice(0, 1);
  const others = now.filter((notice) => !front.includes(notice));
  const print = (notice: NoticeRecord) => buildNoticeView(notice, zones, lang);
  return {
    front: front.map(print),
    others: others.map(print),
    others_title: tPlural(
      lang,
      front.length > 0 ? 'notices.others' : 'notices.count',
      others.length,
    ),
    season_line: formatSeasonLine(in_season, lang),
  };
}

function loadNotices(state: PageContext, { lang }: PageRequest) {
  const day = toLocalDay(state.now_ms);
  const board = loadNoticeBoard(state.snapshot, day);
  const titles = board.today.slice(0, 3).map((notice) => notice.title[lang]);
  const meta = buildPageMeta(state, lang, PAGE_PATHS.notices, {
    title: `${t(lang, 'notices.title')}, ${formatLongDay(day, lang)}`,
    description:
      titles.length === 0
        ? t(lang, 'notices.none')
        : t(lang, 'notices.description', { titles: titles.join('; ') }),
    entry: 'notices',
  });
  const section = (id: string, title: string, notices: readonly NoticeRecord[]) => ({
    id,
    title,
    /** What is far ahead is a line each, to be unfolded. */
    is_folded: id === 'later',
    notices: notices.map((one) => buildNoticeView(one, state.snapshot.taxonomy.zones, lang)),
  });
  const since_ms = startOfDayMs(day.subtract({ days: NEWS_DAYS }));
  const { news = [], lasting = [] } = Object.groupBy(board.today, ({ severity, start_ms }) =>
    severity === 'info' && start_ms < since_ms ? 'lasting' : 'news',
  );
  const later = [
    section('lasting', t(lang, 'notices.lasting'), lasting),
    section('tomorrow', t(lang, 'nav.tomorrow'), board.tomorrow),
    section('season', t(lang, 'notices.in_season'), board.in_season),
    section('soon', t(lang, 'notices.soon'), board.soon),
    section('later', t(lang, 'notices.later'), board.later),
  ];
  return pageResult({
    meta,
    day,
    count: board.today.length,
    sections: [
      section('today', t(lang, 'nav.today'), news),
      ...later.filter(({ notices }) => notices.length > 0),
    ],
  });
}

export type NoticesView = LoadedPage<typeof loadNotices>;

function renderNotices({ meta, count, sections }: NoticesView): string {
  const { lang } = meta;
  const about = t(lang, 'md.about_notices', {
    notices: tPlural(lang, 'notices.count', count),
    zone: t(lang, 'time.zone'),
  });
  return renderDocument(
    { ...meta, about, terms: 'md.terms_notices' },
    sections.map(({ title, notices }) =>
      section(
        title,
        notices.length === 0
          ? t(lang, 'notices.none')
          : notices.map((notice) => renderNotice(notice, meta)),
      ),
    ),
  );
}

export const noticesPage = definePage({
  name: 'notices',
  routes: pageRoutes('notices'),
  load: loadNotices,
  toMarkdown: renderNotices,
  listBuilt: () => listPagePaths('notices'),
});
