// Changes page: lists the records that were added, changed, cancelled or withdrawn lately, by day.
// A change here is a modification of a published record, not a proposal in the inbox.
import type { ParameterIssue } from '../domain/query/parameter-issue.ts';
import { Temporal } from 'temporal-polyfill';
import { formatTimestamp, startOfDayMs, toLocalDay } from '../domain/local-time.ts';
import { byLang } from '../domain/lang.ts';
import { parseInstant } from '../domain/query/date-range.ts';
import { DEFAULT_SINCE_DAYS } from '../domain/query/list-queries.ts';
import { parseParameters } from '../domain/query/parameters.ts';
import { formatChange } from '../i18n/format-changes.ts';
import { formatLongDay } from '../i18n/format-dates.ts';
import { API_PATHS, PAGE_PATHS, absoluteUrl, markdownPath, withQuery } from '../i18n/paths.ts';
import { capitalize, t, tPlural } from '../i18n/translate.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { renderChangeItem } from '../serializers/markdown/entries.ts';
import { link, list, paragraph, section } from '../serializers/markdown/nodes.ts';
import { listRecentChanges } from '../snapshot/change-log.ts';
import { definePage, type LoadedPage, type PageRequest, pageRoutes } from './page-definition.ts';
import { buildPageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';
import { pageResult } from './visitor-request.ts';

/** Most changes on the page; the API has the others. */
const MAX_CHANGES = 100;
/** Links to common periods: message key and days back. */
const PERIODS = [
  ['changes.yesterday', 1],
  ['changes.week', DEFAULT_SINCE_DAYS],
  ['changes.month', 30],
] as const;

/** Loads the changes since a day, by default DEFAULT_SINCE_DAYS days ago, the latest first. */
export function loadChangesPage(context: PageContext, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms } = context;
  const { since: since_text } = parseParameters(query, ['since'], []);
  const { since, ignored } = parseSinceDay(since_text, now_ms);
  // `since` excludes its own second, so it is a second before the day.
  const start = formatTimestamp(startOfDayMs(since) - 1000);
  const { changes, total } = listRecentChanges(
    snapshot,
    { since: start, limit: MAX_CHANGES },
    now_ms,
  );
  const days = Map.groupBy(changes, ({ at }) => toLocalDay(Date.parse(at)).toString());
  const path = PAGE_PATHS.changes[lang];
  const query_string = query === '' ? '' : withQuery('', { since: since.toString() });
  const day = formatLongDay(since, lang);
  const count = tPlural(lang, 'changes.count', total);
  return pageResult({
    meta: buildPageMeta(context, lang, PAGE_PATHS.changes, {
      ...(query_string !== '' && { query: byLang(() => query_string) }),
      title: t(lang, 'changes.title'),
      description: t(lang, 'changes.description'),
      markdown: markdownPath(path) + query_string,
      entry: 'changes',
    }),
    about: t(lang, 'changes.about', { changes: count, day }),
    periods: PERIODS.map(([key, days_back]) => {
      const first_day = toLocalDay(now_ms).subtract({ days: days_back });
      return {
        label: t(lang, key),
        path:
          days_back === DEFAULT_SINCE_DAYS
            ? path
            : withQuery(path, { since: first_day.toString() }),
        is_current: first_day.equals(since),
      };
    }),
    ignored: ignored === null ? null : t(lang, 'changes.ignored', { value: ignored, day }),
    empty: total === 0 ? t(lang, 'changes.none', { day }) : null,
    days: [...days].map(([date, day_changes]) => ({
      id: `d${date}`,
      title: capitalize(formatLongDay(Temporal.PlainDate.from(date), lang)),
      changes: day_changes.map((change) => formatChange(change, lang)),
    })),
    /** Number of changes that the page does not list, as text. */
    more: total > changes.length ? tPlural(lang, 'changes.more', total - changes.length) : null,
    api_path: withQuery(API_PATHS.listChanges, { since: since.toString(), lang }),
  });
}

/**
 * Parses `since` leniently: without a value, or with an invalid or future one, it is
 * DEFAULT_SINCE_DAYS days ago. `ignored` is the invalid or future value.
 */
export function parseSinceDay(
  text: string | undefined,
  now_ms: number,
): { readonly since: Temporal.PlainDate; readonly ignored: string | null } {
  const today = toLocalDay(now_ms);
  const fallback = today.subtract({ days: DEFAULT_SINCE_DAYS });
  if (text === undefined) return { since: fallback, ignored: null };
  const instant_ms = parseInstant(text);
  const day = instant_ms === null ? null : toLocalDay(instant_ms);
  if (day === null || day.until(today).days < 0) return { since: fallback, ignored: text };
  return { since: day, ignored: null };
}

export type ChangesView = LoadedPage<typeof loadChangesPage>;

const renderChanges = ({ meta, about, empty, days, more, api_path }: ChangesView): string =>
  renderDocument(
    { ...meta, about, terms: 'md.terms' },
    empty,
    days.map(({ title, changes }) =>
      section(title, list(changes.map((change) => renderChangeItem(change, meta.site)))),
    ),
    more && paragraph(`${more} `, link(absoluteUrl(meta.site.url, api_path))),
  );

/** Issue of an invalid `since`, for the Markdown version. */
const SINCE_ISSUE: ParameterIssue = {
  param: 'since',
  message: 'must not be in the future. Use YYYY-MM-DD, or an instant with its offset',
};

export const changesPage = definePage({
  name: 'changes',
  routes: pageRoutes('changes'),
  load: loadChangesPage,
  toMarkdown: renderChanges,
  parameters: () => ['since'],
  validate: ({ since }, issues, { now_ms }) =>
    parseSinceDay(since, now_ms).ignored === null ? issues : [...issues, SINCE_ISSUE],
});
