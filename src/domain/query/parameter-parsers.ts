// What a parameter may be, and its text read as that. What is wrong is pushed to `issues` as
// `param: sentence`, which says what is accepted; nothing throws before all of a query is read (contract 7.3).
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import { AppError } from '../app-error.ts';
import { formatTimestamp } from '../local-time.ts';
import type { NearFilter, Point } from '../distance.ts';
import { foldText, splitWords } from '../text-folding.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../lang.ts';
import { findTaxon, type Taxonomy } from '../taxon.ts';
import { parseInstantParameter } from './date-range.ts';

/** Known parameters as texts, each once, no empty values. */
export type ParameterValues = Readonly<Record<string, string>>;

export interface NamedRecord {
  readonly id: string;
  readonly name: string;
}

/** What a query may name: categories and zones, venues and organizers by their id. */
export interface QueryLookups {
  readonly taxonomy: Taxonomy;
  readonly venues: ReadonlyMap<string, NamedRecord>;
  readonly organizers: ReadonlyMap<string, NamedRecord>;
  /** The id behind an id or any slug that one ever had; that of nothing, or null, for an unknown one. */
  readonly findId: (kind: 'venue' | 'organizer', id_or_slug: string) => string | null;
}

interface Query {
  readonly texts: ParameterValues;
  readonly issues: string[];
}
export interface ParseInput extends Query {
  readonly town: QueryLookups;
}

/** JSON Schema 2020-12 of a parameter's text as sent. */
export type ParameterSchema = Readonly<Record<string, unknown>>;

export interface ParameterParser<T, Q = Query> {
  readonly schema: ParameterSchema;
  readonly read: (query: Q, name: string) => T;
}

/** Throws AppError invalid_parameter that names every issue; nothing where there is none. */
export function throwIfIssues(issues: readonly string[]): void {
  if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
}

/** What `read` makes of a query, or AppError invalid_parameter that names every issue, those in `found` first. */
export function parseOrThrow<T>(found: readonly string[], read: (issues: string[]) => T): T {
  const issues = [...found];
  const value = read(issues);
  throwIfIssues(issues);
  return value;
}

/** Null where it is not given, or `parse` gives null for it, which is pushed with what is accepted. */
const kindOf = <T>(
  schema: ParameterSchema,
  parse: (text: string) => T | null,
  accepted: string,
): ParameterParser<T | null> => ({
  schema,
  read: ({ texts, issues }, name) => {
    const text = texts[name];
    if (text === undefined) return null;
    const value = parse(text);
    if (value === null) issues.push(`${name}: '${text}' is not accepted. Use ${accepted}`);
    return value;
  },
});

/** The same with a value where there is none. */
const withDefault = <T>(
  { schema, read }: ParameterParser<T | null>,
  fallback: T,
): ParameterParser<T> => ({
  schema,
  read: (query, name) => read(query, name) ?? fallback,
});

export const oneOfParser = <T extends string>(
  choices: readonly T[],
  accepted = choices.join(', '),
): ParameterParser<T | null> =>
  kindOf(
    { type: 'string', enum: choices },
    (text) => choices.find((one) => one === text) ?? null,
    accepted,
  );

interface NumberSchema extends ParameterSchema {
  readonly type: 'integer' | 'number';
  readonly maximum: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
}

function numberOf(schema: NumberSchema, accepted: string): ParameterParser<number | null> {
  const { type, minimum = 0, exclusiveMinimum: above = -1, maximum } = schema;
  // A radius may have a sign; an amount may not.
  const decimal = above < 0 ? /^\d+(\.\d+)?$/ : /^[+-]?\d+(\.\d+)?$/;
  const form = type === 'integer' ? /^\d+$/ : decimal;
  const isWithin = (value: number): boolean =>
    value >= minimum && value > above && value <= maximum;
  return kindOf(
    schema,
    (text) => (form.test(text) && isWithin(Number(text)) ? Number(text) : null),
    accepted,
  );
}

const LANG = withDefault<Lang>(oneOfParser(LANGS, LANGS.join(' or ')), DEFAULT_LANG);
export const LANG_PARAMETER_SCHEMA = { ...LANG.schema, default: DEFAULT_LANG };
export const parseLangParameter = (texts: ParameterValues, issues: string[]): Lang =>
  LANG.read({ texts, issues }, 'lang');

const FLAG_WORDS = ['1', 'true', '0', 'false'] as const;
const flag = oneOfParser(FLAG_WORDS, '1, true, 0 or false');
export const FLAG_PARSER: ParameterParser<boolean> = {
  schema: flag.schema,
  read: (query, name) => ['1', 'true'].includes(flag.read(query, name) ?? ''),
};

export const limitParser = ({ max, fallback }: Readonly<Record<'max' | 'fallback', number>>) =>
  withDefault(
    numberOf(
      { type: 'integer', minimum: 1, maximum: max, default: fallback },
      `a whole number from 1 to ${max}`,
    ),
    fallback,
  );

/** The highest amount that may be asked for. */
export const MAX_PRICE_FILTER = 100_000;
export const PRICE_PARSER = numberOf(
  { type: 'number', minimum: 0, maximum: MAX_PRICE_FILTER },
  `an amount in ${TOWN.currency.name.en} from 0 to ${MAX_PRICE_FILTER}`,
);

