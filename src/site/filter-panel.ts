// The links and sentences of a list that filters narrow: which are on and which would help, what was left out, and
// where there is something when there is nothing here.
import { findSpellings } from '../snapshot/find-events.ts';
import type { DayRange } from '../domain/local-time.ts';
import { FAMILY_CATEGORY } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { DATE_KEYWORDS, type HOUR_KEYWORDS } from '../domain/query/date-range.ts';
import {
  SUBSCRIBABLE_FILTER_NAMES,
  type EventFilter,
  FLAG_FILTERS,
  parseEventQuery,
  sortParameters,
  TAXON_FILTERS,
} from '../domain/query/event-query.ts';
import { LIST_PARAMETER_NAMES } from '../domain/query/parameters.ts';
import type { ParameterValues } from '../domain/query/parameter-parsers.ts';
import { formatShortRange } from '../i18n/format-dates.ts';
import { absoluteUrl, pagePath, withQuery } from '../i18n/paths.ts';
import {
  LIMIT_PLACEHOLDERS,
  formatFilter,
  type EmptyResultSection,
  formatEmptyResult,
  formatSpellingCorrections,
  formatNearCaveats,
} from '../i18n/format-query.ts';
import { capitalize, t, tPlural } from '../i18n/translate.ts';
import { renderEmptyResult } from '../serializers/markdown/entries.ts';
import {
  type MarkdownBlock,
  labeled,
  linkItem,
  list,
  paragraph,
} from '../serializers/markdown/nodes.ts';
import {
  countChoices,
  countEvents,
  type EventCounts,
  findNearCaveats,
} from '../snapshot/count-events.ts';
import { findEmptyResultHints } from '../snapshot/list-summary.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import {
  type SelectField,
  type CheckboxField,
  buildTaxonSelects,
  buildFilterCheckboxes,
} from './filter-form.ts';
import type { IgnoredParameter } from './page-query.ts';
import type { PageMeta } from './page-meta.ts';

interface Chip {
  readonly label: string;
  readonly path: string;
  readonly count: number;
}

/** A link that narrows a list; one that `is_wide` has no room on a telephone. */
interface FilterLink extends Chip {
  readonly is_wide: boolean;
}

/** Where there is something; `words` say how much, where the label does not. */
interface WayOut extends Chip {
  readonly words: string | null;
}

/** A filter that is on, with the query that leaves it out. */
interface OnFilter {
  readonly label: string;
  readonly path: string;
  readonly texts: ParameterValues;
}

/** All filters of a list, to be chosen together. */
export interface FilterFormView {
  readonly path: string;
  /** What is asked that the form has no control for. */
  readonly kept: readonly { readonly name: string; readonly value: string }[];
  readonly selects: readonly SelectField[];
  readonly ticks: readonly CheckboxField[];
}

interface FilterChoices {
  readonly on: readonly OnFilter[];
  readonly more: readonly FilterLink[];
  readonly form: FilterFormView;
}

export interface FilterPanel extends FilterChoices {
  readonly ignored: readonly string[];
  /** How a word was read, and what the filters cannot tell and leave out, in sentences. */
  readonly remarks: readonly string[];
  /** Only where nothing is found: what to take away, and what there would be then. */
  readonly ways_out: readonly WayOut[];
  /** Only there too: what is on another day, what comes near it, what is over. */
  readonly nothing: readonly EmptyResultSection[];
}

/** A list of events or places that can be narrowed: its page, its query in one spelling, and its filter. */
interface NarrowedList {
  readonly snapshot: Snapshot;
  readonly lang: Lang;
  readonly path: string;
  readonly texts: ParameterValues;
  readonly filter: EventFilter;
  /** What it can be asked, in order. */
  readonly names: readonly string[];
  /** What the page has a control for beside the filters. */
  readonly fields: readonly string[];
  /** Of places, which have no category: it is that of what takes place there. */
  readonly is_of_places?: true;
}

interface NarrowedPage extends Omit<NarrowedList, 'names' | 'fields'> {
  readonly now_ms: number;
  /** Of a page whose days are fixed. */
  readonly days: { readonly range: DayRange; readonly asked: ParameterValues } | null;
  /** Addresses that the page leads to already, which need no chip. */
  readonly led?: readonly string[];
  readonly ignored: readonly IgnoredParameter[];
}

