// categories.yml and zones.yml: what they say, as the taxonomy of a release.
import { LANGS } from '../domain/lang.ts';
import type { Taxonomy, TaxonRecord } from '../domain/taxon.ts';
import type { TaxaFile } from './content-schema.ts';
import type { ContentIssue } from './issues.ts';
import type { Content } from './read-content.ts';

/** The point of a zone without its source, which stays among editors. */
function toMiddle(taxon: TaxaFile[number]): TaxonRecord['middle'] {
  if (!('middle' in taxon) || taxon.middle === undefined) return null;
  const { lat, lng } = taxon.middle;
  return { lat, lng };
}

/** Both lists as records. Pushes an issue for each word that would mean two of one list. */
export function toTaxonomy(content: Content, issues: ContentIssue[]): Taxonomy {
  const check = (file: string, taxa: TaxaFile): readonly TaxonRecord[] => {
    const seen = new Map<string, string>();
    for (const taxon of taxa) {
      for (const word of new Set([taxon.key, ...LANGS.map((lang) => taxon.slug[lang])])) {
        const other = seen.get(word);
        if (other !== undefined)
          issues.push({
            file,
            line: null,
            field: taxon.key,
            message: `'${word}' already means ${other}`,
          });
        seen.set(word, taxon.key);
      }
    }
    return taxa.map((taxon) => ({
      key: taxon.key,
      name: taxon.name,
      slug: taxon.slug,
      name_in: taxon.name_in,
      middle: toMiddle(taxon),
      search_words: taxon.search_words,
      description: taxon.description ?? null,
    }));
  };
  return {
    categories: check('categories.yml', content.categories),
    zones: check('zones.yml', content.zones),
  };
}
