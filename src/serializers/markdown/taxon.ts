// A category or a zone as Markdown: what it covers and what comes up in it.
import type { EventCard } from '../../domain/agenda.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { TaxonRecord } from '../../domain/taxon.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { toUpcomingSection } from './event-entry.ts';
import { link, paragraph, plain } from './nodes.ts';

interface ListedTaxon {
  readonly meta: { readonly title: string; readonly calendar: string | null };
  readonly section: 'category' | 'zone';
  readonly taxon: TaxonRecord;
  readonly cards: readonly EventCard[];
  readonly more_path: string | null;
}

export function toTaxonMarkdown(page: ListedTaxon, lang: Lang, site: Site): string {
  const { meta, section, taxon, cards, more_path } = page;
  return toDocument(
    {
      title: meta.title,
      about: t(lang, 'md.about_thing', { zone: t(lang, 'time.zone') }),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: byLang((each) => toThingPath(section, taxon.slug, each)),
    },
    [
      ...(taxon.description === null ? [] : [paragraph(plain(taxon.description[lang]))]),
      ...(meta.calendar === null
        ? []
        : [paragraph(link(toAbsolute(site.url, meta.calendar), t(lang, 'footer.calendar')))]),
      ...toUpcomingSection(cards, lang, site),
      ...(more_path === null
        ? []
        : [paragraph(link(toAbsolute(site.url, more_path), t(lang, 'places.more')))]),
    ],
    lang,
    site,
  );
}
