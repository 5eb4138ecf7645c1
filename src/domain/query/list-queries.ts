// What is asked of places, notices, changes, the dates of one event and the list in a frame
// (contract 8.4, 8.8, 8.20, 8.27, 8.31): JSON, pages and MCP read it alike. Each throws AppError
// invalid_parameter that names every issue, those in `found` first.
import type { Temporal } from 'temporal-polyfill';
import * as v from 'valibot';
import { TOWN } from '../../town.ts';
import { type DayRange, floorToMinute, formatTimestamp } from '../local-time.ts';
import { END_OF_MOMENT, HISTORY_KINDS, type Place } from '../history.ts';
import type { Lang } from '../lang.ts';
import { NOTICE_TYPES, type NoticeRecord } from '../notice.ts';
import { readDay, readMoment, readRange } from './days.ts';
import { type EventFilter, parseEventQuery } from './event-query.ts';
import { LIMITS } from './parameters.ts';
import {
  choiceOf,
  FLAG,
  FOREIGN_CURSOR,
  formatParts,
  NEAR,
  type ParameterTexts,
  parseParts,
  readLang,
  readOrRefuse,
  taxaOf,
  type Town,
  upTo,
  WORDS,
} from './values.ts';

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
export interface PlaceCursor {
  /** Its folded name, or its distance in kilometres. */
  readonly key: string | number;
  readonly id: string;
}

export interface PlaceFilter
  extends Pick<
    EventFilter,
    'words' | 'zones' | 'categories' | 'free' | 'family' | 'indoor' | 'near' | 'limit' | 'now_ms'
  > {
  /** Those that open on a day. */
  readonly open_on: Temporal.PlainDate | null;
  readonly after: PlaceCursor | null;
}

const PlaceParts = v.strictTuple([
  v.union([v.string(), v.number()]),
  v.pipe(v.string(), v.regex(/^[a-z]{2}_[a-z0-9]{1,40}$/)),
]);

export const formatPlaceCursor = ({ key, id }: PlaceCursor): string => formatParts([key, id]);

function readPlaceCursor(text: string | undefined, issues: string[]): PlaceCursor | null {
  if (text === undefined) return null;
  const parts = parseParts(PlaceParts, text);
  if (parts) return { key: parts[0], id: parts[1] };
  issues.push(FOREIGN_CURSOR);
  return null;
}

/** For venues or organizers: of the latter only what their list takes. */
export function parsePlaceQuery(
  texts: ParameterTexts,
  town: Town,
  asked_ms: number,
  found: readonly string[],
): { readonly filter: PlaceFilter; readonly lang: Lang } {
  const now_ms = floorToMinute(asked_ms);
  const { open_on } = texts;
  return readOrRefuse(found, (issues) => {
    const reading = { texts, issues, town };
    const lang = readLang(texts, issues);
    const filter = {
      words: WORDS.read(reading, 'q'),
      zones: taxaOf('zones').read(reading, 'zone'),
      categories: taxaOf('categories').read(reading, 'category'),
      free: FLAG.read(reading, 'free'),
      family: FLAG.read(reading, 'family'),
      indoor: FLAG.read(reading, 'indoor'),
      open_on: open_on === undefined ? null : readDay(open_on, now_ms, issues, 'open_on'),
      near: NEAR.read(reading, 'near'),
      limit: upTo(LIMITS.list).read(reading, 'limit'),
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
  texts: ParameterTexts,
  town: Town,
  now_ms: number,
  found: readonly string[],
) =>
  readOrRefuse(found, (issues) => {
    const reading = { texts, issues, town };
    const zones = taxaOf('zones').read(reading, 'zone');
    const type = choiceOf(NOTICE_TYPES).read(reading, 'type');
    const lang = readLang(texts, issues);
    const day = readDay(texts.date ?? 'today', now_ms, issues);
    return {
      day,
      /** Of the tool alone: then that day and later. */
      words: WORDS.read(reading, 'q'),
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
  texts: ParameterTexts,
  now_ms: number,
  found: readonly string[] = [],
): { readonly lang: Lang; readonly range: DayRange | null } =>
  readOrRefuse(found, (issues) => ({
    lang: readLang(texts, issues),
    range: readRange({ from: texts.from, to: texts.to }, now_ms, issues),
  }));

/** Without `since` and `cursor`: so many days back. */
export const SINCE_DAYS = 7;
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
  readonly after: Place;
}

/** Also of before the town's time zone was mended. */
const moment = v.pipe(v.string(), v.isoTimestamp());
const ChangesParts = v.strictTuple([
  moment,
  moment,
  v.pipe(v.string(), v.regex(/^([a-z]{2}_[a-z0-9-]{1,60}|~)$/)),
]);

/** Where a list of changes goes on. At its end what comes later is new to the reader. */
export const formatChangesCursor = (since: string, { changed_at, id }: Place): string =>
  formatParts([id === END_OF_MOMENT ? changed_at : since, changed_at, id]);

export const parseChangesQuery = (
  texts: ParameterTexts,
  now_ms: number,
  found: readonly string[] = [],
) =>
  readOrRefuse(found, (issues) => {
    const lang = readLang(texts, issues);
    const asked = readCursorOrSince(texts, now_ms, issues);
    const limit = upTo(LIMITS.changes).read({ texts, issues }, 'limit');
    const kind = choiceOf(HISTORY_KINDS).read({ texts, issues }, 'kind');
    return { ...asked, kinds: kind === null ? HISTORY_KINDS : [kind], limit, lang };
  });

function readCursorOrSince(params: ParameterTexts, now_ms: number, issues: string[]): AskedSince {
  const { since, cursor } = params;
  if (cursor === undefined) return toAllAfter(readSince(params, now_ms, issues));
  if (since !== undefined)
    issues.push('since: cannot stand beside cursor, which knows it. Leave one of them out');
  const parts = parseParts(ChangesParts, cursor);
  if (parts) return { since: parts[0], after: { changed_at: parts[1], id: parts[2] } };
  issues.push(
    'cursor: is not one of ours. Take it as it is from meta.cursor, or leave it out and use since',
  );
  return toAllAfter(now_ms);
}

function toAllAfter(since_ms: number): AskedSince {
  const since = formatTimestamp(since_ms);
  return { since, after: { changed_at: since, id: END_OF_MOMENT } };
}

/** Epoch ms of `since`: of the second before a day's midnight, so that all of the day is in. */
function readSince(params: ParameterTexts, now_ms: number, issues: string[]): number {
  const { since = '' } = params;
  const since_ms = readMoment('since', params, issues);
  if (since_ms === null) return now_ms - SINCE_DAYS * 86_400_000;
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
export function parseFrameQuery(
  texts: ParameterTexts,
  town: Town,
  now_ms: number,
  found: readonly string[],
): { readonly filter: EventFilter; readonly lang: Lang; readonly theme: Theme } {
  return readOrRefuse(found, (issues) => {
    const theme = choiceOf(THEMES).read({ texts, issues }, 'theme') ?? 'auto';
    const limit = String(upTo(LIMITS.frame).read({ texts, issues }, 'limit'));
    return { ...parseEventQuery({ ...texts, limit }, town, now_ms, 'list', issues), theme };
  });
}
