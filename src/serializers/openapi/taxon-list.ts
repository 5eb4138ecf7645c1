// Categories and zones as a list in CommonMark: a name, and every word that their filter takes.
import { type Lang, LANGS } from '../../domain/lang.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';

/** `- **Live music:** `live-music`, `musica-en-vivo``, a line each. */
export const toTaxonList = (taxa: readonly TaxonRecord[], lang: Lang): string =>
  taxa
    .map(({ key, slug, name }) => {
      const words = new Set([key, ...LANGS.map((each) => slug[each])]);
      return `- **${name[lang]}:** ${[...words].map((word) => `\`${word}\``).join(', ')}`;
    })
    .join('\n');
