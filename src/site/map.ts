// The map of the town: every zone with how many events it has today, and the way to them.
import { drawMap, MAP_WORDS, type MapSpot } from '../domain/drawing.ts';
import { floorToMinute, toLocalDay } from '../domain/local-time.ts';
import type { Lang } from '../domain/lang.ts';
import { toOpenFilter } from '../domain/query/event-query.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import { toLongDay } from '../i18n/dates.ts';
import { PAGE_PATHS, toAbsolute, toPagePath, toThingPath, withQuery } from '../i18n/paths.ts';
import { capitalise, t, tCount } from '../i18n/translate.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import { link, linkItem, list, paragraph, section } from '../serializers/markdown/nodes.ts';
import { countChoices, countEvents } from '../snapshot/count-events.ts';
import { TOWN } from '../town.ts';
import { listDirectories } from './directory.ts';
import { definePage, type Loaded, type PageRequest, toPageRoutes } from './page-kind.ts';
import { buildMeta } from './page.ts';
import type { SiteState } from './state.ts';
import { show } from './visit.ts';

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
export const toPlainZones = (zones: readonly TaxonRecord[], lang: Lang): readonly MapZone[] =>
  zones.map(({ key, name, slug }) => ({
    key,
    name: name[lang],
    title: name[lang],
    count: null,
    path: toThingPath('zone', slug, lang),
  }));

interface Shown {
  /** What the map is, or what it shows, for whoever does not see it. */
  readonly label: string;
  /** The key of the zone that the page is about or its place is in. */
  readonly here?: string | null;
  /** Where the place of the page is: the map is a picture of that, with the landmarks and its own zone. */
  readonly spot?: MapSpot;
}

/** The drawing with these zones; null where the town has none. */
export function printMap(zones: readonly MapZone[], shown: Shown, lang: Lang) {
  const { here, spot } = shown;
  const drawn = drawMap(zones);
  const note = TOWN.drawing
    ? [t(lang, 'map.sketch'), TOWN.drawing.legend?.[lang]].filter(Boolean).join(' ')
    : t(lang, 'map.middles');
  const names = drawn?.names.filter(({ key, landmark }) => !spot || landmark || key === here) ?? [];
  return drawn && { ...drawn, ...shown, names, note };
}

export type DrawnMap = NonNullable<ReturnType<typeof printMap>>;

export function loadMap(state: SiteState, { lang }: PageRequest) {
  const { snapshot, now_ms } = state;
  const day = toLocalDay(now_ms);
  const today = { ...toOpenFilter(floorToMinute(now_ms), 1), range: { from: day, to: day } };
  const counts = countChoices(snapshot, today).by_key.get('zone');
  const zones = snapshot.taxonomy.zones.map(({ key, name, slug }) => {
    const count = counts?.get(key) ?? 0;
    const own_path = toThingPath('zone', slug, lang);
    const narrowed = withQuery(toPagePath('today', lang), { zone: slug[lang] });
    const events = tCount(lang, 'events.count', count);
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
  const events = tCount(lang, 'events.count', all);
  const date = toLongDay(day, lang);
  return show({
    meta: buildMeta(state, lang, PAGE_PATHS.map, {
      title: t(lang, `${MAP_WORDS}.title`),
      description: t(lang, `${MAP_WORDS}.description`),
      entry: 'map',
    }),
    about: t(lang, 'md.about_map', { events, day: date }),
    tally: t(lang, 'map.tally', { day: capitalise(date), events }),
    map: printMap(zones, { label: t(lang, 'map.label') }, lang),
    zones,
    busy: zones.filter(({ count }) => count > 0),
    quiet: zones.filter(({ count }) => count === 0),
    /** Before the way to today's list. */
    unplaced: unplaced > 0 ? tCount(lang, 'map.unplaced', unplaced) : null,
    directories: listDirectories(lang),
  });
}

export type MapView = Loaded<typeof loadMap>;

const renderMap = ({ meta, about, zones, unplaced }: MapView): string =>
  renderDocument(
    { ...meta, about, terms: 'md.terms' },
    section(
      t(meta.lang, 'map.zones'),
      list(
        zones.map((zone) => linkItem(toAbsolute(meta.site.url, zone.path), zone.name, zone.about)),
      ),
      unplaced &&
        paragraph(
          `${unplaced} `,
          link(
            toAbsolute(meta.site.url, toPagePath('today', meta.lang)),
            t(meta.lang, 'nav.today'),
          ),
          '.',
        ),
    ),
  );

export const mapPage = definePage({
  name: 'map',
  routes: toPageRoutes('map'),
  load: loadMap,
  toMarkdown: renderMap,
});
