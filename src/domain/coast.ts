// The coast as it is drawn, and where a point of it stands on the drawing. A sketch to find one's way
// on, by hand through well-known points: nothing to measure or to steer by.
import { findPoint, type Placed } from './distance.ts';

/** Degrees, WGS 84: latitude, longitude. */
export type Coordinates = readonly [lat: number, lng: number];

/** Units of the drawing, from its upper left corner. */
export interface MapPoint {
  readonly x: number;
  readonly y: number;
}

export const MAP_SIZE = { width: 300, height: 392 } as const;
const WEST = -86.955;
const EAST = -86.665;

/** Latitudes and where they stand, from north to south; straight between two of them. */
const LEVELS: readonly (readonly [lat: number, y: number])[] = [
  [21.29, 0],
  [21.02, 298],
  [20.9, 338],
  [20.81, 392],
];

const round = (value: number): number => Math.round(value * 10) / 10;

/** To a tenth of a unit; null where it lies outside the drawing, as Leona Vicario does. */
export function toMapPoint([lat, lng]: Coordinates): MapPoint | null {
  if (!(lng >= WEST && lng <= EAST)) return null;
  for (const [at, [south, bottom]] of LEVELS.entries()) {
    const [north, top] = LEVELS[at - 1] ?? [Number.POSITIVE_INFINITY, 0];
    if (at === 0 || !(lat <= north && lat >= south)) continue;
    const x = ((lng - WEST) / (EAST - WEST)) * MAP_SIZE.width;
    return { x: round(x), y: round(top + ((north - lat) / (north - south)) * (bottom - top)) };
  }
  return null;
}

/** A spot on the drawing: the venue's own, or no more than the middle of its zone (contract 4.16). */
export interface MapSpot extends MapPoint {
  readonly exact: boolean;
}

export function toMapSpot(venue: Placed): MapSpot | null {
  const at = findPoint(venue);
  const point = at && toMapPoint([at.lat, at.lng]);
  return point && { ...point, exact: venue.coordinates === 'venue' };
}

type Line = readonly Coordinates[];

/** `lat,lng lat,lng`. */
const toLine = (points: string): Line =>
  points
    .trim()
    .split(/\s+/)
    .map((point) => {
      const [lat = 0, lng = 0] = point.split(',').map(Number);
      return [lat, lng];
    });

/** The shore of the mainland from Isla Blanca round the hotel zone to beyond Puerto Morelos. */
export const SHORE: Line = toLine(`
  21.29,-86.8075 21.262,-86.8055 21.238,-86.8035 21.211,-86.8035 21.187,-86.806
  21.177,-86.8075 21.1655,-86.8035 21.156,-86.797 21.1495,-86.7885 21.148,-86.781
  21.143,-86.7735 21.1395,-86.762 21.139,-86.7505 21.137,-86.7415 21.1325,-86.744
  21.124,-86.7485 21.107,-86.757 21.09,-86.7655 21.06,-86.777 21.045,-86.7795
  21.0335,-86.7775 21.025,-86.788 21.008,-86.806 20.98,-86.82 20.93,-86.846 20.853,-86.872
  20.81,-86.889
`);

/** The Nichupté lagoon, between the strip of hotels and the city. */
export const LAGOON: Line = toLine(`
  21.1475,-86.8055 21.1425,-86.795 21.1405,-86.783 21.1335,-86.768 21.1325,-86.754
  21.126,-86.7535 21.108,-86.763 21.091,-86.7715 21.062,-86.7845 21.045,-86.787
  21.0375,-86.7935 21.043,-86.803 21.06,-86.812 21.078,-86.8135 21.098,-86.811
  21.118,-86.8155 21.135,-86.8165 21.1435,-86.8165
`);

export const ISLAND: Line = toLine(`
  21.2605,-86.753 21.2595,-86.747 21.244,-86.7365 21.225,-86.7225 21.203,-86.7085
  21.2,-86.712 21.216,-86.7285 21.231,-86.741 21.247,-86.7515
`);

/** Where the boulevard Kukulcán has gone so many kilometres: people here say places by them. */
export const KILOMETRES: readonly (readonly [km: number, at: Coordinates])[] = [
  [0, [21.1585, -86.815]],
  [4, [21.146, -86.789]],
  [9, [21.1355, -86.747]],
  [12, [21.1115, -86.7585]],
  [16, [21.077, -86.7735]],
  [18, [21.061, -86.7805]],
  [22, [21.033, -86.7825]],
];

export const BOULEVARD: Line = toLine(`
  21.1585,-86.815 21.151,-86.799 21.146,-86.789 21.1445,-86.7815 21.137,-86.765
  21.1355,-86.747 21.128,-86.751 21.1115,-86.7585 21.091,-86.7685 21.077,-86.7735
  21.061,-86.7805 21.033,-86.7825
`);

/** The well-known place of each zone to which its name points; no middle, and nobody's address. */
export const ZONE_PLACES: Readonly<Record<string, Coordinates>> = {
  'hotel-zone': [21.098, -86.7635],
  downtown: [21.161, -86.8275],
  huayacan: [21.047, -86.872],
  'puerto-cancun': [21.1665, -86.8085],
  tajamar: [21.138, -86.8195],
  'tulum-coba': [21.1535, -86.8265],
  'region-100': [21.184, -86.889],
  'puerto-juarez': [21.186, -86.81],
  'isla-mujeres': [21.238, -86.7375],
  'puerto-morelos': [20.851, -86.8755],
};
