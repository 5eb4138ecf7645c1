// Query parameters: defines their names, schemas and examples, and parses a query string. API,
// pages, Markdown versions, MCP, embedded lists and calendars share them (contract 7, 8).
import { TOWN } from '../../town.ts';
import { EVENT_STATUSES } from '../event/event.ts';
import { SINGLE_DAY_KEYWORDS } from '../date-keywords.ts';
import { foldText } from '../text-folding.ts';
import { RECORD_KINDS } from '../record-history.ts';
import { NOTICE_TYPES } from '../notice.ts';
import { DATE_KEYWORDS, MAX_RANGE_DAYS } from './date-range.ts';
import { WEEKDAY_NAMES } from './day-words.ts';
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
import { editDistance } from './suggestions.ts';
import type { ParameterIssue } from './parameter-issue.ts';

/** A documented parameter of OpenAPI, the docs page or an MCP tool. */
export interface ParameterDescription {
  readonly name: string;
  readonly description: string;
  readonly schema: ParameterSchema;
  readonly example?: string | number | boolean;
}

/** A parameter without its description, which is in i18n. */
interface Parameter extends Omit<ParameterDescription, 'description'> {
  /** Common wrong names, folded, for suggestions (contract 7.7). */
  readonly other_names: readonly string[];
  /**
   * Short description for a language model, which reads all arguments of a tool with every question
   * (contract 13.10). MCP tools lack the parameters without one.
   */
  readonly tool?: string;
}

/**
 * Items of a response: events in a list, occurrences in a calendar feed, changes, rows of an
 * embedded list.
 */
export const RESULT_LIMITS = {
  list: { max: 200, fallback: 50 },
  feed: { max: 1000, fallback: 1000 },
  changes: { max: 500, fallback: 100 },
  frame: { max: 30, fallback: 10 },
} as const;
/** Most occurrences of one event in a list: more than one on each day of the longest range. */
export const MAX_INCLUDED_OCCURRENCES = 100;

const DAY = { type: 'string', format: 'date' } as const;
/** Schema of a single day: `date` of notices and of an event, and `open_on`. */
export const DAY_PARAMETER_SCHEMA = {
  anyOf: [{ type: 'string', enum: [...SINGLE_DAY_KEYWORDS, ...WEEKDAY_NAMES] }, DAY],
} as const;
const TEXT = { type: 'string' } as const;

