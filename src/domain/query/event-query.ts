// A query for events read into plain values, once for JSON, calendars, pages and MCP (contract 1.2, 7,
// 8): the filters, where a list goes on, the lenient reading of pages, one spelling of each query.
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import type { EventCard } from '../agenda.ts';
import { type DayRange, floorToMinute, isLater } from '../local-time.ts';
import { isWithinRadius } from '../distance.ts';
import { EVENT_STATUSES, type EventRecord, FAMILY_CATEGORY, isFamily } from '../event/event.ts';
import { isFreeForLocals, computePriceRange, type Visitor } from '../opening-hours.ts';
import type { Lang } from '../lang.ts';
import { findTaxon, type TaxonRecord, type Taxonomy } from '../taxon.ts';
import type { VenueRecord } from '../venue.ts';
import {
  type HourSpan,
  parseRange,
  resolveHourKeyword,
  defaultCalendarRange,
} from './date-range.ts';
import { RESULT_LIMITS, type ListParameterName, LIST_PARAMETER_NAMES } from './parameters.ts';
import {
  oneOfParser,
  EVENT_ID_PATTERN,
  FLAG_PARSER,
  INVALID_CURSOR_MESSAGE,
  encodeCursor,
  EVENT_IDS_PARSER,
  type ParameterParser,
  INSTANT_PARSER,
  NEAR_PARSER,
  type ParameterValues,
  decodeCursor,
  PRICE_PARSER,
  RADIUS_LIMITS_KM,
  type ParseInput,
  parseLangParameter,
  parseOrThrow,
  throwIfIssues,
  splitList,
  taxaParser,
  recordParser,
  type QueryLookups,
  limitParser,
  SEARCH_WORDS_PARSER,
} from './parameter-parsers.ts';

/** By keys of a list of taxa, which taxonomy and filter call alike: pages have a menu of each. */
export const TAXON_FILTERS = [
  { name: 'category', list: 'categories' },
  { name: 'zone', list: 'zones' },
] as const;

/** On or off: of events, and of places that are open by themselves; pages have a box to tick. */
const flag = <N extends string>(
  name: N,
  has: (event: FilterableEvent) => boolean,
  hasPlace: (
    venue: Pick<VenueRecord, 'admission' | 'family' | 'indoor'>,
    /** Who gets in free on the day that is asked for. */
    free_for: readonly Visitor[],
  ) => boolean,
) => ({ name, has, hasPlace });
export type FilterableEvent = Pick<EventRecord, 'category' | 'zone' | 'tags' | 'price' | 'indoor'>;

// An unknown price is not free (contract 7.1).
const isFree = ({ price: { visitors, is_free } }: Pick<EventRecord, 'price'>): boolean =>
  isFreeForLocals(visitors, is_free);
const FREE = flag('free', isFree, ({ admission }, free_for) =>
  isFreeForLocals(admission, computePriceRange(admission)?.is_free === true, free_for),
);
const FAMILY = flag('family', isFamily, ({ family }) => family === true);
const INDOOR = flag(
  'indoor',
  ({ indoor }) => indoor === true,
  ({ indoor }) => indoor === true,
);
export const FLAG_FILTERS = [FREE, FAMILY, INDOOR] as const;

/** The filters that a person may choose on a page that makes a feed or a frame. */
export const SUBSCRIBABLE_FILTER_NAMES = [...TAXON_FILTERS, ...FLAG_FILTERS].map(
  ({ name }) => name,
);

type Card = Pick<EventCard, 'event' | 'venue'>;

/**
 * A parameter that leaves events out by what they are: what it sets, how it is read, and which events pass
 * where it is on. Null and false are off.
 */
const filterBy = <N extends ListParameterName, S extends string, T>(
  name: N,
  sets: S,
  { read }: ParameterParser<T, ParseInput>,
  passes: (card: Card, value: NonNullable<T>) => boolean,
) => ({
  name,
  sets,
  read: (reading: ParseInput) => read(reading, name),
  isOn: ({ [sets]: value }: Readonly<Record<S, T>>): boolean => value !== null && value !== false,
  passes: (card: Card, { [sets]: value }: Readonly<Record<S, T>>): boolean =>
    value === null || value === undefined || passes(card, value),
});

const flagBy = <N extends ListParameterName>({ name, has }: ReturnType<typeof flag<N>>) =>
  filterBy(name, name, FLAG_PARSER, ({ event }) => has(event));

/** Whether somebody gets in for so much; never where the price is unknown or in other money. */
const isWithinPrice = (event: Pick<EventRecord, 'price'>, price_max: number): boolean => {
  const { min, max, currency } = event.price;
  return (
    isFree(event) ||
    (currency === TOWN.currency.code && (min ?? max ?? Number.POSITIVE_INFINITY) <= price_max)
  );
};

