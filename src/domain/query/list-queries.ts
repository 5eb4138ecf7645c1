// What is asked of places, notices, changes, the dates of one event and the list in a frame
// (contract 8.4, 8.8, 8.20, 8.27, 8.31): JSON, pages and MCP read it alike. Each throws AppError
// invalid_parameter that names every issue, those in `found` first.
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import { type DayRange, floorToMinute, formatTimestamp } from '../local-time.ts';
import { LAST_ID_OF_TIMESTAMP, RECORD_KINDS, type ChangeLogCursor } from '../record-history.ts';
import type { Lang } from '../lang.ts';
import { NOTICE_TYPES, type NoticeRecord } from '../notice.ts';
import { parseDayParameter, parseInstantParameter, parseRange } from './date-range.ts';
import { type EventFilter, parseEventQuery } from './event-query.ts';
import { RESULT_LIMITS } from './parameters.ts';
import {
  oneOfParser,
  FLAG_PARSER,
  INVALID_CURSOR_MESSAGE,
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

/** What a list of venues takes, in the order of its description; one of organizers takes less. */
export const VENUE_LIST_PARAMETERS = [
  'q',
  'zone',
  'category',
  'free',
  'family',
  'indoor',
  'open_on',
  'near',
  'radius_km',
  'lang',
  'limit',
  'cursor',
] as const;
export const ORGANIZER_LIST_PARAMETERS = ['q', 'lang', 'limit', 'cursor'] as const;

/** Where a page ended: what its last item is ordered by, and its id. */
export interface DirectoryCursor {
  /** Its folded name, or its distance in kilometres. */
  readonly key: string | number;
  readonly id: string;
}

export interface DirectoryFilter
  extends Pick<
    EventFilter,
    'words' | 'zones' | 'categories' | 'free' | 'family' | 'indoor' | 'near' | 'limit' | 'now_ms'
  > {
  /** Those that open on a day. */
  readonly open_on: Temporal.PlainDate | null;
  readonly after: DirectoryCursor | null;
}

const PlaceParts = v.strictTuple([
  v.union([v.string(), v.number()]),
  v.pipe(v.string(), v.regex(/^[a-z]{2}_[a-z0-9]{1,40}$/)),
]);

export const encodeDirectoryCursor = ({ key, id }: DirectoryCursor): string =>
  encodeCursor([key, id]);

function readPlaceCursor(text: string | undefined, issues: string[]): DirectoryCursor | null {
  if (text === undefined) return null;
  const parts = decodeCursor(PlaceParts, text);
  if (parts) return { key: parts[0], id: parts[1] };
  issues.push(INVALID_CURSOR_MESSAGE);
  return null;
}

/** For venues or organizers: of the latter only what their list takes. */
export function parseDirectoryQuery(
  texts: ParameterValues,
  town: QueryLookups,
  asked_ms: number,
  found: readonly string[],
): { readonly filter: DirectoryFilter; readonly lang: Lang } {
  const now_ms = floorToMinute(asked_ms);
  const { open_on } = texts;
  return parseOrThrow(found, (issues) => {
    const reading = { texts, issues, town };
    const lang = parseLangParameter(texts, issues);
    const filter = {
      words: SEARCH_WORDS_PARSER.read(reading, 'q'),
      zones: taxaParser('zones').read(reading, 'zone'),
      categories: taxaParser('categories').read(reading, 'category'),
      free: FLAG_PARSER.read(reading, 'free'),
      family: FLAG_PARSER.read(reading, 'family'),
      indoor: FLAG_PARSER.read(reading, 'indoor'),
      open_on: open_on === undefined ? null : parseDayParameter(open_on, now_ms, issues, 'open_on'),
      near: NEAR_PARSER.read(reading, 'near'),
      limit: limitParser(RESULT_LIMITS.list).read(reading, 'limit'),
      after: readPlaceCursor(texts.cursor, issues),
      now_ms,
    };
    return { filter, lang };
  });
}

/** What the tool takes, and what the list does. */
export const NOTICE_PARAMETER_NAMES = ['q', 'date', 'lang'] as const;
export const NOTICE_LIST_PARAMETERS = ['date', 'zone', 'type', 'lang'] as const;

export const parseNoticeQuery = (
  texts: ParameterValues,
  town: QueryLookups,
  now_ms: number,
  found: readonly string[],
) =>
  parseOrThrow(found, (issues) => {
    const reading = { texts, issues, town };
    const zones = taxaParser('zones').read(reading, 'zone');
    const type = oneOfParser(NOTICE_TYPES).read(reading, 'type');
    const lang = parseLangParameter(texts, issues);
    const day = parseDayParameter(texts.date ?? 'today', now_ms, issues);
    return {
      day,
      /** Of the tool alone: then that day and later. */
      words: SEARCH_WORDS_PARSER.read(reading, 'q'),
      lang,
      /** What concerns the whole area is in every zone. */
      isAsked: (notice: Pick<NoticeRecord, 'type' | 'zone'>): boolean =>
        (notice.zone === null || (zones?.includes(notice.zone) ?? true)) &&
        (type === null || notice.type === type),
    };
  });

export const EVENT_DATES_NAMES = ['from', 'to', 'lang'] as const;

/** The dates of one event; `range` is null where all are meant. */
export const parseEventDatesQuery = (
  texts: ParameterValues,
  now_ms: number,
  found: readonly string[] = [],
): { readonly lang: Lang; readonly range: DayRange | null } =>
  parseOrThrow(found, (issues) => ({
    lang: parseLangParameter(texts, issues),
    range: parseRange({ from: texts.from, to: texts.to }, now_ms, issues),
  }));

/** Without `since` and `cursor`: so many days back. */
export const DEFAULT_SINCE_DAYS = 7;
/**
 * A release is made of the data of its beginning and serves minutes later, so what is asked since an
 * instant begins a little earlier: nothing is missed, and some may be told twice.
 */
const SLACK_MS = 15 * 60_000;

export const CHANGES_PARAMETER_NAMES = ['since', 'kind', 'cursor', 'limit', 'lang'] as const;

interface AskedSince {
  /** The words of each change are those of what became of it since then; a timestamp. */
  readonly since: string;
  /** The list goes on after this. */
  readonly after: ChangeLogCursor;
}

/** Also of before the town's time zone was mended. */
const moment = v.pipe(v.string(), v.isoTimestamp());
const ChangesParts = v.strictTuple([
  moment,
  moment,
  v.pipe(v.string(), v.regex(/^([a-z]{2}_[a-z0-9-]{1,60}|~)$/)),
]);

/** Where a list of changes goes on. At its end what comes later is new to the reader. */
export const encodeChangesCursor = (since: string, { changed_at, id }: ChangeLogCursor): string =>
  encodeCursor([id === LAST_ID_OF_TIMESTAMP ? changed_at : since, changed_at, id]);

export const parseChangesQuery = (
  texts: ParameterValues,
  now_ms: number,
  found: readonly string[] = [],
) =>
  parseOrThrow(found, (issues) => {
    const lang = parseLangParameter(texts, issues);
    const asked = readCursorOrSince(texts, now_ms, issues);
    const limit = limitParser(RESULT_LIMITS.changes).read({ texts, issues }, 'limit');
    const kind = oneOfParser(RECORD_KINDS).read({ texts, issues }, 'kind');
    return { ...asked, kinds: kind === null ? RECORD_KINDS : [kind], limit, lang };
  });

function readCursorOrSince(params: ParameterValues, now_ms: number, issues: string[]): AskedSince {
  const { since, cursor } = params;
  if (cursor === undefined) return toAllAfter(readSince(params, now_ms, issues));
  if (since !== undefined)
    issues.push('since: cannot stand beside cursor, which knows it. Leave one of them out');
  const parts = decodeCursor(ChangesParts, cursor);
  if (parts) return { since: parts[0], after: { changed_at: parts[1], id: parts[2] } };
  issues.push(
    'cursor: is not one of ours. Take it as it is from meta.cursor, or leave it out and use since',
  );
  return toAllAfter(now_ms);
}

function toAllAfter(since_ms: number): AskedSince {
  const since = formatTimestamp(since_ms);
  return { since, after: { changed_at: since, id: LAST_ID_OF_TIMESTAMP } };
}

/** Epoch ms of `since`: of the second before a day's midnight, so that all of the day is in. */
function readSince(params: ParameterValues, now_ms: number, issues: string[]): number {
  const { since = '' } = params;
  const since_ms = parseInstantParameter('since', params, issues);
  if (since_ms === null) return now_ms - DEFAULT_SINCE_DAYS * 86_400_000;
  if (since_ms > now_ms)
    issues.push(
      `since: ${since} is still to come. It is ${formatTimestamp(now_ms)} in ${TOWN.name.en}`,
    );
  return since_ms - (since.length === 'YYYY-MM-DD'.length ? 1000 : SLACK_MS);
}

/** The colours of a frame: as the viewer's system has them, or one of both. */
export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The list that other sites put in a frame: the filters of events, fewer rows, and how it looks. */
export function parseEmbedQuery(
  texts: ParameterValues,
  town: QueryLookups,
  now_ms: number,
  found: readonly string[],
): { readonly filter: EventFilter; readonly lang: Lang; readonly theme: Theme } {
  return parseOrThrow(found, (issues) => {
    const theme = oneOfParser(THEMES).read({ texts, issues }, 'theme') ?? 'auto';
    const limit = String(limitParser(RESULT_LIMITS.frame).read({ texts, issues }, 'limit'));
    return { ...parseEventQuery({ ...texts, limit }, town, now_ms, 'list', issues), theme };
  });
}
