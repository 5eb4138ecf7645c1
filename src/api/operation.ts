// API operations: define the context of an operation (a handler of one REST route), and share the
// parsing of parameters, `{data, meta}` responses and Cache-Control.
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
import type { ParameterIssue } from '../domain/query/parameter-issue.ts';

/** Context of a request that all operations need. */
export interface ApiContext {
  readonly snapshot: Snapshot;
  /** Time of the request, in epoch milliseconds. */
  readonly now_ms: number;
  readonly site: Site;
  /** Receives unexpected errors (not AppError), which clients never see. */
  readonly onError?: (error: unknown) => void;
}

/** A request for one operation. */
export interface OperationCall extends ApiContext {
  /** Query string without its question mark. */
  readonly query: string;
  /** Percent-decoded identifier in the path; empty if the route has none. */
  readonly id: string;
}

/** Responds to a GET request. @throws AppError for errors that the caller can fix. */
export type OperationHandler = (call: OperationCall) => HttpResponse;

/**
 * Formats the Cache-Control of a successful response: fresh for one minute, then five minutes
 * stale-while-revalidate (RFC 5861), but never past local midnight or the end of the requested
 * hours.
 */
const formatCacheControl = (now_ms: number, hour_span: HourSpan | null = null): string =>
  capCacheControl(
    'public, max-age=60, stale-while-revalidate=300',
    now_ms,
    Math.min(getToday(now_ms).end_ms, hour_span?.until_ms ?? Number.POSITIVE_INFINITY),
  );

/**
 * Parses the known parameters. Pushes an issue for a name that is valid only for other operations;
 * ignores other unknown names, unless they are similar to a known one (contract 7.7).
 */
export const parseOperationParameters = (
  { query }: OperationCall,
  known: readonly string[],
  issues: ParameterIssue[],
): Record<string, string> => parseParameters(query, known, issues, listApiNames());

/**
 * Parses the parameters of an operation that accepts only `lang`.
 * @throws AppError invalid_parameter
 */
export function parseLangOnly(call: OperationCall): Lang {
  const issues: ParameterIssue[] = [];
  const lang = parseLangParameter(parseOperationParameters(call, ['lang'], issues), issues);
  throwIfIssues(issues);
  return lang;
}

/** Creates a 200 response with a body that is not `{data, meta}`. */
export const createFileResponse = (
  { now_ms }: ApiContext,
  type: string,
  body: string,
  headers: HttpResponse['headers'] = {},
): HttpResponse => ({
  status: 200,
  headers: { 'content-type': type, 'cache-control': formatCacheControl(now_ms), ...headers },
  body,
});

/** A result before its common `meta` fields are added. */
interface OperationResult {
  readonly data: unknown;
  readonly lang: Lang;
  /** Added to the common fields of `meta`. */
  readonly meta?: object;
  /**
   * Path and query of the next page, sent as `meta.next` and as Link with rel="next" (RFC 8288;
   * contract 7.20).
   */
  readonly next_page?: string | null;
  /** Requested hours of a day, for example of `date=tonight`; their end limits caching. */
  readonly hour_span?: HourSpan | null;
}

/** Creates a 200 response with `{data, meta}` (contract 3.1). */
export const createDataResponse = (
  { snapshot, now_ms, site }: ApiContext,
  { data, lang, meta = {}, next_page = null, hour_span = null }: OperationResult,
): HttpResponse => {
  const next = next_page && absoluteUrl(site.url, next_page);
  return createJsonResponse(
    200,
    { data, meta: { ...serializeMeta(snapshot, lang, site), ...meta, ...(next && { next }) } },
    {
      'cache-control': formatCacheControl(now_ms, hour_span),
      ...(next && { link: `<${next}>; rel="next"` }),
    },
  );
};
