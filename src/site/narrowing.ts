// The links and sentences of a list that filters narrow: which are on and which would help, what was left out, and
// where there is something when there is nothing here.
import { findSpellings } from '../snapshot/find-events.ts';
import type { DayRange } from '../domain/cancun-time.ts';
import type { Lang } from '../domain/lang.ts';
import { DATE_WORDS, HOUR_WORDS } from '../domain/query/days.ts';
import {
  type EventFilter,
  FLAG_FILTERS,
  parseEventQuery,
  sortTexts,
  TAXON_FILTERS,
} from '../domain/query/event-query.ts';
import type { ParameterTexts } from '../domain/query/values.ts';
import { toShortDays } from '../i18n/dates.ts';
import { toAbsolute, toPagePath, withQuery } from '../i18n/paths.ts';
import {
  LIMIT_NUMBERS,
  listPhrases,
  type NothingSection,
  toNothingSections,
  toSpellingSentences,
  toUnplacedSentences,
} from '../i18n/query-words.ts';
import { capitalise, t, tCount } from '../i18n/translate.ts';
import { renderNothing } from '../serializers/markdown/entries.ts';
import { type Block, labelled, linkItem, list, paragraph } from '../serializers/markdown/nodes.ts';
import { countChoices, countEvents, readNearFacts } from '../snapshot/count-events.ts';
import { findNothing } from '../snapshot/list-facts.ts';
import type { Snapshot } from '../snapshot/open.ts';
import type { Ignored } from './page-query.ts';
import type { PageMeta } from './page.ts';

interface Chip {
  readonly label: string;
  readonly path: string;
  readonly count: number;
}

/** A filter that is on, with the query that leaves it out. */
interface OnFilter {
  readonly label: string;
  readonly path: string;
  readonly texts: ParameterTexts;
}

export interface Narrowing {
  readonly on: readonly OnFilter[];
  readonly more: readonly Chip[];
  /** The search form with the same question; null on the form's own page. */
  readonly form_path: string | null;
  readonly ignored: readonly string[];
  /** How a word was read, and what the filters cannot tell and leave out, in sentences. */
  readonly remarks: readonly string[];
  /** Only where nothing is found: what to take away, and what there would be then. */
  readonly ways_out: readonly Chip[];
  /** Only there too: what is on another day, what comes near it, what is over. */
  readonly nothing: readonly NothingSection[];
}

/** A list that can be narrowed: its page, its query in one spelling, and its filter. */
interface NarrowedPage {
  readonly snapshot: Snapshot;
  readonly lang: Lang;
  readonly path: string;
  readonly texts: ParameterTexts;
  readonly filter: EventFilter;
  readonly now_ms: number;
  /** Of a page whose days are fixed. */
  readonly days: { readonly range: DayRange; readonly asked: ParameterTexts } | null;
  readonly ignored: readonly Ignored[];
}

export function toNarrowing(page: NarrowedPage, found: number): Narrowing {
  const { snapshot, filter, lang, texts, days } = page;
  const on = listOn(page);
  return {
    on,
    more: [...listHours(page, found), ...listMore(page)],
    form_path:
      days && withQuery(toPagePath('search', lang), sortTexts({ ...texts, ...days.asked })),
    ignored: page.ignored.map(({ reason, ...parts }) =>
      t(lang, `filters.ignored.${reason}`, { ...parts, ...LIMIT_NUMBERS }),
    ),
    remarks: [
      ...toSpellingSentences(findSpellings(snapshot, filter), lang),
      ...toUnplacedSentences(readNearFacts(snapshot, filter), lang),
    ],
    ways_out: found > 0 ? [] : listWaysOut(page, on),
    nothing:
      found > 0 || on.length === 0
        ? []
        : toNothingSections(findNothing(snapshot, filter, lang), lang),
  };
}

/** Which filters are on, and where there is something when there is nothing here. */
export function renderNarrowing(
  words: readonly string[],
  { remarks, ways_out, nothing }: Narrowing,
  { lang, site }: PageMeta,
): Block {
  const ways = ways_out.map(({ label, path, count }) =>
    linkItem(toAbsolute(site.url, path), label, tCount(lang, 'events.count', count)),
  );
  return [
    words.length > 0 && paragraph(labelled(t(lang, 'filters.on'), words.join(', '))),
    remarks,
    ways.length > 0 && [t(lang, 'filters.ways_out'), list(ways)],
    renderNothing(nothing, lang, site),
  ];
}

/** Texts to set, and null for those to take away. */
type Change = Readonly<Record<string, string | null>>;

/** The query changed, from its first page on. */
const change = ({ texts }: NarrowedPage, changed: Change): ParameterTexts =>
  sortTexts({ ...texts, ...changed, cursor: null });

const NO_DAYS = { date: null, from: null, to: null } as const;
const hasDays = ({ texts: { date, from, to } }: NarrowedPage): boolean =>
  (date ?? from ?? to) !== undefined;

/** Those whose words are all that a link says of them. */
const WORDED = ['q', 'updated_since', 'status', 'price_max', 'venue', 'organizer'] as const;

