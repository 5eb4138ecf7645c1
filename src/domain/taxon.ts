// Categories and zones: their keys (decisions, Resources 7) and how a reader's word finds one.
import { fold } from './folding.ts';
import { type Lang, LANGS, type LocalText } from './lang.ts';

export const CATEGORY_KEYS = [
  'live-music',
  'party',
  'theater',
  'dance',
  'film',
  'art',
  'markets',
  'food',
  'sports',
  'wellness',
  'family',
  'tech',
  'environment',
  'culture',
  'community',
] as const;

export const ZONE_KEYS = [
  'hotel-zone',
  'downtown',
  'huayacan',
  'puerto-cancun',
  'tajamar',
  'tulum-coba',
  'region-100',
  'puerto-juarez',
  'isla-mujeres',
  'puerto-morelos',
] as const;

/** A category or a zone with its name and slug in both languages. */
export interface TaxonRecord {
  readonly key: string;
  readonly name: LocalText;
  readonly slug: LocalText;
  /** One sentence for its page; what a zone covers. */
  readonly description: LocalText | null;
}

/** All categories and zones of a release, in their editorial order. */
export interface Taxonomy {
  readonly categories: readonly TaxonRecord[];
  readonly zones: readonly TaxonRecord[];
}

/** The wire form (interface 2, Taxon). */
export interface Taxon {
  readonly key: string;
  readonly name: string;
}

/** Taxa by folded key and slug, made once for each list of taxa and kept as long as it. */
const NAMES = new WeakMap<readonly TaxonRecord[], ReadonlyMap<string, TaxonRecord>>();

function readNames(taxa: readonly TaxonRecord[]): ReadonlyMap<string, TaxonRecord> {
  const cached = NAMES.get(taxa);
  if (cached) return cached;
  // The first of two with the same name wins, so they are entered from the last.
  const made = new Map(
    taxa
      .toReversed()
      .flatMap((t) =>
        [t.key, ...LANGS.map((lang) => t.slug[lang])].map((name) => [fold(name), t] as const),
      ),
  );
  NAMES.set(taxa, made);
  return made;
}

/**
 * A taxon by key or slug in either language, without regard to case or accents; null where there is
 * none.
 */
export function findTaxon(taxa: readonly TaxonRecord[], word: string): TaxonRecord | null {
  return readNames(taxa).get(fold(word.trim())) ?? null;
}

/** The wire form of a key in one language; null for no key or an unknown one. */
export function toTaxon(
  taxa: readonly TaxonRecord[],
  key: string | null,
  lang: Lang,
): Taxon | null {
  const found = key === null ? undefined : taxa.find((t) => t.key === key);
  return found ? { key: found.key, name: found.name[lang] } : null;
}
