// Town: loads and validates the town of this process (CONTENT_DIR/town.yml, map.yml, and the keys
// of zones.yml and categories.yml) once, at import time. Changes apply after a restart.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { townDir } from './config.ts';
import es from './i18n/es.json' with { type: 'json' };
import { COLOR_NAMES, findLowContrast, type Palette, completePalette } from './palette.ts';
import {
  type ContentIssue,
  createLineLookup,
  formatIssue,
  createIssueAt,
  createFileIssue,
  numberSchema,
  oneOf,
  parseYaml,
  type FieldPath,
  textSchema,
  HYPHENATED_WORDS_PATTERN,
} from './yaml.ts';

/** Schema of one line of at most `max` characters. */
const lineSchema = (max: number) =>
  v.pipe(
    textSchema(max),
    v.regex(
      /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]*$/u,
      'must be one line without hidden characters',
    ),
  );
/** Schema of a line in both languages. */
const localLineSchema = (max: number) =>
  v.strictObject({ es: lineSchema(max), en: lineSchema(max) }, 'must have es and en');
const patternSchema = (pattern: RegExp, message: string) =>
  v.pipe(v.string(message), v.regex(pattern, message));
const keySchema = v.pipe(
  patternSchema(
    HYPHENATED_WORDS_PATTERN,
    'must be lower-case words of a-z and 0-9 joined by hyphens',
  ),
  v.maxLength(60, 'must have at most 60 characters'),
);
const coordinates = { lat: numberSchema(-90, 90), lng: numberSchema(-180, 180) };
const pointSchema = v.strictObject(coordinates, 'must be { lat: …, lng: … } in degrees');
const linesSchema = v.optional(v.array(lineSchema(80)), []);
/** Colors of one theme by the names in tokens.css. */
const colorsSchema = v.optional(
  v.record(
    oneOf(COLOR_NAMES),
    v.custom<string>((text) => /^#[0-9a-f]{6}$/.test(`${text}`), 'must be "#rrggbb", in quotes'),
    'must be colours by name',
  ),
  {},
);
const LANGUAGES = ['es', 'en'] as const;
const LANGUAGES_MESSAGE = 'must be [es, en] or [en, es]';
const languageSchema = v.picklist(LANGUAGES, LANGUAGES_MESSAGE);

/**
 * Returns true for a named time zone. A plain offset (`+05:30`) is rejected: calendars cannot
 * reference it.
 */
function isTimeZone(name: string): boolean {
  try {
    return /^[A-Z]/.test(
      new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone,
    );
  } catch {
    return false;
  }
}

/** Schema of town.yml; content/README.md describes each field. */
export const TownSchema = v.strictObject({
  /** Identity of its calendars, feeds and MCP server. It never changes. */
  key: keySchema,
  /** Name of the service, unless SITE_NAME is set. */
  site_name: lineSchema(40),
  name: localLineSchema(40),
  /** Area covered by the agenda, as in a sentence: `Mérida y Progreso`. */
  area: localLineSchema(120),
  state: lineSchema(60),
  /** ISO 3166-1. */
  country: patternSchema(/^[A-Z]{2}$/, 'must be two capital letters, such as MX'),
  time_zone: v.pipe(
    v.string(),
    v.check(isTimeZone, 'must be the name of a time zone, such as Europe/Madrid'),
  ),
  /** Both languages, the default one first. */
  languages: v.pipe(
    v.strictTuple([languageSchema, languageSchema], LANGUAGES_MESSAGE),
    v.check(([first, second]) => first !== second, LANGUAGES_MESSAGE),
  ),
  /** Languages of events (ISO 639), offered in the form. */
  spoken: v.optional(
    v.array(patternSchema(/^[a-z]{2,3}$/, 'must be two or three letters, such as yua')),
    [...LANGUAGES],
  ),
  /** Country calling code: `52`. */
  calling_code: v.optional(
    patternSchema(/^[1-9]\d{0,2}$/, 'must be one to three digits, in quotes'),
  ),
  currency: v.strictObject({
    code: patternSchema(/^[A-Z]{3}$/, 'must be a code such as MXN'),
    /** Plural name after an amount: `150 pesos`. */
    name: localLineSchema(30),
  }),
  contact_email: v.optional(v.pipe(v.string(), v.email('must be one e-mail address'))),
  /** Point for the times of sun and moon. */
  sky: pointSchema,
  /** Examples for the documentation: a point, a zone and a venue. */
  examples: v.strictObject({ near: pointSchema, zone: keySchema, venue: keySchema }),
  /** Zones that are separate towns: names by zone key. */
  towns: v.optional(v.record(keySchema, lineSchema(60)), {}),
  /**
   * Words (lower case, without accents) that are optional in venue names and ignored in searches.
   */
  left_out: linesSchema,
  /** Names and codes by which alerts of authorities refer to the area. */
  areas: linesSchema,
  /** The town's own versions of interface texts, by key. */
  words: v.optional(
    v.record(v.picklist(Object.keys(es), 'is not a key of src/i18n/es.json'), localLineSchema(400)),
    {},
  ),
  /** Drawing below page headings: a sea and a shore, or none. */
  scene: v.optional(oneOf(['sea', 'none']), 'none'),
  /** Overrides of components/styles/tokens.css. */
  colours: v.optional(
    v.pipe(
      v.strictObject({ light: colorsSchema, dark: colorsSchema }, 'must be light and dark'),
      v.check(
        (palette) => findLowContrast(palette) === '',
        ({ input }) => findLowContrast(input),
      ),
    ),
  ),
});
type TownFile = v.InferOutput<typeof TownSchema>;

/** A length or position in the drawing, whose width is 1000 units. */
const unitsSchema = numberSchema(0, 1000);
/**
 * Scale of the drawing along one axis: pairs of degrees and units. interpolate() converts the
 * degrees between two pairs, so that parts of the map may have different scales.
 */
const scaleSchema = v.pipe(
  v.array(v.tuple([numberSchema(-180, 180), unitsSchema], 'must be [degrees, units]')),
  v.minLength(2, 'must have two or more'),
  v.check(
    (pairs) =>
      pairs.every(([degrees, units], i) => {
        const previous = pairs[i - 1];
        return !previous || (degrees !== previous[0] && units > previous[1]);
      }),
    'must be ordered by units, with different degrees each',
  ),
);
/** A text of two or more points, parsed to an array of `lat` and `lng`. */
const outlineSchema = v.pipe(
  v.string(),
  v.trim(),
  v.regex(
    /^[-\d.]+,[-\d.]+(\s+[-\d.]+,[-\d.]+)+$/,
    'must be two or more points such as 21.16,-86.83',
  ),
  v.transform((text) => text.split(/\s+/).map((pair) => pair.split(',').map(Number))),
  v.transform((pairs) => pairs.map(([lat = 0, lng = 0]) => ({ lat, lng }))),
);
/** An area or a road of the drawing, with texts (`marks`) next to points. */
const shapeSchema = v.strictObject({
  kind: oneOf(['land', 'water', 'road']),
  /** Edge of the drawing up to which it extends; without one, land and water are closed shapes. */
  edge: v.optional(oneOf(['west', 'east'])),
  line: outlineSchema,
  marks: v.optional(
    v.array(
      v.strictObject({
        ...coordinates,
        text: lineSchema(8),
        side: oneOf(['below', 'left', 'right']),
      }),
    ),
    [],
  ),
});
/**
 * The point of a zone, and the position of the zone's name, from which a line leads to the point.
 */
const zoneLabelSchema = v.strictObject({
  ...coordinates,
  /** Horizontal position of the start or end of the name, as `anchor` says. */
  x: unitsSchema,
  /** Vertical position of the middle of the name. */
  y: unitsSchema,
  anchor: v.optional(oneOf(['start', 'end']), 'start'),
  /** Number of letters that fit into the first line of the name. */
  room: v.optional(unitsSchema, 14),
  /** Shown on the map of every venue. */
  landmark: v.optional(v.boolean('must be true or false'), false),
});
/** Creates the schema of the optional map.yml; comments in that file describe each field. */
const createMapSchema = (zone_keys: Town['zone_keys']) =>
  v.strictObject({
    height: numberSchema(100, 1000),
    longitudes: scaleSchema,
    latitudes: scaleSchema,
    legend: v.optional(localLineSchema(120)),
    shapes: v.array(shapeSchema),
    zones: v.record(v.picklist(zone_keys, 'is not a zone of zones.yml'), zoneLabelSchema),
  });
/** The parsed map.yml: the drawn map of the town. */
export type TownDrawing = Readonly<v.InferOutput<ReturnType<typeof createMapSchema>>>;

/** town.yml with the keys of zones and categories and the map. */
export interface Town extends Readonly<TownFile> {
  readonly zone_keys: readonly [string, ...string[]];
  readonly category_keys: readonly [string, ...string[]];
  /** Centers of the zones that have one, for venues without a point. */
  readonly middles: readonly { readonly key: string; readonly lat: number; readonly lng: number }[];
  /** Null if there is no map.yml. */
  readonly drawing: TownDrawing | null;
}

/** Reads a file; null if it is missing or unreadable. */
function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** Loads and validates a file; pushes its issues and returns null if it is missing or invalid. */
function loadFile<const S extends v.GenericSchema>(
  path: string,
  schema: S,
  issues: ContentIssue[],
  validate: (value: v.InferOutput<S>) => readonly FieldIssue[] = () => [],
): v.InferOutput<S> | null {
  const text = readText(path);
  if (text === null) {
    const problem = existsSync(path) ? 'cannot be read' : 'is missing';
    const message = `${problem}. CONTENT_DIR must be a town folder; "npm run new-town -- DIR" creates one`;
    issues.push(createFileIssue(path, message));
    return null;
  }
  const file = { file: path, lineOf: createLineLookup(() => text) };
  const { value, issues: schema_issues } = parseYaml(file, text, schema);
  const field_issues = value === null ? [] : validate(value);
  issues.push(
    ...schema_issues,
    ...field_issues.map(([path, message]) => createIssueAt(file, path, message)),
  );
  return value;
}
/** An issue that the schema cannot find. */
type FieldIssue = readonly [path: FieldPath, message: string];

/** Keys of zones.yml and categories.yml; sources/content-schema.ts validates the other fields. */
const taxonSchema = v.looseObject(
  { key: keySchema, middle: v.fallback(v.nullish(v.object(coordinates)), null) },
  'must have a key',
);
const KeysSchema = v.tupleWithRest([taxonSchema], taxonSchema, 'must be a list of one or more');
const listKeys = ([first, ...others]: v.InferOutput<typeof KeysSchema>) =>
  [first.key, ...others.map(({ key }) => key)] as const;

/**
 * Converts degrees to drawing units, in proportion between the two closest pairs of the scale.
 * @returns null if the degrees are beyond its first or last pair.
 */
export function interpolate(scale: TownDrawing['latitudes'], degrees: number): number | null {
  for (const [i, [end_degrees, end_units]] of scale.entries()) {
    const [start_degrees, start_units] = scale[i - 1] ?? [end_degrees, end_units];
    const ratio = (degrees - start_degrees) / (end_degrees - start_degrees);
    if (ratio >= 0 && ratio <= 1) return start_units + ratio * (end_units - start_units);
  }
  return null;
}

/** Lists the points of shapes and zones that are outside the scales of the drawing. */
function findPointsOutside({ latitudes, longitudes, shapes, zones }: TownDrawing): FieldIssue[] {
  const points = [
    ...shapes.flatMap(({ line, marks }, i) =>
      [...line, ...marks].map((point) => ({ ...point, path: ['shapes', i] })),
    ),
    ...Object.entries(zones).map(([key, point]) => ({ ...point, path: ['zones', key] })),
  ];
  return points
    .filter(
      ({ lat, lng }) =>
        interpolate(latitudes, lat) === null || interpolate(longitudes, lng) === null,
    )
    .map(({ path, lat, lng }) => [path, `${lat},${lng} is outside the drawing`]);
}

/** Loads the town from a content folder. @throws one Error that lists the issues of all files. */
export function loadTown(folder: string): Town {
  const issues: ContentIssue[] = [];
  const town = loadFile(join(folder, 'town.yml'), TownSchema, issues);
  const zones = loadFile(join(folder, 'zones.yml'), KeysSchema, issues);
  const categories = loadFile(join(folder, 'categories.yml'), KeysSchema, issues);
  const map = join(folder, 'map.yml');
  const drawing =
    zones && existsSync(map)
      ? loadFile(map, createMapSchema(listKeys(zones)), issues, findPointsOutside)
      : null;
  if (town === null || zones === null || categories === null || issues.length > 0)
    throw new Error(issues.map(formatIssue).join('\n'));
  return {
    ...town,
    zone_keys: listKeys(zones),
    category_keys: listKeys(categories),
    middles: zones.flatMap(({ key, middle }) => (middle ? [{ ...middle, key }] : [])),
    drawing,
  };
}

const TOWN_DIR = townDir();
/** The town of this process. */
export const TOWN = loadTown(TOWN_DIR);

const PALETTE = completePalette(TOWN.colours ?? { light: {}, dark: {} });
/** Returns a color of the town by its name in tokens.css, as `#rrggbb`. */
export const townColor = (name: string, theme: keyof Palette = 'light'): string =>
  PALETTE[theme][name] ?? '';

/**
 * Part of calendar UIDs and feed ids. It never changes: subscribed calendars identify dates by
 * their UID.
 */
export const CALENDAR_ID_DOMAIN = TOWN.key.replaceAll('-', '');

/**
 * Reads the town's files; unreadable ones count as empty, so that a running server does not fail.
 */
const readTexts = (): string =>
  ['town.yml', 'zones.yml', 'categories.yml', 'map.yml']
    .map((file) => readText(join(TOWN_DIR, file)))
    .join('\0');
/** Result of the last check, reused while the files stay the same. */
let last_check = { texts: readTexts(), change: '' };

/**
 * Describes a change of the town's files since this process loaded them, which blocks releases;
 * empty if unchanged.
 */
export function describeTownChange(): string {
  const texts = readTexts();
  if (texts === last_check.texts) return last_check.change;
  let change = 'has changed: restart to apply it';
  try {
    if (JSON.stringify(loadTown(TOWN_DIR)) === JSON.stringify(TOWN)) change = '';
  } catch {
    change = 'is invalid: "npm run snapshot" lists the issues; fix them and restart';
  }
  if (change !== '')
    change = `town.yml (or map.yml, or keys or middles of zones.yml and categories.yml) ${change}. No release is built until then`;
  last_check = { texts, change };
  return change;
}
