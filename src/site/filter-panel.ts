// Filter panel: builds the links to remove active filters and to add suggested ones, the form with
// all filters of a list, the messages about ignored parameters, and the hints of an empty list. A
// chip is one such link, drawn as a rounded label. A flag is a filter that is on or off, such as
// `free=1`.
import { findSpellings } from '../snapshot/find-events.ts';
import type { DayRange } from '../domain/local-time.ts';
import { FAMILY_CATEGORY } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { DATE_KEYWORDS } from '../domain/query/date-range.ts';
import type { HourKeyword } from '../domain/query/day-words.ts';
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
  countWithoutSeasons,
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

/** A link to a list with one more filter. */
interface Chip {
  readonly label: string;
  readonly path: string;
  /** Number of events (of venues, in the directory) with the filter. */
  readonly count: number;
}

/** A suggested filter. `is_wide`: shown on wide screens only, because phones have no room. */
interface FilterSuggestion extends Chip {
  readonly is_wide: boolean;
}

/** A link from an empty list to one with fewer filters or other days. */
interface BroaderList extends Chip {
  /** Number of events; null if the label contains it. */
  readonly count_text: string | null;
}

/** An active filter, with the link and the query without it. */
interface ActiveFilter {
  readonly label: string;
  readonly path: string;
  readonly texts: ParameterValues;
}

/** The form with all filters of a list. */
export interface FilterFormView {
  readonly path: string;
  /** Parameters without a control in the form, sent along. */
  readonly hidden_fields: readonly { readonly name: string; readonly value: string }[];
  readonly selects: readonly SelectField[];
  readonly checkboxes: readonly CheckboxField[];
}

/** Filters that a visitor can remove, add or choose in the form. */
interface FilterChoices {
  readonly active: readonly ActiveFilter[];
  readonly suggestions: readonly FilterSuggestion[];
  readonly form: FilterFormView;
}

export interface FilterPanel extends FilterChoices {
  /** Messages about ignored parameters. */
  readonly ignored: readonly string[];
  /** Spelling corrections and caveats of a search around a point. */
  readonly remarks: readonly string[];
  /** Links with fewer filters or other days; empty unless the list is empty. */
  readonly broader_lists: readonly BroaderList[];
  /** Matches on other days, partial matches and past events; empty unless the list is empty. */
  readonly empty_result: readonly EmptyResultSection[];
}

/** A list of events or venues with filters. */
interface FilterableList {
  readonly snapshot: Snapshot;
  readonly lang: Lang;
  readonly path: string;
  /** The normalized query. */
  readonly texts: ParameterValues;
  readonly filter: EventFilter;
  /** Its parameters, in order. */
  readonly parameter_names: readonly string[];
  /** Parameters with their own control on the page. */
  readonly own_fields: readonly string[];
  /**
   * Set for venues: no category is suggested, because the category filter applies to their events.
   */
  readonly is_directory?: true;
}

/** A list of events with filters: an agenda page or the search. */
interface FilterableEventList extends Omit<FilterableList, 'parameter_names' | 'own_fields'> {
  readonly now_ms: number;
  /** The days of an agenda page, with their API parameters; null for the search. */
  readonly fixed_days: { readonly range: DayRange; readonly params: ParameterValues } | null;
  /** Paths that the page links to already; they are not suggested. */
  readonly linked_paths?: readonly string[];
  readonly ignored: readonly IgnoredParameter[];
}

/**
 * Builds the filter panel of an event list.
 * @param total Number of events in the list.
 * @param has_related Whether the search words match records other than events.
 */
export function buildFilterPanel(
  page: FilterableEventList,
  total: number,
  has_related: boolean,
): FilterPanel {
  const { snapshot, filter, lang, fixed_days } = page;
  // The search has fields for words and days; agenda pages have fixed days.
  const own_fields = fixed_days === null ? ['q', ...Object.keys(NO_DAYS)] : [];
  const list = { ...page, parameter_names: LIST_PARAMETER_NAMES, own_fields };
  const { range } = filter;
  const choices = buildFilterChoices(list, countChoices(snapshot, filter), total, {
    active:
      hasDays(page) && range ? [{ label: formatDaysLabel(page, range), changes: NO_DAYS }] : [],
    outer_chips: buildHourChips(page, total),
    linked_paths: page.linked_paths ?? [],
  });
  const { active } = choices;
  return {
    ...choices,
    ignored: page.ignored.map(({ reason, ...parts }) =>
      t(lang, `filters.ignored.${reason}`, { ...parts, ...LIMIT_PLACEHOLDERS }),
    ),
    remarks: [
      ...formatSpellingCorrections(findSpellings(snapshot, filter), lang),
      ...formatNearCaveats(findNearCaveats(snapshot, filter), lang),
    ],
    broader_lists: total > 0 ? [] : listBroaderLists(page, active, has_related),
    empty_result: total > 0 || active.length === 0 ? [] : buildEmptyResult(page, has_related),
  };
}

