// Every request under /api, for the calendars of places and for the catalog: the table of operations,
// the route that a path means, its response or the error as JSON (contract 9.1).
import { AppError } from '../domain/app-error.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import { CORS_HEADERS, createPreflightResponse } from '../http/response-headers.ts';
import {
  API_CATALOG_PATH,
  API_PATHS,
  FEEDS_PATTERN,
  OPENAPI_PATH,
  OPENSEARCH_PATTERN,
  type OperationId,
} from '../i18n/paths.ts';
import {
  serveEventCalendar,
  serveEventsCalendar,
  serveEventSubscription,
  serveOrganizerCalendar,
  serveVenueCalendar,
} from './serve-calendars.ts';
import { ALLOWED_METHODS, errorToResponse } from './error-response.ts';
import { serveApiCatalog, serveFeed, serveOpenApi, serveOpenSearch } from './serve-files.ts';
import {
  serveCategories,
  serveChanges,
  serveEvents,
  serveNotices,
  serveOrganizers,
  serveVenues,
  serveZones,
} from './serve-lists.ts';
import type { ApiContext, OperationHandler } from './operation.ts';
import { serveDay, serveEvent, serveOrganizer, serveVenue } from './serve-records.ts';

export interface ApiRoute {
  /** A path with at most one `{name}`, as OpenAPI writes it. */
  readonly pattern: string;
  /** For GET and HEAD. */
  readonly operation: OperationHandler;
  /** Null of what is not in the OpenAPI description: it, what leads to it, and what is for people. */
  readonly operation_id: OperationId | null;
}

const route = (operation_id: OperationId, operation: OperationHandler): ApiRoute => ({
  pattern: API_PATHS[operation_id],
  operation,
  operation_id,
});

/** The first that matches is taken, so `.ics` stands before what it would be an identifier of. */
export const ROUTES: readonly ApiRoute[] = [
  route('listEvents', serveEvents),
  route('eventsCalendarFeed', serveEventsCalendar),
  route('getEventCalendar', serveEventCalendar),
  route('getEvent', serveEvent),
  route('listVenues', serveVenues),
  route('getVenue', serveVenue),
  route('listOrganizers', serveOrganizers),
  route('getOrganizer', serveOrganizer),
  route('listCategories', serveCategories),
  route('listZones', serveZones),
  route('listNotices', serveNotices),
  route('getDay', serveDay),
  route('listChanges', serveChanges),
  { pattern: OPENAPI_PATH, operation: serveOpenApi, operation_id: null },
  { pattern: API_CATALOG_PATH, operation: serveApiCatalog, operation_id: null },
  { pattern: FEEDS_PATTERN, operation: serveFeed, operation_id: null },
  { pattern: OPENSEARCH_PATTERN, operation: serveOpenSearch, operation_id: null },
  route('followEvent', serveEventSubscription),
  route('getVenueCalendar', serveVenueCalendar),
  route('getOrganizerCalendar', serveOrganizerCalendar),
];

/** The identifier in a path of the pattern's form; empty for a pattern without one, null of other paths. */
function matchPattern(pattern: string, path: string): string | null {
  const open = pattern.indexOf('{');
  if (open < 0) return path === pattern ? '' : null;
  const [before, after] = [pattern.slice(0, open), pattern.slice(pattern.indexOf('}') + 1)];
  if (!path.startsWith(before) || !path.endsWith(after)) return null;
  const id = path.slice(before.length, path.length - after.length);
  return id === '' || id.includes('/') ? null : id;
}

/**
 * The route of a path as sent, with its identifier decoded; null where there is none. An encoded slash
 * stays inside its identifier, so it names nothing that exists. Throws AppError invalid_parameter.
 */
function matchRoute(path: string): { readonly route: ApiRoute; readonly id: string } | null {
  for (const route of ROUTES) {
    const id = matchPattern(route.pattern, path);
    if (id !== null) return { route, id: decode(id) };
  }
  return null;
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    throw new AppError(
      'invalid_parameter',
      'path: is not percent-encoded UTF-8. Encode each part as encodeURIComponent does',
    );
  }
}

/** Those that do not stand under /api: the catalog, and the calendars of places. */
const OUTSIDE = ROUTES.filter(({ pattern }) => !pattern.startsWith('/api/'));

/** Whether a path, as sent, is one of the API's, whose every error is JSON: also `/events/.ics`, which names nothing. */
export const isApiPath = (path: string): boolean =>
  path === '/api' ||
  path.startsWith('/api/') ||
  OUTSIDE.some(
    ({ pattern }) =>
      matchPattern(pattern, path) !== null ||
      (!path.endsWith('/') && path === pattern.replace(/\{\w+\}/, '')),
  );

/**
 * The response to any method on any path. HEAD gets what GET gets, with the body: the sender of the
 * response measures and drops it. Never throws; what is no AppError is reported to `onError` and
 * becomes internal_error.
 */
export function handleApi(request: HttpRequest, context: ApiContext): HttpResponse {
  const { method, path, query } = request;
  if (method === 'OPTIONS') return createPreflightResponse(ALLOWED_METHODS);
  let pointer = '';
  let response: HttpResponse;
  try {
    const match = matchRoute(path);
    if (match === null)
      throw new AppError('not_found', `path: ${path.slice(0, 200)} is not a route of this API`);
    pointer = formatPointer(match.route);
    if (method !== 'GET' && method !== 'HEAD')
      throw new AppError(
        'method_not_allowed',
        `method: ${method.slice(0, 20)} is not answered here. Use ${ALLOWED_METHODS}`,
      );
    response = match.route.operation({ ...context, query, id: match.id });
  } catch (thrown) {
    if (!(thrown instanceof AppError)) context.onError?.(thrown);
    response = errorToResponse(thrown, context.site, pointer);
  }
  return { ...response, headers: { ...response.headers, ...CORS_HEADERS } };
}

/** Where the OpenAPI description speaks of a route: a JSON Pointer as a fragment (RFC 6901, 6); else the whole. */
const formatPointer = ({ pattern, operation_id }: ApiRoute): string =>
  operation_id === null
    ? ''
    : `/paths/${encodeURIComponent(pattern.replaceAll('~', '~0').replaceAll('/', '~1'))}/get`;
