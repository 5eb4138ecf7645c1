// Content negotiation: selects a media type by Accept (RFC 9110 12.5.1) and a content coding by
// Accept-Encoding (12.5.3), with their weights (12.4.2).
import { LRUCache } from 'lru-cache';

/** A member of Accept or Accept-Encoding. */
interface Preference {
  readonly value: string;
  /** `name=value`, without q. */
  readonly parameters: readonly string[];
  /** 0 to 1; 0 is "not acceptable". */
  readonly q: number;
}

/** Further members of a header are ignored: no client needs more, and each costs time. */
const MAX_MEMBERS = 64;

const QVALUE = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/**
 * Parsed headers. Each request has two, and clients send only a few different ones, none longer
 * than this.
 */
const parsed_headers = new LRUCache<string, readonly Preference[]>({ max: 200 });
const MAX_CACHED_LENGTH = 200;

/** Parses the members of a header in order; drops members with an invalid qvalue. */
function parsePreferences(header: string): readonly Preference[] {
  const cached = parsed_headers.get(header);
  if (cached) return cached;
  const parsed = header.split(',', MAX_MEMBERS).flatMap((member) => {
    const [value = '', ...rest] = member.split(';').map((part) => part.trim().toLowerCase());
    if (value === '') return [];
    const weight = rest.find((part) => part.startsWith('q='))?.slice(2);
    if (weight !== undefined && !QVALUE.test(weight)) return [];
    const parameters = rest.filter((part) => part !== '' && !part.startsWith('q='));
    return [{ value, parameters, q: weight === undefined ? 1 : Number(weight) }];
  });
  if (header.length <= MAX_CACHED_LENGTH) parsed_headers.set(header, parsed);
  return parsed;
}

/**
 * Computes how specifically a range matches a type: 3 with parameters, 2 exact, 1 `type/*`, 0 any,
 * -1 no match.
 */
function computeSpecificity(
  range: Preference,
  type: string,
  parameters: readonly string[],
): number {
  if (range.value === '*/*') return 0;
  if (range.value === `${type.slice(0, type.indexOf('/'))}/*`) return 1;
  if (range.value !== type) return -1;
  if (range.parameters.length === 0) return 2;
  return range.parameters.every((p) => parameters.includes(p)) ? 3 : -1;
}

/**
 * Computes the weight q of a type: that given by the range that matches it most specifically; 0 if
 * none does.
 */
function computeWeight(ranges: readonly Preference[], offered: string): number {
  const [type = '', ...parameters] = offered
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  let best_specificity = -1;
  let q = 0;
  for (const range of ranges) {
    const specificity = computeSpecificity(range, type, parameters);
    const is_better_tie = specificity === best_specificity && specificity >= 0 && range.q > q;
    if (specificity > best_specificity || is_better_tie) {
      best_specificity = specificity;
      q = range.q;
    }
  }
  return q;
}

/**
 * Selects one of the offered types by Accept. The first offered type is the server's preference: it
 * wins ties and is used if the header is absent or empty.
 * @returns null if no type is acceptable (406).
 */
export function negotiateMediaType<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Type | null {
  if (!accept?.trim()) return offered[0] ?? null;
  const ranges = parsePreferences(accept);
  let chosen: Type | null = null;
  let weight = 0;
  for (const type of offered) {
    const q = computeWeight(ranges, type);
    if (q > weight) [chosen, weight] = [type, q];
  }
  return chosen;
}

/** Content codings of precompressed files, the smallest result first. */
export const PRECOMPRESSED_CODINGS = ['br', 'zstd', 'gzip'] as const;
export type ContentCoding = (typeof PRECOMPRESSED_CODINGS)[number];
/**
 * Codings of responses compressed per request: zstd takes a sixth of brotli's time for a tenth more
 * bytes.
 */
export const ON_THE_FLY_CODINGS: readonly ContentCoding[] = ['zstd', 'br', 'gzip'];

/**
 * Selects a content coding by Accept-Encoding: the highest weight, on ties the first available one,
 * identity last. Falls back to identity if nothing is acceptable (RFC 9110), which is better than
 * an error. `*` does not prove that a client supports a given coding, so it only selects gzip,
 * which every client supports.
 */
export function negotiateCoding(
  header: string | undefined,
  available: readonly ContentCoding[],
): ContentCoding | 'identity' {
  if (header === undefined || available.length === 0) return 'identity';
  const preferences = parsePreferences(header);
  const weightOf = (name: string): number | undefined =>
    preferences.find(({ value }) => value === name || (name === 'gzip' && value === 'x-gzip'))?.q;
  const wildcard = weightOf('*');
  let chosen: ContentCoding | 'identity' = 'identity';
  let weight = 0;
  for (const coding of available) {
    const q = weightOf(coding) ?? (coding === 'gzip' ? wildcard : undefined) ?? 0;
    if (q > weight) [chosen, weight] = [coding, q];
  }
  return (weightOf('identity') ?? 0) > weight ? 'identity' : chosen;
}
