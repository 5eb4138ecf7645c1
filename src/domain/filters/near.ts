// The filter by distance: a point and a radius around it (contract 7.1).
import * as v from 'valibot';
import { distanceKm, findPoint, type Placed, type Point } from '../distance.ts';
import { type Filter, readText } from './filter.ts';

/** A point and a radius around it. */
export interface Near extends Point {
  readonly radius_km: number;
}

export const RADIUS_KM = { max: 50, fallback: 5 } as const;
const POINT = /^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

const toNumbers = (text: string): readonly number[] => text.split(',').map(Number);

function isOnGlobe(text: string): boolean {
  const [lat = 91, lng = 181] = toNumbers(text);
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
}

const PointSchema = v.pipe(
  v.string(),
  v.regex(
    POINT,
    (i) =>
      `near: '${i.input}' is not a point. Write lat,lng in degrees, for example 21.1619,-86.8515`,
  ),
  v.check(
    (text) => !POINT.test(text) || isOnGlobe(text),
    (i) => `near: ${i.input} is not on the globe. Latitude is -90 to 90, longitude -180 to 180`,
  ),
);

const RadiusSchema = v.pipe(
  v.string(),
  v.check(
    (text) => NUMBER.test(text) && Number(text) > 0 && Number(text) <= RADIUS_KM.max,
    (i) =>
      `radius_km: '${i.input}' is not accepted. Use a number above 0, at most ${RADIUS_KM.max}`,
  ),
  v.transform(Number),
);

/** `near` and `radius_km`. */
export const near: Filter<'near' | 'radius_km', { readonly near: Near | null }, 'near'> = {
  name: 'near',
  parameters: [
    {
      name: 'near',
      other_names: ['cerca', 'cerca_de'],
      schema: { type: 'string', pattern: POINT.source },
      example: '21.1619,-86.8515',
    },
    {
      name: 'radius_km',
      other_names: ['radio', 'radio_km', 'radius'],
      schema: {
        type: 'number',
        exclusiveMinimum: 0,
        maximum: RADIUS_KM.max,
        default: RADIUS_KM.fallback,
      },
      example: 3,
    },
  ],
  off: { near: null },
  read: (params, { issues }) => {
    const point = readText(PointSchema, params.near, '', issues.form);
    const radius_km = readText(RadiusSchema, params.radius_km, RADIUS_KM.fallback, issues.form);
    if (point === '') return { near: null };
    const [lat = 0, lng = 0] = toNumbers(point);
    return { near: { lat, lng, radius_km } };
  },
  isOn: ({ near }) => near !== null,
  toPhrases: ({ near }) =>
    near ? [{ key: 'near', parts: { radius: near.radius_km, lat: near.lat, lng: near.lng } }] : [],
};

/** Kilometres from the point to a place, to ten metres (contract 7.26); null where nobody knows it. */
export function toDistanceKm(near: Near, placed: Placed | null | undefined): number | null {
  const at = findPoint(placed);
  return at && Math.round(distanceKm(near.lat, near.lng, at.lat, at.lng) * 100) / 100;
}

/**
 * Degrees of latitude in a kilometre, a little generous: what lies further north or south need not
 * be measured.
 */
const DEGREES_A_KM = 1 / 110;

/** Whether a place lies within the radius; one that nobody knows never does. */
export function toPlaceTest(near: Near): (placed: Placed | null | undefined) => boolean {
  const height = near.radius_km * DEGREES_A_KM;
  return (placed) => {
    const at = findPoint(placed);
    return (
      at !== null &&
      Math.abs(at.lat - near.lat) <= height &&
      distanceKm(near.lat, near.lng, at.lat, at.lng) <= near.radius_km
    );
  };
}

/** What is not sure of a list around a point (contract 7.24). */
export interface NearFacts {
  /** How many match all else and are left out, since nobody knows where they are. */
  readonly without_place: number;
  /** How many are measured to the middle of their zone; null for none. */
  readonly measured_to_zone: {
    readonly count: number;
    /** How far that is known to be off, whole km; null where no place of a zone is known. */
    readonly off_km: number | null;
  } | null;
}
