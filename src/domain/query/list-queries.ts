// List queries: parse the parameters of directories (lists of venues or organizers), notices, the
// change log, the dates of one event and the embedded list (contract 8.4, 8.8, 8.20, 8.27, 8.31),
// the same for JSON, pages and MCP. Each parser throws AppError invalid_parameter that lists every
// issue, those in `initial_issues` first.
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import { type DayRange, floorToMinute, formatTimestamp } from '../local-time.ts';
import { LAST_ID_OF_TIMESTAMP, RECORD_KINDS, type ChangeLogCursor } from '../record-history.ts';
import type { Lang } from '../lang.ts';
import { NOTICE_TYPES, type NoticeRecord } from '../notice.ts';
import {
  parseDayParameter,
  parseInstantParameter,
  parseRange,
  readDayWords,
} from './date-range.ts';
import { type EventFilter, FLAG_FILTERS, parseEventQuery } from './event-query.ts';
import { RESULT_LIMITS } from './parameters.ts';
import {
  oneOfParser,
  FLAG_PARSER,
  digestQuestion,
  INVALID_CURSOR_ISSUE,
  OTHER_QUESTION_ISSUE,
  encodeCursor,
  NEAR_PARSER,
  type ParameterValues,
  decodeCursor,
  parseLangParameter,
  parseOrThrow,
  taxaParser,
  type QueryLookups,
  limitParser,
  SEARCH_WORDS_PARSER,
} from './parameter-parsers.ts';
import type { ParameterIssue } from './parameter-issue.ts';

/** Parameters of a list of venues, in the order of its documentation. */
export const VENUE_LIST_PARAMETERS = [
  'q',
  'zone',
  'category',
  ...FLAG_FILTERS.map(({ name }) => name),
  'open_on',
  'near',
  'radius_km',
  'lang',
  'limit',
  'cursor',
] as const;
export const ORGANIZER_LIST_PARAMETERS = ['q', 'lang', 'limit', 'cursor'] as const;

/** The last item of a page, after which the next page starts. */
export interface DirectoryCursor {
  /** Sort key: the folded name, or the distance in kilometers. */
  readonly key: string | number;
  readonly id: string;
}

/** Filter of a list of venues or organizers. */
export interface DirectoryFilter
  extends Pick<
    EventFilter,
    'words' | 'zones' | 'categories' | 'free' | 'family' | 'indoor' | 'near' | 'limit' | 'now_ms'
  > {
  /** Only venues that open on this day. */
  readonly open_on: Temporal.PlainDate | null;
  readonly after: DirectoryCursor | null;
}

const DirectoryCursorSchema = v.strictTuple([
  v.union([v.string(), v.number()]),
  v.pipe(v.string(), v.regex(/^[a-z]{2}_[a-z0-9]{1,40}$/)),
  v.string(),
]);

/** Digests the filters that decide the order of a list; its pages may be of different days. */
const digestDirectory = ({
  words,
  zones,
  categories,
  free,
  family,
  indoor,
  near,
}: DirectoryFilter) => digestQuestion({ words, zones, categories, free, family, indoor, near });

/** Encodes the cursor of the page after one of a filter. */
export const encodeDirectoryCursor = (
  { key, id }: DirectoryCursor,
  filter: DirectoryFilter,
): string => encodeCursor([key, id, digestDirectory(filter)]);

function parseDirectoryCursor(
  text: string | undefined,
  filter: DirectoryFilter,
  issues: ParameterIssue[],
): DirectoryCursor | null {
  if (text === undefined) return null;
  const parts = decodeCursor(DirectoryCursorSchema, text);
  const [key = '', id = '', question] = parts ?? [];
  if (question === digestDirectory(filter)) return { key, id };
  issues.push(parts ? OTHER_QUESTION_ISSUE : INVALID_CURSOR_ISSUE);
  return null;
}

/**
 * Parses the query of a list of venues or organizers; `texts` has only the parameters of that list.
 */
