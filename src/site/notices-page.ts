// Notices page: lists the notices of today, tomorrow, the season, the next days and later. Also
// builds and renders a notice for any page. A notice is daily information about the town, such as a
// closed road or a red flag on the beach; an alert is a notice of severity `alert`; a seasonal
// notice, such as sargassum or hurricanes, lasts months.
import { type DayRange, toLocalDay } from '../domain/local-time.ts';
import type { Lang } from '../domain/lang.ts';
import {
  countNotices,
  findOriginalLang,
  groupNotices,
  isNoticeNews,
  isRecentNotice,
  type NoticeRecord,
} from '../domain/notice.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { formatLongDay } from '../i18n/format-dates.ts';
import {
  formatNoticeCounts,
  formatNoticePeriod,
  formatNoticeRemarks,
  formatSeasonLine,
} from '../i18n/format-day.ts';
import { formatSourceNote } from '../i18n/format-facts.ts';
import { displayHost } from '../i18n/external-links.ts';
import { PAGE_PATHS } from '../i18n/paths.ts';
import { listNoticeFacts } from '../i18n/record-facts.ts';
import { capitalize, t, tPlural } from '../i18n/translate.ts';
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

/** Builds a notice in a language; its `facts` are for the Markdown version. */
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
    period: formatNoticePeriod(notice, lang),
    /** Language of title and body, if not the page's. */
    text_lang: findOriginalLang(notice, lang),
    remarks: formatNoticeRemarks(notice, lang),
    zone: zone?.name[lang] ?? null,
    source: source_name ? { name: source_name, url: source_url } : null,
    source_sentence: formatSourceNote(notice, lang),
    facts: listNoticeFacts(notice, zone, lang),
  };
}

/** Renders a notice under a heading of level 3. */
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

/**
 * Builds the notices of an agenda page: `shown` has all alerts or, without alerts, the first recent
 * notice; `folded` has the others, behind their count at the end; seasonal notices share one line;
 * `summary` counts all of them.
 * Alerts are never folded.
 */
export function buildNoticesOfDays(
  notices: readonly NoticeRecord[],
  days: DayRange,
  zones: readonly TaxonRecord[],
  is_today: boolean,
  lang: Lang,
) {
  const { now: current_notices, in_season } = groupNotices(notices, days);
  const alerts = current_notices.filter(({ severity }) => severity === 'alert');
  const news = current_notices.filter((notice) => isRecentNotice(notice, days.from));
  const shown_notices = alerts.length > 0 ? alerts : news.slice(0, 1);
  const folded_notices = current_notices.filter((notice) => !shown_notices.includes(notice));
  const summary = formatNoticeCounts(countNotices(notices, days), is_today, lang);
  const buildView = (notice: NoticeRecord) => buildNoticeView(notice, zones, lang);
  return {
    shown: shown_notices.map(buildView),
    folded: folded_notices.map(buildView),
    folded_title:
      shown_notices.length > 0
        ? tPlural(lang, 'notices.others', folded_notices.length)
        : capitalize(summary),
    summary,
    season_line: formatSeasonLine(in_season, lang),
  };
}

/** Loads the notices page. Today's older notices without an alert have a section of their own. */
function loadNotices(context: PageContext, { lang }: PageRequest) {
  const day = toLocalDay(context.now_ms);
  const board = loadNoticeBoard(context.snapshot, day);
  const counts = countNotices([...board.today, ...board.in_season], { from: day, to: day });
  const summary = capitalize(formatNoticeCounts(counts, true, lang));
  const titles = board.today.slice(0, 3).map((notice) => notice.title[lang]);
  const meta = buildPageMeta(context, lang, PAGE_PATHS.notices, {
    title: `${t(lang, 'notices.title')}, ${formatLongDay(day, lang)}`,
    description:
      titles.length === 0
        ? `${summary}.`
        : t(lang, 'notices.description', { titles: titles.join('; ') }),
    entry: 'notices',
  });
  const buildSection = (id: string, title: string, notices: readonly NoticeRecord[]) => ({
    id,
    title,
    /** Distant notices are folded to one line each. */
    is_folded: id === 'later',
    notices: notices.map((notice) =>
      buildNoticeView(notice, context.snapshot.taxonomy.zones, lang),
    ),
  });
  // `lasting`: information that is no longer news.
  const { recent = [], lasting = [] } = Object.groupBy(board.today, (notice) =>
    isNoticeNews(notice, day) ? 'recent' : 'lasting',
  );
  const further_sections = [
    buildSection('lasting', t(lang, 'notices.lasting'), lasting),
    buildSection('tomorrow', t(lang, 'nav.tomorrow'), board.tomorrow),
    buildSection('season', t(lang, 'notices.in_season'), board.in_season),
    buildSection('soon', t(lang, 'notices.soon'), board.soon),
    buildSection('later', t(lang, 'notices.later'), board.later),
  ];
  return pageResult({
    meta,
    day,
    summary,
    sections: [
      buildSection('today', t(lang, 'nav.today'), recent),
      ...further_sections.filter(({ notices }) => notices.length > 0),
    ],
  });
}

export type NoticesView = LoadedPage<typeof loadNotices>;

function renderNotices({ meta, summary, sections }: NoticesView): string {
  const { lang } = meta;
  const about = t(lang, 'md.about_notices', {
    notices: summary,
    zone: t(lang, 'time.zone'),
  });
  return renderDocument(
    { ...meta, about, terms: 'md.terms_notices' },
    sections.map(({ title, notices }) =>
      section(
        title,
        notices.length === 0 ? `${summary}.` : notices.map((notice) => renderNotice(notice, meta)),
      ),
    ),
  );
}

export const noticesPage = definePage({
  name: 'notices',
  routes: pageRoutes('notices'),
  load: loadNotices,
  toMarkdown: renderNotices,
  listWarmPaths: () => listPagePaths('notices'),
});
