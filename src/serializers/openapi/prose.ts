// The chapters of the description as the CommonMark that OpenAPI wants.
import type { GuideSection } from '../../domain/api-guide.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { TaxonRecord, Taxonomy } from '../../domain/taxon.ts';
import { t } from '../../i18n/translate.ts';
import { toSections, toTaxonHeads } from './sections.ts';

function toTable(taxa: readonly TaxonRecord[], lang: Lang): string {
  const heads = toTaxonHeads(lang);
  const rows = taxa.map(
    ({ key, slug, name }) =>
      `| \`${key}\` | \`${slug.es}\` | \`${slug.en}\` | ${name.es} | ${name.en} |`,
  );
  return [`| ${heads.join(' | ')} |`, `|${heads.map(() => '---').join('|')}|`, ...rows].join('\n');
}

function toParts({ title, paragraphs, items, taxa }: GuideSection, lang: Lang): readonly string[] {
  const list = items.map((item, at) => `${at + 1}. ${item}`).join('\n');
  return [`## ${title}`, ...paragraphs, list, taxa === null ? '' : toTable(taxa, lang)].filter(
    (part) => part !== '',
  );
}

/** What the service is, then its chapters. */
export const toProse = (taxonomy: Taxonomy, site: Site, lang: Lang): string =>
  [
    t(lang, 'openapi.about'),
    ...toSections(taxonomy, site, lang).flatMap((section) => toParts(section, lang)),
  ].join('\n\n');
