// The map of the town: every zone with how many events it has today, and the way to them.
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
import { countChoices, countEvents } from '../snapshot/count-events.ts';
import { TOWN } from '../town.ts';
import { listDirectories } from './directory-page.ts';
import { definePage, type LoadedPage, type PageRequest, pageRoutes } from './page-definition.ts';
import { buildPageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';
import { pageResult } from './visitor-request.ts';

export interface MapZone {
  readonly key: string;
  readonly name: string;
  /** Events of today; null where the map counts none. */
  readonly count: number | null;
  /** Today's events there, or the zone's own page where there are none. */
  readonly path: string;
  /** Its name with what is behind it, in words. */
  readonly title: string;
}

/** Zones that are links to their own pages, without counts. */
export const buildZoneLinks = (zones: readonly TaxonRecord[], lang: Lang): readonly MapZone[] =>
  zones.map(({ key, name, slug }) => ({
    key,
    name: name[lang],
    title: name[lang],
    count: null,
    path: recordPath('zone', slug, lang),
  }));

interface MapOptions {
  /** What the map is, or what it shows, for whoever does not see it. */
  readonly label: string;
  /** The key of the zone that the page is about or its place is in. */
  readonly here?: string | null;
  /** Where the place of the page is: the map is a picture of that, with the landmarks and its own zone. */
  readonly spot?: MapMarker;
}

/** The drawing with these zones; null where the town has none. */
export function buildMapView(zones: readonly MapZone[], shown: MapOptions, lang: Lang) {
  const { here, spot } = shown;
  const drawn = buildTownMap(zones);
  const note = TOWN.drawing
    ? [t(lang, 'map.sketch'), TOWN.drawing.legend?.[lang]].filter(Boolean).join(' ')
    : t(lang, 'map.middles');
  const names = drawn?.names.filter(({ key, landmark }) => !spot || landmark || key === here) ?? [];
  return drawn && { ...drawn, ...shown, names, note };
}

export type MapDrawing = NonNullable<ReturnType<typeof buildMapView>>;

export function loadMapPage(state: PageContext, { lang }: PageRequest) {
  const { snapshot, now_ms } = state;
  const day = toLocalDay(now_ms);
  const today = {
    ...unfilteredEventFilter(floorToMinute(now_ms), 1),
    range: { from: day, to: day },
  };
  const counts = countChoices(snapshot, today).by_key.get('zone');
  const zones = snapshot.taxonomy.zones.map(({ key, name, slug }) => {
    const count = counts?.get(key) ?? 0;
    const own_path = recordPath('zone', slug, lang);
    const narrowed = withQuery(pagePath('today', lang), { zone: slug[lang] });
    const events = tPlural(lang, 'events.count', count);
    return {
      key,
      count,
      name: name[lang],
      path: count > 0 ? narrowed : own_path,
      title: t(lang, count > 0 ? 'map.zone' : 'map.zone_empty', { zone: name[lang], events }),
      about: count > 0 ? events : t(lang, 'map.none'),
    };
  });
  const all = countEvents(snapshot, today);
  const placed = { ...today, zones: snapshot.taxonomy.zones.map(({ key }) => key) };
  const unplaced = all - countEvents(snapshot, placed);
  const events = tPlural(lang, 'events.count', all);
  const date = formatLongDay(day, lang);
  return pageResult({
    meta: buildPageMeta(state, lang, PAGE_PATHS.map, {
      title: t(lang, `${MAP_LABEL_KEY}.title`),
      description: t(lang, `${MAP_LABEL_KEY}.description`),
      entry: 'map',
    }),
    about: t(lang, 'md.about_map', { events, day: date }),
    tally: t(lang, 'map.tally', { day: capitalize(date), events }),
    map: buildMapView(zones, { label: t(lang, 'map.label') }, lang),
    zones,
    busy: zones.filter(({ count }) => count > 0),
    quiet: zones.filter(({ count }) => count === 0),
    /** Before the way to today's list. */
    unplaced: unplaced > 0 ? tPlural(lang, 'map.unplaced', unplaced) : null,
    directories: listDirectories(lang),
  });
}

export type MapView = LoadedPage<typeof loadMapPage>;

const renderMap = ({ meta, about, zones, unplaced }: MapView): string =>
  renderDocument(
    { ...meta, about, terms: 'md.terms' },
    section(
      t(meta.lang, 'map.zones'),
      list(
        zones.map((zone) => linkItem(absoluteUrl(meta.site.url, zone.path), zone.name, zone.about)),
      ),
      unplaced &&
        paragraph(
          `${unplaced} `,
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