export const EVENT_FILTERS = [
  filterBy('category', 'categories', taxaParser('categories'), ({ event: { category } }, keys) =>
    keys.includes(category ?? ''),
  ),
  filterBy('zone', 'zones', taxaParser('zones'), ({ event: { zone } }, keys) =>
    keys.includes(zone ?? ''),
  ),
  flagBy(FREE),
  flagBy(FAMILY),
  flagBy(INDOOR),
  filterBy('near', 'near', NEAR_PARSER, ({ venue }, near) => isWithinRadius(near, venue)),
  // Folded words, all of which must match: found by an index, not by the card.
  filterBy('q', 'words', SEARCH_WORDS_PARSER, () => true),
  // Changed then or later (contract 7.27).
  filterBy(
    'updated_since',
    'updated_since',
    INSTANT_PARSER,
    ({ event }, since) => !isLater(since, event.updated_at),
  ),
  filterBy(
    'status',
    'status',
    oneOfParser(EVENT_STATUSES),
    ({ event }, one) => event.status === one,
  ),
  filterBy('price_max', 'price_max', PRICE_PARSER, ({ event }, max) => isWithinPrice(event, max)),
  filterBy('venue', 'venue', recordParser('venue'), ({ event }, { id }) => event.venue === id),
  filterBy(
    'organizer',
    'organizer',
    recordParser('organizer'),
    ({ event }, { id }) => event.organizer === id,
  ),
  filterBy('ids', 'ids', EVENT_IDS_PARSER, ({ event }, ids) => ids.includes(event.id)),
] as const;
type Row = (typeof EVENT_FILTERS)[number];
export type FilterName = Row['name'];

type EventCriteria = { readonly [R in Row as R['sets']]: ReturnType<R['read']> };

export interface EventFilter extends EventCriteria {
  /** Inclusive days; null is upcoming from now. */
  readonly range: DayRange | null;
  /** Where a word for hours is asked for; `range` is then only the days that they touch. */
  readonly hours: HourSpan | null;
  readonly limit: number;
  /** The instant of the query, epoch ms of a whole minute. */
  readonly now_ms: number;
  readonly after: EventCursor | null;
}

function readAsked(reading: ParseInput): EventCriteria;
function readAsked(reading: ParseInput): object {
  return Object.fromEntries(EVENT_FILTERS.map(({ sets, read }) => [sets, read(reading)]));
}

const NO_TOWN: QueryLookups = {
  taxonomy: { categories: [], zones: [] },
  venues: new Map(),
  organizers: new Map(),
  findId: () => null,
};
export const NO_FILTERS = readAsked({ texts: {}, issues: [], town: NO_TOWN });

export const unfilteredEventFilter = (now_ms: number, limit: number): EventFilter => ({
  ...NO_FILTERS,
  range: null,
  hours: null,
  limit,
  now_ms,
  after: null,
});

/** Whether anything but a zone is asked for. */
export const hasNonZoneFilter = (filter: EventCriteria): boolean =>
  EVENT_FILTERS.some(({ name, isOn }) => name !== 'zone' && isOn(filter));

/** Whether a filter asks for what only events have, and no place that is open (contract 4.14). */
export const hasEventOnlyFilter = ({
  categories,
  near,
  words,
  updated_since,
  ids,
}: EventCriteria): boolean =>
  [categories, near, words, updated_since, ids].some((asked) => asked !== null);

/** What the page of a category lists: families ask for plans. `slug` is its name in an address. */
export const categoryPageFilter = (
  key: string,
  slug: string,
): { readonly filter: Partial<EventFilter>; readonly texts: ParameterValues } =>
  key === FAMILY_CATEGORY
    ? { filter: { family: true }, texts: { family: '1' } }
    : { filter: { categories: [key] }, texts: { category: slug } };

/** Where a page of a list ended; the next one goes on after it (contract 7.20). */
export interface EventCursor {
  /** The `now` of the first page, epoch ms of a whole minute, so that pages agree. */
  readonly now_ms: number;
  /** Start of the last item's next occurrence, epoch ms. */
  readonly start_ms: number;
  readonly id: string;
}

const MINUTE_MS = 60_000;
/** How long a cursor is good for: whoever takes longer between two pages begins again. */
const LIFETIME_MS = 86_400_000;

const Minutes = v.pipe(v.number(), v.safeInteger());
const CursorParts = v.strictTuple([
  Minutes,
  Minutes,
  v.pipe(v.string(), v.regex(EVENT_ID_PATTERN)),
]);

