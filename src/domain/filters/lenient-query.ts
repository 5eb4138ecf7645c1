// A query read leniently, for pages: what cannot be understood is left out and told, where the API
// refuses (contract 7.3, 7.22).
import { AppError } from '../app-error.ts';
import { floorToMinute } from '../cancun-time.ts';
import { findTaxon, type Taxonomy } from '../taxon.ts';
import { readCursor } from './cursor.ts';
import type { EventFilter } from './event-filter.ts';
import { parseEventQuery } from './event-query.ts';
import type { ParameterTexts, Town } from './filter.ts';
import {
  type ListParameterName,
  LIST_PARAMETER_NAMES,
  readFilters,
  TAXON_FILTERS,
} from './filters.ts';

/** A text that was left out: of which parameter, and as it was written. */
export interface LeftOut {
  readonly name: ListParameterName;
  readonly value: string;
}

/** What was understood of a query. */
export interface LenientQuery {
  readonly filter: EventFilter;
  /** The texts that the filter was read from. */
  readonly texts: ParameterTexts;
  readonly left_out: readonly LeftOut[];
}

/**
 * The filter of what can be understood. `params`: known names, each once, no empty values; `now_ms`
 * decides today. Never throws for what a query says.
 */
export function readLeniently(params: ParameterTexts, town: Town, now_ms: number): LenientQuery {
  const left_out: LeftOut[] = [];
  let texts: ParameterTexts = params;
  // One fault may hide another, and each round leaves out at least one word.
  for (;;) {
    const wrong = listWrong(texts, town, now_ms);
    if (wrong.length === 0) break;
    for (const name of wrong) {
      const { kept, value } = splitKnown(name, texts[name] ?? '', town.taxonomy);
      left_out.push({ name, value });
      const { [name]: _, ...rest } = texts;
      texts = kept === '' ? rest : { ...rest, [name]: kept };
    }
  }
  return { filter: parseEventQuery(texts, town, now_ms, 'list').filter, texts, left_out };
}

/** The parameters that have an issue, among those that are given. */
function listWrong(
  texts: ParameterTexts,
  town: Town,
  now_ms: number,
): readonly ListParameterName[] {
  const issues = { form: [] as string[], meaning: [] as string[] };
  const now = floorToMinute(now_ms);
  const after = readCursor(texts.cursor, now, issues.form);
  readFilters(texts, { town, now_ms: after?.now_ms ?? now, kind: 'list', issues });
  const all = [...issues.form, ...issues.meaning];
  const wrong = LIST_PARAMETER_NAMES.filter(
    (name) => texts[name] !== undefined && all.some((issue) => issue.startsWith(`${name}: `)),
  );
  // An issue that names nothing that was given would be left out for ever.
  if (all.length > 0 && wrong.length === 0) throw new AppError('invalid_parameter', all.join('; '));
  return wrong;
}

/** Of several categories or zones those that are known are kept; of anything else nothing. */
function splitKnown(
  name: ListParameterName,
  text: string,
  taxonomy: Taxonomy,
): { readonly kept: string; readonly value: string } {
  const filter = TAXON_FILTERS.find((known) => known.name === name);
  if (filter === undefined) return { kept: '', value: text };
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const isKnown = (word: string): boolean => findTaxon(filter.taxaOf(taxonomy), word) !== null;
  return {
    kept: words.filter(isKnown).join(','),
    value: words.filter((word) => !isKnown(word)).join(', '),
  };
}
