// Great-circle distance on a sphere of the earth's mean radius (contract 7.16).

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
