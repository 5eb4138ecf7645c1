// One spelling for each query: what pages link to and are stored under, whatever words it was
// written with.
import type { Lang } from '../lang.ts';
import type { Taxonomy } from '../taxon.ts';
import type { EventFilter } from './event-filter.ts';
import type { ParameterTexts } from './filter.ts';
import { FLAG_FILTERS, LIST_PARAMETER_NAMES, TAXON_FILTERS } from './filters.ts';
import { LIMITS } from './limit.ts';
import { RADIUS_KM } from './near.ts';

/**
 * The texts of a query in the contract's order: slugs of one language, `1` for what is on, nothing
 * that says what holds anyway. `filter` is what was read from `texts`.
 */
export function toQueryTexts(
  filter: EventFilter,
  texts: ParameterTexts,
  taxonomy: Taxonomy,
  lang: Lang,
): ParameterTexts {
  const spelled: Record<string, string | null> = {
    ...texts,
    ...Object.fromEntries(
      [...TAXON_FILTERS, ...FLAG_FILTERS].map(({ name, toText }) => [
        name,
        toText(filter, taxonomy, lang),
      ]),
    ),
    radius_km:
      filter.near === null || filter.near.radius_km === RADIUS_KM.fallback
        ? null
        : String(filter.near.radius_km),
    limit: filter.limit === LIMITS.list.fallback ? null : String(filter.limit),
    q: texts.q?.trim().replace(/\s+/g, ' ') ?? null,
    lang: null,
  };
  return sortTexts(spelled);
}

/** Texts in the contract's order, those of no parameter and the empty ones left out. */
export const sortTexts = (texts: Readonly<Record<string, string | null>>): ParameterTexts =>
  Object.fromEntries(
    LIST_PARAMETER_NAMES.flatMap((name) => {
      const text = texts[name];
      return text === undefined || text === null || text === '' ? [] : [[name, text]];
    }),
  );
