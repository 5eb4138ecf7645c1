// What a list around a point leaves out: events whose place nobody gave as a point (contract 7.24).
import type { Lang } from '../domain/lang.ts';
import { tCount } from './translate.ts';

/** One sentence; none where nothing is left out or no point was asked for. */
export const toUnplacedSentences = (count: number | null, lang: Lang): readonly string[] =>
  count ? [tCount(lang, 'filters.unplaced', count)] : [];
