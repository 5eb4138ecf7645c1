// The page of changes: what was added, changed, cancelled or withdrawn lately, by day.
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

const MAX_SHOWN = 100;
const LOOK_BACK = [
  ['changes.yesterday', 1],
  ['changes.week', DEFAULT_SINCE_DAYS],
  ['changes.month', 30],
] as const;

export function loadChangesPage(state: PageContext, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms } = state;
  const { since: asked } = parseParameters(query, ['since'], []);
  const { since, ignored } = parseSinceDay(asked, now_ms);
  const start = formatTimestamp(startOfDayMs(since) - 1000);
  const { changes, total } = listRecentChanges(
    snapshot,
    { since: start, limit: MAX_SHOWN },
    now_ms,
  );
  const days = Map.groupBy(changes, ({ at }) => toLocalDay(Date.parse(at)).toString());
  const path = PAGE_PATHS.changes[lang];
  const own = query === '' ? '' : withQuery('', { since: since.toString() });
  const day = formatLongDay(since, lang);
  const count = tPlural(lang, 'changes.count', total);
  return pageResult({
    meta: buildPageMeta(state, lang, PAGE_PATHS.changes, {
      ...(own !== '' && { query: byLang(() => own) }),
      title: t(lang, 'changes.title'),
      description: t(lang, 'changes.description'),
      markdown: markdownPath(path) + own,
      entry: 'changes',
    }),
    about: t(lang, 'changes.about', { changes: count, day }),
    look_back: LOOK_BACK.map(([words, days_back]) => {
      const first = toLocalDay(now_ms).subtract({ days: days_back });
      return {
        words: t(lang, words),
        path:
          days_back === DEFAULT_SINCE_DAYS ? path : withQuery(path, { since: first.toString() }),
        is_shown: first.equals(since),
      };
    }),
    ignored: ignored === null ? null : t(lang, 'changes.ignored', { value: ignored, day }),
    none: total === 0 ? t(lang, 'changes.none', { day }) : null,
    days: [...days].map(([date, of_day]) => ({
      id: `d${date}`,
      title: capitalize(formatLongDay(Temporal.PlainDate.from(date), lang)),
      changes: of_day.map((change) => formatChange(change, lang)),
    })),
    more: total > changes.length ? tPlural(lang, 'changes.more', total - changes.length) : null,
    api_path: withQuery(API_PATHS.listChanges, { since: since.toString(), lang }),
  });
}

/**
 * The day of a `since` as it was written, seven days ago where there is none; `ignored` is one that is no
 * day that has been.
 */
export function parseSinceDay(
  text: string | undefined,
  now_ms: number,
): { readonly since: Temporal.PlainDate; readonly ignored: string | null } {
  const today = toLocalDay(now_ms);
  const fallback = today.subtract({ days: DEFAULT_SINCE_DAYS });
  if (text === undefined) return { since: fallback, ignored: null };
  const moment_ms = parseInstant(text);
  const day = moment_ms === null ? null : toLocalDay(moment_ms);
  if (day === null || day.until(today).days < 0) return { since: fallback, ignored: text };
  return { since: day, ignored: null };
}

export type ChangesView = LoadedPage<typeof loadChangesPage>;

const renderChanges = ({ meta, about, none, days, more, api_path }: ChangesView): string =>
  renderDocument(
    { ...meta, about, terms: 'md.terms' },
    none,
    days.map(({ title, changes }) =>
      section(title, list(changes.map((change) => renderChangeItem(change, meta.site)))),
    ),
    more && paragraph(`${more} `, link(absoluteUrl(meta.site.url, api_path))),
  );

const SINCE_ISSUE =
  'since: is not a day that has been. Use YYYY-MM-DD, or an instant with its offset';

export const changesPage = definePage({
  name: 'changes',
  routes: pageRoutes('changes'),
  load: loadChangesPage,
  toMarkdown: renderChanges,
  parameters: () => ['since'],
  validate: ({ since }, issues, { now_ms }) =>
    parseSinceDay(since, now_ms).ignored === null ? issues : [...issues, SINCE_ISSUE],
});
