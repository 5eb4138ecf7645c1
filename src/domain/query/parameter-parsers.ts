// Parameter parsers: a JSON Schema and a parse function for each type of query parameter. They push
// issues as `param: sentence`, with the accepted values; only parseOrThrow throws, once the whole
// query is parsed (contract 7.3).
import { hash } from 'node:crypto';
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import { AppError } from '../app-error.ts';
import { formatTimestamp } from '../local-time.ts';
import type { NearFilter, Point } from '../distance.ts';
import { foldText, splitWords } from '../text-folding.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../lang.ts';
import { findTaxon, type Taxonomy, type TaxonRecord } from '../taxon.ts';
import { parseInstantParameter } from './date-range.ts';
import { findSimilar } from './suggestions.ts';
import { formatIssues, type ParameterIssue } from './parameter-issue.ts';

/** Texts of known parameters, each once, none empty. */
export type ParameterValues = Readonly<Record<string, string>>;

/** The fields of a venue or organizer that a query needs. */
export interface NamedRecord {
  readonly id: string;
  readonly name: string;
}
interface NamedVenue extends NamedRecord {
  readonly lat: number | null;
  readonly lng: number | null;
}

/** Records that a query may refer to: categories and zones, venues and organizers by id. */
export interface QueryLookups {
  readonly taxonomy: Taxonomy;
  readonly venues: ReadonlyMap<string, NamedVenue>;
  readonly organizers: ReadonlyMap<string, NamedRecord>;
  /**
   * Resolves an id, or any current or former slug.
   * @returns null, or an id that no record has, if there is no match.
   */
  readonly findId: (kind: 'venue' | 'organizer', id_or_slug: string) => string | null;
}

/** Unparsed parameters, and the list to which parsers push issues. */
interface QueryInput {
  readonly texts: ParameterValues;
  readonly issues: ParameterIssue[];
}
export interface ParseInput extends QueryInput {
  readonly lookups: QueryLookups;
}

/** JSON Schema 2020-12 of a parameter's unparsed text. */
export type ParameterSchema = Readonly<Record<string, unknown>>;

export interface ParameterParser<T, Q = QueryInput> {
  readonly schema: ParameterSchema;
  readonly parse: (query: Q, name: string) => T;
}

/** @throws AppError invalid_parameter that lists every issue, if there are any. */
export function throwIfIssues(issues: readonly ParameterIssue[]): void {
  if (issues.length > 0) throw new AppError('invalid_parameter', formatIssues(issues));
}

/**
 * Returns the result of `parse`.
 * @throws AppError invalid_parameter that lists `initial_issues` and those that `parse` pushed, if
 *   there are any.
 */
export function parseOrThrow<T>(
  initial_issues: readonly ParameterIssue[],
  parse: (issues: ParameterIssue[]) => T,
): T {
  const issues = [...initial_issues];
  const value = parse(issues);
  throwIfIssues(issues);
  return value;
}

/**
 * Creates a parser from a function on the text.
 * @param parse Returns null for an invalid text, which is pushed as an issue.
 * @param accepted Accepted values, for the issue.
 */
const createParser = <T>(
  schema: ParameterSchema,
  parse: (text: string) => T | null,
  accepted: string,
): ParameterParser<T | null> => ({
  schema,
  parse: ({ texts, issues }, name) => {
    const text = texts[name];
    if (text === undefined) return null;
    const value = parse(text);
    if (value === null)
      issues.push({ param: name, message: `'${text}' is invalid. Use ${accepted}` });
    return value;
  },
});

/** Adds a default value for a missing or invalid parameter. */
const withDefault = <T>(
  { schema, parse }: ParameterParser<T | null>,
  fallback: T,
): ParameterParser<T> => ({
  schema,
  parse: (input, name) => parse(input, name) ?? fallback,
});

export const oneOfParser = <T extends string>(
  choices: readonly T[],
  accepted = choices.join(', '),
): ParameterParser<T | null> =>
  createParser(
    { type: 'string', enum: choices },
    (text) => choices.find((choice) => choice === text) ?? null,
    accepted,
  );

interface NumberSchema extends ParameterSchema {
  readonly type: 'integer' | 'number';
  readonly maximum: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
}

function createNumberParser(
  schema: NumberSchema,
  accepted: string,
): ParameterParser<number | null> {
  const { type, minimum = 0, exclusiveMinimum = -1, maximum } = schema;
  // A radius may have a sign; an amount may not.
  const decimal = exclusiveMinimum < 0 ? /^\d+(\.\d+)?$/ : /^[+-]?\d+(\.\d+)?$/;
  const pattern = type === 'integer' ? /^\d+$/ : decimal;
  const isWithin = (value: number): boolean =>
    value >= minimum && value > exclusiveMinimum && value <= maximum;
  return createParser(
    schema,
    (text) => (pattern.test(text) && isWithin(Number(text)) ? Number(text) : null),
    accepted,
  );
}

