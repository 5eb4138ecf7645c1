// Great-circle distance on a sphere of the earth's mean radius, and where a place is measured from
// (contract 7.16).

const EARTH_RADIUS_KM = 6371.0088;
const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Kilometres between two points given in degrees (haversine). */
export function distanceKm(lat_a: number, lng_a: number, lat_b: number, lng_b: number): number {
  const d_lat = toRadians(lat_b - lat_a);
  const d_lng = toRadians(lng_b - lng_a);
  const h =
    Math.sin(d_lat / 2) ** 2 +
    Math.cos(toRadians(lat_a)) * Math.cos(toRadians(lat_b)) * Math.sin(d_lng / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** A point in degrees. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** What a record says of its own place. */
export interface Placed {
  readonly lat: number | null;
  readonly lng: number | null;
  readonly coordinates: 'venue' | 'zone' | null;
  readonly zone_lat: number | null;
  readonly zone_lng: number | null;
}

/** Its own point or, for want of one, the middle of its zone (contract 4.16); null where neither is known. */
export function findPoint(placed: Placed | null | undefined): Point | null {
  if (!placed) return null;
  const { coordinates, zone_lat, zone_lng } = placed;
  const [lat, lng] = coordinates === 'venue' ? [placed.lat, placed.lng] : [zone_lat, zone_lng];
  return lat === null || lng === null ? null : { lat, lng };
}
