// Which changes a query asks for: since when, of which kinds, from where on, how many and in which
// language (contract 8.31).
import * as v from 'valibot';
import { AppError } from '../app-error.ts';
import { formatTimestamp } from '../cancun-time.ts';
import { END_OF_MOMENT, HISTORY_KINDS, type HistoryKind, type Place } from '../history.ts';
import type { Lang } from '../lang.ts';
import { readChoice, readText } from './filter.ts';
import { readLang } from './lang.ts';
import { MOMENT_FORMS, MOMENT_SCHEMA, parseMoment } from './moment.ts';

export const CHANGES_LIMIT = { max: 500, fallback: 100 } as const;
/** Without `since` and `cursor`: so many days back. */
export const SINCE_DAYS = 7;
/**
 * A release is made of the data of its beginning and serves minutes later, so what is asked since an
 * instant begins a little earlier: nothing is missed, and some may be told twice.
 */
const SLACK_MS = 15 * 60_000;
const DAY_MS = 86_400_000;

export const CHANGES_PARAMETER_NAMES = ['since', 'kind', 'cursor', 'limit', 'lang'] as const;

/** The parameters of their own, without their words, which i18n has. */
export const SINCE = { name: 'since', schema: MOMENT_SCHEMA, example: '2026-11-20' } as const;
export const KIND = {
  name: 'kind',
  schema: { type: 'string', enum: HISTORY_KINDS },
  example: 'event',
} as const;
export const CHANGES_LIMIT_PARAMETER = {
  name: 'limit',
  schema: {
    type: 'integer',
    minimum: 1,
    maximum: CHANGES_LIMIT.max,
    default: CHANGES_LIMIT.fallback,
  },
  example: 100,
} as const;

/** A query for changes understood. */
export interface ChangesQuery {
  /** The words of each change are those of what became of it since then; a timestamp in Cancún. */
  readonly since: string;
  /** The list goes on after this. */
  readonly after: Place;
  readonly kinds: readonly HistoryKind[];
  readonly limit: number;
  readonly lang: Lang;
}

const Stamp = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-05:00$/));
const CursorSchema = v.strictTuple([
  Stamp,
  Stamp,
  v.pipe(v.string(), v.regex(/^([a-z]{2}_[a-z0-9-]{1,60}|~)$/)),
]);

/** Where a list of changes goes on, as an opaque text. At its end what comes later is new to the reader. */
export function formatChangesCursor(since: string, place: Place): string {
  const first = place.id === END_OF_MOMENT ? place.changed_at : since;
  return Buffer.from(JSON.stringify([first, place.changed_at, place.id])).toString('base64url');
}

function decodeCursor(text: string): Pick<ChangesQuery, 'since' | 'after'> | null {
  try {
    const json: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const [since, changed_at, id] = v.parse(CursorSchema, json);
    return { since, after: { changed_at, id } };
  } catch {
    return null;
  }
}

const LimitSchema = v.pipe(
  v.string(),
  v.check(
    (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= CHANGES_LIMIT.max,
    ({ input }) =>
      `limit: '${input}' is not accepted. Use a whole number from 1 to ${CHANGES_LIMIT.max}`,
  ),
  v.transform(Number),
);

/**
 * The query of texts, each once. Throws AppError invalid_parameter that names every issue, those in
 * `found` first.
 */
export function parseChangesQuery(
  params: Readonly<Record<string, string>>,
  now_ms: number,
  found: readonly string[] = [],
): ChangesQuery {
  const issues = [...found];
  const lang = readLang(params, issues);
  const place = readPlace(params, now_ms, issues);
  const limit = readText<number>(LimitSchema, params.limit, CHANGES_LIMIT.fallback, issues);
  const kind = readChoice(KIND.name, HISTORY_KINDS, params, issues);
  if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
  return { ...place, kinds: kind === null ? HISTORY_KINDS : [kind], limit, lang };
}

function readPlace(
  { since, cursor }: Readonly<Record<string, string>>,
  now_ms: number,
  issues: string[],
): Pick<ChangesQuery, 'since' | 'after'> {
  if (cursor === undefined) return toPlace(readSince(since, now_ms, issues));
  if (since !== undefined)
    issues.push('since: cannot stand beside cursor, which knows it. Leave one of them out');
  const decoded = decodeCursor(cursor);
  if (decoded) return decoded;
  issues.push(
    'cursor: is not one of ours. Take it as it is from meta.cursor, or leave it out and use since',
  );
  return toPlace(now_ms);
}

/** Everything after a moment. */
function toPlace(since_ms: number): Pick<ChangesQuery, 'since' | 'after'> {
  const since = formatTimestamp(since_ms);
  return { since, after: { changed_at: since, id: END_OF_MOMENT } };
}

/** Epoch ms of `since`: of the second before a day's midnight, so that all of the day is in. */
function readSince(text: string | undefined, now_ms: number, issues: string[]): number {
  const fallback = now_ms - SINCE_DAYS * DAY_MS;
  if (text === undefined) return fallback;
  const since_ms = parseMoment(text);
  if (since_ms === null) issues.push(`since: '${text}' is no moment. Use ${MOMENT_FORMS}`);
  else if (since_ms > now_ms)
    issues.push(`since: ${text} is still to come. It is ${formatTimestamp(now_ms)} in Cancún`);
  if (since_ms === null) return fallback;
  return text.length === 'YYYY-MM-DD'.length ? since_ms - 1000 : since_ms - SLACK_MS;
}
