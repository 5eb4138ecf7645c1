// The headings of the parts that a day is told in, the same on every surface.
import type { HourPartKey } from '../domain/agenda-parts/hour-parts.ts';
import type { Lang } from '../domain/lang.ts';
import { t } from './translate.ts';

/** `Ahora`, `Empieza pronto`, `Por la noche`, `Ya terminó`; without a count, without `18+`. */
export const toPartTitle = (key: HourPartKey | 'nightclubs.tonight', lang: Lang): string =>
  t(lang, `agenda.${key}`);
