// The map with streets, which a button opens where the operator has named a source of tiles: what the
// reader's browser is told, on which pages it stands, and what those may load.
import type { Lang } from '../domain/lang.ts';
import { LANGS } from '../domain/lang.ts';
import type { Site, Tiles } from '../domain/site.ts';
import { findTaxon, type TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { PAGE_PATHS, SECTION_PATHS, toMapPlacesPath } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import type { StreetSettings } from '../reader/street-settings.ts';
import { getVenue } from '../snapshot/get-thing.ts';
import type { Snapshot } from '../snapshot/open.ts';

/** The button with what it opens. */
export interface StreetMap {
  readonly label: string;
  /** Whom the reader's browser will ask, said before it does. */
  readonly note: string;
  /** For the script; see reader/street-settings.ts. */
  readonly settings: StreetSettings;
}

type View = Pick<StreetSettings, 'center' | 'zoom' | 'spot'>;

/** From Isla Mujeres to Puerto Morelos on a telephone. */
export const COAST_VIEW = { center: [-86.84, 21.05], zoom: 9.6 } as const;
const ZONE_ZOOM = 13;
const VENUE_ZOOM = 15.5;

const toWords = (lang: Lang): StreetSettings['words'] => ({
  title: t(lang, 'streets.title'),
  close: t(lang, 'streets.close'),
  failed: t(lang, 'streets.failed'),
});

/** Words of MapLibre's own controls, by its keys. */
const toControls = (lang: Lang): StreetSettings['controls'] => ({
  'Map.Title': t(lang, 'streets.title'),
  'Marker.Title': t(lang, 'streets.place'),
  'Popup.Close': t(lang, 'streets.close_place'),
  'NavigationControl.ZoomIn': t(lang, 'streets.zoom_in'),
  'NavigationControl.ZoomOut': t(lang, 'streets.zoom_out'),
  'AttributionControl.ToggleAttribution': t(lang, 'streets.attribution'),
});

/** The map of a site at a view; null where it has none. */
export function toStreetMap({ tiles }: Site, lang: Lang, view: View): StreetMap | null {
  if (!tiles) return null;
  const { url, is_raster, attribution, host }: Tiles = tiles;
  return {
    label: t(lang, 'streets.open'),
    note: t(lang, 'streets.note', { host }),
    settings: {
      ...view,
      ...{ url, is_raster, attribution, places: toMapPlacesPath(lang) },
      words: toWords(lang),
      controls: toControls(lang),
    },
  };
}

/** That of a zone, around its middle; of the whole coast where its middle is not known. */
export const toZoneStreets = (site: Site, lang: Lang, { middle }: TaxonRecord): StreetMap | null =>
  toStreetMap(site, lang, {
    ...(middle === null
      ? COAST_VIEW
      : { center: [middle.lng, middle.lat] as const, zoom: ZONE_ZOOM }),
    spot: null,
  });

/** That of a venue at its own point; null where no point of its own is known. */
export function toVenueStreets(
  site: Site,
  lang: Lang,
  { name, lat, lng }: VenueRecord,
): StreetMap | null {
  if (lat === null || lng === null) return null;
  const center = [lng, lat] as const;
  return toStreetMap(site, lang, { center, zoom: VENUE_ZOOM, spot: { name, at: center } });
}

/** What stands behind the path of a section in one of its languages; null for any other path. */
const readSlug = (path: string, section: 'zone' | 'venue'): string | null =>
  LANGS.map((lang) => `${SECTION_PATHS[section][lang]}/`)
    .filter((prefix) => path.startsWith(prefix))
    .map((prefix) => path.slice(prefix.length))[0] ?? null;

/** Whether the page at a decoded path has the button, on a site with such a map. */
function hasButton(path: string, snapshot: Snapshot): boolean {
  if (LANGS.some((lang) => PAGE_PATHS.map[lang] === path)) return true;
  const zone = readSlug(path, 'zone');
  if (zone !== null) return findTaxon(snapshot.taxonomy.zones, zone) !== null;
  const venue = readSlug(path, 'venue');
  return venue !== null && (getVenue(snapshot, venue)?.lat ?? null) !== null;
}

/** Where built scripts lie; among them the map's own worker, which loads from where the map does. */
const SCRIPTS = '/_astro/';

/** Origins that what lies at a decoded path may load a map from; none on a site without one. */
export const listMapOrigins = (
  { tiles }: Site,
  path: string,
  snapshot: Snapshot,
): readonly string[] =>
  tiles && (path.startsWith(SCRIPTS) || hasButton(path, snapshot)) ? tiles.origins : [];
