// What a caller prefers, by Accept and Accept-Encoding: weights (RFC 9110 12.4.2), media types
// (12.5.1) and content codings (12.5.3).
import { LRUCache } from 'lru-cache';

interface Preference {
  readonly value: string;
  /** `name=value`, without q. */
  readonly parameters: readonly string[];
  /** 0 to 1; 0 is "not acceptable". */
  readonly q: number;
}

/** Longer headers are cut here: no client needs more members, and each costs time. */
const MAX_MEMBERS = 64;

const QVALUE = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/** Headers with what they mean: programs send only a few, each request two, and none are longer. */
const parsed_headers = new LRUCache<string, readonly Preference[]>({ max: 200 });
const MAX_CACHED_LENGTH = 200;

/** The members of a header in their order; one with a q that is no qvalue is left out. */
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

/** How closely a range matches a type: 3 with parameters, 2 both halves, 1 the first, 0 any, -1 not. */
function toSpecificity(range: Preference, type: string, parameters: readonly string[]): number {
  if (range.value === '*/*') return 0;
  if (range.value === `${type.slice(0, type.indexOf('/'))}/*`) return 1;
  if (range.value !== type) return -1;
  if (range.parameters.length === 0) return 2;
  return range.parameters.every((p) => parameters.includes(p)) ? 3 : -1;
}

function toWeight(ranges: readonly Preference[], offered: string): number {
  const [type = '', ...parameters] = offered
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  let best = -1;
  let q = 0;
  for (const range of ranges) {
    const specificity = toSpecificity(range, type, parameters);
    if (specificity > best || (specificity === best && specificity >= 0 && range.q > q)) {
      best = specificity;
      q = range.q;
    }
  }
  return q;
}

/**
 * One of the types offered (the server's favourite first, which also wins ties), or null where none is
 * acceptable (406). Without the header, or with an empty one, the first.
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
    const q = toWeight(ranges, type);
    if (q > weight) [chosen, weight] = [type, q];
  }
  return chosen;
}

/** The codings of files that are compressed beforehand, the smallest first. */
export const PRECOMPRESSED_CODINGS = ['br', 'zstd', 'gzip'] as const;
export type ContentCoding = (typeof PRECOMPRESSED_CODINGS)[number];
/** While a client waits: zstd takes a sixth of brotli's time and a tenth more bytes. */
export const ON_THE_FLY_CODINGS: readonly ContentCoding[] = ['zstd', 'br', 'gzip'];

/**
 * The highest weight wins, on ties the first of those available, identity last. Where nothing is
 * acceptable it is identity (RFC 9110): better than a refusal. `*` says of no coding that the client can
 * read it, so it stands for gzip only, which every client can.
 */
export function negotiateCoding(
  header: string | undefined,
  available: readonly ContentCoding[],
): ContentCoding | 'identity' {
  if (header === undefined || available.length === 0) return 'identity';
  const preferences = parsePreferences(header);
  const weigh = (name: string): number | undefined =>
    preferences.find(({ value }) => value === name || (name === 'gzip' && value === 'x-gzip'))?.q;
  const any = weigh('*');
  let chosen: ContentCoding | 'identity' = 'identity';
  let weight = 0;
  for (const coding of available) {
    const q = weigh(coding) ?? (coding === 'gzip' ? any : undefined) ?? 0;
    if (q > weight) [chosen, weight] = [coding, q];
  }
  return (weigh('identity') ?? 0) > weight ? 'identity' : chosen;
}
