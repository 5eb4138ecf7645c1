// Map page: shows the town's zones with the number of today's events, linked to them. Also builds
// the maps of profiles. MAP_LABEL_KEY is `map`, or `areas` if the town has no drawing.
import { buildTownMap, MAP_LABEL_KEY, type MapMarker } from '../domain/town-map.ts';
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import type { Lang } from '../domain/lang.ts';
import { unfilteredEventFilter } from '../domain/query/event-query.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { formatLongDay } from '../i18n/format-dates.ts';
import { PAGE_PATHS, absoluteUrl, pagePath, recordPath, withQuery } from '../i18n/paths.ts';
import { capitalize, t, tPlural } from '../i18n/translate.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { link, linkItem, list, paragraph, section } from '../serializers/markdown/nodes.ts';
import { countChoices, countWithoutSeasons } from '../snapshot/count-events.ts';
import { TOWN } from '../town.ts';
import { listDirectories } from './directory-page.ts';
import { definePage, type LoadedPage, type PageRequest, pageRoutes } from './page-definition.ts';
import { buildPageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';
import { pageResult } from './visitor-request.ts';

/** A zone on the map. */
export interface MapZone {
  readonly key: string;
  readonly name: string;
  /** Number of today's events; null on maps without counts. */
  readonly count: number | null;
  /** Path of today's events in the zone, or of the zone's page if there are none. */
  readonly path: string;
  /** Accessible label of the link. */
  readonly title: string;
}

/** Builds zones that link to their pages, without counts. */
export const buildZoneLinks = (zones: readonly TaxonRecord[], lang: Lang): readonly MapZone[] =>
  zones.map(({ key, name, slug }) => ({
    key,
    name: name[lang],
    title: name[lang],
    count: null,
    path: recordPath('zone', slug, lang),
  }));

/** Differences between the map page, the page of a zone and the page of a venue. */
interface MapOptions {
  /** Accessible label of the map. */
  readonly label: string;
  /** Key of the zone of the page or of its venue. */
  readonly current_zone?: string | null;
  /**
   * Location of the page's venue. The map is then a picture with only the landmarks and the current
   * zone.
   */
  readonly marker?: MapMarker;
}

/**
 * Builds a map: zones and landmarks with their names, and a note that it is a sketch.
 * @returns null if the town has no map.
 */
export function buildMapView(zones: readonly MapZone[], options: MapOptions, lang: Lang) {
  const { current_zone, marker } = options;
  const map = buildTownMap(zones);
  const note = TOWN.drawing
    ? [t(lang, 'map.sketch'), TOWN.drawing.legend?.[lang]].filter(Boolean).join(' ')
    : t(lang, 'map.middles');
  const names =
    map?.names.filter(({ key, landmark }) => !marker || landmark || key === current_zone) ?? [];
  return map && { ...map, ...options, names, note };
}

export type MapDrawing = NonNullable<ReturnType<typeof buildMapView>>;

/** Loads the map with the number of today's events in each zone. */
export function loadMapPage(context: PageContext, { lang }: PageRequest) {
  const { snapshot, now_ms } = context;
  const day = toLocalDay(now_ms);
  const today_filter = {
    ...unfilteredEventFilter(floorToMinute(now_ms), 1),
    range: { from: day, to: day },
  };
  const counts = countChoices(snapshot, today_filter).by_key.get('zone');
  const zones = snapshot.taxonomy.zones.map(({ key, name, slug }) => {
    const count = counts?.get(key) ?? 0;
    const zone_path = recordPath('zone', slug, lang);
    const events_path = withQuery(pagePath('today', lang), { zone: slug[lang] });
    const events = tPlural(lang, 'events.count', count);
    return {
      key,
      count,
      name: name[lang],
      path: count > 0 ? events_path : zone_path,
      title: t(lang, count > 0 ? 'map.zone' : 'map.zone_empty', { zone: name[lang], events }),
      about: count > 0 ? events : t(lang, 'map.none'),
    };
  });
  const total = countWithoutSeasons(snapshot, today_filter);
  const with_zone_filter = {
    ...today_filter,
    zones: snapshot.taxonomy.zones.map(({ key }) => key),
  };
  const without_zone_count = total - countWithoutSeasons(snapshot, with_zone_filter);
  const events = tPlural(lang, 'events.count', total);
  const date = formatLongDay(day, lang);
  return pageResult({
    meta: buildPageMeta(context, lang, PAGE_PATHS.map, {
      title: t(lang, `${MAP_LABEL_KEY}.title`),
      description: t(lang, `${MAP_LABEL_KEY}.description`),
      entry: 'map',
    }),
    about: t(lang, 'md.about_map', { events, day: date }),
    /** Line below the title: the day and the number of events. */
    tally: t(lang, 'map.tally', { day: capitalize(date), events }),
    map: buildMapView(zones, { label: t(lang, 'map.label') }, lang),
    zones,
    zones_with_events: zones.filter(({ count }) => count > 0),
    zones_without_events: zones.filter(({ count }) => count === 0),
    /** Number of today's events without a zone, as text before the link to today's page. */
    without_zone: without_zone_count > 0 ? tPlural(lang, 'map.unplaced', without_zone_count) : null,
    directories: listDirectories(lang),
  });
}

export type MapView = LoadedPage<typeof loadMapPage>;

const renderMap = ({ meta, about, zones, without_zone }: MapView): string =>
  renderDocument(
    { ...meta, about, terms: 'md.terms' },
    section(
      t(meta.lang, 'map.zones'),
      list(
        zones.map((zone) => linkItem(absoluteUrl(meta.site.url, zone.path), zone.name, zone.about)),
      ),
      without_zone &&
        paragraph(
          `${without_zone} `,
          link(absoluteUrl(meta.site.url, pagePath('today', meta.lang)), t(meta.lang, 'nav.today')),
          '.',
        ),
    ),
  );

export const mapPage = definePage({
  name: 'map',
  routes: pageRoutes('map'),
  load: loadMapPage,
  toMarkdown: renderMap,
});