/** `has_beside`: whether the words of the query find something else than events. */
export function buildFilterPanel(
  page: NarrowedPage,
  found: number,
  has_beside: boolean,
): FilterPanel {
  const { snapshot, filter, lang, days } = page;
  const fields = days === null ? ['q', ...Object.keys(NO_DAYS)] : [];
  const list = { ...page, names: LIST_PARAMETER_NAMES, fields };
  const { range } = filter;
  const choices = buildFilterChoices(list, countChoices(snapshot, filter), found, {
    on: hasDays(page) && range ? [{ label: toDaysLabel(page, range), changed: NO_DAYS }] : [],
    chips: listHours(page, found),
    led: page.led ?? [],
  });
  const { on } = choices;
  return {
    ...choices,
    ignored: page.ignored.map(({ reason, ...parts }) =>
      t(lang, `filters.ignored.${reason}`, { ...parts, ...LIMIT_PLACEHOLDERS }),
    ),
    remarks: [
      ...formatSpellingCorrections(findSpellings(snapshot, filter), lang),
      ...formatNearCaveats(findNearCaveats(snapshot, filter), lang),
    ],
    ways_out: found > 0 ? [] : listWaysOut(page, on, has_beside),
    nothing: found > 0 || on.length === 0 ? [] : listNothing(page, has_beside),
  };
}

/** Who finds the aquarium is not sent on to what has some of the words. */
function listNothing({ snapshot, filter, lang }: NarrowedPage, has_beside: boolean) {
  const nothing = findEmptyResultHints(snapshot, filter, lang);
  return formatEmptyResult(nothing, lang).filter(
    ({ kind }) => !has_beside || (kind !== 'nearly' && (kind !== 'past' || !nothing.is_past_near)),
  );
}

/** Which filters are on, what is found `beside` the list, and where there is something when there is nothing here. */
export function renderFilterPanel(
  words: readonly string[],
  { remarks, ways_out, nothing }: FilterPanel,
  { lang, site }: PageMeta,
  beside: MarkdownBlock = null,
): MarkdownBlock {
  const ways = ways_out.map(({ label, path, words: count }) =>
    linkItem(absoluteUrl(site.url, path), label, ...(count === null ? [] : [count])),
  );
  return [
    words.length > 0 && paragraph(labeled(t(lang, 'filters.on'), words.join(', '))),
    remarks,
    beside,
    renderEmptyResult(nothing, lang, site),
    ways.length > 0 && [
      t(lang, 'nothing.title', { title: t(lang, 'filters.ways_out') }),
      list(ways),
    ],
  ];
}

/** Texts to set, and null for those to take away. */
type Change = Readonly<Record<string, string | null>>;

/** The query changed, from its first page on. */
const change = (
  { texts, names = LIST_PARAMETER_NAMES }: Pick<NarrowedList, 'texts'> & Partial<NarrowedList>,
  changed: Change,
): ParameterValues => sortParameters({ ...texts, ...changed, cursor: null }, names);

const NO_DAYS = { date: null, from: null, to: null } as const;
const hasDays = ({ texts: { date, from, to } }: NarrowedPage): boolean =>
  (date ?? from ?? to) !== undefined;

/** What a list has of its own: what is on, and chips before and after those of every list. */
interface OwnChoices {
  readonly on: readonly { readonly label: string; readonly changed: Change }[];
  readonly chips: readonly [Chip | undefined, Chip | undefined];
  readonly led?: readonly string[];
}

export function buildFilterChoices(
  list: NarrowedList,
  counts: EventCounts,
  found: number,
  own: OwnChoices,
): FilterChoices {
  const on = listOn(list, own);
  const [first, last] = own.chips;
  const chips = [first, ...listMore(list, counts, found), last]
    .filter((chip) => chip !== undefined)
    .filter(({ path }) => !own.led?.includes(path));
  return { on, more: fitChips(on, chips, list.lang), form: toForm(list, counts) };
}

/** Those whose words are all that a link says of them. */
const WORDED = ['q', 'updated_since', 'status', 'price_max', 'venue', 'organizer', 'ids'] as const;

