// Where a point of this coast stands on the drawn map. From Isla Blanca to Punta Nizuc one kilometre
// is as long across as down; the empty coast between Cancún and Puerto Morelos is drawn shorter.

/** Degrees, WGS 84: latitude, longitude. */
export type Coordinates = readonly [lat: number, lng: number];

/** Units of the drawing, from its upper left corner. */
export interface MapPoint {
  readonly x: number;
  readonly y: number;
}

/** The size of the drawing; `x` runs over these longitudes. */
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

/**
 * The place of a point on the drawing, to a tenth of a unit; null where it lies outside, as Leona
 * Vicario does.
 */
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

interface Placed {
  readonly lat: number | null;
  readonly lng: number | null;
  readonly coordinates: 'venue' | 'zone' | null;
  readonly zone_lat: number | null;
  readonly zone_lng: number | null;
}

/** A spot on the drawing: the venue's own, or no more than the middle of its zone (contract 4.16). */
export interface MapSpot extends MapPoint {
  readonly exact: boolean;
}

/** The spot of a venue; null where nothing is known, or it lies outside the drawing. */
export function toMapSpot(venue: Placed): MapSpot | null {
  const { coordinates, lat, lng, zone_lat, zone_lng } = venue;
  const [y, x] = coordinates === 'venue' ? [lat, lng] : [zone_lat, zone_lng];
  if (coordinates === null || y === null || x === null) return null;
  const point = toMapPoint([y, x]);
  return point && { ...point, exact: coordinates === 'venue' };
}