const LANG = withDefault<Lang>(oneOfParser(LANGS, LANGS.join(' or ')), DEFAULT_LANG);
export const LANG_PARAMETER_SCHEMA = { ...LANG.schema, default: DEFAULT_LANG };
export const parseLangParameter = (texts: ParameterValues, issues: ParameterIssue[]): Lang =>
  LANG.parse({ texts, issues }, 'lang');

const FLAG_VALUES = ['1', 'true', '0', 'false'] as const;
const flag = oneOfParser(FLAG_VALUES, '1, true, 0 or false');
/** Parses an on/off parameter; false if it is missing or invalid. */
export const FLAG_PARSER: ParameterParser<boolean> = {
  schema: flag.schema,
  parse: (input, name) => ['1', 'true'].includes(flag.parse(input, name) ?? ''),
};

/** Parser of `limit`: `max` is the highest value, `fallback` the default. */
export const limitParser = ({ max, fallback }: Readonly<Record<'max' | 'fallback', number>>) =>
  withDefault(
    createNumberParser(
      { type: 'integer', minimum: 1, maximum: max, default: fallback },
      `a whole number from 1 to ${max}`,
    ),
    fallback,
  );

/** Maximum of `price_max`, in the town's currency. */
export const MAX_PRICE_FILTER = 100_000;
export const PRICE_PARSER = createNumberParser(
  { type: 'number', minimum: 0, maximum: MAX_PRICE_FILTER },
  `an amount in ${TOWN.currency.name.en} from 0 to ${MAX_PRICE_FILTER}`,
);

/** Highest and default radius. */
export const RADIUS_LIMITS_KM = { max: 50, fallback: 5 } as const;
export const RADIUS_PARSER = createNumberParser(
  {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: RADIUS_LIMITS_KM.max,
    default: RADIUS_LIMITS_KM.fallback,
  },
  `a number above 0, at most ${RADIUS_LIMITS_KM.max}`,
);

const POINT_PATTERN = /^-?\d+(\.\d+)?, ?-?\d+(\.\d+)?$/;

/** Formats the parameters by which a query can ask for a place that `near` names. */
function suggestForPlace(text: string, { taxonomy, venues }: QueryLookups): string {
  const zones = findSimilar(text, taxonomy.zones, listTaxonNames).slice(0, 1);
  const similar_venues = findSimilar(text, venues.values(), ({ name }) => [name]);
  const points = similar_venues.flatMap(({ name, lat, lng }) =>
    lat === null || lng === null ? [] : [`near=${lat},${lng} (${name})`],
  );
  const suggestions = [...zones.map(({ key }) => `zone=${key}`), ...points];
  return suggestions.length === 0 ? '' : `. Did you mean ${suggestions.join(' or ')}?`;
}

function parsePoint({ texts, issues, lookups }: ParseInput): Point | null {
  const text = texts.near;
  if (text === undefined) return null;
  const [lat = 0, lng = 0] = text.split(',').map(Number);
  if (!POINT_PATTERN.test(text))
    issues.push({
      param: 'near',
      message: `'${text}' is not a point. Use lat,lng in degrees, for example 21.1619,-86.8515${suggestForPlace(text, lookups)}`,
    });
  else if (Math.abs(lat) > 90 || Math.abs(lng) > 180)
    issues.push({
      param: 'near',
      message: `${text} is not on the globe. Latitude is -90 to 90, longitude -180 to 180`,
    });
  else return { lat, lng };
  return null;
}

/** Parses `near`, a point, together with `radius_km`, its radius. */
export const NEAR_PARSER: ParameterParser<NearFilter | null, ParseInput> = {
  schema: { type: 'string', pattern: POINT_PATTERN.source },
  parse: (input) => {
    const point = parsePoint(input);
    const radius_km = RADIUS_PARSER.parse(input, 'radius_km');
    return point && { ...point, radius_km: radius_km ?? RADIUS_LIMITS_KM.fallback };
  },
};

export const MAX_Q_LENGTH = 100;
/** Parses `q` to folded words, all of which must match. */
export const SEARCH_WORDS_PARSER: ParameterParser<readonly string[] | null> = {
  schema: { type: 'string', maxLength: MAX_Q_LENGTH },
  parse: ({ texts: { q }, issues }) => {
    if (q === undefined) return null;
    const length = [...q].length;
    if (length <= MAX_Q_LENGTH) return splitWords(q);
    issues.push({ param: 'q', message: `has ${length} characters. The limit is ${MAX_Q_LENGTH}` });
    return null;
  },
};

const DAY = { type: 'string', format: 'date' } as const;
/** Parses a day, or an instant with its offset, to a timestamp. */
export const INSTANT_PARSER: ParameterParser<string | null> = {
  schema: { anyOf: [{ type: 'string', format: 'date-time' }, DAY] },
  parse: ({ texts, issues }, name) => {
    const instant_ms = parseInstantParameter(name, texts, issues);
    return instant_ms === null ? null : formatTimestamp(instant_ms);
  },
};

