// The town of this process: CONTENT_DIR/town.yml and the keys of its neighbours, read once, when the first module
// asks. What changes there is taken over by a restart.
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

const line = (max: number) =>
  v.pipe(
    textSchema(max),
    v.regex(
      /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\ufeff]*$/u,
      'must be one line without hidden characters',
    ),
  );
const local = (max: number) =>
  v.strictObject({ es: line(max), en: line(max) }, 'must have es and en');
const code = (form: RegExp, message: string) => v.pipe(v.string(message), v.regex(form, message));
const key = v.pipe(
  code(HYPHENATED_WORDS_PATTERN, 'must be lower-case words of a-z and 0-9 joined by hyphens'),
  v.maxLength(60, 'must have at most 60 characters'),
);
const at = { lat: numberSchema(-90, 90), lng: numberSchema(-180, 180) };
const point = v.strictObject(at, 'must be { lat: …, lng: … } in degrees');
const words = v.optional(v.array(line(80)), []);
const colours = v.optional(
  v.record(
    oneOf(COLOR_NAMES),
    v.custom<string>((text) => /^#[0-9a-f]{6}$/.test(`${text}`), 'must be "#rrggbb", in quotes'),
    'must be colours by name',
  ),
  {},
);
const LANGUAGES = ['es', 'en'] as const;
const BOTH = 'must be [es, en] or [en, es]';
const language = v.picklist(LANGUAGES, BOTH);

/** An offset alone (`+05:30`) is none: calendars cannot name it. */
function isZone(name: string): boolean {
  try {
    return /^[A-Z]/.test(
      new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone,
    );
  } catch {
    return false;
  }
}

/** town.yml; content/README.md says what each field is for. */
export const TownSchema = v.strictObject({
  /** The identity of its calendars, feeds and MCP server. It never changes. */
  key,
  /** As the service calls itself, where SITE_NAME says nothing. */
  site_name: line(40),
  name: local(40),
  /** All that the agenda covers, as a sentence names it: `Mérida y Progreso`. */
  area: local(120),
  state: line(60),
  /** ISO 3166-1. */
  country: code(/^[A-Z]{2}$/, 'must be two capital letters, as MX'),
  time_zone: v.pipe(
    v.string(),
    v.check(isZone, 'must be the name of a time zone, as Europe/Madrid'),
  ),
  /** Both, the one first in which it answers where nobody says which. */
  languages: v.pipe(
    v.strictTuple([language, language], BOTH),
    v.check(([first, second]) => first !== second, BOTH),
  ),
  /** In which events are held (ISO 639), the ones to tick in the form. */
  spoken: v.optional(v.array(code(/^[a-z]{2,3}$/, 'must be two or three letters, as yua')), [
    ...LANGUAGES,
  ]),
  /** Before its telephone numbers from abroad: `52`. */
  calling_code: v.optional(code(/^[1-9]\d{0,2}$/, 'must be one to three digits, in quotes')),
  currency: v.strictObject({
    code: code(/^[A-Z]{3}$/, 'must be a code such as MXN'),
    /** As somebody says an amount of it: `150 pesos`. */
    name: local(30),
  }),
  contact_email: v.optional(v.pipe(v.string(), v.email('must be one e-mail address'))),
  /** Where the sun rises and sets for it. */
  sky: point,
  /** For what the documents show: a point, a zone and a venue to ask for. */
  examples: v.strictObject({ near: point, zone: key, venue: key }),
  /** Zones that are towns of their own, by key, with their names. */
  towns: v.optional(v.record(key, line(60)), {}),
  /** Words, folded, that the name of a place may have or not, and that say nothing in a search. */
  left_out: words,
  /** Names and codes by which a warning means this area. */
  areas: words,
  /** Texts of the program that this town says in its own way, by key. */
  words: v.optional(
    v.record(v.picklist(Object.keys(es), 'is no key of src/i18n/es.json'), local(400)),
    {},
  ),
  /** Between the heading of a page and what it says: water and a shore, or nothing. */
  scene: v.optional(oneOf(['sea', 'none']), 'none'),
  /** In place of those of components/styles/tokens.css. */
  colours: v.optional(
    v.pipe(
      v.strictObject({ light: colours, dark: colours }, 'must be light and dark'),
      v.check(
        (own) => findLowContrast(own) === '',
        ({ input }) => findLowContrast(input),
      ),
    ),
  ),
});
type TownFile = v.InferOutput<typeof TownSchema>;

const units = numberSchema(0, 1000);
const steps = v.pipe(
  v.array(v.tuple([numberSchema(-180, 180), units], 'must be [degrees, units]')),
  v.minLength(2, 'must have two or more'),
  v.check(
    (all) =>
      all.every(
        ([to, end], i) => !all[i - 1] || (to !== all[i - 1]?.[0] && end > (all[i - 1]?.[1] ?? 0)),
      ),
    'must be in the order of their units, each of other degrees',
  ),
);
const outline = v.pipe(
  v.string(),
  v.trim(),
  v.regex(/^[-\d.]+,[-\d.]+(\s+[-\d.]+,[-\d.]+)+$/, 'must be two or more points as 21.16,-86.83'),
  v.transform((text) => text.split(/\s+/).map((pair) => pair.split(',').map(Number))),
  v.transform((pairs) => pairs.map(([lat = 0, lng = 0]) => ({ lat, lng }))),
);
const shape = v.strictObject({
  kind: oneOf(['land', 'water', 'road']),
  /** To which it goes on; land and water without one close on themselves. */
  edge: v.optional(oneOf(['west', 'east'])),
  line: outline,
  marks: v.optional(
    v.array(v.strictObject({ ...at, text: line(8), side: oneOf(['below', 'left', 'right']) })),
    [],
  ),
});
/** A zone's well-known place, to which its name points, and where the name stands. */
const named = v.strictObject({
  ...at,
  /** Of the end that is its anchor. */
  x: units,
  /** Of its middle. */
  y: units,
  anchor: v.optional(oneOf(['start', 'end']), 'start'),
  /** Letters that its first line has room for. */
  room: v.optional(units, 14),
  /** On the map of every place. */
  landmark: v.optional(v.boolean('must be true or false'), false),
});
/** map.yml, which a town may have; the file says what each field is for. */
const toMapSchema = (zone_keys: Town['zone_keys']) =>
  v.strictObject({
    height: numberSchema(100, 1000),
    longitudes: steps,
    latitudes: steps,
    legend: v.optional(local(120)),
    shapes: v.array(shape),
    zones: v.record(v.picklist(zone_keys, 'is no zone of zones.yml'), named),
  });
export type TownDrawing = Readonly<v.InferOutput<ReturnType<typeof toMapSchema>>>;

export interface Town extends Readonly<TownFile> {
  readonly zone_keys: readonly [string, ...string[]];
  readonly category_keys: readonly [string, ...string[]];
  /** Of the zones that have one. */
  readonly middles: readonly { readonly key: string; readonly lat: number; readonly lng: number }[];
  /** Null where it has no map.yml. */
  readonly drawing: TownDrawing | null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

/** What a file says; null where it is missing or pushes what else is wrong with it. */
function readFile<const S extends v.GenericSchema>(
  path: string,
  schema: S,
  issues: ContentIssue[],
  listWrong: (value: v.InferOutput<S>) => readonly Wrong[] = () => [],
): v.InferOutput<S> | null {
  const text = readText(path);
  if (text === null) {
    const why = existsSync(path) ? 'cannot be read' : 'is missing';
    const message = `${why}. CONTENT_DIR must be the folder of a town; "npm run new-town -- DIR" writes one`;
    issues.push(createFileIssue(path, message));
    return null;
  }
  const file = { file: path, lineOf: createLineLookup(() => text) };
  const { value, issues: found } = parseYaml(file, text, schema);
  const wrong = value === null ? [] : listWrong(value);
  issues.push(...found, ...wrong.map(([at, message]) => createIssueAt(file, at, message)));
  return value;
}
type Wrong = readonly [at: FieldPath, message: string];

/** The keys of a list of content, which says itself what else is wrong with it (sources/content-schema.ts). */
const taxon = v.looseObject(
  { key, middle: v.fallback(v.nullish(v.object(at)), null) },
  'must have a key',
);
const KeysSchema = v.tupleWithRest([taxon], taxon, 'must be a list of one or more');
const toKeys = ([first, ...others]: v.InferOutput<typeof KeysSchema>) =>
  [first.key, ...others.map((one) => one.key)] as const;

/** Where degrees stand; null beyond the first and last step. */
export function interpolate(all: TownDrawing['latitudes'], value: number): number | null {
  for (const [i, [to, end]] of all.entries()) {
    const [from, start] = all[i - 1] ?? [to, end];
    const part = (value - from) / (to - from);
    if (part >= 0 && part <= 1) return start + part * (end - start);
  }
  return null;
}

function listOff({ latitudes, longitudes, shapes, zones }: TownDrawing): Wrong[] {
  const points = [
    ...shapes.flatMap(({ line, marks }, i) =>
      [...line, ...marks].map((point) => ({ ...point, at: ['shapes', i] })),
    ),
    ...Object.entries(zones).map(([key, point]) => ({ ...point, at: ['zones', key] })),
  ];
  return points
    .filter(
      ({ lat, lng }) =>
        interpolate(latitudes, lat) === null || interpolate(longitudes, lng) === null,
    )
    .map(({ at, lat, lng }) => [at, `${lat},${lng} lies off the drawing`]);
}

/** Throws one Error that names each field that is wrong in any of its files. */
export function loadTown(folder: string): Town {
  const issues: ContentIssue[] = [];
  const town = readFile(join(folder, 'town.yml'), TownSchema, issues);
  const zones = readFile(join(folder, 'zones.yml'), KeysSchema, issues);
  const categories = readFile(join(folder, 'categories.yml'), KeysSchema, issues);
  const map = join(folder, 'map.yml');
  const drawing =
    zones && existsSync(map) ? readFile(map, toMapSchema(toKeys(zones)), issues, listOff) : null;
  if (town === null || zones === null || categories === null || issues.length > 0)
    throw new Error(issues.map(formatIssue).join('\n'));
  return {
    ...town,
    zone_keys: toKeys(zones),
    category_keys: toKeys(categories),
    middles: zones.flatMap(({ key, middle }) => (middle ? [{ ...middle, key }] : [])),
    drawing,
  };
}

const TOWN_DIR = townDir();
export const TOWN = loadTown(TOWN_DIR);

const PALETTE = completePalette(TOWN.colours ?? { light: {}, dark: {} });
export const townColor = (name: string, theme: keyof Palette = 'light'): string =>
  PALETTE[theme][name] ?? '';

/** In the ids of calendars and feeds. It never changes: a UID names its date in every calendar that ever took it. */
export const CALENDAR_ID_DOMAIN = TOWN.key.replaceAll('-', '');

/** What cannot be read is as good as empty; a server lives on. */
const readTexts = (): string =>
  ['town.yml', 'zones.yml', 'categories.yml', 'map.yml']
    .map((file) => readText(join(TOWN_DIR, file)))
    .join('\0');
let known = { texts: readTexts(), change: '' };

/** What stands in the way of a release: the town is no longer as this process has read it; empty where it is. */
export function describeTownChange(): string {
  const texts = readTexts();
  if (texts === known.texts) return known.change;
  let change = 'has changed: a restart takes it over';
  try {
    if (JSON.stringify(loadTown(TOWN_DIR)) === JSON.stringify(TOWN)) change = '';
  } catch {
    change = 'is faulty: npm run snapshot names each fault; mend it and restart';
  }
  if (change !== '')
    change = `town.yml (or map.yml, or keys or middles of zones.yml and categories.yml) ${change}. No release is built before`;
  known = { texts, change };
  return change;
}
