// The town as it is drawn, and where a point of it stands on the drawing: map.yml or, in a town without one, the
// middles of its zones on plain ground. The same for as long as the process lives.
import { type TownDrawing, TOWN, type Town, interpolate } from '../town.ts';
import { findPoint, type Locatable, type Point } from './distance.ts';

/** Units of the drawing, from its upper left corner. */
export interface MapPoint {
  readonly x: number;
  readonly y: number;
}

/** Units from side to side. */
const WIDTH = 300;
/** What a thumb needs (44 px) on the narrowest map, which is 288 px wide. */
const TOUCH = 46;

/** Of a drawing without a map.yml, the part that has points; their names stand in a column beside it. */
const COLUMN = 138;
/** From its edges to the outermost points. */
const MARGIN = 18;
/** From there to the names. */
const GAP = 12;
/** Degrees from its left to its right at least, some 1.5 km. */
const LEAST = 0.015;

const measure = (values: readonly number[]) => {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return { middle: (least + most) / 2, span: most - least };
};

/** To scale, north above; null where it would lack more than half of the zones. */
export function buildFallbackMap({ middles, zone_keys }: Town): TownDrawing | null {
  if (middles.length < 2 || middles.length * 2 < zone_keys.length) return null;
  const [lats, lngs] = [measure(middles.map(({ lat }) => lat)), measure(middles.map((m) => m.lng))];
  const narrow = Math.cos((lats.middle * Math.PI) / 180);
  const slot = TOUCH + 4;
  const height = Math.max(COLUMN, middles.length * slot);
  /** Degrees of latitude a unit. */
  const scale = Math.max(
    lats.span / (height - 2 * MARGIN),
    Math.max(LEAST, lngs.span * narrow) / (COLUMN - 2 * MARGIN),
  );
  const north = lats.middle + (scale * height) / 2;
  const west = lngs.middle - (scale * COLUMN) / 2 / narrow;
  const [south, east] = [2 * lats.middle - north, 2 * lngs.middle - west];
  const left = new Set(middles);
  const zones = middles.map((_, at) => {
    const y = (height - middles.length * slot) / 2 + (at + 0.5) * slot;
    // The next name is of the point below which, seen from there, all others lie: no two lines cross.
    const slope = ({ lat, lng }: Point) =>
      ((north - lat) / scale - y) / (((east - lng) * narrow) / scale + GAP);
    const next = [...left].reduce((one, other) => (slope(other) < slope(one) ? other : one));
    left.delete(next);
    const { key, ...point } = next;
    const name = { x: COLUMN + GAP, y, anchor: 'start', room: 15, landmark: true } as const;
    return [key, { ...point, ...name }] as const;
  });
  const ground = [north, south].map((lat) => ({ lat, lng: west }));
  return {
    height,
    longitudes: [
      [west, 0],
      [east, COLUMN],
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

/** Which words a page says: of a map, or of areas alone where there is none. */
export const MAP_LABEL_KEY = DRAWING ? 'map' : 'areas';

const round = (value: number): number => Math.round(value * 10) / 10;

/** To a tenth of a unit; null where it lies outside the drawing or there is none. */
export function projectPoint({ lat, lng }: Point): MapPoint | null {
  const x = DRAWING && interpolate(DRAWING.longitudes, lng);
  const y = DRAWING && interpolate(DRAWING.latitudes, lat);
  return x === null || y === null ? null : { x: round(x), y: round(y) };
}

/** A spot on the drawing: the venue's own, or no more than the middle of its zone (contract 4.16). */
export interface MapMarker extends MapPoint {
  readonly exact: boolean;
}

export function locateVenue(venue: Locatable): MapMarker | null {
  const at = findPoint(venue);
  const point = at && projectPoint(at);
  return point && { ...point, exact: venue.coordinates === 'venue' };
}

/** What is drawn lies on the drawing: the town's reading holds it. */
const place = (at: Point): MapPoint => projectPoint(at) ?? { x: 0, y: 0 };

/** The value of a `d`; whole units are fine enough. */
function toPath({ kind, edge, line }: TownDrawing['shapes'][number]): string {
  const [first = '', ...others] = line
    .map(place)
    .map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`);
  const steps = [first, ...others].join('L');
  if (!edge) return `M${steps}${kind === 'road' ? '' : 'Z'}`;
  const x = edge === 'west' ? 0 : WIDTH;
  return `M${x} ${first.split(' ')[1]}L${steps}H${x}Z`;
}

/** Where the text of a mark stands beside it. */
const SIDES = {
  below: { dx: 0, dy: 13, anchor: 'middle' },
  right: { dx: 9, dy: 3, anchor: 'start' },
  left: { dx: -5, dy: 4, anchor: 'end' },
} as const;

const OUTLINE = DRAWING && {
  width: WIDTH,
  height: DRAWING.height,
  shapes: DRAWING.shapes.map((shape) => ({ kind: shape.kind, d: toPath(shape) })),
  marks: DRAWING.shapes.flatMap(({ marks }) =>
    marks.map(({ text, side, ...at }) => {
      const [{ x, y }, { dx, dy, anchor }] = [place(at), SIDES[side]];
      return { x, y, text, text_x: x + dx, text_y: y + dy, anchor };
    }),
  ),
};

/** A name in one line or, where it has more letters than room, halved where it can be and so on. */
function splitName(name: string, room: number): readonly string[] {
  if (name.length <= room) return [name];
  const words = name.split(' ');
  const cuts = words
    .slice(1)
    .map((_, at): readonly string[] => [
      words.slice(0, at + 1).join(' '),
      words.slice(at + 1).join(' '),
    ]);
  const longest = (lines: readonly string[]) => Math.max(...lines.map((line) => line.length));
  const [best] = cuts.sort((a, b) => longest(a) - longest(b));
  return best ? best.flatMap((line) => splitName(line, room)) : [name];
}

/** A letter's width and a line's height, a little generous. */
const LETTER = 8.4;
const LINE = 15;

/** Where the name of a zone is drawn, `more` behind it, with what is touched and where it points. */
function placeName(
  name: string,
  more: string,
  known: TownDrawing['zones'][string],
  height: number,
) {
  const { x, y: middle, anchor, room } = known;
  const lines = splitName(name, room);
  const last = lines.length - 1;
  const y = middle - (last * LINE) / 2;
  const w = Math.max(...lines.map((line, i) => `${line}${i === last ? more : ''}`.length)) * LETTER;
  const to = place(known);
  const is_beside = anchor === 'start' && (to.x < x || to.x > x + w);
  return {
    more,
    landmark: known.landmark,
    lines,
    x,
    /** The middle height of its first line. */
    y,
    anchor,
    /** Of no other name, and as high as a thumb needs. */
    area: {
      x: Math.max(0, Math.round(anchor === 'start' ? x - 4 : x - w - 4)),
      y: Math.min(Math.max(0, Math.round(middle - TOUCH / 2)), height - TOUCH),
      w: Math.round(w + 8),
      h: TOUCH,
    },
    place: to,
    /** Where a thin line to its place begins: at an end of the name, or below or above it. */
    from: is_beside
      ? { x: Math.round(to.x < x ? x - 2 : x + w), y: middle }
      : { x: to.x, y: to.y < y ? y - 8 : y + last * LINE + 8 },
  };
}

interface Named {
  readonly key: string;
  readonly name: string;
  readonly count: number | null;
}

/** The drawing with the names of those zones that it knows; null where the town has none. */
export function buildTownMap<const Z extends Named>(zones: readonly Z[]) {
  if (!OUTLINE) return null;
  const names = zones.flatMap((zone) => {
    const known = DRAWING?.zones[zone.key];
    const more = zone.count ? ` ${zone.count}` : '';
    return known ? [{ ...zone, ...placeName(zone.name, more, known, OUTLINE.height) }] : [];
  });
  return { ...OUTLINE, names };
}