export function parseDirectoryQuery(
  texts: ParameterValues,
  lookups: QueryLookups,
  request_ms: number,
  initial_issues: readonly ParameterIssue[],
): { readonly filter: DirectoryFilter; readonly lang: Lang } {
  const now_ms = floorToMinute(request_ms);
  const { open_on } = texts;
  return parseOrThrow(initial_issues, (issues) => {
    const input = { texts, issues, lookups };
    const lang = parseLangParameter(texts, issues);
    const filter = {
      words: SEARCH_WORDS_PARSER.parse(input, 'q'),
      zones: taxaParser('zones').parse(input, 'zone'),
      categories: taxaParser('categories').parse(input, 'category'),
      free: FLAG_PARSER.parse(input, 'free'),
      family: FLAG_PARSER.parse(input, 'family'),
      indoor: FLAG_PARSER.parse(input, 'indoor'),
      open_on:
        open_on === undefined
          ? null
          : parseDayParameter(open_on, now_ms, issues, texts.lang, 'open_on'),
      near: NEAR_PARSER.parse(input, 'near'),
      limit: limitParser(RESULT_LIMITS.list).parse(input, 'limit'),
      after: null,
      now_ms,
    };
    return {
      filter: { ...filter, after: parseDirectoryCursor(texts.cursor, filter, issues) },
      lang,
    };
  });
}

export const NOTICE_LIST_PARAMETERS = ['date', 'zone', 'type', 'lang'] as const;
/** Parameters of the MCP tool. */
export const NOTICE_PARAMETER_NAMES = ['q', ...NOTICE_LIST_PARAMETERS] as const;

/** Parses the query of the notices of a day, by default today. */
export const parseNoticeQuery = (
  texts: ParameterValues,
  lookups: QueryLookups,
  now_ms: number,
  initial_issues: readonly ParameterIssue[],
) =>
  parseOrThrow(initial_issues, (issues) => {
    const input = { texts, issues, lookups };
    const zones = taxaParser('zones').parse(input, 'zone');
    const type = oneOfParser(NOTICE_TYPES).parse(input, 'type');
    const lang = parseLangParameter(texts, issues);
    const day = parseDayParameter(texts.date ?? 'today', now_ms, issues, texts.lang);
    return {
      day,
      /** Search words, only of the MCP tool. The search covers `day` and later days. */
      words: SEARCH_WORDS_PARSER.parse(input, 'q'),
      lang,
      /** A notice without a zone applies to all of them. */
      matches: (notice: Pick<NoticeRecord, 'type' | 'zone'>): boolean =>
        (notice.zone === null || (zones?.includes(notice.zone) ?? true)) &&
        (type === null || notice.type === type),
    };
  });

export const EVENT_DATES_NAMES = ['from', 'to', 'lang'] as const;

/** Parses the query of one event's dates; `range` is null for all of them. */
export const parseEventDatesQuery = (
  texts: ParameterValues,
  now_ms: number,
  initial_issues: readonly ParameterIssue[] = [],
): { readonly lang: Lang; readonly range: DayRange | null } =>
  parseOrThrow(initial_issues, (issues) => ({
    lang: parseLangParameter(texts, issues),
    range: parseRange({ from: texts.from, to: texts.to, lang: texts.lang }, now_ms, issues),
  }));

/** Days back from now if a query has neither `since` nor `cursor`. */
export const DEFAULT_SINCE_DAYS = 7;
/**
 * A release has the data of the start of its build and goes live minutes later, so a list since an
 * instant starts this much earlier: it misses no change, but may repeat some.
 */
const BUILD_OVERLAP_MS = 15 * 60_000;

export const CHANGES_PARAMETER_NAMES = ['since', 'kind', 'cursor', 'limit', 'lang'] as const;

interface ChangesStart {
  /** Timestamp. Each change sums up the record's history since then. */
  readonly since: string;
  /** The list starts after this entry. */
  readonly after: ChangeLogCursor;
}

/** Any offset: a cursor may be older than a correction of the town's time zone. */
const TimestampSchema = v.pipe(v.string(), v.isoTimestamp());
const ChangesCursorSchema = v.strictTuple([
  TimestampSchema,
  TimestampSchema,
  v.pipe(v.string(), v.regex(/^([a-z]{2}_[a-z0-9-]{1,60}|~)$/)),
]);

