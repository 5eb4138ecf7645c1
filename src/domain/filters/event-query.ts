// The shared filters of interface 4: one definition for JSON, calendar feeds, pages and MCP.
import * as v from 'valibot';
import { AppError } from '../app-error.ts';
import { floorToMinute, toCancunDay } from '../cancun-time.ts';
import type { Cursor, EventFilter, Near } from './event-filter.ts';
import { toWords } from '../folding.ts';
import { LANGS, type Lang } from '../lang.ts';
import { type DayRange, FEED_DAYS, resolveRange } from './range.ts';
import { findTaxon, type TaxonRecord, type Taxonomy } from '../taxon.ts';

export const LIMITS = {
  list: { max: 200, fallback: 50 },
  feed: { max: 1000, fallback: 1000 },
} as const;
export const MAX_Q_LENGTH = 100;
export const RADIUS_KM = { max: 50, fallback: 5 } as const;
export const NEAR_PATTERN = /^-?\d+(\.\d+)?,-?\d+(\.\d+)?$/;

const flag = (name: string) =>
  v.optional(
    v.pipe(
      v.picklist(
        ['1', 'true', '0', 'false'],
        (i) => `${name}: '${i.input}' is not accepted. Use 1, true, 0 or false`,
      ),
      v.transform((word) => word === '1' || word === 'true'),
    ),
    '0',
  );

const isNumber = (text: string): boolean => /^[+-]?\d+(\.\d+)?$/.test(text);

const limit = ({ max, fallback }: { max: number; fallback: number }) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check(
        (t) => /^\d+$/.test(t) && Number(t) >= 1 && Number(t) <= max,
        (i) => `limit: '${i.input}' is not accepted. Use a whole number from 1 to ${max}`,
      ),
      v.transform(Number),
    ),
    String(fallback),
  );

const near = v.optional(
  v.pipe(
    v.string(),
    v.regex(
      NEAR_PATTERN,
      (i) =>
        `near: '${i.input}' is not a point. Write lat,lng in degrees, for example 21.1619,-86.8515`,
    ),
    v.check(
      (t) => !NEAR_PATTERN.test(t) || isOnGlobe(t),
      (i) => `near: ${i.input} is not on the globe. Latitude is -90 to 90, longitude -180 to 180`,
    ),
  ),
);

const radius = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (t) => isNumber(t) && Number(t) > 0 && Number(t) <= RADIUS_KM.max,
      (i) =>
        `radius_km: '${i.input}' is not accepted. Use a number above 0, at most ${RADIUS_KM.max}`,
    ),
    v.transform(Number),
  ),
  String(RADIUS_KM.fallback),
);

const q = v.optional(
  v.pipe(
    v.string(),
    v.check(
      (t) => [...t].length <= MAX_Q_LENGTH,
      (i) =>
        `q: has ${[...String(i.input)].length} characters. At most ${MAX_Q_LENGTH} are accepted`,
    ),
  ),
);

/** `lang` alone, for the operations that take nothing else of this. */
export const LangSchema = v.optional(
  v.picklist(LANGS, (i) => `lang: '${i.input}' is not accepted. Use es or en`),
  'es',
);

const toQuerySchema = (kind: 'list' | 'feed') =>
  v.object({
    date: v.optional(v.string()),
    from: v.optional(v.string()),
    to: v.optional(v.string()),
    category: v.optional(v.string()),
    zone: v.optional(v.string()),
    free: flag('free'),
    family: flag('family'),
    near,
    radius_km: radius,
    lang: LangSchema,
    q,
    limit: limit(LIMITS[kind]),
    cursor: v.optional(v.string()),
  });
const QUERY_SCHEMAS = { list: toQuerySchema('list'), feed: toQuerySchema('feed') } as const;

/** The names a question may carry; `cursor` only in lists. */
export const EVENT_PARAMETER_NAMES = [
  'date',
  'from',
  'to',
  'category',
  'zone',
  'free',
  'family',
  'near',
  'radius_km',
  'lang',
  'q',
  'limit',
] as const;

/** A question understood: a filter of plain values and the language to answer in. */
export interface EventQuery {
  readonly filter: EventFilter;
  readonly lang: Lang;
}