/**
 * Builds the empty-result hints, without partial matches if the words match a venue, a notice or an
 * organizer.
 */
function buildEmptyResult({ snapshot, filter, lang }: FilterableEventList, has_related: boolean) {
  const hints = findEmptyResultHints(snapshot, filter, lang);
  // `nearly`: partial matches. Past events can be partial matches too.
  const isPartialMatch = ({ kind }: EmptyResultSection): boolean =>
    kind === 'nearly' || (kind === 'past' && hints.is_past_partial);
  return formatEmptyResult(hints, lang).filter(
    (section) => !has_related || !isPartialMatch(section),
  );
}

/**
 * Renders the active filters, the remarks and the empty-result hints.
 * @param related Rendered related results, placed before the hints.
 */
export function renderFilterPanel(
  active_filters: readonly string[],
  { remarks, broader_lists, empty_result }: FilterPanel,
  { lang, site }: PageMeta,
  related: MarkdownBlock = null,
): MarkdownBlock {
  const links = broader_lists.map(({ label, path, count_text }) =>
    linkItem(absoluteUrl(site.url, path), label, ...(count_text === null ? [] : [count_text])),
  );
  return [
    active_filters.length > 0 &&
      paragraph(labeled(t(lang, 'filters.on'), active_filters.join(', '))),
    remarks,
    related,
    renderEmptyResult(empty_result, lang, site),
    links.length > 0 && [
      t(lang, 'nothing.title', { title: t(lang, 'filters.ways_out') }),
      list(links),
    ],
  ];
}

/** Parameters to set; null removes a parameter. */
type ParameterChanges = Readonly<Record<string, string | null>>;

/** Returns the changed query, for the first page of results. */
const changeQuery = (
  {
    texts,
    parameter_names = LIST_PARAMETER_NAMES,
  }: Pick<FilterableList, 'texts'> & Partial<FilterableList>,
  changes: ParameterChanges,
): ParameterValues => sortParameters({ ...texts, ...changes, cursor: null }, parameter_names);

/** Changes that remove the days of a query. */
const NO_DAYS = { date: null, from: null, to: null } as const;
/** Returns whether a query has days. */
const hasDays = ({ texts: { date, from, to } }: FilterableEventList): boolean =>
  (date ?? from ?? to) !== undefined;

/** Active filters and suggestions of one kind of list only. */
interface SpecificChoices {
  readonly active: readonly { readonly label: string; readonly changes: ParameterChanges }[];
  /** One suggestion before and one after the common ones; undefined if there is none. */
  readonly outer_chips: readonly [Chip | undefined, Chip | undefined];
  readonly linked_paths?: readonly string[];
}

/**
 * Builds the active filters, the suggestions and the form of a list.
 * @param counts Number of records with each filter added.
 * @param total Number of records in the list.
 */
export function buildFilterChoices(
  list: FilterableList,
  counts: EventCounts,
  total: number,
  specific: SpecificChoices,
): FilterChoices {
  const active = listActiveFilters(list, specific);
  const [first_chip, last_chip] = specific.outer_chips;
  const chips = [first_chip, ...suggestFilters(list, counts, total), last_chip]
    .filter((chip) => chip !== undefined)
    .filter(({ path }) => !specific.linked_paths?.includes(path));
  return {
    active,
    suggestions: selectFittingChips(active, chips, list.lang),
    form: buildForm(list, counts),
  };
}

/**
 * Filters with a text of their own: its formatted form is the label of the link that removes it.
 */
const TEXT_FILTERS = [
  'q',
  'updated_since',
  'status',
  'price_max',
  'venue',
  'organizer',
  'ids',
] as const;

