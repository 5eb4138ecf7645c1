// A query for events read into plain values, once for JSON, calendars, pages and MCP (contract 1.2, 7,
// 8): the filters, where a list goes on, the lenient reading of pages, one spelling of each query.
import * as v from 'valibot';
import { type DayRange, floorToMinute } from '../cancun-time.ts';
import type { Near } from '../distance.ts';
import {
  EVENT_STATUSES,
  type EventRecord,
  type EventStatus,
  FAMILY_CATEGORY,
  isFamily,
} from '../event/event.ts';
import { toPaidRange } from '../opening-hours.ts';
import type { Lang } from '../lang.ts';
import { findTaxon, type TaxonRecord, type Taxonomy } from '../taxon.ts';
import type { VenueRecord } from '../venue.ts';
import { type HourSpan, readRange, readTimestamp, resolveHourWord, toFeedRange } from './days.ts';
import {
  LIMITS,
  type ListParameterName,
  LIST_PARAMETER_NAMES,
  type ParameterTexts,
  RADIUS_KM,
} from './parameters.ts';
import {
  FOREIGN_CURSOR,
  formatParts,
  parseParts,
  readChoice,
  readFlag,
  readLang,
  readLimit,
  readNear,
  readPriceMax,
  readTaxa,
  readThing,
  readWords,
  refuse,
  splitList,
  type Thing,
  type Town,
} from './values.ts';

/** What leaves events out: null and false leave nothing out. */
interface Asked {
  /** Inclusive days; null is upcoming from now. */
  readonly range: DayRange | null;
  /** Where a word for hours is asked for; `range` is then only the days that they touch. */
  readonly hours: HourSpan | null;
  /** Keys, sorted. */
  readonly categories: readonly string[] | null;
  readonly zones: readonly string[] | null;
  readonly free: boolean;
  readonly family: boolean;
  readonly indoor: boolean;
  readonly near: Near | null;
  /** Folded words, all of which must match. */
  readonly words: readonly string[] | null;
  /** A timestamp: changed then or later (contract 7.27). */
  readonly updated_since: string | null;
  readonly status: EventStatus | null;
  readonly price_max: number | null;
  readonly venue: Thing | null;
  readonly organizer: Thing | null;
}

export const ALL_OFF: Asked = {
  range: null,
  hours: null,
  categories: null,
  zones: null,
  free: false,
  family: false,
  indoor: false,
  near: null,
  words: null,
  updated_since: null,
  status: null,
  price_max: null,
  venue: null,
  organizer: null,
};

export interface EventFilter extends Asked {
  readonly limit: number;
  /** The instant of the query, epoch ms of a whole minute. */
  readonly now_ms: number;
  readonly after: Cursor | null;
}

/** The filter that asks for everything upcoming. */
export const toOpenFilter = (now_ms: number, limit: number): EventFilter => ({
  ...ALL_OFF,
  limit,
  now_ms,
  after: null,
});

/** By keys of a list of taxa, which taxonomy and filter call alike: pages have a menu of each. */
export const TAXON_FILTERS = [
  { name: 'category', list: 'categories' },
  { name: 'zone', list: 'zones' },
] as const;

/** On or off: of events, and of places that are open by themselves; pages have a box to tick. */
interface FlagFilter {
  readonly name: 'free' | 'family' | 'indoor';
  readonly has: (event: FilteredEvent) => boolean;
  readonly hasPlace: (venue: Pick<VenueRecord, 'admission' | 'family' | 'indoor'>) => boolean;
}
export type FilteredEvent = Pick<EventRecord, 'category' | 'zone' | 'tags' | 'price' | 'indoor'>;

export const FLAG_FILTERS = [
  {
    // An unknown price is not free (contract 7.1).
    name: 'free',
    has: (event) => event.price.is_free,
    hasPlace: ({ admission }) => toPaidRange(admission)?.is_free === true,
  },
  { name: 'family', has: isFamily, hasPlace: ({ family }) => family === true },
  {
    name: 'indoor',
    has: (event) => event.indoor === true,
    hasPlace: ({ indoor }) => indoor === true,
  },
] as const satisfies readonly FlagFilter[];

/** The filters that a person may choose on a page that makes a feed or a frame. */
export const CHOICE_NAMES = [...TAXON_FILTERS, ...FLAG_FILTERS].map(({ name }) => name);