export const RADIUS_LIMITS_KM = { max: 50, fallback: 5 } as const;
export const RADIUS_PARSER = numberOf(
  {
    type: 'number',
    exclusiveMinimum: 0,
    maximum: RADIUS_LIMITS_KM.max,
    default: RADIUS_LIMITS_KM.fallback,
  },
  `a number above 0, at most ${RADIUS_LIMITS_KM.max}`,
);

const POINT = /^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/;

function readPoint(text: string | undefined, issues: string[]): Point | null {
  if (text === undefined) return null;
  const [lat = 0, lng = 0] = text.split(',').map(Number);
  if (!POINT.test(text))
    issues.push(
      `near: '${text}' is not a point. Write lat,lng in degrees, for example 21.1619,-86.8515`,
    );
  else if (Math.abs(lat) > 90 || Math.abs(lng) > 180)
    issues.push(`near: ${text} is not on the globe. Latitude is -90 to 90, longitude -180 to 180`);
  else return { lat, lng };
  return null;
}

export const NEAR_PARSER: ParameterParser<NearFilter | null> = {
  schema: { type: 'string', pattern: POINT.source },
  read: (query) => {
    const point = readPoint(query.texts.near, query.issues);
    const radius_km = RADIUS_PARSER.read(query, 'radius_km');
    return point && { ...point, radius_km: radius_km ?? RADIUS_LIMITS_KM.fallback };
  },
};

export const MAX_Q_LENGTH = 100;
/** Folded words, all of which must match. */
export const SEARCH_WORDS_PARSER: ParameterParser<readonly string[] | null> = {
  schema: { type: 'string', maxLength: MAX_Q_LENGTH },
  read: ({ texts: { q }, issues }) => {
    if (q === undefined) return null;
    const length = [...q].length;
    if (length <= MAX_Q_LENGTH) return splitWords(q);
    issues.push(`q: has ${length} characters. At most ${MAX_Q_LENGTH} are accepted`);
    return null;
  },
};

const DAY = { type: 'string', format: 'date' } as const;
/** A day, or an instant with its offset, as a timestamp. */
export const INSTANT_PARSER: ParameterParser<string | null> = {
  schema: { anyOf: [{ type: 'string', format: 'date-time' }, DAY] },
  read: ({ texts, issues }, name) => {
    const moment_ms = parseInstantParameter(name, texts, issues);
    return moment_ms === null ? null : formatTimestamp(moment_ms);
  },
};

export const splitList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** The keys of several taxa by key, slug or name, sorted, each once; null is all. */
export const taxaParser = (
  list: keyof Taxonomy,
): ParameterParser<readonly string[] | null, ParseInput> => ({
  schema: { type: 'string' },
  read: ({ texts, issues, town }, name) => {
    const text = texts[name];
    if (text === undefined) return null;
    const taxa = town.taxonomy[list];
    const found = splitList(text).map((word) => ({ word, key: findTaxon(taxa, word)?.key }));
    const unknown = found.filter(({ key }) => key === undefined).map(({ word }) => `'${word}'`);
    if (unknown.length > 0)
      issues.push(
        `${name}: ${unknown.join(', ')} is not known. Use one or several of ${taxa.map(({ key }) => key).join(', ')}`,
      );
    const keys = new Set(found.flatMap(({ key }) => key ?? []));
    return keys.size === 0 ? null : [...keys].sort();
  },
});

/** Most events that may be named: a list to keep and to share. */
export const MAX_EVENT_IDS = 60;
export const EVENT_ID_PATTERN = /^ev_[a-z0-9]{1,40}$/;
/** Events by their ids, each once. One that is no event any more is no fault: a list outlives what is in it. */
export const EVENT_IDS_PARSER: ParameterParser<readonly string[] | null> = kindOf(
  { type: 'string' },
  (text) => {
    const ids = [...new Set(splitList(text))];
    return ids.length <= MAX_EVENT_IDS && ids.every((id) => EVENT_ID_PATTERN.test(id)) ? ids : null;
  },
  `at most ${MAX_EVENT_IDS} ids of events, with commas`,
);

/** A venue or an organizer by its id or any slug that it ever had (contract 7.27). */
export const recordParser = (
  kind: 'venue' | 'organizer',
): ParameterParser<NamedRecord | null, ParseInput> => ({
  schema: { type: 'string' },
  read: ({ texts: { [kind]: text }, issues, town }) => {
    if (text === undefined) return null;
    const thing = town[`${kind}s`].get(town.findId(kind, foldText(text.trim())) ?? '') ?? null;
    if (thing === null)
      issues.push(`${kind}: '${text}' is not known. Use the id or slug of one in /api/v1/${kind}s`);
    return thing;
  },
});

/** Where a list goes on, as an opaque text. */
export const encodeCursor = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** The parts of such a text; null where it is not one of ours. */
export function decodeCursor<T>(schema: v.GenericSchema<unknown, T>, text: string): T | null {
  const json = Buffer.from(text, 'base64url').toString('utf8');
  const { success, output } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), json);
  return success ? output : null;
}

export const INVALID_CURSOR_MESSAGE =
  'cursor: is not one of ours. Take it as it is from the Link header with rel="next", or leave it out to begin anew';
