// The pages of a venue, an organizer, a category and a zone: what each is, and what comes up there.
// By an older slug, an id or the slug of another language, the way to the page.
import type { EventCard } from '../domain/agenda.ts';
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { type EventFilter, toOpenFilter } from '../domain/filters/event-filter.ts';
import { byLang, type Lang } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { findTaxon, type Taxonomy, type TaxonRecord } from '../domain/taxon.ts';
import { toVenueDay, type VenueDay } from '../domain/venue-day.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { toFeedPath, toMarkdownPath, toThingIcsPath, toThingPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toListJsonLd, toOrganizationJsonLd, toPlaceJsonLd } from '../serializers/json-ld.ts';
import { countUpcoming, type EventCounts } from '../snapshot/count-events.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { findId, getOrganizer, getVenue } from '../snapshot/get-thing.ts';
import { type MapZone, toLandmarks, toPlainZones } from './map.ts';
import { type Failure, GONE, type Moved, NOT_FOUND, type PageMeta, toMoved } from './page.ts';
import type { SiteState } from './state.ts';

/** Most events that such a page lists. */
const MAX_UPCOMING = 100;

/** Upcoming events that match, in order of their next date. */
function findUpcoming(
  { snapshot, now_ms }: SiteState,
  only: Partial<EventFilter>,
  lang: Lang,
): readonly EventCard[] {
  return findEvents(
    snapshot,
    { ...toOpenFilter(floorToMinute(now_ms), MAX_UPCOMING), ...only },
    lang,
  ).cards;
}

/** What the page of a venue is given. */
export interface VenueResult {
  readonly kind: 'venue';
  readonly page: {
    readonly meta: PageMeta;
    readonly venue: VenueRecord;
    /** Its hours on the day of the request. */
    readonly today: VenueDay | null;
    readonly zone: TaxonRecord | null;
    /** The names on the map of where it is. */
    readonly landmarks: readonly MapZone[];
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
  const paths = byLang((each) => toThingPath('venue', venue.slug, each));
  if (venue.slug[lang] !== slug) return toMoved(paths[lang]);
  const zone = snapshot.taxonomy.zones.find((taxon) => taxon.key === venue.zone) ?? null;
  const today = toVenueDay(venue, toCancunDay(state.now_ms), snapshot.calendar.holidays);
  const meta: PageMeta = {
    lang,
    paths,
    site,
    title: venue.name,
    description: t(lang, 'places.description', { name: venue.name }),
    markdown: toMarkdownPath(paths[lang]),
    calendar: toThingIcsPath('venue', venue.slug, lang),
    json_ld: toPlaceJsonLd(venue, today, lang, site),
    entry: null,
  };
  return {
    kind: 'venue',
    page: {
      meta,
      venue,
      today,
      zone,
      landmarks: toLandmarks(snapshot.taxonomy.zones, venue.zone, lang),
      cards: findUpcoming(state, { venue: venue.id }, lang),
      now_ms: state.now_ms,
    },
  };
}

/** What the page of an organizer is given. */
export interface OrganizerResult {
  readonly kind: 'organizer';
  readonly page: {
    readonly meta: PageMeta;
    readonly organizer: OrganizerRecord;
    readonly cards: readonly EventCard[];
    readonly now_ms: number;
  };
}

/** The organizer with what comes up, or the way to its address. */
export function resolveOrganizer(
  state: SiteState,
  { slug, lang }: { readonly slug: string; readonly lang: Lang },
): OrganizerResult | Moved | Failure {
  const { snapshot, site } = state;
  if (findId(snapshot, 'organizer', slug) === 'gone') return GONE;
  const organizer = getOrganizer(snapshot, slug);
  if (organizer === null) return NOT_FOUND;
  const paths = byLang((each) => toThingPath('organizer', organizer.slug, each));
  if (organizer.slug[lang] !== slug) return toMoved(paths[lang]);
  const meta: PageMeta = {
    lang,
    paths,
    site,
    title: organizer.name,
    description: t(lang, 'places.description', { name: organizer.name }),
    markdown: toMarkdownPath(paths[lang]),
    calendar: toThingIcsPath('organizer', organizer.slug, lang),
    json_ld: toOrganizationJsonLd(organizer, lang, site),
    entry: null,
  };
  return {
    kind: 'organizer',
    page: {
      meta,
      organizer,
      cards: findUpcoming(state, { organizer: organizer.id }, lang),
      now_ms: state.now_ms,
    },
  };
}

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
    /** Upcoming events by category and by zone. */
    readonly upcoming: EventCounts['by_key'];
    /** The zones of the map that a zone is shown on; none for a category. */
    readonly zones: readonly MapZone[];
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
  const paths = byLang((each) => toThingPath(kind, taxon.slug, each));
  if (taxon.slug[lang] !== slug) return toMoved(paths[lang]);
  const name = taxon.name[lang];
  const cards = findUpcoming(
    state,
    kind === 'category' ? { categories: [taxon.key] } : { zones: [taxon.key] },
    lang,
  );
  const meta: PageMeta = {
    lang,
    paths,
    site: state.site,
    title: t(lang, `places.title.${kind}`, { name: taxon.name_in[lang] }),
    description: taxon.description?.[lang] ?? t(lang, 'places.description', { name }),
    markdown: null,
    calendar: toFeedPath({ [kind]: taxon.slug[lang] }, lang),
    json_ld: cards.length === 0 ? null : toListJsonLd(cards, lang, state.site),
    entry: null,
  };
  return {
    kind: 'taxon',
    page: {
      meta,
      section: kind,
      taxon,
      cards,
      now_ms: state.now_ms,
      taxonomy,
      upcoming: countUpcoming(state),
      zones: kind === 'zone' ? toPlainZones(taxonomy.zones, lang) : [],
    },
  };
}
