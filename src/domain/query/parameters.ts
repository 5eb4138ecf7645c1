// The parameters of a query: their names, what each may be, and how a query string is taken apart.
// API, pages, Markdown versions, MCP, frame and calendars share them (contract 7, 8).
import damerauLevenshtein from 'damerau-levenshtein';
import { TOWN } from '../../town.ts';
import { EVENT_STATUSES } from '../event/event.ts';
import { SINGLE_DAY_KEYWORDS } from '../date-keywords.ts';
import { foldText } from '../text-folding.ts';
import { RECORD_KINDS } from '../record-history.ts';
import { NOTICE_TYPES } from '../notice.ts';
import { DATE_KEYWORDS, MAX_RANGE_DAYS } from './date-range.ts';
import {
  oneOfParser,
  FLAG_PARSER,
  EVENT_IDS_PARSER,
  LANG_PARAMETER_SCHEMA,
  INSTANT_PARSER,
  NEAR_PARSER,
  type ParameterSchema,
  PRICE_PARSER,
  RADIUS_PARSER,
  limitParser,
  SEARCH_WORDS_PARSER,
} from './parameter-parsers.ts';

/** A parameter for whoever describes it: OpenAPI, the docs page and the MCP tools. */
export interface ParameterDescription {
  readonly name: string;
  readonly description: string;
  readonly schema: ParameterSchema;
  readonly example?: string | number | boolean;
}

/** A parameter without its words, which i18n has. */
interface Parameter extends Omit<ParameterDescription, 'description'> {
  /** Names that people write by habit, folded (contract 7.7). */
  readonly other_names: readonly string[];
  /**
   * What it means to a model, empty where its name says it. MCP tools do not take those without: all their
   * arguments are read with every question (contract 13.10).
   */
  readonly tool?: string;
}

/** Items of a response: events in a list, occurrences in a calendar, changes, rows of a frame. */
export const RESULT_LIMITS = {
  list: { max: 200, fallback: 50 },
  feed: { max: 1000, fallback: 1000 },
  changes: { max: 500, fallback: 100 },
  frame: { max: 30, fallback: 10 },
} as const;
/** Most occurrences of one event in a list: more than one on each day of the longest range. */
export const MAX_INCLUDED_OCCURRENCES = 100;

const DAY = { type: 'string', format: 'date' } as const;
/** A day of notices, of an opening, of a date. */
export const DAY_PARAMETER_SCHEMA = {
  anyOf: [{ type: 'string', enum: SINGLE_DAY_KEYWORDS }, DAY],
} as const;
const TEXT = { type: 'string' } as const;

