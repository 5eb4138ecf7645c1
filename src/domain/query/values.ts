// One parameter's text read as a value. What is wrong is pushed to `issues` as `param: sentence`, which
// says what is accepted; nothing throws before all of a query is read (contract 7.3).
import * as v from 'valibot';
import { AppError } from '../app-error.ts';
import type { Near, Point } from '../distance.ts';
import { fold, toWords } from '../folding.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../lang.ts';
import { findTaxon, type TaxonRecord, type Taxonomy } from '../taxon.ts';
import {
  FLAG_WORDS,
  MAX_PRICE,
  MAX_Q_LENGTH,
  type ParameterTexts,
  POINT,
  RADIUS_KM,
} from './parameters.ts';

/** A venue or an organizer. */
export interface Thing {
  readonly id: string;
  readonly name: string;
}

/** What a query may name: categories and zones, venues and organizers by their id. */
export interface Town {
  readonly taxonomy: Taxonomy;
  readonly venues: ReadonlyMap<string, Thing>;
  readonly organizers: ReadonlyMap<string, Thing>;
  /** The id behind an id or any slug that one ever had; that of nothing, or null, for an unknown one. */
  readonly findId: (kind: 'venue' | 'organizer', id_or_slug: string) => string | null;
}

/** Throws AppError invalid_parameter that names every issue; nothing where there is none. */
export function refuse(issues: readonly string[]): void {
  if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
}

/** Null where it is not given, or `parse` gives null for it, which is pushed with what is accepted. */
function readValue<T>(
  name: string,
  { [name]: text }: ParameterTexts,
  issues: string[],
  parse: (text: string) => T | null,
  accepted: string,
): T | null {
  if (text === undefined) return null;
  const value = parse(text);
  if (value === null) issues.push(`${name}: '${text}' is not accepted. Use ${accepted}`);
  return value;
}

export const readChoice = <T extends string>(
  name: string,
  choices: readonly T[],
  params: ParameterTexts,
  issues: string[],
  accepted = choices.join(', '),
): T | null =>
  readValue(name, params, issues, (text) => choices.find((one) => one === text) ?? null, accepted);

export const readLang = (params: ParameterTexts, issues: string[]): Lang =>
  readChoice('lang', LANGS, params, issues, LANGS.join(' or ')) ?? DEFAULT_LANG;

export function readFlag(name: string, params: ParameterTexts, issues: string[]): boolean {
  const word = readChoice(name, FLAG_WORDS, params, issues, '1, true, 0 or false');
  return word === '1' || word === 'true';
}

/** Of a text in one of these forms the number, within both; else null. */
const toNumberWithin = (text: string, form: RegExp, min: number, max: number): number | null =>
  form.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : null;

export const readLimit = (
  params: ParameterTexts,
  issues: string[],
  { max, fallback }: { readonly max: number; readonly fallback: number },
): number =>
  readValue(
    'limit',
    params,
    issues,
    (text) => toNumberWithin(text, /^\d+$/, 1, max),
    `a whole number from 1 to ${max}`,
  ) ?? fallback;

export const readPriceMax = (params: ParameterTexts, issues: string[]): number | null =>
  readValue(
    'price_max',
    params,
    issues,
    (text) => toNumberWithin(text, /^\d+(\.\d+)?$/, 0, MAX_PRICE),
    `an amount in pesos from 0 to ${MAX_PRICE}`,
  );

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

/** `near` and `radius_km`. */
export function readNear(params: ParameterTexts, issues: string[]): Near | null {
  const point = readPoint(params.near, issues);
  const radius_km = readValue(
    'radius_km',
    params,
    issues,
    (text) => toNumberWithin(text, /^[+-]?\d+(\.\d+)?$/, Number.MIN_VALUE, RADIUS_KM.max),
    `a number above 0, at most ${RADIUS_KM.max}`,
  );
  return point && { ...point, radius_km: radius_km ?? RADIUS_KM.fallback };
}

/** The folded words of `q`, all of which must match. */
export function readWords({ q }: ParameterTexts, issues: string[]): readonly string[] | null {
  if (q === undefined) return null;
  const length = [...q].length;
  if (length <= MAX_Q_LENGTH) return toWords(q);
  issues.push(`q: has ${length} characters. At most ${MAX_Q_LENGTH} are accepted`);
  return null;
}

/** The parts of a list with commas. */
export const splitList = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** The keys of several taxa by key, slug or name, sorted, each once; null is all. */
export function readTaxa(
  name: string,
  { [name]: text }: ParameterTexts,
  taxa: readonly TaxonRecord[],
  issues: string[],
): readonly string[] | null {
  if (text === undefined) return null;
  const found = splitList(text).map((word) => ({ word, key: findTaxon(taxa, word)?.key }));
  const unknown = found.filter(({ key }) => key === undefined).map(({ word }) => `'${word}'`);
  if (unknown.length > 0)
    issues.push(
      `${name}: ${unknown.join(', ')} is not known. Use one or several of ${taxa.map(({ key }) => key).join(', ')}`,
    );
  const keys = new Set(found.flatMap(({ key }) => key ?? []));
  return keys.size === 0 ? null : [...keys].sort();
}

/** A venue or an organizer by its id or any slug that it ever had (contract 7.27). */
export function readThing(
  kind: 'venue' | 'organizer',
  { [kind]: text }: ParameterTexts,
  town: Town,
  issues: string[],
): Thing | null {
  if (text === undefined) return null;
  const thing = town[`${kind}s`].get(town.findId(kind, fold(text.trim())) ?? '') ?? null;
  if (thing === null)
    issues.push(`${kind}: '${text}' is not known. Use the id or slug of one in /api/v1/${kind}s`);
  return thing;
}

/** Where a list goes on, as an opaque text. */
export const formatParts = (parts: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url');

/** The parts of such a text; null where it is not one of ours. */
export function parseParts<T>(schema: v.GenericSchema<unknown, T>, text: string): T | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return v.parse(schema, parts);
  } catch {
    return null;
  }
}

export const FOREIGN_CURSOR =
  'cursor: is not one of ours. Take it as it is from the Link header with rel="next", or leave it out to begin anew';
