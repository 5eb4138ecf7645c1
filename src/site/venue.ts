// The page of one venue, by its slug; by an older slug or its id, the way to it.
import type { PageMeta } from '../components/layout/page-meta.ts';
import type { EventCard } from '../domain/agenda.ts';
import type { Lang, LocalText } from '../domain/lang.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { toThingIcsPath, toThingPath, toMarkdownPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toPlaceJsonLd } from '../serializers/json-ld-place.ts';
import { findId } from '../snapshot/get-event.ts';
import { getVenue } from '../snapshot/get-venue.ts';
import type { SiteState } from './state.ts';
import { type Failure, GONE, type Moved, NOT_FOUND, toMoved } from './outcome.ts';
import { findUpcoming } from './upcoming.ts';

/** What the page of a venue is given. */
export interface VenueResult {
  readonly kind: 'venue';
  readonly page: {
    readonly meta: PageMeta;
    readonly venue: VenueRecord;
    readonly zone: TaxonRecord | null;
    readonly cards: readonly EventCard[];
    readonly now_ms: number;
  };
}

/** The venue with what comes up there, or the way to its address. */
export function resolveVenue(
  state: SiteState,
  { slug, lang }: { readonly slug: string; readonly lang: Lang },
): VenueResult | Moved | Failure {
  const { snapshot, site } = state;
  if (findId(snapshot, 'venue', slug) === 'gone') return GONE;
  const venue = getVenue(snapshot, slug);
  if (venue === null) return NOT_FOUND;
  const paths: LocalText = {
    es: toThingPath('venue', venue.slug, 'es'),
    en: toThingPath('venue', venue.slug, 'en'),
  };
  if (venue.slug[lang] !== slug) return toMoved(paths[lang]);
  const zone = snapshot.taxonomy.zones.find((taxon) => taxon.key === venue.zone) ?? null;
  const meta: PageMeta = {
    lang,
    paths,
    site,
    title: venue.name,
    description: t(lang, 'places.description', { name: venue.name }),
    markdown: toMarkdownPath(paths[lang]),
    calendar: toThingIcsPath('venue', venue.slug, lang),
    json_ld: toPlaceJsonLd(venue, lang, site),
    entry: null,
  };
  return {
    kind: 'venue',
    page: {
      meta,
      venue,
      zone,
      cards: findUpcoming(state, { venue: venue.id }, lang),
      now_ms: state.now_ms,
    },
  };
}
