// The pages of a venue, an organizer, a category and a zone: what each is, and what comes up there.
// By an older slug, an id or the slug of another language, the way to the page.
import { renderOrganizer, renderTaxon, renderVenue } from '../serializers/markdown/places.ts';
import { listOrganizers, listVenues } from '../snapshot/list-things.ts';
import {
  definePage,
  listThingPaths,
  type SlugRequest,
  toRoutes,
  toThingRoutes,
} from './page-kind.ts';
import { show, type Shown } from './visit.ts';
import type { Temporal } from 'temporal-polyfill';
import type { EventCard } from '../domain/agenda.ts';
import { floorToMinute, toCancunDay } from '../domain/cancun-time.ts';
import { type EventFilter, toListedCategory, toOpenFilter } from '../domain/query/event-query.ts';
import { byLang, type Lang, type LocalText } from '../domain/lang.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import { findTaxon, type Taxonomy, type TaxonRecord } from '../domain/taxon.ts';
import { toVenueDay, type VenueDay } from '../domain/venue-day.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { withQuery } from '../i18n/api-paths.ts';
import {
  toFeedPath,
  toMarkdownPath,
  toPagePath,
  toThingIcsPath,
  toThingPath,
  SECTION_PATHS,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { toListJsonLd, toOrganizationJsonLd, toPlaceJsonLd } from '../serializers/json-ld.ts';
import { listWithEvents, type WithEvents } from '../snapshot/count-events.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { getOrganizer, getVenue } from '../snapshot/get-thing.ts';
import { type MapZone, toLandmarks, toPlainZones } from './map.ts';
import { type Failure, GONE, type Moved, NOT_FOUND, type PageMeta, toMoved } from './page.ts';
import type { SiteState } from './state.ts';

/** Most events that such a page lists. */
const MAX_UPCOMING = 100;

/** Upcoming events that match, in order of their next date; `next` where there are more. */
const findUpcoming = ({ snapshot, now_ms }: SiteState, only: Partial<EventFilter>, lang: Lang) =>
  findEvents(snapshot, { ...toOpenFilter(floorToMinute(now_ms), MAX_UPCOMING), ...only }, lang);

/** What the page of a venue is given. */
export interface VenueView extends NamedPage {
  readonly venue: VenueRecord;
  /** Its hours on the day of the request. */
  readonly today: VenueDay | null;
  readonly zone: TaxonRecord | null;
  /** The names on the map of where it is. */
  readonly landmarks: readonly MapZone[];
}

/** A thing with a name of its own and a calendar, as its address names it. */
interface Named {
  readonly id: string;
  readonly name: string;
  readonly slug: LocalText;
}
/** The name of the filter that takes its id. */
type NamedKind = 'venue' | 'organizer';

/** What the pages of a venue and of an organizer share. */
interface NamedPage {
  readonly meta: PageMeta;
  readonly cards: readonly EventCard[];
  /** The day that it is. */
  readonly day: Temporal.PlainDate;
}

/** The page of a thing that was found, or the way to its address, or why there is none. */
function resolveNamed<T extends Named, V>(
  state: SiteState,
  kind: NamedKind,
  { slug, lang }: SlugRequest,
  thing: T | null,
  toJsonLd: (thing: T) => object,
  toView: (thing: T, page: NamedPage) => V,
): Shown<V> | Moved | Failure {
  if (state.snapshot.findId(kind, slug) === 'gone') return GONE;
  if (thing === null) return NOT_FOUND;
  const paths = byLang((each) => toThingPath(kind, thing.slug, each));
  if (thing.slug[lang] !== slug) return toMoved(paths[lang]);
  const meta: PageMeta = {
    lang,
    paths,
    site: state.site,
    title: thing.name,
    description: t(lang, 'places.description', { name: thing.name }),
    markdown: toMarkdownPath(paths[lang]),
    calendar: toThingIcsPath(kind, thing.slug, lang),
    json_ld: toJsonLd(thing),
    entry: null,
  };
  const { cards } = findUpcoming(state, { [kind]: thing }, lang);
  return show(toView(thing, { meta, cards, day: toCancunDay(state.now_ms) }));
}

/** The venue with what comes up there, or the way to its address. */
export function resolveVenue(
  state: SiteState,
  request: SlugRequest,
): Shown<VenueView> | Moved | Failure {
  const { taxonomy, calendar } = state.snapshot;
  const { lang } = request;
  const toToday = (venue: VenueRecord): VenueDay | null =>
    toVenueDay(venue, toCancunDay(state.now_ms), calendar.holidays);
  return resolveNamed(
    state,
    'venue',
    request,
    getVenue(state.snapshot, request.slug),
    (venue) => toPlaceJsonLd(venue, toToday(venue), lang, state.site),
    (venue, page) => ({
      ...page,
      venue,
      today: toToday(venue),
      zone: taxonomy.zones.find(({ key }) => key === venue.zone) ?? null,
      landmarks: toLandmarks(taxonomy.zones, venue.zone, lang),
    }),
  );
}

/** What the page of an organizer is given. */
export interface OrganizerView extends NamedPage {
  readonly organizer: OrganizerRecord;
}

/** The organizer with what comes up, or the way to its address. */
export const resolveOrganizer = (
  state: SiteState,
  request: SlugRequest,
): Shown<OrganizerView> | Moved | Failure =>
  resolveNamed(
    state,
    'organizer',
    request,
    getOrganizer(state.snapshot, request.slug),
    (organizer) => toOrganizationJsonLd(organizer, request.lang, state.site),
    (organizer, page) => ({ ...page, organizer }),
  );

/** A category or a zone by a word for it. */
interface TaxonRequest extends SlugRequest {
  readonly section: 'category' | 'zone';
}

/** What the page of a category or a zone is given. */
export interface TaxonView {
  readonly meta: PageMeta;
  readonly section: 'category' | 'zone';
  readonly taxon: TaxonRecord;
  readonly cards: readonly EventCard[];
  /** The search with all of them, where there are more than these; else null. */
  readonly more_path: string | null;
  /** The day that it is. */
  readonly day: Temporal.PlainDate;
  readonly taxonomy: Taxonomy;
  /** The categories and zones with something ahead. */
  readonly with_events: WithEvents;
  /** The zones of the map that a zone is shown on; none for a category. */
  readonly zones: readonly MapZone[];
}

/** What comes up in it, or the way to its address. */
export function resolveTaxon(
  state: SiteState,
  { section: kind, slug, lang }: TaxonRequest,
): Shown<TaxonView> | Moved | Failure {
  const { taxonomy } = state.snapshot;
  const taxon = findTaxon(kind === 'category' ? taxonomy.categories : taxonomy.zones, slug);
  if (taxon === null) return NOT_FOUND;
  const paths = byLang((each) => toThingPath(kind, taxon.slug, each));
  if (taxon.slug[lang] !== slug) return toMoved(paths[lang]);
  const name = taxon.name[lang];
  const listed =
    kind === 'category'
      ? toListedCategory(taxon.key, taxon.slug[lang])
      : { filter: { zones: [taxon.key] }, texts: { zone: taxon.slug[lang] } };
  const { cards, next } = findUpcoming(state, listed.filter, lang);
  const meta: PageMeta = {
    lang,
    paths,
    site: state.site,
    title: t(lang, `places.title.${kind}`, { name: taxon.name_in[lang] }),
    description: taxon.description?.[lang] ?? t(lang, 'places.description', { name }),
    markdown: toMarkdownPath(paths[lang]),
    calendar: toFeedPath(listed.texts, lang),
    json_ld: cards.length === 0 ? null : toListJsonLd(cards, lang, state.site),
    entry: null,
  };
  return show({
    meta,
    section: kind,
    taxon,
    cards,
    more_path: next && withQuery(toPagePath('search', lang), listed.texts),
    day: toCancunDay(state.now_ms),
    taxonomy,
    with_events: listWithEvents(state),
    zones: kind === 'zone' ? toPlainZones(taxonomy.zones, lang) : [],
  });
}

export const venuePage = definePage({
  name: 'venue',
  routes: toThingRoutes('venue'),
  load: resolveVenue,
  toMarkdown: (view: VenueView) => renderVenue(view),
  is_in_one_language: true,
  // One with hours says whether it is open today: it is rendered when it is requested.
  listBuilt: ({ snapshot }) =>
    listThingPaths(
      'venue',
      listVenues(snapshot).filter(({ hours }) => hours === null),
    ),
});

export const organizerPage = definePage({
  name: 'organizer',
  routes: toThingRoutes('organizer'),
  load: resolveOrganizer,
  toMarkdown: (view: OrganizerView) => renderOrganizer(view),
  is_in_one_language: true,
  listBuilt: ({ snapshot }) => listThingPaths('organizer', listOrganizers(snapshot)),
});

const TAXA = ['category', 'zone'] as const;

export const taxonPage = definePage<TaxonRequest, TaxonView>({
  name: 'taxon',
  routes: TAXA.flatMap((section) =>
    toRoutes(
      byLang((lang) => `${SECTION_PATHS[section][lang]}/[slug]`),
      (lang, slug) => ({ lang, slug, section }),
    ),
  ),
  load: resolveTaxon,
  toMarkdown: renderTaxon,
  is_in_one_language: true,
  listBuilt: ({ snapshot: { taxonomy } }) => [
    ...listThingPaths('category', taxonomy.categories),
    ...listThingPaths('zone', taxonomy.zones),
  ],
});