/** What is asked of events, in the contract's order. */
const PARAMETERS = [
  {
    name: 'date',
    other_names: ['fecha', 'fechas', 'dia', 'day', 'cuando'],
    schema: { anyOf: [{ type: 'string', enum: DATE_KEYWORDS }, DAY] },
    example: 'weekend',
    tool: `${DATE_KEYWORDS.join(', ')}, a weekday (sábado, saturday) or YYYY-MM-DD, in ${TOWN.name.en}. Not with from or to.`,
  },
  {
    name: 'from',
    other_names: ['desde', 'inicio', 'from_date', 'start_date'],
    schema: DAY,
    example: '2026-11-21',
    tool: 'First day, YYYY-MM-DD.',
  },
  {
    name: 'to',
    other_names: ['hasta', 'fin', 'to_date', 'end_date'],
    schema: DAY,
    example: '2026-11-30',
    tool: `Last day; at most ${MAX_RANGE_DAYS} days.`,
  },
  {
    name: 'category',
    other_names: ['categoria', 'categorias', 'categories'],
    schema: TEXT,
    example: TOWN.category_keys[0],
    tool: 'Key, slug or name; several with commas.',
  },
  {
    name: 'zone',
    other_names: ['zona', 'zonas'],
    schema: TEXT,
    example: TOWN.examples.zone,
    tool: 'The same.',
  },
  {
    name: 'free',
    other_names: ['gratis', 'gratuito', 'is_free'],
    schema: FLAG_PARSER.schema,
    example: '1',
    tool: 'An unknown price is not free.',
  },
  {
    name: 'family',
    other_names: ['familia', 'familiar', 'ninos'],
    schema: FLAG_PARSER.schema,
    example: '1',
    tool: '',
  },
  {
    name: 'indoor',
    other_names: ['techado', 'bajo_techo', 'lluvia', 'indoors'],
    schema: FLAG_PARSER.schema,
    example: '1',
    tool: 'Under a roof.',
  },
  {
    name: 'near',
    other_names: ['cerca', 'cerca_de'],
    schema: NEAR_PARSER.schema,
    example: '21.1619,-86.8515',
    tool: 'lat,lng: within radius_km.',
  },
  {
    name: 'radius_km',
    other_names: ['radio', 'radio_km', 'radius'],
    schema: RADIUS_PARSER.schema,
    example: 3,
    tool: '',
  },
  {
    name: 'lang',
    other_names: ['idioma', 'lengua', 'language', 'locale'],
    schema: LANG_PARAMETER_SCHEMA,
    example: 'en',
    tool: 'Language of the person who asks.',
  },
  {
    name: 'q',
    other_names: ['busca', 'buscar', 'busqueda', 'query', 'search', 'texto'],
    schema: SEARCH_WORDS_PARSER.schema,
    example: 'musica',
    tool: 'Words of title, subject, place or organizer; all must match.',
  },
  {
    name: 'updated_since',
    other_names: ['modified_since', 'changed_since', 'updated_after', 'actualizado_desde'],
    schema: INSTANT_PARSER.schema,
    example: '2026-11-20',
    tool: 'Changed since this day or instant.',
  },
  {
    name: 'status',
    other_names: ['estado', 'estatus'],
    schema: oneOfParser(EVENT_STATUSES).schema,
    example: 'published',
  },
  {
    name: 'price_max',
    other_names: ['max_price', 'precio_max', 'precio_maximo'],
    schema: PRICE_PARSER.schema,
    example: 200,
  },
  // The examples of these two are of the town's own, where they are described.
  { name: 'venue', other_names: ['lugar', 'recinto', 'place'], schema: TEXT, example: '' },
  {
    name: 'organizer',
    other_names: ['organizador', 'organizadora', 'organizacion', 'organiser'],
    schema: TEXT,
    example: '',
  },
  { name: 'ids', other_names: ['id', 'event_ids'], schema: EVENT_IDS_PARSER.schema },
  {
    name: 'limit',
    other_names: ['limite', 'maximo', 'per_page', 'page_size'],
    schema: limitParser(RESULT_LIMITS.list).schema,
    example: 20,
    tool: '',
  },
  {
    name: 'cursor',
    other_names: [],
    schema: TEXT,
    tool: 'next_cursor; repeat the other arguments.',
  },
] as const satisfies readonly Parameter[];

export type ListParameterName = (typeof PARAMETERS)[number]['name'];
export const LIST_PARAMETERS: readonly (Parameter & { readonly name: ListParameterName })[] =
  PARAMETERS;
export const LIST_PARAMETER_NAMES = LIST_PARAMETERS.map(({ name }) => name);
export const EVENT_PARAMETER_NAMES = LIST_PARAMETER_NAMES.filter((name) => name !== 'cursor');

/** What single operations take besides, or otherwise; `key` is what OpenAPI and the words call it. */
export const OTHER_PARAMETERS = [
  { key: 'limit_ics', name: 'limit', schema: limitParser(RESULT_LIMITS.feed).schema, example: 100 },
  {
    key: 'include',
    name: 'include',
    schema: oneOfParser(['occurrences']).schema,
    example: 'occurrences',
  },
  { key: 'since', name: 'since', schema: INSTANT_PARSER.schema, example: '2026-11-20' },
  { key: 'kind', name: 'kind', schema: oneOfParser(RECORD_KINDS).schema, example: 'event' },
  {
    key: 'changes_limit',
    name: 'limit',
    schema: limitParser(RESULT_LIMITS.changes).schema,
    example: 100,
  },
  { key: 'changes_cursor', name: 'cursor', schema: TEXT },
  {
    key: 'notice_date',
    name: 'date',
    schema: { ...DAY_PARAMETER_SCHEMA, default: 'today' },
    example: 'today',
  },
  { key: 'notice_zone', name: 'zone', schema: TEXT, example: TOWN.examples.zone },
  {
    key: 'notice_type',
    name: 'type',
    schema: oneOfParser(NOTICE_TYPES).schema,
    example: 'weather',
  },
  { key: 'open_on', name: 'open_on', schema: DAY_PARAMETER_SCHEMA, example: 'today' },
  { key: 'event_date', name: 'date', schema: DAY_PARAMETER_SCHEMA, example: '2026-11-21' },
] as const;

