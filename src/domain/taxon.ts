// Taxon: a category or zone (contract 4.1), and finds one by key, slug or name.
import * as v from 'valibot';
import { foldText } from './text-folding.ts';
import { type Lang, LANGS, LocalTextSchema } from './lang.ts';

/** A category or zone; `key` is the value of filters. */
export const TaxonRecordSchema = v.object({
  key: v.string(),
  name: LocalTextSchema,
  slug: LocalTextSchema,
  /** Phrase for page titles: a zone `en el Centro`, `downtown`, a category `Planes en familia`. */
  name_in: LocalTextSchema,
  /** Middle of a zone, from a source or its venues, if known; null for a category. */
  middle: v.nullable(v.object({ lat: v.number(), lng: v.number() })),
  /** Further search words, in any language. */
  search_words: v.array(v.string()),
  /** One sentence for its page; the extent of a zone. */
  description: v.nullable(LocalTextSchema),
  /** Default motif of a category's events; null for a zone. */
  motif: v.nullable(v.string()),
});

export type TaxonRecord = Readonly<v.InferOutput<typeof TaxonRecordSchema>>;

/** All categories and zones of a release, in editorial order. */
export interface Taxonomy {
  readonly categories: readonly TaxonRecord[];
  readonly zones: readonly TaxonRecord[];
}

/** Public form of a taxon, in one language. */
export const TaxonSchema = v.strictObject({
  key: v.pipe(v.string(), v.description('Stable; for filters.')),
  name: v.string(),
});
export type Taxon = v.InferOutput<typeof TaxonSchema>;

/** Taxa by folded key, slug and name, cached per list. */
const INDEXES = new WeakMap<readonly TaxonRecord[], ReadonlyMap<string, TaxonRecord>>();

function indexByName(taxa: readonly TaxonRecord[]): ReadonlyMap<string, TaxonRecord> {
  const cached = INDEXES.get(taxa);
  if (cached) return cached;
  // Later entries overwrite earlier ones, so that the first taxon of a name wins.
  const index = new Map(
    taxa
      .toReversed()
      .flatMap((taxon) =>
        [taxon.key, ...LANGS.flatMap((lang) => [taxon.slug[lang], taxon.name[lang]])].map(
          (name) => [foldText(name), taxon] as const,
        ),
      ),
  );
  INDEXES.set(taxa, index);
  return index;
}

/** Finds a taxon by key, slug or name in any language; case and accents do not matter. */
export function findTaxon(taxa: readonly TaxonRecord[], word: string): TaxonRecord | null {
  return indexByName(taxa).get(foldText(word.trim())) ?? null;
}

export function serializeTaxon(
  taxa: readonly TaxonRecord[],
  key: string | null,
  lang: Lang,
): Taxon | null {
  const taxon = key === null ? undefined : taxa.find((candidate) => candidate.key === key);
  return taxon ? { key: taxon.key, name: taxon.name[lang] } : null;
}
