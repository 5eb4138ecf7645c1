// The map with streets over the page: a dialog, which Escape closes and which gives the focus back. It
// says so and goes where no tile comes; the drawn map stays below it.
import {
  type GeoJSONFeature,
  Map as StreetMap,
  Marker,
  NavigationControl,
  Popup,
  type StyleSpecification,
  setWorkerUrl,
} from 'maplibre-gl';
import maplibre_css from 'maplibre-gl/dist/maplibre-gl.css?url';
import worker_url from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';
import own_css from './street-map.css?url';
import type { LngLat, StreetSettings } from './street-settings.ts';

/** So long the first tile may take. */
const PATIENCE_MS = 15_000;

interface Place {
  readonly name: string;
  readonly url: string;
  readonly count: number;
  /** `3 eventos hoy`, `Abierto hoy de 9:00 a 18:00`. */
  readonly words: string;
  readonly at: LngLat;
}

function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  traits: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), traits);
  element.append(...children);
  return element;
}

/** The sheets of the map, once a page. */
function addStyle(): Promise<unknown> {
  const sheets = [maplibre_css, own_css].filter(
    (href) => !document.querySelector(`link[href="${href}"]`),
  );
  return Promise.all(
    sheets.map(
      (href) =>
        new Promise((done, fail) => {
          const link = make('link', { rel: 'stylesheet', href });
          link.onload = done;
          link.onerror = fail;
          document.head.append(link);
        }),
    ),
  );
}

/** Text as MapLibre's attribution takes it, which is markup. */
const toMarkup = (text: string): string => make('i', {}, text).innerHTML;

/** Tiles as the smallest style there is. */
const toStyle = ({ url, is_raster }: StreetSettings): StyleSpecification | string =>
  is_raster
    ? {
        version: 8,
        sources: { tiles: { type: 'raster', tiles: [url], tileSize: 256, maxzoom: 19 } },
        layers: [{ id: 'tiles', type: 'raster', source: 'tiles' }],
      }
    : url;

async function readPlaces(address: string): Promise<readonly Place[]> {
  const response = await fetch(address);
  const { features }: { features: readonly GeoJSONFeature[] } = await response.json();
  return features.flatMap(({ geometry, properties }) => {
    if (geometry.type !== 'Point') return [];
    const [lng = 0, lat = 0] = geometry.coordinates;
    const { name = '', url = '', count = 0, words = '' } = properties ?? {};
    return [{ name, url, count, words, at: [lng, lat] as const }];
  });
}

/** What is said of a place keeps so far off the edges of the map, px. */
const EDGE_PX = 12;

/** Moves the map as little as brings all of an open popup into it. */
function bringIn(map: StreetMap, popup: Popup): void {
  const [box, all] = [popup.getElement(), map.getContainer()].map((at) =>
    at.getBoundingClientRect(),
  );
  if (!box || !all) return;
  const x =
    Math.min(0, box.left - all.left - EDGE_PX) + Math.max(0, box.right - all.right + EDGE_PX);
  const y = Math.min(0, box.top - all.top - EDGE_PX);
  if (x !== 0 || y !== 0) map.panBy([x, y]);
}

/** A button on the map that says which place it is, and leads to its page. */
function addPlace(map: StreetMap, { name, url, count, words, at }: Place): void {
  const [lng, lat] = at;
  const pin = make('button', { type: 'button', className: 'pin' }, String(count || '·'));
  pin.setAttribute('aria-label', `${name}: ${words}`);
  pin.addEventListener('click', (event) => {
    event.stopPropagation();
    const popup = new Popup({ offset: 16, maxWidth: '16rem', anchor: 'bottom' })
      .setLngLat([lng, lat])
      .setDOMContent(make('p', {}, make('a', { href: url }, name), make('br'), words));
    popup.on('close', () => {
      if (document.activeElement === document.body) pin.focus();
    });
    popup.addTo(map);
    bringIn(map, popup);
  });
  new Marker({ element: pin }).setLngLat([lng, lat]).addTo(map);
}

function addSpot(map: StreetMap, { name, at: [lng, lat] }: NonNullable<StreetSettings['spot']>) {
  const spot = make('span', { className: 'here' });
  spot.setAttribute('role', 'img');
  spot.setAttribute('aria-label', name);
  new Marker({ element: spot, anchor: 'bottom' }).setLngLat([lng, lat]).addTo(map);
}

/** Calls `onFailed` once where the style, or every tile of the first view, does not come. */
function watch(map: StreetMap, onFailed: () => void): void {
  let has_tile = false;
  let has_style = false;
  let is_over = false;
  const giveUp = (): void => {
    if (has_tile || is_over) return;
    is_over = true;
    onFailed();
  };
  const patience = setTimeout(giveUp, PATIENCE_MS);
  map.on('style.load', () => {
    has_style = true;
  });
  map.on('sourcedata', ({ tile }) => {
    if (tile?.state === 'loaded') has_tile = true;
  });
  map.on('error', () => {
    if (!has_style) giveUp();
  });
  map.once('idle', giveUp);
  map.on('remove', () => {
    is_over = true;
    clearTimeout(patience);
  });
}

/**
 * Opens the map; closed, the focus is on `opener` again. `onFailed` is called, with all of the map gone,
 * where it cannot be shown.
 */
export async function openStreetMap(
  settings: StreetSettings,
  opener: HTMLElement,
  onFailed: () => void,
): Promise<void> {
  const { words, center, zoom, attribution, controls, spot } = settings;
  const box = make('div', { className: 'streets-map' });
  const close = make('button', { type: 'button' }, words.close);
  const title = make('h2', { id: 'streets-title' }, words.title);
  const dialog = make('dialog', { className: 'streets' }, make('header', {}, title, close), box);
  dialog.setAttribute('aria-labelledby', title.id);
  let is_closed = false;
  const fail = (): void => {
    if (is_closed) return;
    dialog.close();
    onFailed();
  };
  dialog.addEventListener('close', () => {
    is_closed = true;
    dialog.remove();
    opener.focus();
  });
  close.addEventListener('click', () => dialog.close());
  try {
    setWorkerUrl(worker_url);
    await addStyle();
    document.body.append(dialog);
    dialog.showModal();
    const map = new StreetMap({
      ...{ container: box, style: toStyle(settings), zoom, locale: { ...controls } },
      center: [center[0], center[1]],
      attributionControl: { compact: false, customAttribution: toMarkup(attribution) },
      ...{ dragRotate: false, touchPitch: false, pitchWithRotate: false },
    });
    dialog.addEventListener('close', () => map.remove());
    map.addControl(new NavigationControl({ showCompass: false }), 'bottom-right');
    watch(map, fail);
    if (spot) addSpot(map, spot);
    for (const place of await readPlaces(settings.places)) addPlace(map, place);
  } catch {
    fail();
  }
}