/** Parameters of a list of events, in the order of the contract. */
const PARAMETERS = [
  {
    name: 'date',
    other_names: ['fecha', 'fechas', 'dia', 'day', 'cuando'],
    schema: { anyOf: [{ type: 'string', enum: [...DATE_KEYWORDS, ...WEEKDAY_NAMES] }, DAY] },
    example: 'weekend',
    tool: `${DATE_KEYWORDS.join(', ')}, a weekday or YYYY-MM-DD, in ${TOWN.name.en}. Not with from or to.`,
  },
  {
    name: 'from',
    other_names: [
      'desde',
      'inicio',
      'start',
      'from_date',
      'start_date',
      'date_from',
      'min_date',
      'time_min',
    ],
    schema: DAY,
    example: '2026-11-21',
    tool: 'First day: YYYY-MM-DD or a weekday.',
  },
  {
    name: 'to',
    other_names: [
      ...['hasta', 'fin', 'end', 'until', 'to_date', 'end_date', 'date_to', 'max_date', 'time_max'],
    ],
    schema: DAY,
    example: '2026-11-30',
    tool: `Last day; at most ${MAX_RANGE_DAYS} days.`,
  },
  {
    name: 'category',
    other_names: ['categoria', 'categorias', 'categories', 'category_id', 'genre', 'topic'],
    schema: TEXT,
    example: TOWN.category_keys[0],
    tool: 'Key, slug or name; several with commas.',
  },
  {
    name: 'zone',
    other_names: [
      ...['zona', 'zonas', 'zones', 'zone_id', 'area', 'region', 'district', 'barrio', 'colonia'],
      ...['city', 'ciudad', 'town', 'location', 'locality', 'municipality', 'municipio'],
    ],
    schema: TEXT,
    example: TOWN.examples.zone,
    tool: 'The same.',
  },
  {
    name: 'free',
    other_names: ['gratis', 'gratuito', 'is_free'],
    schema: FLAG_PARSER.schema,
    example: '1',
    tool: 'Free for somebody: price.free_for.',
  },
  {
    name: 'family',
    other_names: ['familia', 'familiar', 'ninos', 'kids', 'children', 'family_friendly'],
    schema: FLAG_PARSER.schema,
    example: '1',
    tool: 'Suits children.',
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
    other_names: [
      ...['cerca', 'cerca_de', 'lat', 'lon', 'lng', 'latitude', 'longitude', 'latitud', 'longitud'],
      ...['latlng', 'lat_lng', 'lat_lon', 'coords', 'coordinates', 'geo'],
    ],
    schema: NEAR_PARSER.schema,
    example: '21.1619,-86.8515',
    tool: 'Around lat,lng.',
  },
  {
    name: 'radius_km',
    other_names: ['radio', 'radio_km', 'radius', 'distance', 'distancia', 'within'],
    schema: RADIUS_PARSER.schema,
    example: 3,
    tool: 'Of near.',
  },
  {
    name: 'lang',
    other_names: ['idioma', 'lengua', 'language', 'locale'],
    schema: LANG_PARAMETER_SCHEMA,
    example: 'en',
    tool: 'Language of the person.',
  },
  {
    name: 'q',
    other_names: [
      ...['busca', 'buscar', 'busqueda', 'query', 'search', 'search_term', 'term', 'keyword'],
      ...['keywords', 'palabra_clave', 'texto', 'text', 's'],
    ],
    schema: SEARCH_WORDS_PARSER.schema,
    example: 'musica',
    tool: 'Words of title, subject, place or organizer.',
  },
  {
    name: 'updated_since',
    other_names: ['modified_since', 'changed_since', 'updated_after', 'actualizado_desde'],
    schema: INSTANT_PARSER.schema,
    example: '2026-11-20',
    tool: 'Changed since a day or instant.',
  },
  {
    name: 'status',
    other_names: ['estado', 'estatus'],
    schema: oneOfParser(EVENT_STATUSES).schema,
    example: 'cancelled',
    tool: 'cancelled, postponed: only such dates.',
  },
  {
    name: 'price_max',
    other_names: ['max_price', 'price_to', 'precio_max', 'precio_maximo'],
    schema: PRICE_PARSER.schema,
    example: 200,
    tool: `Most to pay, in ${TOWN.currency.code}.`,
  },
  // The documentation fills in the examples of these two from the town's data.
  {
    name: 'venue',
    other_names: ['lugar', 'recinto', 'place', 'venue_id', 'place_id'],
    schema: TEXT,
    example: '',
    tool: 'Slug or name.',
  },
  {
    name: 'organizer',
    other_names: ['organizador', 'organizadora', 'organizacion', 'organiser'],
    schema: TEXT,
    example: '',
    tool: 'Slug or name.',
  },
  { name: 'ids', other_names: ['id', 'event_ids'], schema: EVENT_IDS_PARSER.schema },
  {
    name: 'limit',
    other_names: [
      'limite',
      'maximo',
      'max',
      'max_results',
      'count',
      'size',
      'per_page',
      'page_size',
      'rows',
    ],
    schema: limitParser(RESULT_LIMITS.list).schema,
    example: 20,
    tool: 'Items.',
  },
  {
    name: 'cursor',
    other_names: [],
    schema: TEXT,
    tool: 'next_cursor, with the same arguments.',
  },
] as const satisfies readonly Parameter[];

export type ListParameterName = (typeof PARAMETERS)[number]['name'];
export const LIST_PARAMETERS: readonly (Parameter & { readonly name: ListParameterName })[] =
  PARAMETERS;
export const LIST_PARAMETER_NAMES = LIST_PARAMETERS.map(({ name }) => name);
export const EVENT_PARAMETER_NAMES = LIST_PARAMETER_NAMES.filter((name) => name !== 'cursor');

/**
 * Further parameters of single operations, or other forms of those above; `key` is their name in
 * OpenAPI and i18n.
 */
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

/** Common wrong names, folded, with the parameter for each. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map(
  LIST_PARAMETERS.flatMap(({ name, other_names }) =>
    other_names.map((other) => [other, name] as const),
  ),
);

const PAGING_ADVICE =
  "Follow the Link header, which has a 'cursor'; in a calendar, use 'from' and 'to'";
const ORDER_ADVICE = 'Lists are always ordered by start, then title';
const ZONE_ADVICE = `Times are those of ${TOWN.name.en}, with their offset from UTC`;
const PRICE_ADVICE = "Only 'free' and 'price_max' filter by price";

/**
 * Parameters of other APIs that lists here do not have, with advice for each (contract 7.7).
 */
const ADVICE_BY_FOREIGN_NAME: ReadonlyMap<string, string> = new Map([
  ['page', PAGING_ADVICE],
  ['page_number', PAGING_ADVICE],
  ['page_token', PAGING_ADVICE],
  ['offset', PAGING_ADVICE],
  ['skip', PAGING_ADVICE],
  ['sort', ORDER_ADVICE],
  ['order', ORDER_ADVICE],
  ['order_by', ORDER_ADVICE],
  ['sort_by', ORDER_ADVICE],
  ['fields', 'Every answer has all fields'],
  ...['tz', 'timezone', 'time_zone', 'zona_horaria'].map((name) => [name, ZONE_ADVICE] as const),
  ...['min_price', 'price_min', 'price_from', 'precio_min'].map(
    (name) => [name, PRICE_ADVICE] as const,
  ),
]);

/**
 * Letters: shorter names are too similar to others to suggest a correction: `ref` and `free`, `id`
 * and `q`.
 */
const MIN_LENGTH = 4;
/** From this length a name may differ by MAX_DISTANCE letters; shorter ones by one. */
const LONG_LENGTH = 6;
const MAX_DISTANCE = 2;

