// Great-circle distance on a sphere of the earth's mean radius, and where a place is measured from (contract 7.16).

const EARTH_RADIUS_KM = 6371.0088;
const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;

export function greatCircleKm(lat_a: number, lng_a: number, lat_b: number, lng_b: number): number {
  const d_lat = toRadians(lat_b - lat_a);
  const d_lng = toRadians(lng_b - lng_a);
  const h =
    Math.sin(d_lat / 2) ** 2 +
    Math.cos(toRadians(lat_a)) * Math.cos(toRadians(lat_b)) * Math.sin(d_lng / 2) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

export interface Point {
  readonly lat: number;
  readonly lng: number;
}

export interface Locatable {
  readonly lat: number | null;
  readonly lng: number | null;
  readonly coordinates: 'venue' | 'zone' | null;
  readonly zone_lat: number | null;
  readonly zone_lng: number | null;
}

/** Its own point or, for want of one, the middle of its zone (contract 4.16); null where neither is known. */
export function findPoint(placed: Locatable | null | undefined): Point | null {
  if (!placed) return null;
  const { coordinates, zone_lat, zone_lng } = placed;
  const [lat, lng] = coordinates === 'venue' ? [placed.lat, placed.lng] : [zone_lat, zone_lng];
  return lat === null || lng === null ? null : { lat, lng };
}

export interface NearFilter extends Point {
  readonly radius_km: number;
}

/** Kilometres from the point to a place, to ten metres (contract 7.16); null where nobody knows it. */
export function computeDistanceKm(
  near: NearFilter,
  placed: Locatable | null | undefined,
): number | null {
  const at = findPoint(placed);
  return at && Math.round(greatCircleKm(near.lat, near.lng, at.lat, at.lng) * 100) / 100;
}

/** A little generous: what lies further north or south need not be measured. */
const DEGREES_A_KM = 1 / 110;

/** Whether a place lies within the radius; one that nobody knows never does. */
export function isWithinRadius(near: NearFilter, placed: Locatable | null | undefined): boolean {
  const at = findPoint(placed);
  return (
    at !== null &&
    Math.abs(at.lat - near.lat) <= near.radius_km * DEGREES_A_KM &&
    greatCircleKm(near.lat, near.lng, at.lat, at.lng) <= near.radius_km
  );
}

/** What is not sure of a list around a point (contract 7.16). */
export interface NearCaveats {
  /** How many match all else and are left out, since nobody knows where they are. */
  readonly without_place: number;
  /** How many are measured to the middle of their zone; null for none. */
  readonly measured_to_zone: {
    readonly count: number;
    /** How far that is known to be off, whole km; null where no place of a zone is known. */
    readonly off_km: number | null;
  } | null;
}