/** Every filter that is on, each category and zone by itself. */
function listOn(page: NarrowedPage): readonly OnFilter[] {
  const { snapshot, filter, texts, lang, path } = page;
  const { taxonomy } = snapshot;
  const toOn = (label: string, changed: Change): OnFilter => {
    const left = change(page, changed);
    return { label: capitalise(label), path: withQuery(path, left), texts: left };
  };
  const taxa = TAXON_FILTERS.flatMap(({ name, list }) => {
    const wanted = taxonomy[list].filter(({ key }) => filter[list]?.includes(key));
    return wanted.map((taxon) => {
      const others = wanted.filter((other) => other !== taxon);
      return toOn(taxon.name[lang], { [name]: others.map(({ slug }) => slug[lang]).join(',') });
    });
  });
  const { range, near: around } = filter;
  return [
    ...(hasDays(page) && range !== null ? [toOn(toDaysLabel(page, range), NO_DAYS)] : []),
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
      listPhrases(name, filter, { params: texts, taxonomy, lang }).map((label) =>
        toOn(label, { [name]: null }),
      ),
    ),
  ];
}

/** `Esta noche` for a word, the days themselves for all else. */
function toDaysLabel({ texts, lang }: NarrowedPage, range: DayRange): string {
  const word = DATE_WORDS.find((known) => known === texts.date);
  return word === undefined ? toShortDays(range, lang) : t(lang, `ics.filter.${word}`);
}

/**
 * What the list can be narrowed by: what is free, for families, both, in one zone; nothing that
 * would be empty.
 */
function listMore(page: NarrowedPage): readonly Chip[] {
  const { snapshot, filter, lang } = page;
  const { with_flag, by_key } = countChoices(snapshot, filter);
  const toChip = (label: string, changed: Change, count: number): Chip => ({
    label: capitalise(label),
    path: withQuery(page.path, change(page, changed)),
    count,
  });
  const flags = FLAG_FILTERS.filter(({ name }) => !filter[name]).map(({ name }) =>
    toChip(t(lang, `ics.filter.${name}`), { [name]: '1' }, with_flag.get(name) ?? 0),
  );
  // One touch for what families ask for most; nothing where one of the two says it already.
  const both = toChip(
    t(lang, 'filters.free_family'),
    { free: '1', family: '1' },
    countEvents(snapshot, { ...filter, free: true, family: true }),
  );
  const is_less = (['free', 'family'] as const).every(
    (name) => !filter[name] && (with_flag.get(name) ?? 0) > both.count,
  );
  const zones = snapshot.taxonomy.zones
    .filter(({ key }) => !filter.zones?.includes(key))
    .map(({ key, name, slug }) =>
      toChip(name[lang], { zone: slug[lang] }, by_key.get('zone')?.get(key) ?? 0),
    )
    .sort((a, b) => b.count - a.count);
  return [...flags, ...(is_less ? [both] : []), ...zones].filter(({ count }) => count > 0);
}

/** How many events a query in our own spelling finds, on the days of the page where it has its own. */
function toWay(
  { snapshot, now_ms }: NarrowedPage,
  label: string,
  path: string,
  texts: ParameterTexts,
  range: DayRange | null,
): Chip {
  const { filter } = parseEventQuery(texts, snapshot, now_ms, 'list');
  const count = countEvents(snapshot, range === null ? filter : { ...filter, range });
  return { label, path: withQuery(path, texts), count };
}

/**
 * Now and tonight, from today's page, which has `found` events, and from a search that has no days yet.
 * After midnight tonight is mostly the day before: where it is more than the day it narrows nothing.
 */
function listHours(page: NarrowedPage, found: number): readonly Chip[] {
  const { days, lang } = page;
  if (days === null ? hasDays(page) : days.asked.date !== 'today') return [];
  return HOUR_WORDS.flatMap((word) => {
    const label = capitalise(t(lang, `ics.filter.${word}`));
    const way = toWay(page, label, toPagePath('search', lang), change(page, { date: word }), null);
    const is_less = days === null || word === 'now' || way.count <= found;
    return way.count > 0 && is_less ? [way] : [];
  });
}

/** Each filter taken away by itself, then all of them, then the days; what is empty too is left out. */
function listWaysOut(page: NarrowedPage, on: readonly OnFilter[]): readonly Chip[] {
  const { lang, path, days, texts } = page;
  const range = days?.range ?? null;
  const ways = on.map(({ label, texts: left }) =>
    toWay(page, t(lang, 'filters.without', { filter: label }), path, left, range),
  );
  const { date = null, from = null, to = null } = days === null ? texts : {};
  if (on.length > 1)
    ways.push(
      toWay(page, t(lang, 'filters.without_any'), path, sortTexts({ date, from, to }), range),
    );
  if (days !== null && on.length > 0) {
    const search = toPagePath('search', lang);
    ways.push(toWay(page, t(lang, 'filters.any_day'), search, change(page, NO_DAYS), null));
  }
  return ways.filter(({ count }) => count > 0);
}
