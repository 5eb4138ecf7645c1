// Town map: builds the drawing of the town from map.yml or else from the middles of its zones, and
// projects points onto it. Fixed for the lifetime of the process.
import { type TownDrawing, TOWN, type Town, interpolate } from '../town.ts';
import { findPoint, type Locatable, type Point } from './distance.ts';

/** Drawing units from the upper left corner. */
export interface MapPoint {
  readonly x: number;
  readonly y: number;
}

/** Width of the drawing in units. */
const WIDTH = 300;
/** Touch target height in units: 44 px on the narrowest map, which is 288 px wide. */
const TOUCH_SIZE = 46;

/** Without map.yml: width of the part with the points; their names are in a column on the right. */
const COLUMN_WIDTH = 138;
/** Distance from its edges to the outermost points. */
const MARGIN = 18;
/** Distance from its right edge to the names. */
const GAP = 12;
/** Minimum width in degrees, about 1.5 km. */
const MIN_DEGREES = 0.015;

/** Returns the middle and the extent of numbers. */
const measure = (values: readonly number[]) => {
  const [min, max] = [Math.min(...values), Math.max(...values)];
  return { middle: (min + max) / 2, span: max - min };
};

/**
 * Builds a drawing to scale, north up, from the middles of the zones.
 * @returns null if fewer than two or fewer than half of the zones have a middle.
 */
export function buildFallbackMap({ middles, zone_keys }: Town): TownDrawing | null {
  if (middles.length < 2 || middles.length * 2 < zone_keys.length) return null;
  const [lats, lngs] = [measure(middles.map(({ lat }) => lat)), measure(middles.map((m) => m.lng))];
  // A degree of longitude is shorter than one of latitude by this factor.
  const lng_shrinkage = Math.cos((lats.middle * Math.PI) / 180);
  // Height for each name.
  const slot = TOUCH_SIZE + 4;
  const height = Math.max(COLUMN_WIDTH, middles.length * slot);
  /** Degrees of latitude per unit. */
  const scale = Math.max(
    lats.span / (height - 2 * MARGIN),
    Math.max(MIN_DEGREES, lngs.span * lng_shrinkage) / (COLUMN_WIDTH - 2 * MARGIN),
  );
  const north = lats.middle + (scale * height) / 2;
  const west = lngs.middle - (scale * COLUMN_WIDTH) / 2 / lng_shrinkage;
  const [south, east] = [2 * lats.middle - north, 2 * lngs.middle - west];
  const remaining = new Set(middles);
  const zones = middles.map((_, index) => {
    const y = (height - middles.length * slot) / 2 + (index + 0.5) * slot;
    // The next name belongs to the point with the smallest slope seen from here, so that no two
    // lines cross.
    const slope = ({ lat, lng }: Point) =>
      ((north - lat) / scale - y) / (((east - lng) * lng_shrinkage) / scale + GAP);
    const next = [...remaining].reduce((a, b) => (slope(b) < slope(a) ? b : a));
    remaining.delete(next);
    const { key, ...point } = next;
    const name = { x: COLUMN_WIDTH + GAP, y, anchor: 'start', room: 15, landmark: true } as const;
    return [key, { ...point, ...name }] as const;
  });
  const ground = [north, south].map((lat) => ({ lat, lng: west }));
  return {
    height,
    longitudes: [
      [west, 0],
      [east, COLUMN_WIDTH],
    ],
    latitudes: [
      [north, 0],
      [south, height],
    ],
    shapes: [{ kind: 'land', edge: 'east', line: ground, marks: [] }],
    zones: Object.fromEntries(zones),
  };
}

const DRAWING = TOWN.drawing ?? buildFallbackMap(TOWN);

/** Part of the i18n key of the map page: a map, or only areas if there is no drawing. */
export const MAP_LABEL_KEY = DRAWING ? 'map' : 'areas';

const round = (value: number): number => Math.round(value * 10) / 10;

/**
 * Projects a point to a tenth of a unit.
 * @returns null if it lies outside the drawing or there is none.
 */
export function projectPoint({ lat, lng }: Point): MapPoint | null {
  const x = DRAWING && interpolate(DRAWING.longitudes, lng);
  const y = DRAWING && interpolate(DRAWING.latitudes, lat);
  return x === null || y === null ? null : { x: round(x), y: round(y) };
}

/**
 * A marker on the drawing: exact for the venue's own point, otherwise the middle of its zone
 * (contract 4.16).
 */
export interface MapMarker extends MapPoint {
  readonly exact: boolean;
}

