// API handler: routes requests under /api, for calendars and for the API catalog to their
// operation, and returns its response or the error as JSON (contract 9.1).
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
import { serveDay, serveEvent, serveNotice, serveOrganizer, serveVenue } from './serve-records.ts';

/** A route: the path pattern of an operation. */
export interface ApiRoute {
  /** Path with at most one `{name}`, in OpenAPI notation. */
  readonly pattern: string;
  /** Handles GET and HEAD. */
  readonly operation: OperationHandler;
  /**
   * Null for routes that the OpenAPI document does not describe: the document itself, the API
   * catalog, news feeds and OpenSearch.
   */
  readonly operation_id: OperationId | null;
}

/** Creates a route that the OpenAPI document describes. */
const createRoute = (operation_id: OperationId, operation: OperationHandler): ApiRoute => ({
  pattern: API_PATHS[operation_id],
  operation,
  operation_id,
});

/** All routes. The first match wins, so `{id}.ics` precedes `{id}`. */
export const ROUTES: readonly ApiRoute[] = [
  createRoute('listEvents', serveEvents),
  createRoute('eventsCalendarFeed', serveEventsCalendar),
  createRoute('getEventCalendar', serveEventCalendar),
  createRoute('getEvent', serveEvent),
  createRoute('listVenues', serveVenues),
  createRoute('getVenue', serveVenue),
  createRoute('listOrganizers', serveOrganizers),
  createRoute('getOrganizer', serveOrganizer),
  createRoute('listCategories', serveCategories),
  createRoute('listZones', serveZones),
  createRoute('listNotices', serveNotices),
  createRoute('getNotice', serveNotice),
  createRoute('getDay', serveDay),
  createRoute('listChanges', serveChanges),
  { pattern: OPENAPI_PATH, operation: serveOpenApi, operation_id: null },
  { pattern: API_CATALOG_PATH, operation: serveApiCatalog, operation_id: null },
  { pattern: FEEDS_PATTERN, operation: serveFeed, operation_id: null },
  { pattern: OPENSEARCH_PATTERN, operation: serveOpenSearch, operation_id: null },
  createRoute('followEvent', serveEventSubscription),
  createRoute('getVenueCalendar', serveVenueCalendar),
  createRoute('getOrganizerCalendar', serveOrganizerCalendar),
];

/**
 * Matches a path against a pattern and returns the identifier in it, still percent-encoded.
 * @returns '' for a pattern without identifier, null if the path does not match.
 */
function matchPattern(pattern: string, path: string): string | null {
  const brace_index = pattern.indexOf('{');
  if (brace_index < 0) return path === pattern ? '' : null;
  const prefix = pattern.slice(0, brace_index);
  const suffix = pattern.slice(pattern.indexOf('}') + 1);
  if (!path.startsWith(prefix) || !path.endsWith(suffix)) return null;
  const encoded_id = path.slice(prefix.length, path.length - suffix.length);
  return encoded_id === '' || encoded_id.includes('/') ? null : encoded_id;
}

/**
 * Finds the route of an encoded path, with its identifier decoded. An encoded slash stays part of
 * the identifier, so it never matches a record.
 * @returns null if no route matches.
 * @throws AppError invalid_parameter
 */
function matchRoute(path: string): { readonly route: ApiRoute; readonly id: string } | null {
  for (const route of ROUTES) {
    const encoded_id = matchPattern(route.pattern, path);
    if (encoded_id !== null) return { route, id: decodeId(encoded_id) };
  }
  return null;
}

function decodeId(encoded_id: string): string {
  try {
    return decodeURIComponent(encoded_id);
  } catch {
    throw new AppError(
      'invalid_parameter',
      'path: not percent-encoded UTF-8. Encode each part as encodeURIComponent does',
    );
  }
}

/**
 * Routes outside /api: the catalog, feeds, OpenSearch, and the calendars that people subscribe to
 * (`/events/SLUG.ics`).
 */
const ROUTES_OUTSIDE_API = ROUTES.filter(({ pattern }) => !pattern.startsWith('/api/'));

/** Returns true if the API handles an encoded path; then errors are JSON. */
export const isApiPath = (path: string): boolean =>
  path === '/api' ||
  path.startsWith('/api/') ||
  ROUTES_OUTSIDE_API.some(
    ({ pattern }) => matchPattern(pattern, path) !== null || lacksIdentifier(pattern, path),
  );

/**
 * Returns true for the path of a pattern without its identifier, such as `/events/.ics`; its error
 * is JSON too.
 */
const lacksIdentifier = (pattern: string, path: string): boolean =>
  !path.endsWith('/') && path === pattern.replace(/\{\w+\}/, '');

/**
 * Handles any method on any path. HEAD gets the response of GET including the body, which the HTTP
 * layer drops after setting Content-Length. Never throws: unexpected errors go to `onError` and
 * become internal_error.
 */
export function handleApi(request: HttpRequest, context: ApiContext): HttpResponse {
  const { method, path, query } = request;
  if (method === 'OPTIONS') return createPreflightResponse(ALLOWED_METHODS);
  // Refers to the operation in the OpenAPI document, for errors after its route matches.
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
        `method: ${method.slice(0, 20)} is not allowed. Use ${ALLOWED_METHODS}`,
      );
    response = match.route.operation({ ...context, query, id: match.id });
  } catch (error) {
    if (!(error instanceof AppError)) context.onError?.(error);
    response = errorToResponse(error, context.site, pointer);
  }
  return { ...response, headers: { ...response.headers, ...CORS_HEADERS } };
}

/**
 * Formats the JSON Pointer of a route in the OpenAPI document (RFC 6901, 6); empty if it is not
 * described there.
 */
const formatPointer = ({ pattern, operation_id }: ApiRoute): string =>
  operation_id === null
    ? ''
    : `/paths/${encodeURIComponent(pattern.replaceAll('~', '~0').replaceAll('/', '~1'))}/get`;
