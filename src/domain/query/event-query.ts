// Event query: parses the parameters of a list of events into a filter, the same for JSON,
// calendars, pages and MCP (contract 1.2, 7, 8); strictly for the API, leniently for pages. Also
// encodes cursors and formats the canonical query of a filter.
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import type { EventCard } from '../agenda.ts';
import { type DayRange, floorToMinute, isLater } from '../local-time.ts';
import { isWithinRadius } from '../distance.ts';
import {
  EVENT_STATUSES,
  type EventRecord,
  FAMILY_CATEGORY,
  isFamily,
  listFreeVisitorsOf,
  type OccurrenceRecord,
} from '../event/event.ts';
import { listFreeVisitors, type Visitor } from '../opening-hours.ts';
import type { Lang } from '../lang.ts';
import { findTaxon, type TaxonRecord, type Taxonomy } from '../taxon.ts';
import type { VenueRecord } from '../venue.ts';
import {
  type HourSpan,
  parseRange,
  readDayWords,
  resolveHourKeyword,
  defaultCalendarRange,
} from './date-range.ts';
import { RESULT_LIMITS, type ListParameterName, LIST_PARAMETER_NAMES } from './parameters.ts';
import {
  oneOfParser,
  EVENT_ID_PATTERN,
  FLAG_PARSER,
  digestQuestion,
  INVALID_CURSOR_ISSUE,
  OTHER_QUESTION_ISSUE,
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
import type { ParameterIssue } from './parameter-issue.ts';

/**
 * Filters by category and zone; pages show a menu for each. `list`: name of the field of Taxonomy
 * and of EventFilter.
 */
export const TAXON_FILTERS = [
  { name: 'category', list: 'categories' },
  { name: 'zone', list: 'zones' },
] as const;

/**
 * Defines an on/off filter of events, and of venues that are open without an event; pages show a
 * checkbox.
 */
const flag = <N extends string>(
  name: N,
  matchesEvent: (event: FilterableEvent) => boolean,
  matchesVenue: (
    venue: Pick<VenueRecord, 'admission' | 'family' | 'indoor'>,
    /** Visitors with free admission on the requested day. */
    free_for: readonly Visitor[],
  ) => boolean,
) => ({ name, matchesEvent, matchesVenue });
export type FilterableEvent = Pick<EventRecord, 'category' | 'zone' | 'tags' | 'price' | 'indoor'>;

/** Tests whether some visitors enter free. An unknown price is not free (contract 7.1). */
const isFree = ({ price }: Pick<EventRecord, 'price'>): boolean =>
  listFreeVisitorsOf(price).length > 0;
const FREE = flag(
  'free',
  isFree,
  ({ admission }, free_for) => listFreeVisitors(admission, free_for).length > 0,
);
const FAMILY = flag('family', isFamily, ({ family }) => family === true);
const INDOOR = flag(
  'indoor',
  ({ indoor }) => indoor === true,
  ({ indoor }) => indoor === true,
);
export const FLAG_FILTERS = [FREE, FAMILY, INDOOR] as const;

/** Filters offered on the pages that create a feed address or the code of an embedded list. */
export const SUBSCRIBABLE_FILTER_NAMES = [...TAXON_FILTERS, ...FLAG_FILTERS].map(
  ({ name }) => name,
);

type Card = Pick<EventCard, 'event' | 'venue'>;

/**
 * Defines a parameter that filters events by their own fields.
 * @param field The field of EventFilter that the parameter sets. Null and false turn the filter
 *   off.
 * @param passes Tests an event against the value of a filter that is on.
 */
const filterBy = <N extends ListParameterName, S extends string, T>(
  name: N,
  field: S,
  parser: ParameterParser<T, ParseInput>,
  passes: (card: Card, value: NonNullable<T>) => boolean,
) => ({
  name,
  field,
  parse: (input: ParseInput) => parser.parse(input, name),
  isOn: ({ [field]: value }: Readonly<Record<S, T>>): boolean => value !== null && value !== false,
  passes: (card: Card, { [field]: value }: Readonly<Record<S, T>>): boolean =>
    value === null || value === undefined || passes(card, value),
});

const filterByFlag = <N extends ListParameterName>({
  name,
  matchesEvent,
}: ReturnType<typeof flag<N>>) =>
  filterBy(name, name, FLAG_PARSER, ({ event }) => matchesEvent(event));

/**
 * Tests whether any visitor pays at most `price_max`; false if the price is unknown or in another
 * currency.
 */
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
  filterByFlag(FREE),
  filterByFlag(FAMILY),
  filterByFlag(INDOOR),
  filterBy('near', 'near', NEAR_PARSER, ({ venue }, near) => isWithinRadius(near, venue)),
  // Folded words, all of which must match. The word index finds the events, so every card passes
  // here.
  filterBy('q', 'words', SEARCH_WORDS_PARSER, () => true),
  // Changed at that instant or later (contract 7.27).
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
    // Single dates can be called off too: matchesDateStatus tests the others.
    ({ event }, status) => status !== 'published' || event.status === status,
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
type FilterDefinition = (typeof EVENT_FILTERS)[number];

/** Tests whether a date has the filter's status, if that is cancelled or postponed (contract 7.27). */
export const matchesDateStatus = (
  { status: wanted }: Pick<EventFilter, 'status'>,
  { status }: Pick<OccurrenceRecord, 'status'>,
): boolean => wanted === null || wanted === 'published' || wanted === status;
export type FilterName = FilterDefinition['name'];

/** The filter values of a query, by field; null or false if the filter is off. */
type EventCriteria = { readonly [F in FilterDefinition as F['field']]: ReturnType<F['parse']> };

export interface EventFilter extends EventCriteria {
  /** Inclusive days; null for upcoming events from now on. */
  readonly range: DayRange | null;
  /** Hours of `now` or `tonight`; `range` is then only the days that they touch. */
  readonly hours: HourSpan | null;
  readonly limit: number;
  /** The instant of the query, epoch ms of a whole minute. */
  readonly now_ms: number;
  /** The page starts after this event; null for the first page. */
  readonly after: EventCursor | null;
}

function parseCriteria(input: ParseInput): EventCriteria;
function parseCriteria(input: ParseInput): object {
  return Object.fromEntries(EVENT_FILTERS.map(({ field, parse }) => [field, parse(input)]));
}

const EMPTY_LOOKUPS: QueryLookups = {
  taxonomy: { categories: [], zones: [] },
  venues: new Map(),
  organizers: new Map(),
  findId: () => null,
};
/** All filters off. */
export const NO_FILTERS = parseCriteria({ texts: {}, issues: [], lookups: EMPTY_LOOKUPS });

/** Creates the filter of all upcoming events. */
export const unfilteredEventFilter = (now_ms: number, limit: number): EventFilter => ({
  ...NO_FILTERS,
  range: null,
  hours: null,
  limit,
  now_ms,
  after: null,
});

/** Tests whether any filter except `zone` is on. */
export const hasNonZoneFilter = (filter: EventCriteria): boolean =>
  EVENT_FILTERS.some(({ name, isOn }) => name !== 'zone' && isOn(filter));

/** Tests whether a filter uses fields that open venues do not have, only events (contract 4.14). */
export const hasEventOnlyFilter = ({
  categories,
  near,
  words,
  updated_since,
  status,
  price_max,
  venue,
  organizer,
  ids,
}: EventCriteria): boolean =>
  [categories, near, words, updated_since, status, price_max, venue, organizer, ids].some(
    (value) => value !== null,
  );

/**
 * Builds the filter of a category's page. The page of the family category lists every event that
 * matches `family`.
 * @param slug The category's name in addresses.
 */
export const categoryPageFilter = (
  key: string,
  slug: string,
): { readonly filter: Partial<EventFilter>; readonly texts: ParameterValues } =>
  key === FAMILY_CATEGORY
    ? { filter: { family: true }, texts: { family: '1' } }
    : { filter: { categories: [key] }, texts: { category: slug } };

/** The last item of a page of events, after which the next page starts (contract 7.20). */
export interface EventCursor {
  /** The `now` of the first page, epoch ms of a whole minute, so that pages agree. */
  readonly now_ms: number;
  /** Start of the last item's next occurrence, epoch ms. */
  readonly start_ms: number;
  readonly id: string;
}

const MINUTE_MS = 60_000;
/** Lifetime of a cursor. After it, a client must start over with the first page. */
const CURSOR_LIFETIME_MS = 86_400_000;

/** Whole minutes since 1970. A cursor has minutes instead of milliseconds, to be short. */
const MinutesSchema = v.pipe(v.number(), v.safeInteger());
const CursorPartsSchema = v.strictTuple([
  MinutesSchema,
  MinutesSchema,
  v.pipe(v.string(), v.regex(EVENT_ID_PATTERN)),
  v.string(),
]);

/** Digests the question of a filter: the same for all pages of a list, of any length. */
const digestFilter = (filter: EventFilter): string =>
  digestQuestion([filter.range, filter.hours, EVENT_FILTERS.map(({ field }) => filter[field])]);

/** Encodes the cursor of the page after one of a filter. */
export const encodeEventCursor = (
  { now_ms, start_ms, id }: EventCursor,
  filter: EventFilter,
): string => encodeCursor([now_ms / MINUTE_MS, start_ms / MINUTE_MS, id, digestFilter(filter)]);

function parseCursor(
  text: string | undefined,
  now_ms: number,
  issues: ParameterIssue[],
): (EventCursor & { readonly question: string }) | null {
  if (text === undefined) return null;
  const parts = decodeCursor(CursorPartsSchema, text);
  const [minute, start, id, question] = parts ?? [0, 0, '', ''];
  const cursor = { now_ms: minute * MINUTE_MS, start_ms: start * MINUTE_MS, id, question };
  const is_current = cursor.now_ms <= now_ms && cursor.now_ms > now_ms - CURSOR_LIFETIME_MS;
  if (parts && is_current) return cursor;
  issues.push(
    parts
      ? { param: 'cursor', message: 'has run out after a day. Leave it out to begin anew' }
      : INVALID_CURSOR_ISSUE,
  );
  return null;
}

interface EventQuery {
  readonly filter: EventFilter;
  readonly lang: Lang;
}

/** Parses a query and pushes its issues; invalid values count as absent. */
function parseWithIssues(
  params: ParameterValues,
  lookups: QueryLookups,
  request_ms: number,
  kind: 'list' | 'feed',
  issues: ParameterIssue[],
): EventQuery {
  const request_minute_ms = floorToMinute(request_ms);
  const cursor_issues: ParameterIssue[] = [];
  const cursor = parseCursor(params.cursor, request_minute_ms, cursor_issues);
  // Later pages use the instant of the first one, so that `today` stays the same day past midnight.
  const now_ms = cursor?.now_ms ?? request_minute_ms;
  const texts = readDayWords(params, now_ms);
  const lang = parseLangParameter(texts, issues);
  const range = parseRange(texts, now_ms, issues);
  const filter = {
    range: range ?? (kind === 'feed' ? defaultCalendarRange(now_ms) : null),
    hours: resolveHourKeyword(texts.date, now_ms),
    ...parseCriteria({ texts, issues, lookups }),
    limit: limitParser(RESULT_LIMITS[kind]).parse({ texts, issues }, 'limit'),
    now_ms,
    after: null,
  };
  const belongs = cursor === null || cursor.question === digestFilter(filter);
  if (!belongs) cursor_issues.push(OTHER_QUESTION_ISSUE);
  issues.push(...cursor_issues);
  return { filter: { ...filter, after: belongs ? cursor : null }, lang };
}

/**
 * Parses the query of a list or feed of events.
 * @param now_ms The instant that decides which day is today.
 * @param initial_issues Issues of the query string, which the error lists first.
 * @throws AppError invalid_parameter that lists every issue.
 */
export const parseEventQuery = (
  texts: ParameterValues,
  lookups: QueryLookups,
  now_ms: number,
  kind: 'list' | 'feed',
  initial_issues: readonly ParameterIssue[] = [],
): EventQuery =>
  parseOrThrow(initial_issues, (issues) => parseWithIssues(texts, lookups, now_ms, kind, issues));

/**
 * The valid part of a page's query. Pages ignore invalid values and show them to the visitor; the
 * API rejects the whole query (contract 7.22).
 */
export interface LenientParseResult {
  readonly filter: EventFilter;
  readonly texts: ParameterValues;
  /** Ignored values, as written in the query. */
  readonly ignored: readonly { readonly name: ListParameterName; readonly value: string }[];
}

/** Parses a page's query and ignores invalid values. Never throws because of them. */
export function parseQueryLeniently(
  params: ParameterValues,
  lookups: QueryLookups,
  now_ms: number,
): LenientParseResult {
  const ignored: LenientParseResult['ignored'][number][] = [];
  // Pages link to the days themselves, so that a shared address keeps its meaning.
  let texts: ParameterValues = readDayWords(params, now_ms);
  // One issue may hide another, and each round removes at least one value.
  for (;;) {
    const issues: ParameterIssue[] = [];
    const { filter } = parseWithIssues(texts, lookups, now_ms, 'list', issues);
    if (issues.length === 0) return { filter, texts, ignored };
    const invalid_names = LIST_PARAMETER_NAMES.filter(
      (name) => texts[name] !== undefined && issues.some(({ param }) => param === name),
    );
    // An issue about a missing parameter would make this loop endless.
    if (invalid_names.length === 0) throwIfIssues(issues);
    for (const name of invalid_names) {
      const { valid, invalid } = splitByValidity(name, texts[name] ?? '', lookups.taxonomy);
      ignored.push({ name, value: invalid });
      const { [name]: _, ...rest } = texts;
      texts = valid === '' ? rest : { ...rest, [name]: valid };
    }
  }
}

/**
 * Splits a list of categories or zones into known and unknown ones. Any other value is invalid as a
 * whole.
 */
function splitByValidity(
  name: ListParameterName,
  text: string,
  taxonomy: Taxonomy,
): { readonly valid: string; readonly invalid: string } {
  const filter = TAXON_FILTERS.find((each) => each.name === name);
  if (filter === undefined) return { valid: '', invalid: text };
  const taxa = taxonomy[filter.list];
  const words = splitList(text);
  return {
    valid: words.filter((word) => findTaxon(taxa, word) !== null).join(','),
    invalid: words.filter((word) => findTaxon(taxa, word) === null).join(', '),
  };
}

/** Joins the slugs of taxa in editorial order; null if the filter is off. */
const joinSlugs = (
  keys: readonly string[] | null,
  taxa: readonly TaxonRecord[],
  lang: Lang,
): string | null =>
  keys &&
  taxa
    .filter(({ key }) => keys.includes(key))
    .map(({ slug }) => slug[lang])
    .join(',');

/**
 * Formats the filters of a page's menus and checkboxes: slugs of one language, `1` for a flag that
 * is on.
 */
export function formatFilterChoices(
  filter: EventFilter,
  taxonomy: Taxonomy,
  lang: Lang,
): Readonly<Record<string, string | null>> {
  const taxa = TAXON_FILTERS.map(
    ({ name, list }) => [name, joinSlugs(filter[list], taxonomy[list], lang)] as const,
  );
  const flags = FLAG_FILTERS.map(({ name }) => [name, filter[name] ? '1' : null] as const);
  return Object.fromEntries([...taxa, ...flags]);
}

/**
 * Formats the canonical query of a filter, without default values: pages link to it, and the page
 * cache uses it as a key.
 * @param texts The texts from which `filter` was parsed.
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

/** Sorts texts in the order of the contract, without unknown parameters and empty values. */
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