/** Folds a name: `zone[]` to `zone`, `startDate` to `start_date`. */
const foldName = (name: string): string =>
  foldText(name.replace(/\[\w{0,9}\]$/, '').replace(/([a-z])([A-Z])/g, '$1_$2')).replaceAll(
    '-',
    '_',
  );

/**
 * Suggests the known parameter for a wrong name: one with brackets, another case or an accent, a
 * common wrong name, or one with wrong letters.
 * @param others Valid names of other operations, which are never taken for misspellings.
 * @returns null if no parameter is similar enough.
 */
export function suggestParameterName(
  name: string,
  known: readonly string[],
  others: ReadonlySet<string> = new Set(),
): string | null {
  const folded = foldName(name);
  const common_name = OTHER_NAMES.get(folded);
  if (common_name !== undefined && known.includes(common_name)) return common_name;
  const same_name = known.find((candidate) => foldText(candidate) === folded);
  if (same_name !== undefined || folded.length < MIN_LENGTH || others.has(folded))
    return same_name ?? null;
  return (
    known.find(
      (candidate) =>
        candidate.length >= MIN_LENGTH &&
        editDistance(folded, candidate) <= (candidate.length < LONG_LENGTH ? 1 : MAX_DISTANCE),
    ) ?? null
  );
}

/**
 * Builds the advice for an unknown parameter, as a sentence.
 * @returns null if the parameter is to be ignored.
 */
function findAdvice(
  name: string,
  known: readonly string[],
  others: ReadonlySet<string>,
): string | null {
  const suggestion = suggestParameterName(name, known, others);
  if (suggestion !== null) return `Use '${suggestion}'`;
  const advice = known.includes('limit') ? ADVICE_BY_FOREIGN_NAME.get(foldName(name)) : undefined;
  const known_names = others.has(foldText(name)) ? `Use ${known.join(', ')}` : null;
  return advice ?? known_names;
}

/** Parameters that take several values, with commas or repeated. */
const TAKES_SEVERAL: ReadonlySet<string> = new Set(['category', 'zone', 'ids']);

/** Tracking parameters, which programs add to links; pages ignore them. */
const TRACKING_PARAMETERS: ReadonlySet<string> = new Set([
  ...['fbclid', 'gclid', 'gclsrc', 'gad_source', 'gad_campaignid', 'gbraid', 'wbraid', 'dclid'],
  ...['msclkid', 'twclid', 'yclid', 'ttclid', 'li_fat_id', 'epik', 'rdt_cid', 'scid', 'mkt_tok'],
  ...['_hsenc', '_hsmi', 'vero_id', 'fb_action_ids', 'fb_source', 'oly_anon_id', 'oly_enc_id'],
  ...['igsh', 'igshid', 'mc_cid', 'mc_eid', 'srsltid', '_ga', '_gl', 'ref', 'ref_src'],
]);

/** Removes tracking parameters from an encoded query string. */
export const stripTrackingParameters = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '' && !/^(?:utm|mtm|pk)_/.test(pair))
    .filter((pair) => !TRACKING_PARAMETERS.has(pair.split('=', 1)[0] ?? ''))
    .join('&');

/** Text of the issue of a parameter that cannot be decoded. */
const NOT_ENCODED = 'not percent-encoded UTF-8. Encode it as encodeURIComponent does';

/** Decodes a form-encoded text; null if it is not percent-encoded UTF-8. */
function decodeFormText(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/**
 * Parses the known parameters of an encoded query string, without empty ones; joins repeated lists
 * of values by commas. Pushes an issue for another repeated parameter, for one that is not
 * percent-encoded UTF-8, and for an unknown name that is similar to a known one, common in other
 * APIs or one of `others`. Ignores other unknown names, because calendar clients and trackers add
 * their own.
 * @param others Parameter names of other operations.
 */
export function parseParameters(
  query: string,
  known: readonly string[],
  issues: ParameterIssue[],
  others: ReadonlySet<string> = new Set(),
): Record<string, string> {
  const values: Record<string, string> = {};
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const [, encoded_name = '', encoded_value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const [name, value] = [decodeFormText(encoded_name), decodeFormText(encoded_value)];
    if (name === null)
      issues.push({ param: 'query', message: `a parameter name is ${NOT_ENCODED}` });
    else if (!known.includes(name)) {
      const advice = findAdvice(name, known, others);
      if (advice !== null) issues.push({ param: name, message: `unknown parameter. ${advice}` });
    } else if (seen.has(name) && TAKES_SEVERAL.has(name) && value !== null) {
      values[name] = [values[name], value].filter(Boolean).join(',');
    } else if (seen.has(name)) {
      if (!repeated.has(name))
        issues.push({ param: name, message: 'is given more than once. Give it once' });
      repeated.add(name);
    } else {
      seen.add(name);
      if (value === null) issues.push({ param: name, message: NOT_ENCODED });
      else if (value) values[name] = value;
    }
  }
  return values;
}
