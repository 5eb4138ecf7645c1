// The town of this process: CONTENT_DIR/town.yml and the keys of its neighbours, read once, when the first module
// asks. What changes there is taken over by a restart.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { readConfig } from './config.ts';

const line = (max: number) =>
  v.pipe(
    v.string('must be text'),
    v.trim(),
    v.minLength(1, 'must not be empty'),
    v.maxLength(max, `must have at most ${max} characters`),
    v.regex(/^\P{Cc}*$/u, 'must be one line'),
  );
const local = (max: number) =>
  v.strictObject({ es: line(max), en: line(max) }, 'must have es and en');
const key = v.pipe(
  v.string('must be text'),
  v.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words of a-z and 0-9 joined by hyphens'),
);
const degrees = (most: number) =>
  v.pipe(
    v.number(`must be degrees, from -${most} to ${most}`),
    v.minValue(-most, `must be -${most} or more`),
    v.maxValue(most, `must be ${most} or less`),
  );
const point = v.strictObject(
  { lat: degrees(90), lng: degrees(180) },
  'must be { lat: …, lng: … } in degrees',
);
const words = v.optional(v.array(line(80), 'must be a list'), []);
const LANGUAGES = ['es', 'en'] as const;

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** town.yml; content/README.md says what each field is for. */
export const TownSchema = v.strictObject(
  {
    /** The identity of its calendars, feeds and MCP server. It never changes. */
    key,
    /** As the service calls itself, where SITE_NAME says nothing. */
    site_name: line(40),
    name: local(40),
    /** All that the agenda covers, as a sentence names it: `Mérida y Progreso`. */
    area: local(120),
    state: line(60),
    /** ISO 3166-1. */
    country: v.pipe(
      v.string('must be text'),
      v.regex(/^[A-Z]{2}$/, 'must be two capital letters, as MX'),
    ),
    time_zone: v.pipe(
      v.string('must be text'),
      v.check(isZone, 'must be the name of a time zone, as Europe/Madrid'),
    ),
    /** Both, the one first in which it answers where nobody says which. */
    languages: v.pipe(
      v.tuple([v.picklist(LANGUAGES), v.picklist(LANGUAGES)], 'must be [es, en] or [en, es]'),
      v.check(([first, second]) => first !== second, 'must be [es, en] or [en, es]'),
    ),
    /** In which events are held (ISO 639), the ones to tick in the form. */
    spoken: v.optional(v.array(v.pipe(v.string(), v.regex(/^[a-z]{2,3}$/))), [...LANGUAGES]),
    currency: v.strictObject({
      code: v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'must be a code such as MXN')),
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
  },
  'must be fields with their values',
);
type TownFile = v.InferOutput<typeof TownSchema>;

export interface Town extends Readonly<TownFile> {
  readonly zone_keys: readonly [string, ...string[]];
  readonly category_keys: readonly [string, ...string[]];
}

function readDocument(folder: string, file: string) {
  const path = join(folder, file);
  if (!existsSync(path))
    throw new Error(
      `${path} is missing. CONTENT_DIR must be the folder of a town; "npm run new-town -- DIR" writes one`,
    );
  const lines = new LineCounter();
  const document = parseDocument(readFileSync(path, 'utf8'), { lineCounter: lines });
  const [error] = document.errors;
  if (error) throw new Error(`${path} is not YAML: ${error.message}`);
  const lineOf = (at: readonly (string | number)[]): number => {
    for (let depth = at.length; depth > 0; depth -= 1) {
      const node = document.getIn(at.slice(0, depth), true);
      if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const value: unknown = document.toJS({ maxAliasCount: 20 });
  return { path, value, lineOf };
}

/** The keys of a list of content, which says itself what else is wrong with it (sources/content-schema.ts). */
function readKeys(folder: string, file: string): Town['zone_keys'] {
  const { path, value } = readDocument(folder, file);
  const result = v.safeParse(v.array(v.looseObject({ key })), value);
  const [first, ...others] = result.success ? result.output.map((one) => one.key) : [];
  if (first === undefined)
    throw new Error(`${path} must be a list of one or more, each with a key`);
  return [first, ...others];
}

/** Throws one Error that names each field that is wrong, with its line and what is accepted. */
export function readTown(folder: string): Town {
  const { path, value, lineOf } = readDocument(folder, 'town.yml');
  const result = v.safeParse(TownSchema, value);
  if (!result.success) {
    const wrong = result.issues.map((issue) => {
      const at = issue.path?.flatMap((part) =>
        typeof part.key === 'string' || typeof part.key === 'number' ? [part.key] : [],
      );
      return `${path}:${lineOf(at ?? [])} ${v.getDotPath(issue) ?? ''}: ${issue.message}`;
    });
    throw new Error(wrong.join('\n'));
  }
  const [zone_keys, category_keys] = [
    readKeys(folder, 'zones.yml'),
    readKeys(folder, 'categories.yml'),
  ];
  return { ...result.output, zone_keys, category_keys };
}

export const TOWN = readTown(readConfig().content_dir);

/** In the ids of calendars and feeds. It never changes: a UID names its date in every calendar that ever took it. */
export const IDENTITY = TOWN.key.replaceAll('-', '');
