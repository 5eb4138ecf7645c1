// How far a place is, in words (contract 7.26).
import type { Lang } from '../domain/lang.ts';
import { t, toLocale } from './translate.ts';

/**
 * `a 350 m` · `350 m away` below a kilometre, `a 1.3 km` · `1.3 km away` from there on; whole
 * kilometres and what they lead to where it is the middle of a zone.
 */
export function toDistanceWords(
  distance_km: number,
  coordinates: 'venue' | 'zone' | null,
  lang: Lang,
): string {
  if (coordinates === 'zone')
    return t(lang, 'distance.to_zone', { number: Math.max(1, Math.round(distance_km)) });
  const is_short = distance_km < 0.995;
  const number = is_short ? Math.round(distance_km * 100) * 10 : distance_km;
  const format = new Intl.NumberFormat(toLocale(lang), { maximumFractionDigits: 1 });
  return t(lang, is_short ? 'distance.m' : 'distance.km', { number: format.format(number) });
}
