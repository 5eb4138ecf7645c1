// Profile pages: show a venue, an organizer, a category or a zone (a taxon is one of the last two)
// with its upcoming events. Older slugs, ids and slugs of the other language redirect to the page.
import type { EventCard } from '../domain/agenda.ts';
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import type { CorrectableKind } from '../domain/correction.ts';
import { locateVenue } from '../domain/town-map.ts';
import type { SourceDates } from '../domain/fields.ts';
import { byLang, type Lang, type LocalText } from '../domain/lang.ts';
import { formatAddressLine } from '../domain/place-text.ts';
import {
  type EventFilter,
  categoryPageFilter,
  unfilteredEventFilter,
} from '../domain/query/event-query.ts';
import { findTaxon, type TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { formatSourceNote } from '../i18n/format-facts.ts';
import { directionsUrl } from '../i18n/external-links.ts';
import { formatOpenStatus } from '../i18n/format-opening-hours.ts';
import {
  SECTION_PATHS,
  absoluteUrl,
  calendarFeedPath,
  pagePath,
  recordIcsPath,
  recordPath,
  withQuery,
} from '../i18n/paths.ts';
import { listOrganizerFacts, listVenueFacts, type RecordFact } from '../i18n/record-facts.ts';
import { t } from '../i18n/translate.ts';
import { eventListJsonLd, organizerJsonLd, venueJsonLd } from '../serializers/json-ld.ts';
import { correctionLink, renderDocument, renderFacts } from '../serializers/markdown/document.ts';
import { renderUpcoming } from '../serializers/markdown/entries.ts';
import { link, paragraph, paragraphs } from '../serializers/markdown/nodes.ts';
import { findEvents } from '../snapshot/find-events.ts';
import { findVenueDay, getOrganizer, getVenue } from '../snapshot/get-record.ts';
import { listOrganizers, listVenues } from '../snapshot/list-records.ts';
import { type LinkNav, listTaxonLinks, listDirectories } from './directory-page.ts';
import { buildUpcomingView, type UpcomingView } from './event-list-views.ts';
import { type MapDrawing, buildMapView, buildZoneLinks } from './map-page.ts';
import {
  defineViewPage,
  listRecordPaths,
  type LoadedPage,
  type SlugRequest,
  routesOf,
  recordRoutes,
} from './page-definition.ts';
import {
  buildPageMeta,
  GONE,
  type SubscribeLinks,
  NOT_FOUND,
  type PageMeta,
  buildSubscribeLinks,
} from './page-meta.ts';
import { motifThumbnailUrl } from './picture-views.ts';
import type { PageContext } from './page-context.ts';
import { redirectPermanently, pageResult } from './visitor-request.ts';

/** Most upcoming events on a profile. */
const MAX_UPCOMING = 100;

/** Finds upcoming events by next date; `next` is set if there are more. */
const findUpcoming = (
  { snapshot, now_ms }: PageContext,
  filter: Partial<EventFilter>,
  lang: Lang,
) =>
  findEvents(
    snapshot,
    { ...unfilteredEventFilter(floorToMinute(now_ms), MAX_UPCOMING), ...filter },
    lang,
  );

/** A venue or an organizer. */
interface NamedRecord {
  readonly id: string;
  readonly name: string;
  readonly slug: LocalText;
}

/** Loads the upcoming events of a venue or organizer, or the redirect or failure of its page. */
function loadNamedRecord<T extends NamedRecord>(
  context: PageContext,
  kind: 'venue' | 'organizer',
  { slug, lang }: SlugRequest,
  record: T | null,
  buildJsonLd: (record: T) => object,
) {
  if (context.snapshot.findId(kind, slug) === 'gone') return GONE;
  if (record === null) return NOT_FOUND;
  const paths = byLang((each) => recordPath(kind, record.slug, each));
  if (record.slug[lang] !== slug) return redirectPermanently(paths[lang]);
  return pageResult({
    meta: buildPageMeta(context, lang, paths, {
      title: record.name,
      description: t(lang, 'places.description', { name: record.name }),
      calendar: recordIcsPath(kind, record.slug, lang),
      json_ld: buildJsonLd(record),
    }),
    record,
    cards: findUpcoming(context, { [kind]: record }, lang).cards,
    day: toLocalDay(context.now_ms),
  });
}

/** Loads a venue with its opening hours today (null if it publishes none) and its zone. */
function loadVenue(context: PageContext, request: SlugRequest) {
  const { snapshot, now_ms, site } = context;
  const venue = getVenue(snapshot, request.slug);
  const today = venue && findVenueDay(snapshot, venue, toLocalDay(now_ms));
  const outcome = loadNamedRecord(context, 'venue', request, venue, (record) =>
    venueJsonLd(record, today, request.lang, site),
  );
  if (outcome.kind !== 'page') return outcome;
  const { zone: zone_key } = outcome.page.record;
  const zone = snapshot.taxonomy.zones.find(({ key }) => key === zone_key) ?? null;
  return pageResult({ ...outcome.page, today, zone });
}

const loadOrganizer = (context: PageContext, request: SlugRequest) =>
  loadNamedRecord(
    context,
    'organizer',
    request,
    getOrganizer(context.snapshot, request.slug),
    (organizer) => organizerJsonLd(organizer, request.lang, context.site),
  );

/** The page of a category or a zone. */
interface TaxonRequest extends SlugRequest {
  readonly section: 'category' | 'zone';
}

export function loadTaxonPage(context: PageContext, { section, slug, lang }: TaxonRequest) {
  const { taxonomy } = context.snapshot;
  const taxon = findTaxon(section === 'category' ? taxonomy.categories : taxonomy.zones, slug);
  if (taxon === null) return NOT_FOUND;
  const paths = byLang((each) => recordPath(section, taxon.slug, each));
  if (taxon.slug[lang] !== slug) return redirectPermanently(paths[lang]);
  const name = taxon.name[lang];
  const taxon_filter =
    section === 'category'
      ? categoryPageFilter(taxon.key, taxon.slug[lang])
      : { filter: { zones: [taxon.key] }, texts: { zone: taxon.slug[lang] } };
  const { cards, next } = findUpcoming(context, taxon_filter.filter, lang);
  return pageResult({
    meta: buildPageMeta(context, lang, paths, {
      title: t(lang, `places.title.${section}`, { name: taxon.name_in[lang] }),
      description: taxon.description?.[lang] ?? t(lang, 'places.description', { name }),
      calendar: calendarFeedPath(taxon_filter.texts, lang),
      json_ld: cards.length === 0 ? null : eventListJsonLd(cards, lang, context.site),
    }),
    section,
    taxon,
    thumbnail_path: motifThumbnailUrl(context.snapshot, taxon.motif),
    cards,
    day: toLocalDay(context.now_ms),
    /** Search for all of its events, if there are more than MAX_UPCOMING. */
    more_path: next && withQuery(pagePath('search', lang), taxon_filter.texts),
    taxon_links: listTaxonLinks(context, taxon.key, lang),
  });
}

/**
 * View model of all profile pages, in the order of the page. Each kind omits the fields that it
 * does not have.
 */
export interface ProfileView {
  readonly meta: PageMeta;
  /** Line above the title: the zone of a venue, the type of an organizer, or the kind of taxon. */
  readonly kicker: { readonly text: string; readonly path?: string } | null;
  readonly title: string;
  readonly thumbnail_path?: string | null;
  /** Line below the title: the address of a venue, or the description of a taxon. */
  readonly tally?: string | undefined;
  /** State of a venue (open or closed now), with its hours today. */
  readonly opening?: { readonly text: string; readonly is_open: boolean } | null;
  readonly description?: string | undefined;
  readonly facts?: readonly RecordFact[];
  /** URL of the route to a venue; null if its location is unknown. */
  readonly directions?: string | null;
  /** Map with the venue's location. */
  readonly location?: ReturnType<typeof buildLocation>;
  /** The upcoming events: as cards for Markdown, as lists by month for HTML. */
  readonly cards: readonly EventCard[];
  readonly upcoming: UpcomingView;
  /** Search for all events, if the profile does not list them all. */
  readonly more_path?: string | null;
  readonly subscribe_links: SubscribeLinks;
  /** Sentence on the source of the record, with the record to correct. */
  readonly source?: { readonly text: string; readonly kind: CorrectableKind; readonly id: string };
  /** Map with all zones, on the page of a zone. */
  readonly map?: MapDrawing | null;
  /** Links to other profiles and directories. */
  readonly navs: readonly LinkNav[];
}

/** Builds the fields that all profiles have. Rows do not repeat the names in `mentioned`. */
const buildCommonView = (
  { meta, cards, day }: Pick<LoadedPage<typeof loadOrganizer>, 'meta' | 'cards' | 'day'>,
  name: string,
  mentioned: readonly string[],
) => ({
  meta,
  title: name,
  cards,
  upcoming: buildUpcomingView(cards, day, meta.lang, mentioned),
  subscribe_links: buildSubscribeLinks(
    t(meta.lang, 'subscribe.title'),
    t(meta.lang, 'ics.name', { site: meta.site.name, filters: name }),
    absoluteUrl(meta.site.url, meta.calendar ?? ''),
  ),
});

function buildVenueView(loaded: LoadedPage<typeof loadVenue>, context: PageContext): ProfileView {
  const { record: venue, zone, today, meta } = loaded;
  const { lang } = meta;
  return {
    ...buildCommonView(loaded, venue.name, [venue.name, ...(zone ? [zone.name[lang]] : [])]),
    kicker: zone && { text: zone.name[lang], path: recordPath('zone', zone.slug, lang) },
    tally: formatAddressLine(venue),
    opening: today && {
      text: formatOpenStatus(venue.hours, today, lang),
      is_open: today.opening.is_open,
    },
    description: venue.description?.[lang],
    directions: directionsUrl(venue),
    facts: listVenueFacts(venue, today, zone, lang),
    location: buildLocation(venue, zone, context, lang),
    source: buildSource(venue, 'venue', lang),
    navs: [listDirectories(lang)],
  };
}

/**
 * Builds the map with a venue's location. `note` says that only its zone is published.
 * @returns null if the location is unknown or the town has no map.
 */
function buildLocation(
  venue: VenueRecord,
  zone: TaxonRecord | null,
  { snapshot }: PageContext,
  lang: Lang,
) {
  const marker = locateVenue(venue);
  if (!marker) return null;
  const names = { place: venue.name, zone: zone?.name_in[lang] ?? '' };
  const label = t(lang, marker.exact ? 'map.spot' : 'map.spot_about', names);
  const zones = buildZoneLinks(snapshot.taxonomy.zones, lang);
  const map = buildMapView(zones, { label, current_zone: venue.zone, marker }, lang);
  return map && { map, note: marker.exact ? null : t(lang, 'map.about') };
}

/** Builds the source of a record, for the sentence and the correction link. */
const buildSource = (record: SourceDates & NamedRecord, kind: CorrectableKind, lang: Lang) => ({
  kind,
  id: record.id,
  text: formatSourceNote(record, lang),
});

function buildOrganizerView(loaded: LoadedPage<typeof loadOrganizer>): ProfileView {
  const { record: organizer, meta } = loaded;
  const { lang } = meta;
  const verified = organizer.verified ? [t(lang, 'label.verified')] : [];
  return {
    ...buildCommonView(loaded, organizer.name, []),
    kicker: { text: [t(lang, `organizer.type.${organizer.type}`), ...verified].join(' · ') },
    description: organizer.description?.[lang],
    facts: listOrganizerFacts(organizer, lang),
    source: buildSource(organizer, 'organizer', lang),
    navs: [listDirectories(lang)],
  };
}

function buildTaxonView(
  loaded: LoadedPage<typeof loadTaxonPage>,
  { snapshot }: PageContext,
): ProfileView {
  const { section, taxon, more_path, taxon_links, meta } = loaded;
  const { lang } = meta;
  const name = taxon.name[lang];
  const zones = buildZoneLinks(snapshot.taxonomy.zones, lang);
  const options = { label: t(lang, 'map.label'), current_zone: taxon.key };
  const map = section === 'zone' ? buildMapView(zones, options, lang) : null;
  const shows_all_zones = map?.names.length === zones.length;
  return {
    ...buildCommonView(loaded, name, [name]),
    kicker: { text: t(lang, `places.${section}`) },
    thumbnail_path: loaded.thumbnail_path,
    tally: taxon.description?.[lang],
    more_path,
    map,
    // The map replaces the list of zones if it has all of them.
    navs: taxon_links.filter((nav) => !shows_all_zones || nav.map === null),
  };
}

/**
 * Renders a profile as Markdown. Venues and organizers show facts; categories and zones their
 * description and the link to their calendar instead.
 */
function renderProfile({
  meta,
  tally,
  description,
  facts,
  subscribe_links,
  ...rest
}: ProfileView): string {
  const { lang, site } = meta;
  const { cards, more_path, source } = rest;
  const linkTo = (url: string, label: string) => paragraph(link(url, label));
  return renderDocument(
    meta,
    facts === undefined && [
      tally,
      subscribe_links.follow_url && linkTo(subscribe_links.follow_url, t(lang, 'subscribe.title')),
    ],
    description && paragraphs(description),
    facts && renderFacts(facts),
    renderUpcoming(cards, meta),
    more_path && linkTo(absoluteUrl(site.url, more_path), t(lang, 'places.more')),
    source && correctionLink(source.kind, source.id, meta),
  );
}

/** Members that the definitions of all profiles share. */
const PROFILE = { name: 'profile', toMarkdown: renderProfile } as const;

export const venuePage = defineViewPage({
  ...PROFILE,
  routes: recordRoutes('venue'),
  load: loadVenue,
  buildView: buildVenueView,
  // Venues with hours show whether they are open now: their pages are rendered on request.
  listWarmPaths: ({ snapshot }) =>
    listRecordPaths(
      'venue',
      listVenues(snapshot).filter(({ hours }) => hours === null),
    ),
});

export const organizerPage = defineViewPage({
  ...PROFILE,
  routes: recordRoutes('organizer'),
  load: loadOrganizer,
  buildView: buildOrganizerView,
  listWarmPaths: ({ snapshot }) => listRecordPaths('organizer', listOrganizers(snapshot)),
});

export const taxonPage = defineViewPage({
  ...PROFILE,
  routes: (['category', 'zone'] as const).flatMap((section) =>
    routesOf(
      byLang((lang) => `${SECTION_PATHS[section][lang]}/[slug]`),
      (lang, slug) => ({ lang, slug, section }),
    ),
  ),
  load: loadTaxonPage,
  buildView: buildTaxonView,
  listWarmPaths: ({ snapshot: { taxonomy } }) => [
    ...listRecordPaths('category', taxonomy.categories),
    ...listRecordPaths('zone', taxonomy.zones),
  ],
});
