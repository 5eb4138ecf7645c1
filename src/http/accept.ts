// Which representation a caller wants, by Accept (RFC 9110 12.5.1): q-values, the most specific
// range wins.
import { parseQualities, type Quality } from './quality-list.ts';

/**
 * How closely a range fits a type: 3 with parameters, 2 type and subtype, 1 type only, 0 any, -1
 * not at all.
 */
function toFit(range: Quality, type: string, parameters: readonly string[]): number {
  if (range.value === '*/*') return 0;
  if (range.value === `${type.slice(0, type.indexOf('/'))}/*`) return 1;
  if (range.value !== type) return -1;
  if (range.parameters.length === 0) return 2;
  return range.parameters.every((p) => parameters.includes(p)) ? 3 : -1;
}

function toWeight(ranges: readonly Quality[], offered: string): number {
  const [type = '', ...parameters] = offered
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  let best = -1;
  let q = 0;
  for (const range of ranges) {
    const fit = toFit(range, type, parameters);
    if (fit > best || (fit === best && fit >= 0 && range.q > q)) {
      best = fit;
      q = range.q;
    }
  }
  return q;
}

/**
 * The media type to answer with, one of `offered` (the server's favourite first, which also wins
 * ties), or null where none is acceptable (406). Without the header, or with an empty one, the
 * first. `charset` need not be asked for.
 */
export function chooseMediaType<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
): Type | null {
  const ranges = accept === undefined ? [] : parseQualities(accept);
  if (accept === undefined || accept.trim() === '') return offered[0] ?? null;
  let chosen: Type | null = null;
  let weight = 0;
  for (const type of offered) {
    const q = toWeight(ranges, type);
    if (q > weight) [chosen, weight] = [type, q];
  }
  return chosen;
}