/** Every filter that is on, each category and zone by itself. */
function listOn(page: NarrowedList, own: OwnChoices): readonly OnFilter[] {
  const { snapshot, filter, texts, lang, path } = page;
  const { taxonomy } = snapshot;
  const toOn = (label: string, changed: Change): OnFilter => {
    const left = change(page, changed);
    return { label: capitalize(label), path: withQuery(path, left), texts: left };
  };
  const taxa = TAXON_FILTERS.flatMap(({ name, list }) => {
    const wanted = taxonomy[list].filter(({ key }) => filter[list]?.includes(key));
    return wanted.map((taxon) => {
      const others = wanted.filter((other) => other !== taxon);
      return toOn(taxon.name[lang], { [name]: others.map(({ slug }) => slug[lang]).join(',') });
    });
  });
  const { near: around } = filter;
  return [
    ...own.on.map(({ label, changed }) => toOn(label, changed)),
    ...FLAG_FILTERS.filter(({ name }) => filter[name]).map(({ name }) =>
      toOn(t(lang, `ics.filter.${name}`), { [name]: null }),
    ),
    ...taxa,
    ...(around === null
      ? []
      : [
          toOn(t(lang, 'filters.near', { radius: around.radius_km }), {
            near: null,
            radius_km: null,
          }),
        ]),
    ...WORDED.flatMap((name) =>
      formatFilter(name, filter, { params: texts, taxonomy, lang }).map((label) =>
        toOn(label, { [name]: null }),
      ),
    ),
  ];
}

/** `Esta noche` for a word, the days themselves for all else. */
function toDaysLabel({ texts, lang }: NarrowedPage, range: DayRange): string {
  const word = DATE_KEYWORDS.find((known) => known === texts.date);
  return word === undefined ? formatShortRange(range, lang) : t(lang, `ics.filter.${word}`);
}

const MOST_ZONES = 2;
const MOST_CATEGORIES = 5;

/**
 * What the list can be narrowed by, the most wanted first: what is on or off, the zones and the categories that have
 * most of it; nothing that would be empty or have all.
 */
function listMore(
  page: NarrowedList,
  { with_flag, by_key }: EventCounts,
  found: number,
): readonly Chip[] {
  const { filter, lang } = page;
  const { taxonomy } = page.snapshot;
  const toChip = (label: string, changed: Change, count: number): Chip => ({
    label: capitalize(label),
    path: withQuery(page.path, change(page, changed)),
    count,
  });
  const isLess = ({ count }: Chip): boolean => count > 0 && count < found;
  const flags = FLAG_FILTERS.filter(({ name }) => !filter[name])
    .map(({ name }) =>
      toChip(t(lang, `ics.filter.${name}`), { [name]: '1' }, with_flag.get(name) ?? 0),
    )
    .filter(isLess);
  const [categories = [], zones = []] = TAXON_FILTERS.map(({ name, list }) =>
    (filter[list] !== null || (page.is_of_places && list === 'categories') ? [] : taxonomy[list])
      // Its page lists all plans for families, and so does the chip for them.
      .filter(({ key }) => key !== FAMILY_CATEGORY)
      .map((taxon) =>
        toChip(
          taxon.name[lang],
          { [name]: taxon.slug[lang] },
          by_key.get(name)?.get(taxon.key) ?? 0,
        ),
      )
      .filter(isLess)
      .sort((a, b) => b.count - a.count),
  );
  const taxa = Array.from({ length: MOST_CATEGORIES }, (_, at) => [
    zones.slice(0, MOST_ZONES)[at],
    categories[at],
  ]);
  return [...flags, ...taxa.flat().filter((chip) => chip !== undefined)];
}

// How wide a chip is, in letters of its own size: what stands around its words counts as some. Letters are as wide as
// those of the widest of the usual fonts, so that a narrower one has room to spare.
const AROUND = 3.3;
/** A line of the narrowest telephone, and of the narrowest screen that has room for them all (styles/chips.css). */
const LINES = { phone: 39, wide: 83 } as const;

/** In two lines with those that are on before them and the way to all filters after them. */
function fitChips(
  on: readonly OnFilter[],
  chips: readonly Chip[],
  lang: Lang,
): readonly FilterLink[] {
  const phone = fitLines(on, chips, LINES.phone, lang);
  const wide = fitLines(on, chips, LINES.wide, lang).filter((chip) => !phone.includes(chip));
  return [
    ...phone.map((chip) => ({ ...chip, is_wide: false })),
    ...wide.map((chip) => ({ ...chip, is_wide: true })),
  ];
}

