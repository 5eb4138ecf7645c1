// The drawing of the coast: its outline as paths, its kilometres and the places of its names, made
// once from coordinates.
import {
  BOULEVARD,
  type Coordinates,
  ISLAND,
  KILOMETRES,
  LAGOON,
  MAP_SIZE,
  type MapPoint,
  SHORE,
  toMapPoint,
  ZONE_PLACES,
} from '../../domain/coast.ts';

/** Every point of the outline lies on the drawing; a test holds it. */
const place = (at: Coordinates): MapPoint => toMapPoint(at) ?? { x: 0, y: 0 };

/** Whole units are fine enough for an outline. */
const toSteps = (line: readonly Coordinates[]): string =>
  line
    .map(place)
    .map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`)
    .join('L');

/** The paths, each the value of a `d`. */
export const PATHS = {
  land: `M0 0L${toSteps(SHORE)}H0Z`,
  lagoon: `M${toSteps(LAGOON)}Z`,
  island: `M${toSteps(ISLAND)}Z`,
  boulevard: `M${toSteps(BOULEVARD)}`,
} as const;

/** Where the number of a kilometre stands: under the road, over the sea at the point, then inland. */
function toNumberPlace(km: number, { x, y }: MapPoint): MapPoint & { readonly anchor: string } {
  if (km < 9) return { x, y: y + 13, anchor: 'middle' };
  return km === 9 ? { x: x + 9, y: y + 3, anchor: 'start' } : { x: x - 5, y: y + 4, anchor: 'end' };
}

/** The kilometres of the boulevard with their numbers. */
export const KILOMETRE_MARKS = KILOMETRES.map(([km, at]) => {
  const mark = place(at);
  return { km, ...mark, text: toNumberPlace(km, mark) };
});

/** Where a name stands: its middle height, and which of its ends is there. */
interface NamePlace {
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'end';
  /** Letters that its first line has room for, where that is less than elsewhere. */
  readonly room?: number;
}

const NAMES: Readonly<Record<keyof typeof ZONE_PLACES, NamePlace>> = {
  'isla-mujeres': { x: 296, y: 12, anchor: 'end' },
  'puerto-juarez': { x: 168, y: 99, anchor: 'start', room: 9 },
  'puerto-cancun': { x: 172, y: 145, anchor: 'start' },
  'hotel-zone': { x: 214, y: 233, anchor: 'start', room: 9 },
  'region-100': { x: 6, y: 92, anchor: 'start' },
  downtown: { x: 6, y: 138, anchor: 'start' },
  'tulum-coba': { x: 6, y: 184, anchor: 'start' },
  tajamar: { x: 6, y: 230, anchor: 'start' },
  huayacan: { x: 6, y: 288, anchor: 'start' },
  'puerto-morelos': { x: 100, y: 369, anchor: 'start' },
};

/** Longer names go on in a second line. */
const ROOM = 14;

/** A name in one line, or in two that are about as long. */
export function splitName(name: string, room: number = ROOM): readonly string[] {
  if (name.length <= room) return [name];
  const words = name.split(' ');
  const longest = (at: number): number =>
    Math.max(words.slice(0, at).join(' ').length, words.slice(at).join(' ').length);
  const cuts = words.map((_, at) => at).slice(1);
  const best = cuts.sort((a, b) => longest(a) - longest(b))[0];
  return best === undefined
    ? [name]
    : [words.slice(0, best).join(' '), words.slice(best).join(' ')];
}

/** A letter's width and a line's height, a little generous. */
const LETTER = 8.4;
const LINE = 15;
/** What a thumb needs (44 px) on the narrowest map, which is 288 px wide. */
const TOUCH = 46;

/** A name on the drawing, with what is touched and where it points. */
export interface MapName {
  readonly lines: readonly string[];
  readonly x: number;
  /** The middle height of its first line. */
  readonly y: number;
  readonly anchor: 'start' | 'end';
  /** Of no other name, and as high as a thumb needs. */
  readonly area: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  /** The zone's place, and the end of the name from which a thin line leads there. */
  readonly place: MapPoint;
  readonly from: MapPoint;
}

/** The point of a name that is nearest to its place: an end of it, below or above. */
function toStart(
  { x, y, anchor }: NamePlace,
  to: MapPoint,
  width: number,
  height: number,
): MapPoint {
  if (anchor === 'end' || (to.x >= x && to.x <= x + width))
    return { x: to.x, y: to.y < y ? y - 8 : y + height + 8 };
  return { x: Math.round(to.x < x ? x - 2 : x + width), y: y + height / 2 };
}

/** The name of a zone where it is drawn, `more` behind it; null for a zone that the map does not know. */
export function toMapName(key: string, name: string, more: string): MapName | null {
  const known = Object.entries(NAMES).find(([zone]) => zone === key)?.[1];
  const at = Object.entries(ZONE_PLACES).find(([zone]) => zone === key)?.[1];
  if (!known || !at) return null;
  const { x, y: middle, anchor, room } = known;
  const lines = splitName(name, room);
  const last = lines.length - 1;
  const y = middle - (last * LINE) / 2;
  const w = Math.max(...lines.map((line, i) => `${line}${i === last ? more : ''}`.length)) * LETTER;
  const left = anchor === 'start' ? x - 4 : x - w - 4;
  const to = place(at);
  return {
    lines,
    x,
    y,
    anchor,
    area: {
      x: Math.max(0, Math.round(left)),
      y: Math.min(Math.max(0, Math.round(middle - TOUCH / 2)), MAP_SIZE.height - TOUCH),
      w: Math.round(w + 8),
      h: TOUCH,
    },
    place: to,
    from: toStart({ x, y, anchor }, to, w, last * LINE),
  };
}
