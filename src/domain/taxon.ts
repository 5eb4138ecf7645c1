// Categories and zones: their keys (contract 4.1) and how a reader's word finds one.
import * as v from 'valibot';
import { foldText } from './text-folding.ts';
import { type Lang, LANGS, LocalTextSchema } from './lang.ts';

export const TaxonRecordSchema = v.object({
  key: v.string(),
  name: LocalTextSchema,
  slug: LocalTextSchema,
  /** As the title of its page says it: a zone `en el Centro`, `downtown`, a category `Planes en familia`. */
  name_in: LocalTextSchema,
  /** The middle of a zone, where a source or its venues give one; null of a category. */
  middle: v.nullable(v.object({ lat: v.number(), lng: v.number() })),
  /** Other words by which people search for it, in any language. */
  search_words: v.array(v.string()),
  /** One sentence for its page; what a zone covers. */
  description: v.nullable(LocalTextSchema),
  /** What the events of a category are drawn as; null of a zone. */
  motif: v.nullable(v.string()),
});

export type TaxonRecord = Readonly<v.InferOutput<typeof TaxonRecordSchema>>;

/** All categories and zones of a release, in their editorial order. */
export interface Taxonomy {
  readonly categories: readonly TaxonRecord[];
  readonly zones: readonly TaxonRecord[];
}

export const TaxonSchema = v.strictObject({
  key: v.pipe(v.string(), v.description('Stable key, to be used in filters.')),
  name: v.pipe(v.string(), v.description('In the requested language.')),
});
export type Taxon = v.InferOutput<typeof TaxonSchema>;

/** Taxa by folded key, slug and name, made once for each list of taxa and cached as long as it lives. */
const NAMES = new WeakMap<readonly TaxonRecord[], ReadonlyMap<string, TaxonRecord>>();

function readNames(taxa: readonly TaxonRecord[]): ReadonlyMap<string, TaxonRecord> {
  const cached = NAMES.get(taxa);
  if (cached) return cached;
  // The first of two with the same name wins, so they are entered from the last.
  const made = new Map(
    taxa
      .toReversed()
      .flatMap((t) =>
        [t.key, ...LANGS.flatMap((lang) => [t.slug[lang], t.name[lang]])].map(
          (name) => [foldText(name), t] as const,
        ),
      ),
  );
  NAMES.set(taxa, made);
  return made;
}

/** By key, slug or name in any language, without regard to case or accents. */
export function findTaxon(taxa: readonly TaxonRecord[], word: string): TaxonRecord | null {
  return readNames(taxa).get(foldText(word.trim())) ?? null;
}

export function serializeTaxon(
  taxa: readonly TaxonRecord[],
  key: string | null,
  lang: Lang,
): Taxon | null {
  const found = key === null ? undefined : taxa.find((t) => t.key === key);
  return found ? { key: found.key, name: found.name[lang] } : null;
}
