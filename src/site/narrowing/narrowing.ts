// What a narrowed list is given: the filters that are on and those that would help, what of the
// query was left out, and where there is something when there is nothing here.
import type { DayRange } from '../../domain/cancun-time.ts';
import type { ParameterTexts } from '../../domain/query/parameters.ts';
import { HOUR_WORDS } from '../../domain/query/days.ts';
import { parseEventQuery, sortTexts } from '../../domain/query/event-query.ts';
import type { Lang } from '../../domain/lang.ts';
import { withQuery } from '../../i18n/api-paths.ts';
import {
  LIMIT_NUMBERS,
  type NothingSection,
  toNothingSections,
  toSpellingSentences,
  toUnplacedSentences,
} from '../../i18n/query-words.ts';
import { toPagePath } from '../../i18n/paths.ts';
import { capitalise, t } from '../../i18n/translate.ts';
import { countEvents, readNearFacts } from '../../snapshot/count-events.ts';
import { findNothing } from '../../snapshot/list-facts.ts';
import { findSpellings } from '../../snapshot/scan.ts';
import { type Chip, listMore, listOn, type NarrowedList, type OnFilter } from './chips.ts';
import type { Ignored } from './page-query.ts';

/** The links and sentences over a list. */
export interface Narrowing {
  readonly on: readonly OnFilter[];
  readonly more: readonly Chip[];
  /** The search form with the same question; null on the form's own page. */
  readonly form_path: string | null;
  /** What of the query was left out, in sentences. */
  readonly ignored: readonly string[];
  /** How a word was read, and what the filters cannot tell and leave out, in sentences. */
  readonly remarks: readonly string[];
  /** Only where nothing is found: what to take away, and what there would be then. */
  readonly ways_out: readonly Chip[];
  /** Only there too: what is on another day, what comes near it, what is over. */
  readonly nothing: readonly NothingSection[];
}

/** What a page says beside its list: `days` the range of a page whose days are fixed. */
interface NarrowedPage extends NarrowedList {
  readonly now_ms: number;
  readonly days: { readonly range: DayRange; readonly date: string } | null;
  readonly ignored: readonly Ignored[];
}

/** Links and sentences for a list that found `found` events. */
export function toNarrowing(page: NarrowedPage, found: number): Narrowing {
  const { lang, texts, days } = page;
  const on = listOn(page);
  return {
    on,
    more: [...listHours(page, found), ...listMore(page)],
    form_path:
      days === null
        ? null
        : withQuery(toPagePath('search', lang), sortTexts({ ...texts, date: days.date })),
    ignored: page.ignored.map((one) => toSentence(one, lang)),
    remarks: [
      ...toSpellingSentences(findSpellings(page.snapshot, page.filter), lang),
      ...toUnplacedSentences(readNearFacts(page.snapshot, page.filter), lang),
    ],
    ways_out: found > 0 ? [] : listWaysOut(page, on),
    nothing:
      found > 0 || on.length === 0
        ? []
        : toNothingSections(findNothing(page.snapshot, page.filter, lang), lang),
  };
}

function toSentence({ reason, ...parts }: Ignored, lang: Lang): string {
  return t(lang, `filters.ignored.${reason}`, { ...parts, ...LIMIT_NUMBERS });
}

const toWay = (
  page: NarrowedPage,
  label: string,
  path: string,
  texts: ParameterTexts,
  range: DayRange | null,
): Chip => ({ label, path: withQuery(path, texts), count: countAsked(page, texts, range) });

/**
 * Now and tonight, from today's page, which has `found` events, and from a search that has no days yet.
 * After midnight tonight is mostly the day before: where it is more than the day it narrows nothing.
 */
function listHours(page: NarrowedPage, found: number): readonly Chip[] {
  const { days, texts, lang } = page;
  const has_days = (texts.date ?? texts.from ?? texts.to) !== undefined;
  if (days === null ? has_days : days.date !== 'today') return [];
  return HOUR_WORDS.flatMap((word) => {
    const way = toWay(
      page,
      capitalise(t(lang, `ics.filter.${word}`)),
      toPagePath('search', lang),
      sortTexts({ ...texts, date: word, cursor: null }),
      null,
    );
    const most = days === null || word === 'now' ? Number.POSITIVE_INFINITY : found;
    return way.count > 0 && way.count <= most ? [way] : [];
  });
}

/** Each filter taken away by itself, then all of them, then the days; what is empty too is left out. */
function listWaysOut(page: NarrowedPage, on: readonly OnFilter[]): readonly Chip[] {
  const { lang, path, days, texts } = page;
  const search = toPagePath('search', lang);
  const range = days?.range ?? null;
  const without = on.map(({ label, texts: left }) =>
    toWay(page, t(lang, 'filters.without', { filter: label }), path, left, range),
  );
  const whole = sortTexts(days === null ? pickDays(texts) : {});
  const anywhere =
    on.length > 1 ? [toWay(page, t(lang, 'filters.without_any'), path, whole, range)] : [];
  const others = sortTexts({ ...texts, date: null, from: null, to: null, cursor: null });
  const any_day =
    days !== null && on.length > 0
      ? [toWay(page, t(lang, 'filters.any_day'), search, others, null)]
      : [];
  return [...without, ...anywhere, ...any_day].filter(({ count }) => count > 0);
}

const pickDays = ({ date, from, to }: ParameterTexts): Record<string, string | null> => ({
  date: date ?? null,
  from: from ?? null,
  to: to ?? null,
});

/** How many events a query in our own spelling finds, on the days of the page where it has its own. */
function countAsked(
  { snapshot, now_ms }: NarrowedPage,
  texts: ParameterTexts,
  range: DayRange | null,
): number {
  const { filter } = parseEventQuery(texts, snapshot, now_ms, 'list');
  return countEvents(snapshot, range === null ? filter : { ...filter, range });
}