/** Lists the active filters, with each category and zone by itself. */
function listActiveFilters(
  list: FilterableList,
  specific: SpecificChoices,
): readonly ActiveFilter[] {
  const { snapshot, filter, texts, lang, path } = list;
  const { taxonomy } = snapshot;
  const buildActiveFilter = (label: string, changes: ParameterChanges): ActiveFilter => {
    const remaining_texts = changeQuery(list, changes);
    return {
      label: capitalize(label),
      path: withQuery(path, remaining_texts),
      texts: remaining_texts,
    };
  };
  const taxa = TAXON_FILTERS.flatMap(({ name, list: taxon_list }) => {
    const selected = taxonomy[taxon_list].filter(({ key }) => filter[taxon_list]?.includes(key));
    return selected.map((taxon) => {
      const others = selected.filter((other) => other !== taxon);
      return buildActiveFilter(taxon.name[lang], {
        [name]: others.map(({ slug }) => slug[lang]).join(','),
      });
    });
  });
  const { near } = filter;
  return [
    ...specific.active.map(({ label, changes }) => buildActiveFilter(label, changes)),
    ...FLAG_FILTERS.filter(({ name }) => filter[name]).map(({ name }) =>
      buildActiveFilter(t(lang, `ics.filter.${name}`), { [name]: null }),
    ),
    ...taxa,
    ...(near === null
      ? []
      : [
          buildActiveFilter(t(lang, 'filters.near', { radius: near.radius_km }), {
            near: null,
            radius_km: null,
          }),
        ]),
    ...TEXT_FILTERS.flatMap((name) =>
      formatFilter(name, filter, { params: texts, taxonomy, lang }).map((label) =>
        buildActiveFilter(label, { [name]: null }),
      ),
    ),
  ];
}

/** Formats the days of a query: `Esta noche` for a keyword, otherwise the dates. */
function formatDaysLabel({ texts, lang }: FilterableEventList, range: DayRange): string {
  const keyword = DATE_KEYWORDS.find((known) => known === texts.date);
  return keyword === undefined ? formatShortRange(range, lang) : t(lang, `ics.filter.${keyword}`);
}

const MAX_SUGGESTED_ZONES = 2;
const MAX_SUGGESTED_CATEGORIES = 5;

/**
 * Suggests filters for a list: the flags, then the zones and categories with the most events. Skips
 * filters that would match nothing or everything.
 */
function suggestFilters(
  list: FilterableList,
  { with_flag, by_key }: EventCounts,
  total: number,
): readonly Chip[] {
  const { filter, lang } = list;
  const { taxonomy } = list.snapshot;
  const buildChip = (label: string, changes: ParameterChanges, count: number): Chip => ({
    label: capitalize(label),
    path: withQuery(list.path, changeQuery(list, changes)),
    count,
  });
  const isUseful = ({ count }: Chip): boolean => count > 0 && count < total;
  const flags = FLAG_FILTERS.filter(({ name }) => !filter[name])
    .map(({ name }) =>
      buildChip(t(lang, `ics.filter.${name}`), { [name]: '1' }, with_flag.get(name) ?? 0),
    )
    .filter(isUseful);
  const takesFilter = (taxon_list: 'categories' | 'zones'): boolean =>
    filter[taxon_list] === null && !(list.is_directory && taxon_list === 'categories');
  const [categories = [], zones = []] = TAXON_FILTERS.map(({ name, list: taxon_list }) =>
    (takesFilter(taxon_list) ? taxonomy[taxon_list] : [])
      // The family flag finds the same events as this category.
      .filter(({ key }) => key !== FAMILY_CATEGORY)
      .map((taxon) =>
        buildChip(
          taxon.name[lang],
          { [name]: taxon.slug[lang] },
          by_key.get(name)?.get(taxon.key) ?? 0,
        ),
      )
      .filter(isUseful)
      .sort((a, b) => b.count - a.count),
  );
  // Zones and categories take turns.
  const taxa = Array.from({ length: MAX_SUGGESTED_CATEGORIES }, (_, index) => [
    zones.slice(0, MAX_SUGGESTED_ZONES)[index],
    categories[index],
  ]);
  return [...flags, ...taxa.flat().filter((chip) => chip !== undefined)];
}

// Chip widths are estimated in letters, of the widest common font.
/** Padding and gap of a chip, in letters. */
const CHIP_PADDING = 3.3;
/**
 * Letters in a line of the narrowest phone, and of the narrowest screen that shows all chips
 * (styles/chips.css).
 */
const LINE_WIDTHS = { phone: 39, wide: 83 } as const;

/**
 * Selects the chips that fit in two lines, after the active filters and before the link to all
 * filters.
 */
function selectFittingChips(
  active: readonly ActiveFilter[],
  chips: readonly Chip[],
  lang: Lang,
): readonly FilterSuggestion[] {
  const phone = fitChips(active, chips, LINE_WIDTHS.phone, lang);
  const wide = fitChips(active, chips, LINE_WIDTHS.wide, lang).filter(
    (chip) => !phone.includes(chip),
  );
  return [
    ...phone.map((chip) => ({ ...chip, is_wide: false })),
    ...wide.map((chip) => ({ ...chip, is_wide: true })),
  ];
}

/**
 * Returns the chips that fit, in the order of their lines: each goes to the first line if it fits
 * there, else to the second, else it is left out. The second line ends with the link to all
 * filters.
 */