/** Returns the marker of a venue; null if it has no location on the drawing. */
export function locateVenue(venue: Locatable): MapMarker | null {
  const location = findPoint(venue);
  const point = location && projectPoint(location);
  return point && { ...point, exact: venue.coordinates === 'venue' };
}

/** Projects a point of map.yml, which loadTown has validated to lie on the drawing. */
const project = (point: Point): MapPoint => projectPoint(point) ?? { x: 0, y: 0 };

/** Formats the `d` attribute of an SVG path, in whole units. */
function formatPath({ kind, edge, line }: TownDrawing['shapes'][number]): string {
  const [first = '', ...others] = line
    .map(project)
    .map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`);
  const steps = [first, ...others].join('L');
  if (!edge) return `M${steps}${kind === 'road' ? '' : 'Z'}`;
  const x = edge === 'west' ? 0 : WIDTH;
  return `M${x} ${first.split(' ')[1]}L${steps}H${x}Z`;
}

/** Offset and anchor of a mark's text, by side. */
const SIDES = {
  below: { dx: 0, dy: 13, anchor: 'middle' },
  right: { dx: 9, dy: 3, anchor: 'start' },
  left: { dx: -5, dy: 4, anchor: 'end' },
} as const;

const OUTLINE = DRAWING && {
  width: WIDTH,
  height: DRAWING.height,
  shapes: DRAWING.shapes.map((shape) => ({ kind: shape.kind, d: formatPath(shape) })),
  marks: DRAWING.shapes.flatMap(({ marks }) =>
    marks.map(({ text, side, ...point }) => {
      const [{ x, y }, { dx, dy, anchor }] = [project(point), SIDES[side]];
      return { x, y, text, text_x: x + dx, text_y: y + dy, anchor };
    }),
  ),
};

/** Splits a name into lines of at most `room` letters, at the spaces that balance them best. */
function splitName(name: string, room: number): readonly string[] {
  if (name.length <= room) return [name];
  const words = name.split(' ');
  const cuts = words
    .slice(1)
    .map((_, index): readonly string[] => [
      words.slice(0, index + 1).join(' '),
      words.slice(index + 1).join(' '),
    ]);
  const longest = (lines: readonly string[]) => Math.max(...lines.map((line) => line.length));
  const [best] = cuts.sort((a, b) => longest(a) - longest(b));
  return best ? best.flatMap((line) => splitName(line, room)) : [name];
}

/** Width of a letter and height of a line in units, rounded up. */
const LETTER_WIDTH = 8.4;
const LINE_HEIGHT = 15;

/**
 * Computes the position of a zone's name, its touch area and the line to its place.
 * @param suffix Text after the name, such as the number of events.
 */
function layoutName(
  name: string,
  suffix: string,
  zone: TownDrawing['zones'][string],
  height: number,
) {
  const { x, y: middle, anchor, room } = zone;
  const lines = splitName(name, room);
  const last = lines.length - 1;
  const y = middle - (last * LINE_HEIGHT) / 2;
  const w =
    Math.max(...lines.map((line, i) => `${line}${i === last ? suffix : ''}`.length)) * LETTER_WIDTH;
  const to = project(zone);
  const is_sideways = anchor === 'start' && (to.x < x || to.x > x + w);
  return {
    more: suffix,
    landmark: zone.landmark,
    lines,
    x,
    /** Vertical middle of its first line. */
    y,
    anchor,
    /** Touch area, TOUCH_SIZE units high; no two of them overlap. */
    area: {
      x: Math.max(0, Math.round(anchor === 'start' ? x - 4 : x - w - 4)),
      y: Math.min(Math.max(0, Math.round(middle - TOUCH_SIZE / 2)), height - TOUCH_SIZE),
      w: Math.round(w + 8),
      h: TOUCH_SIZE,
    },
    place: to,
    /** Start of the line to its place: at an end of the name, or below or above it. */
    from: is_sideways
      ? { x: Math.round(to.x < x ? x - 2 : x + w), y: middle }
      : { x: to.x, y: to.y < y ? y - 8 : y + last * LINE_HEIGHT + 8 },
  };
}

interface CountedZone {
  readonly key: string;
  readonly name: string;
  readonly count: number | null;
}

/**
 * Builds the drawing with the names of its zones.
 * @returns null if the town has no drawing.
 */
export function buildTownMap<const Z extends CountedZone>(zones: readonly Z[]) {
  if (!OUTLINE) return null;
  const names = zones.flatMap((zone) => {
    const drawn = DRAWING?.zones[zone.key];
    const suffix = zone.count ? ` ${zone.count}` : '';
    return drawn ? [{ ...zone, ...layoutName(zone.name, suffix, drawn, OUTLINE.height) }] : [];
  });
  return { ...OUTLINE, names };
}
