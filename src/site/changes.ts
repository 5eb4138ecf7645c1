// The page of changes: what was added, changed, cancelled or withdrawn lately, by day.
import type { Temporal } from 'temporal-polyfill';
import { formatTimestamp, startOfDayMs, toCancunDay } from '../domain/cancun-time.ts';
import type { ChangeRecord } from '../domain/history.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import { parseMoment } from '../domain/query/days.ts';
import { SINCE_DAYS } from '../domain/query/list-queries.ts';
import { parseParameters } from '../domain/query/parameters.ts';
import { toChangedDetail, toChangedName, toChangedPath } from '../i18n/change-words.ts';
import { toLongDay } from '../i18n/dates.ts';
import { API_PATHS, PAGE_PATHS, toMarkdownPath, withQuery } from '../i18n/paths.ts';
import { capitalise, t, tCount } from '../i18n/translate.ts';
import { renderChanges } from '../serializers/markdown/pages.ts';
import { listTold } from '../snapshot/changes.ts';
import { definePage, type Loaded, type PageRequest, toPageRoutes } from './page-kind.ts';
import { buildMeta } from './page.ts';
import type { SiteState } from './state.ts';
import { show } from './visit.ts';

/** Changes on the page; the API has all. */
const MAX_SHOWN = 100;
/** How many days back each of the links looks, by the words for it. */
const LOOK_BACK = [
  ['changes.yesterday', 1],
  ['changes.week', SINCE_DAYS],
  ['changes.month', 30],
] as const;

export function loadChanges(state: SiteState, { lang }: PageRequest, query: string) {
  const { snapshot, now_ms } = state;
  const { since: asked } = parseParameters(query, ['since'], []);
  const { since, ignored } = readSince(asked, now_ms);
  const start = formatTimestamp(startOfDayMs(since) - 1000);
  const { changes, total } = listTold(snapshot, { since: start, limit: MAX_SHOWN }, now_ms);
  const days = Map.groupBy(changes, ({ at }) => toCancunDay(Date.parse(at)).toString());
  const path = PAGE_PATHS.changes[lang];
  const own = query === '' ? '' : withQuery('', { since: since.toString() });
  return show({
    meta: buildMeta(state, lang, PAGE_PATHS.changes, {
      ...(own !== '' && { query: byLang(() => own) }),
      title: t(lang, 'changes.title'),
      description: t(lang, 'changes.description'),
      markdown: toMarkdownPath(path) + own,
      entry: 'changes',
    }),
    since,
    days: [...days.values()].flatMap((of_day) =>
      of_day.slice(0, 1).map(({ at }) => ({ day: toCancunDay(Date.parse(at)), changes: of_day })),
    ),
    /** How many there are, shown or not. */
    total,
    shown: changes.length,
    look_back: LOOK_BACK.map(([words, days_back]) => {
      const day = toCancunDay(now_ms).subtract({ days: days_back });
      return {
        words: t(lang, words),
        path: days_back === SINCE_DAYS ? path : withQuery(path, { since: day.toString() }),
        is_shown: day.equals(since),
      };
    }),
    /** A `since` that is no day of the past, as it was written. */
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

export type ChangesView = ReturnType<typeof printChanges>;

function printChanges({
  meta,
  since,
  days,
  total,
  shown,
  look_back,
  ignored,
}: Loaded<typeof loadChanges>) {
  const { lang } = meta;
  const day = toLongDay(since, lang);
  return {
    meta,
    look_back,
    about: t(lang, 'changes.about', { changes: tCount(lang, 'changes.count', total), day }),
    ignored: ignored === null ? null : t(lang, 'changes.ignored', { value: ignored, day }),
    none: total === 0 ? t(lang, 'changes.none', { day }) : null,
    days: days.map((of_day) => ({
      id: `d${of_day.day}`,
      title: capitalise(toLongDay(of_day.day, lang)),
      changes: of_day.changes.map((change) => printChange(change, lang)),
    })),
    more: total > shown ? tCount(lang, 'changes.more', total - shown) : null,
    api_path: withQuery(API_PATHS.listChanges, { since: since.toString(), lang }),
  };
}

const printChange = (change: ChangeRecord, lang: Lang) => ({
  kind: change.change,
  word: t(lang, `changes.word.${change.change}`),
  name: toChangedName(change, lang),
  path: change.thing && toChangedPath(change.thing, lang),
  detail: toChangedDetail(change, lang),
});

const SINCE_ISSUE =
  'since: is not a day that has been. Use YYYY-MM-DD, or an instant with its offset';

export const changesPage = definePage({
  name: 'changes',
  routes: toPageRoutes('changes'),
  load: loadChanges,
  print: printChanges,
  toMarkdown: (view) => renderChanges(view),
  parameters: () => ['since'],
  judge: ({ since }, issues, { now_ms }) =>
    readSince(since, now_ms).ignored === null ? issues : [...issues, SINCE_ISSUE],
});