/**
 * The filter of a question. `params`: known names, each once, no empty values. `now_ms` decides
 * today. Throws AppError invalid_parameter that names every fault (decisions, Filters 1).
 */
export function parseEventQuery(
  params: Readonly<Record<string, string>>,
  taxonomy: Taxonomy,
  now_ms: number,
  kind: 'list' | 'feed',
  found: readonly string[] = [],
): EventQuery {
  const issues = [...found];
  const result = v.safeParse(QUERY_SCHEMAS[kind], params);
  for (const issue of result.issues ?? []) issues.push(issue.message);
  const after =
    params.cursor === undefined ? null : parseCursor(params.cursor, floorToMinute(now_ms), issues);
  // Later pages are asked at the moment of the first, so that `today` stays the same day over
  // midnight.
  const now = after?.now_ms ?? floorToMinute(now_ms);
  const range = resolveRange(params, now, issues);
  const categories = findKeys('category', params.category, taxonomy.categories, issues);
  const zones = findKeys('zone', params.zone, taxonomy.zones, issues);
  if (issues.length > 0 || !result.success)
    throw new AppError('invalid_parameter', issues.join('; '));
  const asked = result.output;
  return {
    lang: asked.lang,
    filter: {
      now_ms: now,
      range: range ?? (kind === 'feed' ? toFeedRange(now) : null),
      categories,
      zones,
      free: asked.free,
      family: asked.family,
      near: asked.near === undefined ? null : toNear(asked.near, asked.radius_km),
      words: asked.q === undefined ? null : toWords(asked.q),
      venue: null,
      organizer: null,
      limit: asked.limit,
      after,
    },
  };
}

/** The feed's own range: today … today + 60 (decisions, Time 5). */
export function toFeedRange(now_ms: number): DayRange {
  const from = toCancunDay(now_ms);
  return { from, to: from.add({ days: FEED_DAYS - 1 }) };
}

function findKeys(
  name: string,
  text: string | undefined,
  taxa: readonly TaxonRecord[],
  issues: string[],
): string[] | null {
  if (text === undefined) return null;
  const words = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const unknown = words.filter((word) => !findTaxon(taxa, word));
  if (unknown.length > 0) {
    issues.push(
      `${name}: ${unknown.map((word) => `'${word}'`).join(', ')} is not known. Use one or several of ${taxa.map((taxon) => taxon.key).join(', ')}`,
    );
  }
  const keys = new Set(
    words.map((word) => findTaxon(taxa, word)?.key).filter((key) => key !== undefined),
  );
  return keys.size === 0 ? null : [...keys].sort();
}

function isOnGlobe(text: string): boolean {
  const [lat = 91, lng = 181] = text.split(',').map(Number);
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
}

function toNear(text: string, radius_km: number): Near {
  const [lat = 0, lng = 0] = text.split(',').map(Number);
  return { lat, lng, radius_km };
}

const CursorSchema = v.strictTuple([
  v.pipe(v.number(), v.safeInteger()),
  v.pipe(v.number(), v.safeInteger()),
  v.pipe(v.string(), v.regex(/^ev_[a-z0-9]{1,40}$/)),
]);

/** The opaque text of a cursor. */
export function formatCursor(cursor: Cursor): string {
  return Buffer.from(
    JSON.stringify([cursor.now_ms / 60_000, cursor.start_ms / 60_000, cursor.id]),
  ).toString('base64url');
}

/** How long a cursor leads on: whoever takes longer between two pages begins anew. */
const CURSOR_LIVES_MS = 86_400_000;

function readCursor(text: string): Cursor | null {
  try {
    const [now, start, id] = v.parse(
      CursorSchema,
      JSON.parse(Buffer.from(text, 'base64url').toString('utf8')),
    );
    return { now_ms: now * 60_000, start_ms: start * 60_000, id };
  } catch {
    return null;
  }
}

function parseCursor(text: string, now_ms: number, issues: string[]): Cursor | null {
  const cursor = readCursor(text);
  if (cursor && cursor.now_ms <= now_ms && cursor.now_ms > now_ms - CURSOR_LIVES_MS) return cursor;
  issues.push(
    cursor
      ? 'cursor: has run out after a day. Leave it out to begin anew'
      : 'cursor: is not one of ours. Take it as it is from the Link header with rel="next", or leave it out to begin anew',
  );
  return null;
}
