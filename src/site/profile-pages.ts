// The pages of a venue, an organizer, a category and a zone: what each is, and what comes up there.
// By an older slug, an id or the slug of another language, the way to the page.
import type { EventCard } from '../domain/agenda.ts';
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import type { CorrectableKind } from '../domain/correction.ts';
import { locateVenue } from '../domain/town-map.ts';
import type { SourceDates } from '../domain/fields.ts';
import { byLang, type Lang, type LocalText } from '../domain/lang.ts';
import { computeVenueDay } from '../domain/opening-hours.ts';
import { formatAddressLine } from '../domain/place-text.ts';
import {
  type EventFilter,
  categoryPageFilter,
  unfilteredEventFilter,
} from '../domain/query/event-query.ts';
import { findTaxon, type TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { formatSourceSentence } from '../i18n/format-facts.ts';
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
import { getOrganizer, getVenue } from '../snapshot/get-record.ts';
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

const MAX_UPCOMING = 100;

/** Upcoming events that match, in order of their next date; `next` where there are more. */
const findUpcoming = ({ snapshot, now_ms }: PageContext, only: Partial<EventFilter>, lang: Lang) =>
  findEvents(
    snapshot,
    { ...unfilteredEventFilter(floorToMinute(now_ms), MAX_UPCOMING), ...only },
    lang,
  );

interface Named {
  readonly id: string;
  readonly name: string;
  readonly slug: LocalText;
}

/** What comes up at a thing with a calendar; the way to its page, or why there is none. */
function loadNamed<T extends Named>(
  state: PageContext,
  kind: 'venue' | 'organizer',
  { slug, lang }: SlugRequest,
  thing: T | null,
  toJsonLd: (thing: T) => object,
) {
  if (state.snapshot.findId(kind, slug) === 'gone') return GONE;
  if (thing === null) return NOT_FOUND;
  const paths = byLang((each) => recordPath(kind, thing.slug, each));
  if (thing.slug[lang] !== slug) return redirectPermanently(paths[lang]);
  return pageResult({
    meta: buildPageMeta(state, lang, paths, {
      title: thing.name,
      description: t(lang, 'places.description', { name: thing.name }),
      calendar: recordIcsPath(kind, thing.slug, lang),
      json_ld: toJsonLd(thing),
    }),
    thing,
    cards: findUpcoming(state, { [kind]: thing }, lang).cards,
    day: toLocalDay(state.now_ms),
  });
}

function loadVenue(state: PageContext, request: SlugRequest) {
  const { snapshot, now_ms, site } = state;
  const venue = getVenue(snapshot, request.slug);
  const today = venue && computeVenueDay(venue, toLocalDay(now_ms), snapshot.calendar.holidays);
  const answer = loadNamed(state, 'venue', request, venue, (thing) =>
    venueJsonLd(thing, today, request.lang, site),
  );
  if (answer.kind !== 'page') return answer;
  const { zone: key } = answer.page.thing;
  const zone = snapshot.taxonomy.zones.find((one) => one.key === key) ?? null;
  return pageResult({ ...answer.page, today, zone });
}

const loadOrganizer = (state: PageContext, request: SlugRequest) =>
  loadNamed(state, 'organizer', request, getOrganizer(state.snapshot, request.slug), (organizer) =>
    organizerJsonLd(organizer, request.lang, state.site),
  );

interface TaxonRequest extends SlugRequest {
  readonly section: 'category' | 'zone';
}

export function loadTaxonPage(state: PageContext, { section, slug, lang }: TaxonRequest) {
  const { taxonomy } = state.snapshot;
  const taxon = findTaxon(section === 'category' ? taxonomy.categories : taxonomy.zones, slug);
  if (taxon === null) return NOT_FOUND;
  const paths = byLang((each) => recordPath(section, taxon.slug, each));
  if (taxon.slug[lang] !== slug) return redirectPermanently(paths[lang]);
  const name = taxon.name[lang];
  const listed =
    section === 'category'
      ? categoryPageFilter(taxon.key, taxon.slug[lang])
      : { filter: { zones: [taxon.key] }, texts: { zone: taxon.slug[lang] } };
  const { cards, next } = findUpcoming(state, listed.filter, lang);
  return pageResult({
    meta: buildPageMeta(state, lang, paths, {
      title: t(lang, `places.title.${section}`, { name: taxon.name_in[lang] }),
      description: taxon.description?.[lang] ?? t(lang, 'places.description', { name }),
      calendar: calendarFeedPath(listed.texts, lang),
      json_ld: cards.length === 0 ? null : eventListJsonLd(cards, lang, state.site),
    }),
    section,
    taxon,
    thumb: motifThumbnailUrl(state.snapshot, taxon.motif),
    cards,
    day: toLocalDay(state.now_ms),
    /** The search with all of them, where there are more than these. */
    more_path: next && withQuery(pagePath('search', lang), listed.texts),
    browse: listTaxonLinks(state, taxon.key, lang),
  });
}

/** What the pages of all of them are made of, in order; each leaves out what it has not. */
export interface ProfileView {
  readonly meta: PageMeta;
  readonly kicker: { readonly text: string; readonly path?: string } | null;
  readonly title: string;
  readonly thumb?: string | null;
  readonly tally?: string | undefined;
  readonly opening?: { readonly words: string; readonly is_open: boolean } | null;
  readonly description?: string | undefined;
  readonly facts?: readonly RecordFact[];
  readonly directions?: string | null;
  /** Where it is on the map, or how roughly that is known. */
  readonly spot?: ReturnType<typeof printSpot>;
  readonly cards: readonly EventCard[];
  readonly upcoming: UpcomingView;
  readonly more_path?: string | null;
  readonly keep: SubscribeLinks;
  readonly source?: { readonly words: string; readonly kind: CorrectableKind; readonly id: string };
  /** All zones on the map, of a zone. */
  readonly map?: MapDrawing | null;
  readonly ways: readonly LinkNav[];
}

/** What all of them say of what comes up; `said` is what the page says: its rows do not repeat it. */
const printComing = (
  { meta, cards, day }: Pick<LoadedPage<typeof loadOrganizer>, 'meta' | 'cards' | 'day'>,
  name: string,
  said: readonly string[],
) => ({
  meta,
  title: name,
  cards,
  upcoming: buildUpcomingView(cards, day, meta.lang, said),
  keep: buildSubscribeLinks(
    t(meta.lang, 'subscribe.title'),
    t(meta.lang, 'ics.name', { site: meta.site.name, filters: name }),
    absoluteUrl(meta.site.url, meta.calendar ?? ''),
  ),
});

function printVenue(view: LoadedPage<typeof loadVenue>, state: PageContext): ProfileView {
  const { thing: venue, zone, today, meta } = view;
  const { lang } = meta;
  return {
    ...printComing(view, venue.name, [venue.name, ...(zone ? [zone.name[lang]] : [])]),
    kicker: zone && { text: zone.name[lang], path: recordPath('zone', zone.slug, lang) },
    tally: formatAddressLine(venue),
    opening: today && {
      words: formatOpenStatus(venue.hours, today, lang),
      is_open: today.opening.is_open,
    },
    description: venue.description?.[lang],
    directions: directionsUrl(venue),
    facts: listVenueFacts(venue, today, zone, lang),
    spot: printSpot(venue, zone, state, lang),
    source: printSource(venue, 'venue', lang),
    ways: [listDirectories(lang)],
  };
}

function printSpot(
  venue: VenueRecord,
  zone: TaxonRecord | null,
  { snapshot }: PageContext,
  lang: Lang,
) {
  const spot = locateVenue(venue);
  if (!spot) return null;
  const words = { place: venue.name, zone: zone?.name_in[lang] ?? '' };
  const label = t(lang, spot.exact ? 'map.spot' : 'map.spot_about', words);
  const zones = buildZoneLinks(snapshot.taxonomy.zones, lang);
  const map = buildMapView(zones, { label, here: venue.zone, spot }, lang);
  return map && { map, about: spot.exact ? null : t(lang, 'map.about') };
}

const printSource = (thing: SourceDates & Named, kind: CorrectableKind, lang: Lang) => ({
  kind,
  id: thing.id,
  words: formatSourceSentence(thing, lang),
});

function printOrganizer(view: LoadedPage<typeof loadOrganizer>): ProfileView {
  const { thing: organizer, meta } = view;
  const { lang } = meta;
  const verified = organizer.verified ? [t(lang, 'label.verified')] : [];
  return {
    ...printComing(view, organizer.name, []),
    kicker: { text: [t(lang, `organizer.type.${organizer.type}`), ...verified].join(' · ') },
    description: organizer.description?.[lang],
    facts: listOrganizerFacts(organizer, lang),
    source: printSource(organizer, 'organizer', lang),
    ways: [listDirectories(lang)],
  };
}

function printTaxon(
  view: LoadedPage<typeof loadTaxonPage>,
  { snapshot }: PageContext,
): ProfileView {
  const { section, taxon, more_path, browse, meta } = view;
  const { lang } = meta;
  const name = taxon.name[lang];
  const zones = buildZoneLinks(snapshot.taxonomy.zones, lang);
  const shown = { label: t(lang, 'map.label'), here: taxon.key };
  const map = section === 'zone' ? buildMapView(zones, shown, lang) : null;
  const leads_to_all = map?.names.length === zones.length;
  return {
    ...printComing(view, name, [name]),
    kicker: { text: t(lang, `places.${section}`) },
    thumb: view.thumb,
    tally: taxon.description?.[lang],
    more_path,
    map,
    ways: browse.filter((way) => !leads_to_all || way.map === null),
  };
}

/** The facts of a venue have its address; a category and a zone say their sentence instead, and their calendar. */
function renderPlace({ meta, tally, description, facts, keep, ...more }: ProfileView): string {
  const { lang, site } = meta;
  const { cards, more_path, source } = more;
  const linkTo = (url: string, label: string) => paragraph(link(url, label));
  return renderDocument(
    meta,
    facts === undefined && [
      tally,
      keep.follow_url && linkTo(keep.follow_url, t(lang, 'subscribe.title')),
    ],
    description && paragraphs(description),
    facts && renderFacts(facts),
    renderUpcoming(cards, meta),
    more_path && linkTo(absoluteUrl(site.url, more_path), t(lang, 'places.more')),
    source && correctionLink(source.kind, source.id, meta),
  );
}

const PLACE = { name: 'profile', toMarkdown: renderPlace } as const;

export const venuePage = defineViewPage({
  ...PLACE,
  routes: recordRoutes('venue'),
  load: loadVenue,
  print: printVenue,
  // One with hours says whether it is open today: it is rendered when it is requested.
  listBuilt: ({ snapshot }) =>
    listRecordPaths(
      'venue',
      listVenues(snapshot).filter(({ hours }) => hours === null),
    ),
});

export const organizerPage = defineViewPage({
  ...PLACE,
  routes: recordRoutes('organizer'),
  load: loadOrganizer,
  print: printOrganizer,
  listBuilt: ({ snapshot }) => listRecordPaths('organizer', listOrganizers(snapshot)),
});

export const taxonPage = defineViewPage({
  ...PLACE,
  routes: (['category', 'zone'] as const).flatMap((section) =>
    routesOf(
      byLang((lang) => `${SECTION_PATHS[section][lang]}/[slug]`),
      (lang, slug) => ({ lang, slug, section }),
    ),
  ),
  load: loadTaxonPage,
  print: printTaxon,
  listBuilt: ({ snapshot: { taxonomy } }) => [
    ...listRecordPaths('category', taxonomy.categories),
    ...listRecordPaths('zone', taxonomy.zones),
  ],
});