/** All that leave events out by what they are, with what each sets. */
export const EVENT_FILTERS = [
  { name: 'category', sets: 'categories' },
  { name: 'zone', sets: 'zones' },
  { name: 'free', sets: 'free' },
  { name: 'family', sets: 'family' },
  { name: 'indoor', sets: 'indoor' },
  { name: 'near', sets: 'near' },
  { name: 'q', sets: 'words' },
  { name: 'updated_since', sets: 'updated_since' },
  { name: 'status', sets: 'status' },
  { name: 'price_max', sets: 'price_max' },
  { name: 'venue', sets: 'venue' },
  { name: 'organizer', sets: 'organizer' },
] as const satisfies readonly { readonly name: ListParameterName; readonly sets: keyof Asked }[];
type EventFilterRow = (typeof EVENT_FILTERS)[number];
export type FilterName = EventFilterRow['name'];

export const isOn = (filter: Asked, { sets }: EventFilterRow): boolean =>
  filter[sets] !== ALL_OFF[sets];

/** Whether anything but a zone is asked for. */
export const isNarrowed = (filter: Asked): boolean =>
  EVENT_FILTERS.some((one) => one.name !== 'zone' && isOn(filter, one));

/** Whether a filter asks for what only events have, and no place that is open (contract 4.14). */
export const asksOfEvents = ({ categories, near, words, updated_since }: Asked): boolean =>
  [categories, near, words, updated_since].some((asked) => asked !== null);

/** Whether somebody gets in for so many pesos; never where the price is unknown or in other money. */
export const isWithinPrice = (
  { is_free, min, max, currency }: EventRecord['price'],
  price_max: number,
): boolean =>
  is_free || (currency === 'MXN' && (min ?? max ?? Number.POSITIVE_INFINITY) <= price_max);

/** What the page of a category lists: families ask for plans. `slug` is its name in an address. */
export const toListedCategory = (
  key: string,
  slug: string,
): { readonly filter: Partial<EventFilter>; readonly texts: ParameterTexts } =>
  key === FAMILY_CATEGORY
    ? { filter: { family: true }, texts: { family: '1' } }
    : { filter: { categories: [key] }, texts: { category: slug } };

/** Where a page of a list ended; the next one goes on after it (contract 7.20). */
export interface Cursor {
  /** The `now` of the first page, epoch ms of a whole minute, so that pages agree. */
  readonly now_ms: number;
  /** Start of the last item's next occurrence, epoch ms. */
  readonly start_ms: number;
  /** The last item's event id. */
  readonly id: string;
}

const MINUTE_MS = 60_000;
/** How long a cursor is good for: whoever takes longer between two pages begins again. */
const LIFETIME_MS = 86_400_000;

const Minutes = v.pipe(v.number(), v.safeInteger());
const CursorParts = v.strictTuple([
  Minutes,
  Minutes,
  v.pipe(v.string(), v.regex(/^ev_[a-z0-9]{1,40}$/)),
]);

export const formatCursor = ({ now_ms, start_ms, id }: Cursor): string =>
  formatParts([now_ms / MINUTE_MS, start_ms / MINUTE_MS, id]);

function readCursor(text: string | undefined, now_ms: number, issues: string[]): Cursor | null {
  if (text === undefined) return null;
  const parts = parseParts(CursorParts, text);
  const [minute, start, id] = parts ?? [0, 0, ''];
  const cursor = { now_ms: minute * MINUTE_MS, start_ms: start * MINUTE_MS, id };
  if (parts && cursor.now_ms <= now_ms && cursor.now_ms > now_ms - LIFETIME_MS) return cursor;
  issues.push(
    parts ? 'cursor: has run out after a day. Leave it out to begin anew' : FOREIGN_CURSOR,
  );
  return null;
}

/** A filter of plain values and the language to respond in. */
interface EventQuery {
  readonly filter: EventFilter;
  readonly lang: Lang;
}

function readEventQuery(
  params: ParameterTexts,
  town: Town,
  asked_ms: number,
  kind: 'list' | 'feed',
  issues: string[],
): EventQuery {
  const minute = floorToMinute(asked_ms);
  const cursor_issues: string[] = [];
  const after = readCursor(params.cursor, minute, cursor_issues);
  // Later pages are read at the moment of the first, so that `today` stays the same day over
  // midnight.
  const now_ms = after?.now_ms ?? minute;
  const lang = readLang(params, issues);
  const range = readRange(params, now_ms, issues);
  const { categories, zones } = town.taxonomy;
  const filter: EventFilter = {
    range: range ?? (kind === 'feed' ? toFeedRange(now_ms) : null),
    hours: resolveHourWord(params.date, now_ms),
    categories: readTaxa('category', params, categories, issues),
    zones: readTaxa('zone', params, zones, issues),
    free: readFlag('free', params, issues),
    family: readFlag('family', params, issues),
    indoor: readFlag('indoor', params, issues),
    near: readNear(params, issues),
    words: readWords(params, issues),
    updated_since: readTimestamp('updated_since', params, issues),
    status: readChoice('status', EVENT_STATUSES, params, issues),
    price_max: readPriceMax(params, issues),
    venue: readThing('venue', params, town, issues),
    organizer: readThing('organizer', params, town, issues),
    limit: readLimit(params, issues, LIMITS[kind]),
    now_ms,
    after,
  };
  issues.push(...cursor_issues);
  return { filter, lang };
}

