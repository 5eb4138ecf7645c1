// A query for venues or organizers read: which of them, in what order, where the list goes on
// (contract 8.27).
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { AppError } from '../app-error.ts';
import { floorToMinute } from '../cancun-time.ts';
import type { Lang } from '../lang.ts';
import type { ParameterTexts, QueryContext, Town } from './filter.ts';
import { category } from './category.ts';
import { free } from './free.ts';
import { lang } from './lang.ts';
import { limit } from './limit.ts';
import { type Near, near } from './near.ts';
import { NOTICE_DATE, readDay } from './notice-query.ts';
import { q, type WantedWords } from './q.ts';
import type { WantedKeys } from './taxon-filter.ts';
import { zone } from './zone.ts';

/** Where a page ended: what its last item is ordered by, and its id. */
export interface PlaceCursor {
  /** Its folded name, or its distance in kilometres. */
  readonly key: string | number;
  readonly id: string;
}

/** Plain values. */
export interface PlaceFilter {
  readonly words: WantedWords;
  readonly zones: WantedKeys;
  /** Those at which something of one of them is ahead. */
  readonly categories: WantedKeys;
  /** Those that cost nothing. */
  readonly free: boolean;
  /** Those that open on a day. */
  readonly open_on: Temporal.PlainDate | null;
  readonly near: Near | null;
  readonly limit: number;
  readonly after: PlaceCursor | null;
  /** The instant of the query, epoch ms of a whole minute. */
  readonly now_ms: number;
}

/** The parameter `open_on` without its words, which i18n has. */
export const OPEN_ON = {
  name: 'open_on',
  schema: { anyOf: NOTICE_DATE.schema.anyOf },
  example: 'today',
} as const;

/** What a list of venues takes, in the order of its description; one of organizers takes less. */
export const VENUE_LIST_PARAMETERS = [
  'q',
  'zone',
  'category',
  'free',
  'open_on',
  'near',
  'radius_km',
  'lang',
  'limit',
  'cursor',
] as const;
export const ORGANIZER_LIST_PARAMETERS = ['q', 'lang', 'limit', 'cursor'] as const;

const CursorSchema = v.strictTuple([
  v.union([v.string(), v.number()]),
  v.pipe(v.string(), v.regex(/^[a-z]{2}_[a-z0-9]{1,40}$/)),
]);

/** The opaque text of a cursor. */
export const formatPlaceCursor = ({ key, id }: PlaceCursor): string =>
  Buffer.from(JSON.stringify([key, id])).toString('base64url');

/** The cursor of a text; null for none, or where an issue is pushed. */
function readPlaceCursor(text: string | undefined, issues: string[]): PlaceCursor | null {
  if (text === undefined) return null;
  try {
    const decoded: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const [key, id] = v.parse(CursorSchema, decoded);
    return { key, id };
  } catch {
    issues.push(
      'cursor: is not one of ours. Take it as it is from the Link header with rel="next", or leave it out to begin anew',
    );
    return null;
  }
}

/**
 * The filter of a query and its language. `params`: known names, each once, no empty values. Throws
 * AppError invalid_parameter that names every issue, those in `found` first.
 */
export function parsePlaceQuery(
  params: ParameterTexts,
  town: Town,
  now_ms: number,
  found: readonly string[],
): { readonly filter: PlaceFilter; readonly lang: Lang } {
  const issues: QueryContext['issues'] = { form: [], meaning: [] };
  const now = floorToMinute(now_ms);
  const context: QueryContext = { town, now_ms: now, kind: 'list', issues };
  const filter: PlaceFilter = {
    ...q.read(params, context),
    ...zone.read(params, context),
    ...category.read(params, context),
    ...free.read(params, context),
    open_on:
      params.open_on === undefined
        ? null
        : readDay(params.open_on, now, issues.meaning, OPEN_ON.name),
    ...near.read(params, context),
    ...limit.read(params, context),
    after: readPlaceCursor(params.cursor, issues.form),
    now_ms: now,
  };
  const asked = lang.read(params, context);
  const all = [...found, ...issues.form, ...issues.meaning];
  if (all.length > 0) throw new AppError('invalid_parameter', all.join('; '));
  return { filter, lang: asked.lang };
}
