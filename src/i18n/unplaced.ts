// What is not sure of a list around a point: what it leaves out, and what is measured to the middle of
// a zone (contract 7.24).
import type { NearFacts } from '../domain/filters/near.ts';
import type { Lang } from '../domain/lang.ts';
import { t, tCount } from './translate.ts';

/** A sentence each; none where all places are known or no point was asked for. */
export function toUnplacedSentences(near: NearFacts | null, lang: Lang): readonly string[] {
  if (near === null) return [];
  const { without_place, measured_to_zone } = near;
  return [
    ...(measured_to_zone === null ? [] : [toMeasured(measured_to_zone, lang)]),
    ...(without_place === 0 ? [] : [tCount(lang, 'filters.unplaced', without_place)]),
  ];
}

function toMeasured(
  { count, off_km }: NonNullable<NearFacts['measured_to_zone']>,
  lang: Lang,
): string {
  const off =
    off_km === null
      ? t(lang, 'filters.off.unknown')
      : t(lang, 'filters.off.km', { number: off_km });
  return tCount(lang, 'filters.measured_to_zone', count, { off });
}
