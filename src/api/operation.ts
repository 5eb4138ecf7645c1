// What every operation is given, and what most of them do with it: read parameters, answer with
// `{data, meta}`, say how long the answer is fresh.
import { parseLangParameter, throwIfIssues } from '../domain/query/parameter-parsers.ts';
import type { HourSpan } from '../domain/query/date-range.ts';
import type { Lang } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { getToday } from '../domain/local-time.ts';
import { parseParameters } from '../domain/query/parameters.ts';
import { type HttpResponse, createJsonResponse } from '../http/message.ts';
import { capCacheControl } from '../http/response-headers.ts';
import { absoluteUrl } from '../i18n/paths.ts';
import { listApiNames } from '../serializers/openapi/build-document.ts';
import { serializeMeta } from '../serializers/wire/meta.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';

export interface ApiContext {
  readonly snapshot: Snapshot;
  /** Epoch milliseconds of the request. */
  readonly now_ms: number;
  readonly site: Site;
  /** Receives what was thrown and is no AppError; the client never sees it. */
  readonly onError?: (thrown: unknown) => void;
}

export interface OperationCall extends ApiContext {
  readonly query: string;
  /** The path's identifier, percent-decoded; empty where the path has none. */
  readonly id: string;
}

/** Gives the response to a GET; throws AppError for what the caller can mend. */
export type OperationHandler = (call: OperationCall) => HttpResponse;

/**
 * The Cache-Control of a success at `now_ms`: a minute, then five more while it is fetched again
 * (RFC 5861), never past local midnight, nor past the hours that were asked for.
 */
const formatFreshness = (now_ms: number, hours: HourSpan | null = null): string =>
  capCacheControl(
    'public, max-age=60, stale-while-revalidate=300',
    now_ms,
    Math.min(getToday(now_ms).end_ms, hours?.until_ms ?? Number.POSITIVE_INFINITY),
  );

/** The known parameters; a name that means something elsewhere in the API is an issue (contract 7.7). */
export const parseOperationParameters = (
  { query }: OperationCall,
  known: readonly string[],
  issues: string[],
): Record<string, string> => parseParameters(query, known, issues, listApiNames());

/** The language of a request that takes no other parameter. Throws AppError invalid_parameter. */
export function parseLangOnly(call: OperationCall): Lang {
  const issues: string[] = [];
  const lang = parseLangParameter(parseOperationParameters(call, ['lang'], issues), issues);
  throwIfIssues(issues);
  return lang;
}

export const createFileResponse = (
  { now_ms }: ApiContext,
  type: string,
  body: string,
  headers: HttpResponse['headers'] = {},
): HttpResponse => ({
  status: 200,
  headers: { 'content-type': type, 'cache-control': formatFreshness(now_ms), ...headers },
  body,
});

interface OperationResult {
  readonly data: unknown;
  readonly lang: Lang;
  /** Beside what `meta` has in every answer. */
  readonly meta?: object;
  /** Path and query of the next page, a Link with rel="next" (RFC 8288; contract 7.20). */
  readonly next?: string | null;
  readonly hours?: HourSpan | null;
}

/** `{data, meta}` with status 200 (contract 3.1). */
export const createDataResponse = (
  { snapshot, now_ms, site }: ApiContext,
  { data, lang, meta = {}, next = null, hours = null }: OperationResult,
): HttpResponse =>
  createJsonResponse(
    200,
    { data, meta: { ...serializeMeta(snapshot, lang, site), ...meta } },
    {
      'cache-control': formatFreshness(now_ms, hours),
      ...(next !== null && { link: `<${absoluteUrl(site.url, next)}>; rel="next"` }),
    },
  );
