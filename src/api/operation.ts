// What every operation is given (the data, the instant, the site, the request), and what most of
// them do with it: read the language, say how long the response is fresh.
import { AppError } from '../domain/app-error.ts';
import { readLang } from '../domain/filters/lang.ts';
import type { HourSpan } from '../domain/hour-words.ts';
import type { Lang } from '../domain/lang.ts';
import { findToday } from '../domain/today.ts';
import type { Site } from '../domain/site.ts';
import { capCacheControl } from '../http/response-headers.ts';
import type { HttpResponse, HttpRequest } from '../http/message.ts';
import { parseParameters } from '../http/address.ts';
import { listKnownNames } from '../serializers/openapi/known-names.ts';
import type { Snapshot } from '../snapshot/open.ts';

export interface ApiContext {
  readonly snapshot: Snapshot;
  /** Epoch milliseconds of the request. */
  readonly now_ms: number;
  readonly site: Site;
  /** Receives what was thrown and is no AppError; the client never sees it. */
  readonly onError?: (thrown: unknown) => void;
}

/** One call of an operation. */
export interface Call {
  readonly request: HttpRequest;
  /** The path's identifier, percent-decoded; empty where the path has none. */
  readonly id: string;
  readonly context: ApiContext;
}

/** Gives the response to a GET; throws AppError for what the caller can mend. */
export type Operation = (call: Call) => HttpResponse;

/**
 * The Cache-Control of a success at `now_ms`: a minute, then five more while it is fetched again
 * (RFC 5861), never past midnight in Cancún, nor past the hours that were asked for.
 */
export const toFreshness = (now_ms: number, hours: HourSpan | null = null): string =>
  capCacheControl(
    'public, max-age=60, stale-while-revalidate=300',
    now_ms,
    Math.min(findToday(now_ms).end_ms, hours?.until_ms ?? Number.POSITIVE_INFINITY),
  );

/** The parameters of an operation: a name that means something elsewhere in the API is an issue (contract 7.8). */
export const readParameters = (
  query: string,
  known: readonly string[],
  issues: string[],
): Record<string, string> => parseParameters(query, known, issues, listKnownNames());

/**
 * The language of a request that takes no other parameter. Throws AppError invalid_parameter that
 * names all issues.
 */
export function parseLang(query: string): Lang {
  const issues: string[] = [];
  const lang = readLang(readParameters(query, ['lang'], issues), issues);
  if (issues.length > 0) throw new AppError('invalid_parameter', issues.join('; '));
  return lang;
}