/**
 * `params`: known names, each once, no empty values. `now_ms` decides today. Throws AppError
 * invalid_parameter that names every issue, those in `found` first.
 */
export function parseEventQuery(
  params: ParameterTexts,
  town: Town,
  now_ms: number,
  kind: 'list' | 'feed',
  found: readonly string[] = [],
): EventQuery {
  const issues = [...found];
  const query = readEventQuery(params, town, now_ms, kind, issues);
  refuse(issues);
  return query;
}

/** What was understood of a query, for pages: the API refuses what they leave out and tell (contract 7.22). */
export interface LenientQuery {
  readonly filter: EventFilter;
  /** The texts that the filter was read from. */
  readonly texts: ParameterTexts;
  /** Of which parameter, and as it was written. */
  readonly left_out: readonly { readonly name: ListParameterName; readonly value: string }[];
}

/** Never throws for what a query says. */
export function readLeniently(params: ParameterTexts, town: Town, now_ms: number): LenientQuery {
  const left_out: LenientQuery['left_out'][number][] = [];
  let texts: ParameterTexts = params;
  // One fault may hide another, and each round leaves out at least one word.
  for (;;) {
    const issues: string[] = [];
    const { filter } = readEventQuery(texts, town, now_ms, 'list', issues);
    if (issues.length === 0) return { filter, texts, left_out };
    const wrong = LIST_PARAMETER_NAMES.filter(
      (name) => texts[name] !== undefined && issues.some((one) => one.startsWith(`${name}: `)),
    );
    // An issue that names nothing that was given would be left out for ever.
    if (wrong.length === 0) refuse(issues);
    for (const name of wrong) {
      const { kept, value } = splitKnown(name, texts[name] ?? '', town.taxonomy);
      left_out.push({ name, value });
      const { [name]: _, ...rest } = texts;
      texts = kept === '' ? rest : { ...rest, [name]: kept };
    }
  }
}

/** Of several categories or zones those that are known are kept; of anything else nothing. */
function splitKnown(
  name: ListParameterName,
  text: string,
  taxonomy: Taxonomy,
): { readonly kept: string; readonly value: string } {
  const filter = TAXON_FILTERS.find((known) => known.name === name);
  if (filter === undefined) return { kept: '', value: text };
  const taxa = taxonomy[filter.list];
  const words = splitList(text);
  return {
    kept: words.filter((word) => findTaxon(taxa, word) !== null).join(','),
    value: words.filter((word) => findTaxon(taxa, word) === null).join(', '),
  };
}

const toSlugs = (
  keys: readonly string[] | null,
  taxa: readonly TaxonRecord[],
  lang: Lang,
): string | null =>
  keys &&
  taxa
    .filter(({ key }) => keys.includes(key))
    .map(({ slug }) => slug[lang])
    .join(',');

/** The filters that pages let people choose, as texts: slugs of one language, `1` for what is on. */
export function formatChoices(
  filter: EventFilter,
  taxonomy: Taxonomy,
  lang: Lang,
): Readonly<Record<string, string | null>> {
  const taxa = TAXON_FILTERS.map(
    ({ name, list }) => [name, toSlugs(filter[list], taxonomy[list], lang)] as const,
  );
  const flags = FLAG_FILTERS.map(({ name }) => [name, filter[name] ? '1' : null] as const);
  return Object.fromEntries([...taxa, ...flags]);
}

/**
 * The one spelling of a query, which pages link to and are stored under: nothing in it says what holds
 * anyway. `filter` is what was read from `texts`.
 */
export function formatQuery(
  filter: EventFilter,
  texts: ParameterTexts,
  taxonomy: Taxonomy,
  lang: Lang,
): ParameterTexts {
  const radius_km = filter.near?.radius_km ?? RADIUS_KM.fallback;
  return sortTexts({
    ...texts,
    ...formatChoices(filter, taxonomy, lang),
    radius_km: radius_km === RADIUS_KM.fallback ? null : String(radius_km),
    limit: filter.limit === LIMITS.list.fallback ? null : String(filter.limit),
    q: texts.q?.trim().replace(/\s+/g, ' ') ?? null,
    lang: null,
  });
}

/** Texts in the contract's order, those of no parameter and the empty ones left out. */
export const sortTexts = (texts: Readonly<Record<string, string | null>>): ParameterTexts =>
  Object.fromEntries(
    LIST_PARAMETER_NAMES.flatMap((name) => {
      const text = texts[name];
      return text ? [[name, text]] : [];
    }),
  );