/** Splits a list at its commas, without empty items. */
export const splitList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Lists the words by which a query can name a taxon, and those that the search knows. */
const listTaxonNames = ({ key, slug, name, search_words }: TaxonRecord): readonly string[] => [
  key,
  ...LANGS.flatMap((lang) => [slug[lang], name[lang]]),
  ...search_words,
];

/** Formats a key with its slug in the language of a request: `live-music (musica-en-vivo)`. */
function formatTaxonWord({ key, slug }: TaxonRecord, lang: string = DEFAULT_LANG): string {
  const word = slug[LANGS.find((each) => each === lang) ?? DEFAULT_LANG];
  return word === key ? key : `${key} (${word})`;
}

/** Formats the taxa that come near unknown words, or else all of them. */
function suggestTaxa(
  words: readonly string[],
  taxa: readonly TaxonRecord[],
  lang: string | undefined,
): string {
  const similar = findSimilar(words.join(' '), taxa, listTaxonNames);
  const formatAll = (list: readonly TaxonRecord[]): string =>
    list.map((taxon) => formatTaxonWord(taxon, lang)).join(', ');
  return similar.length > 0
    ? `Did you mean ${formatAll(similar)}?`
    : `Use one or more of ${formatAll(taxa)}`;
}

/** Parses a list of taxon keys, slugs or names to sorted, distinct keys; null for all taxa. */
export const taxaParser = (
  list: keyof Taxonomy,
): ParameterParser<readonly string[] | null, ParseInput> => ({
  schema: { type: 'string' },
  parse: ({ texts, issues, lookups }, name) => {
    const text = texts[name];
    if (text === undefined) return null;
    const taxa = lookups.taxonomy[list];
    const matches = splitList(text).map((word) => ({ word, key: findTaxon(taxa, word)?.key }));
    const unknown = matches.filter(({ key }) => key === undefined).map(({ word }) => word);
    if (unknown.length > 0)
      issues.push({
        param: name,
        message: `${unknown.map((word) => `'${word}'`).join(', ')} is unknown. ${suggestTaxa(unknown, taxa, texts.lang)}`,
      });
    const keys = new Set(matches.flatMap(({ key }) => key ?? []));
    return keys.size === 0 ? null : [...keys].sort();
  },
});

/** Most ids in `ids`: the size of a saved or shared list. */
export const MAX_EVENT_IDS = 60;
export const EVENT_ID_PATTERN = /^ev_[a-z0-9]{1,40}$/;
/**
 * Parses a list of distinct event ids. Unknown ids are valid, because a saved list may outlive its
 * events.
 */
export const EVENT_IDS_PARSER: ParameterParser<readonly string[] | null> = createParser(
  { type: 'string' },
  (text) => {
    const ids = [...new Set(splitList(text))];
    return ids.length <= MAX_EVENT_IDS && ids.every((id) => EVENT_ID_PATTERN.test(id)) ? ids : null;
  },
  `at most ${MAX_EVENT_IDS} ids of events, with commas`,
);

/** Parses a venue or organizer by its id, any current or former slug, or its name (contract 7.27). */
export const recordParser = (
  kind: 'venue' | 'organizer',
): ParameterParser<NamedRecord | null, ParseInput> => ({
  schema: { type: 'string' },
  parse: ({ texts: { [kind]: text }, issues, lookups }) => {
    if (text === undefined) return null;
    const folded = foldText(text.trim());
    const records = lookups[`${kind}s`];
    const id = lookups.findId(kind, folded) ?? '';
    const record =
      records.get(id) ?? records.values().find(({ name }) => foldText(name) === folded) ?? null;
    if (record === null) {
      const similar = findSimilar(text, records.values(), ({ name }) => [name]);
      const names = similar.map(({ name }) => `'${name}'`).join(' or ');
      const question = names === '' ? '' : `. Did you mean ${names}?`;
      issues.push({
        param: kind,
        message: `'${text}' is unknown. Use an id, slug or name from /api/v1/${kind}s${question}`,
      });
    }
    return record;
  },
});

/** Encodes the position at which a list continues as an opaque text. */
export const encodeCursor = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** Decodes the parts of a cursor. @returns null if the text is not a cursor of this kind. */
export function decodeCursor<T>(schema: v.GenericSchema<unknown, T>, text: string): T | null {
  const json = Buffer.from(text, 'base64url').toString('utf8');
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), json);
  return success ? output : null;
}

export const INVALID_CURSOR_ISSUE: ParameterIssue = {
  param: 'cursor',
  message: 'invalid. Use the value from the Link header (rel="next"), or omit it to start over',
};
/** Computes a short digest of the question of a list, by which a cursor belongs to its question. */
export const digestQuestion = (criteria: object): string =>
  hash('sha256', JSON.stringify(criteria), 'base64url').slice(0, 6);

export const OTHER_QUESTION_ISSUE: ParameterIssue = {
  param: 'cursor',
  message:
    'belongs to another question. Repeat the other parameters of its page, or omit it to start over',
};