function fitChips(
  active: readonly ActiveFilter[],
  chips: readonly Chip[],
  line_width: number,
  lang: Lang,
): readonly Chip[] {
  const estimateWidth = (text: string): number => text.length + CHIP_PADDING;
  let [first_room, second_room] = [
    line_width,
    line_width - estimateWidth(`${t(lang, 'filters.label')} +`),
  ];
  for (const { label } of active) {
    const width = estimateWidth(`${label} × `);
    // Active filters keep their order: one that does not fit in the first line leaves its end
    // empty.
    if (width > first_room) [first_room, second_room] = [0, second_room - width];
    else first_room -= width;
  }
  const first_line: Chip[] = [];
  const second_line: Chip[] = [];
  for (const chip of chips) {
    const width = estimateWidth(`${chip.label} ${chip.count}`);
    if (width <= first_room) {
      first_room -= width;
      first_line.push(chip);
    } else if (width <= second_room) {
      second_room -= width;
      second_line.push(chip);
    }
  }
  return [...first_line, ...second_line];
}

/**
 * Builds the form with the menus and checkboxes; parameters without a control become hidden fields.
 */
function buildForm(
  { snapshot, path, texts, lang, own_fields }: FilterableList,
  { by_key }: EventCounts,
): FilterFormView {
  const visible_fields: readonly string[] = [...SUBSCRIBABLE_FILTER_NAMES, ...own_fields];
  return {
    path,
    hidden_fields: Object.entries(texts)
      .filter(([name]) => !visible_fields.includes(name))
      .map(([name, value]) => ({ name, value })),
    selects: buildTaxonSelects(texts, snapshot.taxonomy, lang, by_key),
    checkboxes: buildFilterCheckboxes(texts, lang),
  };
}

/** Counts the events of a normalized query, within `range` if the page has fixed days. */
function countMatches(
  { snapshot, now_ms }: FilterableEventList,
  texts: ParameterValues,
  range: DayRange | null,
) {
  const { filter } = parseEventQuery(texts, snapshot, now_ms, 'list');
  return countWithoutSeasons(snapshot, range === null ? filter : { ...filter, range });
}

/**
 * Suggests tonight and now on today's page and on a search without days. After midnight, tonight
 * mostly belongs to the day before: it is not suggested if it has more events than today.
 */
function buildHourChips(page: FilterableEventList, total: number): SpecificChoices['outer_chips'] {
  const { fixed_days, lang } = page;
  const takes_hours = fixed_days === null ? !hasDays(page) : fixed_days.params.date === 'today';
  if (!takes_hours) return [undefined, undefined];
  const buildChip = (keyword: HourKeyword): Chip | undefined => {
    const texts = changeQuery(page, { date: keyword });
    const count = countMatches(page, texts, null);
    const is_within_list = fixed_days === null || keyword === 'now' || count <= total;
    if (count === 0 || !is_within_list) return undefined;
    const label = capitalize(t(lang, `ics.filter.${keyword}`));
    return { label, path: withQuery(pagePath('search', lang), texts), count };
  };
  return [buildChip('tonight'), buildChip('now')];
}

/**
 * Lists the broader lists that are not empty: with one filter removed, if there are several; with
 * all filters removed; and with the filters but any day. If the search words match a venue, a
 * notice or an organizer, lists without the words are skipped.
 */
function listBroaderLists(
  page: FilterableEventList,
  active: readonly ActiveFilter[],
  has_related: boolean,
): readonly BroaderList[] {
  const { lang, path, fixed_days, texts } = page;
  const range = fixed_days?.range ?? null;
  const buildBroaderList = (
    label: string,
    list_path: string,
    params: ParameterValues,
    within: DayRange | null,
  ): BroaderList => {
    const count = countMatches(page, params, within);
    const count_text = tPlural(lang, 'events.count', count);
    return { label, path: withQuery(list_path, params), count, count_text };
  };
  const lists_without_one = active.map((filter) => ({
    ...buildBroaderList(
      t(lang, 'filters.remove', { filter: filter.label }),
      path,
      filter.texts,
      range,
    ),
    has_search_words: filter.texts.q !== undefined,
  }));
  const { date = null, from = null, to = null } = fixed_days === null ? texts : {};
  const unfiltered = buildBroaderList('', path, sortParameters({ date, from, to }), range);
  const lists: BroaderList[] =
    active.length > 1
      ? lists_without_one.filter(({ has_search_words }) => has_search_words || !has_related)
      : [];
  if (active.length > 0 && !has_related)
    lists.push({
      ...unfiltered,
      label: tPlural(lang, 'filters.all', unfiltered.count),
      count_text: null,
    });
  if (fixed_days !== null && active.length > 0)
    lists.push(
      buildBroaderList(
        t(lang, 'filters.any_day'),
        pagePath('search', lang),
        changeQuery(page, NO_DAYS),
        null,
      ),
    );
  return lists.filter(({ count }) => count > 0);
}
