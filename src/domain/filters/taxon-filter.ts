// What the filters by category and by zone have in common: several keys or slugs, any of which an
// event may have.
import type { Lang } from '../lang.ts';
import { findTaxon, type TaxonRecord, type Taxonomy, toTaxon } from '../taxon.ts';
import type { Filter, FilteredEvent } from './filter.ts';

/** The keys asked for, sorted, each once; null is all. */
export type WantedKeys = readonly string[] | null;

/** What one of them says of itself. */
interface TaxonForm<Name extends string, Value> {
  readonly name: Name;
  readonly other_names: readonly string[];
  readonly example: string;
  readonly keys: readonly string[];
  readonly keyOf: (event: FilteredEvent) => string | null;
  readonly taxaOf: (taxonomy: Taxonomy) => readonly TaxonRecord[];
  readonly toValue: (keys: WantedKeys) => Value;
  readonly keysOf: (value: Value) => WantedKeys;
}

export interface TaxonFilter<Name extends string, Value>
  extends Filter<Name, Value>,
    Omit<TaxonForm<Name, Value>, 'example' | 'other_names' | 'toValue'> {
  /** The parameter again: slugs in one language, in editorial order; null where it is off. */
  readonly toText: (value: Value, taxonomy: Taxonomy, lang: Lang) => string | null;
}

/** A filter by the keys of a list of taxa. */
export function createTaxonFilter<Name extends string, Value>(
  form: TaxonForm<Name, Value>,
): TaxonFilter<Name, Value> {
  const { name, other_names, example, taxaOf, toValue, keysOf, keys, keyOf } = form;
  return {
    name,
    keys,
    keyOf,
    taxaOf,
    keysOf,
    parameters: [{ name, other_names, schema: { type: 'string' }, example }],
    off: toValue(null),
    read: (params, { town, issues }) =>
      toValue(readKeys(name, params[name], taxaOf(town.taxonomy), issues.meaning)),
    isOn: (value) => keysOf(value) !== null,
    toPhrases: (value, { taxonomy, lang }) =>
      (keysOf(value) ?? []).map((key) => toTaxon(taxaOf(taxonomy), key, lang)?.name ?? key),
    toText: (value, taxonomy, lang) => {
      const wanted = keysOf(value);
      return wanted && toSlugs(wanted, taxaOf(taxonomy), lang);
    },
  };
}

const toSlugs = (wanted: readonly string[], taxa: readonly TaxonRecord[], lang: Lang): string =>
  taxa
    .filter((taxon) => wanted.includes(taxon.key))
    .map((taxon) => taxon.slug[lang])
    .join(',');

function readKeys(
  name: string,
  text: string | undefined,
  taxa: readonly TaxonRecord[],
  issues: string[],
): WantedKeys {
  if (text === undefined) return null;
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const unknown = words.filter((word) => !findTaxon(taxa, word));
  if (unknown.length > 0) {
    issues.push(
      `${name}: ${unknown.map((word) => `'${word}'`).join(', ')} is not known. Use one or several of ${taxa.map((taxon) => taxon.key).join(', ')}`,
    );
  }
  const keys = new Set(
    words.map((word) => findTaxon(taxa, word)?.key).filter((key) => key !== undefined),
  );
  return keys.size === 0 ? null : [...keys].sort();
}
