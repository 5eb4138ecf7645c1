// The page of a category or a zone, by its slug; by its key or the other language's slug, the way
// to it.
import type { PageMeta } from '../components/layout/page-meta.ts';
import type { EventCard } from '../domain/agenda.ts';
import type { Lang, LocalText } from '../domain/lang.ts';
import { findTaxon, type Taxonomy, type TaxonRecord } from '../domain/taxon.ts';
import { toFeedPath, toThingPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toListJsonLd } from '../serializers/json-ld.ts';
import type { SiteState } from './state.ts';
import { type Failure, type Moved, NOT_FOUND, toMoved } from './outcome.ts';
import { findUpcoming } from './upcoming.ts';

/** A category or a zone by a word for it. */
export interface TaxonRequest {
  readonly kind: 'category' | 'zone';
  readonly slug: string;
  readonly lang: Lang;
}

/** What the page of a category or a zone is given. */
export interface TaxonResult {
  readonly kind: 'taxon';
  readonly page: {
    readonly meta: PageMeta;
    readonly section: 'category' | 'zone';
    readonly taxon: TaxonRecord;
    readonly cards: readonly EventCard[];
    readonly now_ms: number;
    readonly taxonomy: Taxonomy;
  };
}

/** What comes up in it, or the way to its address. */
export function resolveTaxon(
  state: SiteState,
  { kind, slug, lang }: TaxonRequest,
): TaxonResult | Moved | Failure {
  const { taxonomy } = state.snapshot;
  const taxon = findTaxon(kind === 'category' ? taxonomy.categories : taxonomy.zones, slug);
  if (taxon === null) return NOT_FOUND;
  const paths: LocalText = {
    es: toThingPath(kind, taxon.slug, 'es'),
    en: toThingPath(kind, taxon.slug, 'en'),
  };
  if (taxon.slug[lang] !== slug) return toMoved(paths[lang]);
  const cards = findUpcoming(
    state,
    kind === 'category' ? { categories: [taxon.key] } : { zones: [taxon.key] },
    lang,
  );
  const meta: PageMeta = {
    lang,
    paths,
    site: state.site,
    title: t(lang, `places.title.${kind}`, { name: taxon.name[lang] }),
    description:
      taxon.description?.[lang] ?? t(lang, 'places.description', { name: taxon.name[lang] }),
    markdown: null,
    calendar: toFeedPath({ [kind]: taxon.slug[lang] }, lang),
    json_ld: cards.length === 0 ? null : toListJsonLd(cards, lang, state.site),
    entry: null,
  };
  return {
    kind: 'taxon',
    page: { meta, section: kind, taxon, cards, now_ms: state.now_ms, taxonomy },
  };
}