export const encodeEventCursor = ({ now_ms, start_ms, id }: EventCursor): string =>
  encodeCursor([now_ms / MINUTE_MS, start_ms / MINUTE_MS, id]);

function readCursor(
  text: string | undefined,
  now_ms: number,
  issues: string[],
): EventCursor | null {
  if (text === undefined) return null;
  const parts = decodeCursor(CursorParts, text);
  const [minute, start, id] = parts ?? [0, 0, ''];
  const cursor = { now_ms: minute * MINUTE_MS, start_ms: start * MINUTE_MS, id };
  if (parts && cursor.now_ms <= now_ms && cursor.now_ms > now_ms - LIFETIME_MS) return cursor;
  issues.push(
    parts ? 'cursor: has run out after a day. Leave it out to begin anew' : INVALID_CURSOR_MESSAGE,
  );
  return null;
}

/** A filter of plain values and the language to respond in. */
interface EventQuery {
  readonly filter: EventFilter;
  readonly lang: Lang;
}

function readEventQuery(
  texts: ParameterValues,
  town: QueryLookups,
  asked_ms: number,
  kind: 'list' | 'feed',
  issues: string[],
): EventQuery {
  const minute = floorToMinute(asked_ms);
  const cursor_issues: string[] = [];
  const after = readCursor(texts.cursor, minute, cursor_issues);
  // Later pages are read at the moment of the first, so that `today` stays the same day over midnight.
  const now_ms = after?.now_ms ?? minute;
  const lang = parseLangParameter(texts, issues);
  const range = parseRange(texts, now_ms, issues);
  const filter = {
    range: range ?? (kind === 'feed' ? defaultCalendarRange(now_ms) : null),
    hours: resolveHourKeyword(texts.date, now_ms),
    ...readAsked({ texts, issues, town }),
    limit: limitParser(RESULT_LIMITS[kind]).read({ texts, issues }, 'limit'),
    now_ms,
    after,
  };
  issues.push(...cursor_issues);
  return { filter, lang };
}

/**
 * `texts`: of known names, each once, none empty. `now_ms` decides today. Throws AppError
 * invalid_parameter that names every issue, those in `found` first.
 */
export const parseEventQuery = (
  texts: ParameterValues,
  town: QueryLookups,
  now_ms: number,
  kind: 'list' | 'feed',
  found: readonly string[] = [],
): EventQuery => parseOrThrow(found, (issues) => readEventQuery(texts, town, now_ms, kind, issues));

/** What was understood of a query, for pages: the API refuses what they leave out and tell (contract 7.22). */
export interface LenientParseResult {
  readonly filter: EventFilter;
  readonly texts: ParameterValues;
  /** Of which parameter, and as it was written. */
  readonly left_out: readonly { readonly name: ListParameterName; readonly value: string }[];
}

/** Never throws for what a query says. */
export function parseQueryLeniently(
  params: ParameterValues,
  town: QueryLookups,
  now_ms: number,
): LenientParseResult {
  const left_out: LenientParseResult['left_out'][number][] = [];
  let texts: ParameterValues = params;
  // One fault may hide another, and each round leaves out at least one word.
  for (;;) {
    const issues: string[] = [];
    const { filter } = readEventQuery(texts, town, now_ms, 'list', issues);
    if (issues.length === 0) return { filter, texts, left_out };
    const wrong = LIST_PARAMETER_NAMES.filter(
      (name) => texts[name] !== undefined && issues.some((one) => one.startsWith(`${name}: `)),
    );
    // An issue that names nothing that was given would be left out for ever.
    if (wrong.length === 0) throwIfIssues(issues);
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
export function formatFilterChoices(
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
  texts: ParameterValues,
  taxonomy: Taxonomy,
  lang: Lang,
): ParameterValues {
  const radius_km = filter.near?.radius_km ?? RADIUS_LIMITS_KM.fallback;
  return sortParameters({
    ...texts,
    ...formatFilterChoices(filter, taxonomy, lang),
    radius_km: radius_km === RADIUS_LIMITS_KM.fallback ? null : String(radius_km),
    limit: filter.limit === RESULT_LIMITS.list.fallback ? null : String(filter.limit),
    q: texts.q?.trim().replace(/\s+/g, ' ') ?? null,
    lang: null,
  });
}

/** Texts in the contract's order, those of no parameter and the empty ones left out. */
export const sortParameters = (
  texts: Readonly<Record<string, string | null>>,
  names: readonly string[] = LIST_PARAMETER_NAMES,
): ParameterValues =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = texts[name];
      return text ? [[name, text]] : [];
    }),
  );