/**
 * Encodes the position after which a list of changes continues. At the end of the list, later
 * changes are described since that end instead of the first `since`.
 */
export const encodeChangesCursor = (since: string, { changed_at, id }: ChangeLogCursor): string =>
  encodeCursor([id === LAST_ID_OF_TIMESTAMP ? changed_at : since, changed_at, id]);

export const parseChangesQuery = (
  texts: ParameterValues,
  now_ms: number,
  initial_issues: readonly ParameterIssue[] = [],
) =>
  parseOrThrow(initial_issues, (issues) => {
    const lang = parseLangParameter(texts, issues);
    const start = parseCursorOrSince(texts, now_ms, issues);
    const limit = limitParser(RESULT_LIMITS.changes).parse({ texts, issues }, 'limit');
    const kind = oneOfParser(RECORD_KINDS).parse({ texts, issues }, 'kind');
    return { ...start, kinds: kind === null ? RECORD_KINDS : [kind], limit, lang };
  });

/** Returns the start of the list: the position of the cursor, or else the instant `since`. */
function parseCursorOrSince(
  texts: ParameterValues,
  now_ms: number,
  issues: ParameterIssue[],
): ChangesStart {
  const params = readDayWords(texts, now_ms);
  const { since, cursor } = params;
  if (cursor === undefined) return startAfter(parseSince(params, now_ms, issues));
  if (since !== undefined)
    issues.push({
      param: 'since',
      message: 'cannot be combined with cursor, which already includes it. Omit one of them',
    });
  const parts = decodeCursor(ChangesCursorSchema, cursor);
  if (parts) return { since: parts[0], after: { changed_at: parts[1], id: parts[2] } };
  issues.push({
    param: 'cursor',
    message: 'invalid. Use the value from meta.cursor, or omit it and use since',
  });
  return startAfter(now_ms);
}

/** Starts the list after all changes of an instant. */
function startAfter(since_ms: number): ChangesStart {
  const since = formatTimestamp(since_ms);
  return { since, after: { changed_at: since, id: LAST_ID_OF_TIMESTAMP } };
}

/**
 * Parses `since` to epoch ms; a day to the second before its midnight, so that the whole day is
 * included.
 */
function parseSince(params: ParameterValues, now_ms: number, issues: ParameterIssue[]): number {
  const { since = '' } = params;
  const since_ms = parseInstantParameter('since', params, issues);
  if (since_ms === null) return now_ms - DEFAULT_SINCE_DAYS * 86_400_000;
  if (since_ms > now_ms)
    issues.push({
      param: 'since',
      message: `${since} is in the future. It is now ${formatTimestamp(now_ms)} in ${TOWN.name.en}`,
    });
  return since_ms - (since.length === 'YYYY-MM-DD'.length ? 1000 : BUILD_OVERLAP_MS);
}

/** Color schemes of the embedded list; `auto` follows the visitor's system. */
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/**
 * Parses the query of the list that other sites embed: the filters of events, with a lower limit, a
 * theme, and whether nightclubs are listed.
 */
export function parseEmbedQuery(
  texts: ParameterValues,
  lookups: QueryLookups,
  now_ms: number,
  initial_issues: readonly ParameterIssue[],
): {
  readonly filter: EventFilter;
  readonly lang: Lang;
  readonly theme: Theme;
  readonly shows_nightclubs: boolean;
} {
  return parseOrThrow(initial_issues, (issues) => {
    const theme = oneOfParser(THEMES).parse({ texts, issues }, 'theme') ?? 'auto';
    const nightclubs = oneOfParser(['0', '1']).parse({ texts, issues }, 'nightclubs');
    const limit = String(limitParser(RESULT_LIMITS.frame).parse({ texts, issues }, 'limit'));
    return {
      ...parseEventQuery({ ...texts, limit }, lookups, now_ms, 'list', issues),
      theme,
      shows_nightclubs: nightclubs !== '0',
    };
  });
}
