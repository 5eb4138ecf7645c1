// The page of changes: what was added, changed, cancelled or withdrawn lately, by day.
import { renderChanges } from '../serializers/markdown/pages.ts';
import { definePage, toPageRoutes } from './page-kind.ts';
import { show, type Shown } from './visit.ts';
import type { Temporal } from 'temporal-polyfill';
import type { ChangeRecord } from '../domain/changed-thing.ts';
import { formatTimestamp, startOfDayMs, toCancunDay } from '../domain/cancun-time.ts';
import { SINCE_DAYS } from '../domain/query/list-queries.ts';
import { parseMoment } from '../domain/query/days.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import { parseParameters } from '../domain/query/parameters.ts';
import { withQuery } from '../i18n/api-paths.ts';
import { PAGE_PATHS, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { listTold } from '../snapshot/changes.ts';
import type { PageMeta } from './page.ts';
import type { SiteState } from './state.ts';

/** Another time to look back to. */
export interface LookBack {
  readonly words: string;
  readonly path: string;
  readonly is_shown: boolean;
}

/** The changes of one day, the last first. */
export interface ChangesOfDay {
  readonly day: Temporal.PlainDate;
  readonly changes: readonly ChangeRecord[];
}

/** What the page of changes is given. */
export interface ChangesView {
  readonly meta: PageMeta;
  /** The first day that is looked at. */
  readonly since: Temporal.PlainDate;
  readonly days: readonly ChangesOfDay[];
  /** How many there are, shown or not. */
  readonly total: number;
  readonly shown: number;
  readonly look_back: readonly LookBack[];
  /** A `since` that is no day of the past, as it was written; null where all is well. */
  readonly ignored: string | null;
}

/** Changes on the page; the API has all. */
const MAX_SHOWN = 100;
/** How many days back each of the links looks, by the words for it. */
const LOOK_BACK = [
  ['changes.yesterday', 1],
  ['changes.week', SINCE_DAYS],
  ['changes.month', 30],
] as const;

/** The page of a query as sent, without its question mark. */
export function resolveChanges(state: SiteState, query: string, lang: Lang): Shown<ChangesView> {
  const { snapshot, now_ms } = state;
  const today = toCancunDay(now_ms);
  const { since: asked } = parseParameters(query, ['since'], []);
  const { since, ignored } = readSince(asked, now_ms);
  const start = formatTimestamp(startOfDayMs(since) - 1000);
  const { changes, total } = listTold(snapshot, { since: start, limit: MAX_SHOWN }, now_ms);
  const path = PAGE_PATHS.changes[lang];
  const look_back = LOOK_BACK.map(([words, days]) => {
    const day = today.subtract({ days });
    return {
      words: t(lang, words),
      path: days === SINCE_DAYS ? path : withQuery(path, { since: day.toString() }),
      is_shown: day.equals(since),
    };
  });
  return show({
    meta: toMeta(state, lang, query === '' ? '' : since.toString()),
    since,
    days: groupByDay(changes),
    total,
    shown: changes.length,
    look_back,
    ignored,
  });
}

/**
 * The day of a `since` as it was written, seven days ago where there is none; `ignored` is one that is no
 * day that has been.
 */
export function readSince(
  text: string | undefined,
  now_ms: number,
): { readonly since: Temporal.PlainDate; readonly ignored: string | null } {
  const today = toCancunDay(now_ms);
  const fallback = today.subtract({ days: SINCE_DAYS });
  if (text === undefined) return { since: fallback, ignored: null };
  const moment_ms = parseMoment(text);
  const day = moment_ms === null ? null : toCancunDay(moment_ms);
  if (day === null || day.until(today).days < 0) return { since: fallback, ignored: text };
  return { since: day, ignored: null };
}

function groupByDay(changes: readonly ChangeRecord[]): readonly ChangesOfDay[] {
  const days = Map.groupBy(changes, ({ at }) => toCancunDay(Date.parse(at)).toString());
  return [...days.values()].flatMap((of_day) => {
    const [first] = of_day;
    return first ? [{ day: toCancunDay(Date.parse(first.at)), changes: of_day }] : [];
  });
}

function toMeta({ site }: SiteState, lang: Lang, since: string): PageMeta {
  const query = since === '' ? '' : withQuery('', { since });
  return {
    ...{ lang, site, paths: PAGE_PATHS.changes },
    ...(query !== '' && { query: byLang(() => query) }),
    title: t(lang, 'changes.title'),
    description: t(lang, 'changes.description'),
    markdown: `${toMarkdownPath(PAGE_PATHS.changes[lang])}${query}`,
    calendar: null,
    json_ld: null,
    entry: 'changes',
  };
}

const SINCE_ISSUE =
  'since: is not a day that has been. Use YYYY-MM-DD, or an instant with its offset';

export const changesPage = definePage({
  name: 'changes',
  routes: toPageRoutes('changes'),
  load: (state, { lang }, query) => resolveChanges(state, query, lang),
  toMarkdown: (view: ChangesView) => renderChanges(view),
  parameters: () => ['since'],
  judge: ({ since }, issues, { now_ms }) =>
    readSince(since, now_ms).ignored === null ? issues : [...issues, SINCE_ISSUE],
});