/** What people write by habit, folded, and the parameter that it stands for. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  LIST_PARAMETERS.flatMap(({ name, other_names }) =>
    other_names.map((other) => [other, name] as const),
  ),
);

const GO_ON =
  "A list goes on at the address of its Link header, which has a 'cursor'; a calendar takes 'from' and 'to'";
const ORDER = 'The order is always by start, then title';

/** The words by which other APIs change an answer, and what is to be done here (contract 7.7). */
const FOREIGN_WORDS: ReadonlyMap<string, string> = new Map([
  ['page', GO_ON],
  ['offset', GO_ON],
  ['sort', ORDER],
  ['order', ORDER],
  ['order_by', ORDER],
  ['sort_by', ORDER],
  ['fields', 'Every answer has all of its fields'],
]);

/** Shorter names are too near to everything: `ref` is no `free`, `id` is no `q`. */
const MIN_LENGTH = 4;
/** From this length two wrong letters are still the same word. */
const LONG_LENGTH = 6;
const MAX_DISTANCE = 2;

/**
 * Letters added, lost, changed or swapped with their neighbour between two words
 * (Damerau-Levenshtein); the longer length where their lengths differ by more than two.
 */
export const editDistance = (a: string, b: string): number =>
  Math.abs(a.length - b.length) > MAX_DISTANCE
    ? Math.max(a.length, b.length)
    : damerauLevenshtein(a, b).steps;

const foldName = (name: string): string => foldText(name).replaceAll('-', '_');

/**
 * The known parameter that a wrong name comes near to, or null: another case or accent, a habit, a
 * wrong letter. A name of `others` is no slip of another.
 */
export function suggestParameterName(
  name: string,
  known: readonly string[],
  others: ReadonlySet<string> = new Set(),
): string | null {
  const folded = foldName(name);
  const habit = OTHER_NAMES.get(folded);
  if (habit !== undefined && known.includes(habit)) return habit;
  const same = known.find((one) => foldText(one) === folded);
  if (same !== undefined || folded.length < MIN_LENGTH || others.has(folded)) return same ?? null;
  return (
    known.find(
      (one) =>
        one.length >= MIN_LENGTH &&
        editDistance(folded, one) <= (one.length < LONG_LENGTH ? 1 : MAX_DISTANCE),
    ) ?? null
  );
}

/** What to write instead of an unknown name, as a sentence; null for one that is passed over. */
function adviseOn(
  name: string,
  known: readonly string[],
  others: ReadonlySet<string>,
): string | null {
  const meant = suggestParameterName(name, known, others);
  if (meant !== null) return `Use '${meant}'`;
  const foreign = known.includes('limit') ? FOREIGN_WORDS.get(foldName(name)) : undefined;
  const taken = others.has(foldText(name)) ? `Those of this address are ${known.join(', ')}` : null;
  return foreign ?? taken;
}

/** What programs add to links to learn where a visitor came from: it asks nothing of a page. */
const TRACKERS: ReadonlySet<string> = new Set([
  ...['fbclid', 'gclid', 'gbraid', 'wbraid', 'dclid', 'msclkid', 'twclid', 'yclid', 'ttclid'],
  ...['igsh', 'igshid', 'mc_cid', 'mc_eid', 'srsltid', '_ga', '_gl', 'ref', 'ref_src'],
]);

/** A query as sent, without what only says where its reader came from. */
export const stripTrackingParameters = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('utm_'))
    .filter((pair) => !TRACKERS.has(pair.split('=', 1)[0] ?? ''))
    .join('&');

const NOT_ENCODED =
  'is not percent-encoded UTF-8. Percent-encode it as UTF-8, as encodeURIComponent does';

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/**
 * The known parameters of a query string as sent, empty ones left out. Every issue is pushed as
 * `param: sentence`: one given twice, one that is not percent-encoded UTF-8, one whose name comes near a
 * known one, is a word of other APIs or one of `others`, which mean something elsewhere. The rest is
 * ignored: calendar clients and trackers add their own.
 */
export function parseParameters(
  query: string,
  known: readonly string[],
  issues: string[],
  others: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const found: Record<string, string> = {};
  const seen = new Set<string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const [, sent = '', sent_value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const [name, value] = [decode(sent), decode(sent_value)];
    if (name === null) issues.push(`query: a name in it ${NOT_ENCODED}`);
    else if (!known.includes(name)) {
      const advice = adviseOn(name, known, others);
      if (advice !== null) issues.push(`${name}: is not a parameter. ${advice}`);
    } else if (seen.has(name)) {
      const issue = `${name}: is given more than once. Give it once`;
      if (!issues.includes(issue)) issues.push(issue);
    } else {
      seen.add(name);
      if (value === null) issues.push(`${name}: ${NOT_ENCODED}`);
      else if (value) found[name] = value;
    }
  }
  return found;
}
