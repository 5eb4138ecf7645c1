// Distance: computes great-circle distances on a sphere with the earth's mean radius (contract
// 7.16).

const EARTH_RADIUS_KM = 6371.0088;
const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Computes the distance of two points in km, by the haversine formula. */
export function greatCircleKm(lat_a: number, lng_a: number, lat_b: number, lng_b: number): number {
  const d_lat = toRadians(lat_b - lat_a);
  const d_lng = toRadians(lng_b - lng_a);
  const haversine =
    Math.sin(d_lat / 2) ** 2 +
    Math.cos(toRadians(lat_a)) * Math.cos(toRadians(lat_b)) * Math.sin(d_lng / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(haversine)));
}

/** Degrees, WGS 84. */
export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/**
 * The location fields of a venue. `coordinates`: the known point, its own (`venue`) or the
 * middle of its zone (`zone`).
 */
export interface Locatable {
  readonly lat: number | null;
  readonly lng: number | null;
  readonly coordinates: 'venue' | 'zone' | null;
  readonly zone_lat: number | null;
  readonly zone_lng: number | null;
}

/** Finds the venue's own point or else the middle of its zone (contract 4.16). */
export function findPoint(venue: Locatable | null | undefined): Point | null {
  if (!venue) return null;
  const { coordinates, zone_lat, zone_lng } = venue;
  const [lat, lng] = coordinates === 'venue' ? [venue.lat, venue.lng] : [zone_lat, zone_lng];
  return lat === null || lng === null ? null : { lat, lng };
}

/** A point with a radius. */
export interface NearFilter extends Point {
  readonly radius_km: number;
}

/**
 * Computes the distance of a venue from the point, to ten meters (contract 7.16).
 * @returns null if the venue has no known location.
 */
export function computeDistanceKm(
  near: NearFilter,
  venue: Locatable | null | undefined,
): number | null {
  const point = findPoint(venue);
  return point && Math.round(greatCircleKm(near.lat, near.lng, point.lat, point.lng) * 100) / 100;
}

/**
 * Latitude degrees per km, rounded up: a cheap check that excludes distant venues before the exact
 * one.
 */
const DEGREES_PER_KM = 1 / 110;

/** Returns true if the venue lies within the radius; false if its location is unknown. */
export function isWithinRadius(near: NearFilter, venue: Locatable | null | undefined): boolean {
  const point = findPoint(venue);
  return (
    point !== null &&
    Math.abs(point.lat - near.lat) <= near.radius_km * DEGREES_PER_KM &&
    greatCircleKm(near.lat, near.lng, point.lat, point.lng) <= near.radius_km
  );
}

/** Caveats of a list around a point (contract 7.16). */
export interface NearCaveats {
  /**
   * `without_place`: number of otherwise matching events left out because their location is
   * unknown.
   */
  readonly without_place: number;
  /** Events measured to the middle of their zone, if any. */
  readonly measured_to_zone: {
    readonly count: number;
    /** `off_km`: largest known error in whole km; null if no venue of the zone has a location. */
    readonly off_km: number | null;
  } | null;
}