function fitLines(
  on: readonly OnFilter[],
  chips: readonly Chip[],
  line: number,
  lang: Lang,
): readonly Chip[] {
  const toWidth = (text: string): number => text.length + AROUND;
  let [first, second] = [line, line - toWidth(`${t(lang, 'filters.label')} +`)];
  for (const { label } of on) {
    const width = toWidth(`${label} × `);
    // What does not fit the first line leaves its end empty: the order stays.
    if (width > first) [first, second] = [0, second - width];
    else first -= width;
  }
  const above: Chip[] = [];
  const below: Chip[] = [];
  for (const chip of chips) {
    const width = toWidth(`${chip.label} ${chip.count}`);
    if (width <= first) {
      first -= width;
      above.push(chip);
    } else if (width <= second) {
      second -= width;
      below.push(chip);
    }
  }
  return [...above, ...below];
}

function toForm(
  { snapshot, path, texts, lang, fields }: NarrowedList,
  { by_key }: EventCounts,
): FilterFormView {
  return {
    path,
    kept: Object.entries(texts)
      .filter(
        ([name]) => ![...SUBSCRIBABLE_FILTER_NAMES, ...fields].some((field) => field === name),
      )
      .map(([name, value]) => ({ name, value })),
    selects: buildTaxonSelects(texts, snapshot.taxonomy, lang, by_key),
    ticks: buildFilterCheckboxes(texts, lang),
  };
}

/** How many events a query in our own spelling finds, on the days of the page where it has its own. */
function countAsked(
  { snapshot, now_ms }: NarrowedPage,
  texts: ParameterValues,
  range: DayRange | null,
) {
  const { filter } = parseEventQuery(texts, snapshot, now_ms, 'list');
  return countEvents(snapshot, range === null ? filter : { ...filter, range });
}

/**
 * Tonight and now, from today's page, which has `found` events, and from a search that has no days yet.
 * After midnight tonight is mostly the day before: where it is more than the day it narrows nothing.
 */
function listHours(page: NarrowedPage, found: number): OwnChoices['chips'] {
  const { days, lang } = page;
  if (days === null ? hasDays(page) : days.asked.date !== 'today') return [undefined, undefined];
  const toChip = (word: (typeof HOUR_KEYWORDS)[number]): Chip | undefined => {
    const texts = change(page, { date: word });
    const count = countAsked(page, texts, null);
    const is_less = days === null || word === 'now' || count <= found;
    if (count === 0 || !is_less) return undefined;
    const label = capitalize(t(lang, `ics.filter.${word}`));
    return { label, path: withQuery(pagePath('search', lang), texts), count };
  };
  return [toChip('tonight'), toChip('now')];
}

/**
 * Each of several filters taken away, then all of them, then the days; what is empty too is left out. Whoever finds
 * the aquarium is not sent on to what has nothing of it.
 */
function listWaysOut(
  page: NarrowedPage,
  on: readonly OnFilter[],
  has_beside: boolean,
): readonly WayOut[] {
  const { lang, path, days, texts } = page;
  const range = days?.range ?? null;
  const toWay = (
    label: string,
    to: string,
    asked: ParameterValues,
    within: DayRange | null,
  ): WayOut => {
    const count = countAsked(page, asked, within);
    const words = tPlural(lang, 'events.count', count);
    return { label, path: withQuery(to, asked), count, words };
  };
  const each = on.map(({ label, texts: left }) => ({
    ...toWay(t(lang, 'filters.remove', { filter: label }), path, left, range),
    has_words: left.q !== undefined,
  }));
  const { date = null, from = null, to = null } = days === null ? texts : {};
  const all = toWay('', path, sortParameters({ date, from, to }), range);
  const ways: WayOut[] =
    on.length > 1 ? each.filter(({ has_words }) => has_words || !has_beside) : [];
  if (on.length > 0 && !has_beside)
    ways.push({ ...all, label: tPlural(lang, 'filters.all', all.count), words: null });
  if (days !== null && on.length > 0)
    ways.push(
      toWay(t(lang, 'filters.any_day'), pagePath('search', lang), change(page, NO_DAYS), null),
    );
  return ways.filter(({ count }) => count > 0);
}
