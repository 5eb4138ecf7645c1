// The table of operations: which function responds to which path, and which route a path means.
import { AppError } from '../domain/app-error.ts';
import {
  API_CATALOG_PATH,
  FEEDS_PATTERN,
  MAP_PLACES_PATTERN,
  OPENAPI_PATH,
  OPENSEARCH_PATTERN,
} from '../i18n/paths.ts';
import { API_PATHS, type OperationId } from '../i18n/api-paths.ts';
import {
  toEventsFeedResponse,
  toOrganizerCalendarResponse,
  toVenueCalendarResponse,
} from './calendars.ts';
import { toApiCatalogResponse, toOpenApiResponse } from './describe-api.ts';
import { toFeedResponse, toOpenSearchResponse } from './feeds.ts';
import { toDayResponse } from './get-day.ts';
import { toEventCalendarResponse, toEventSubscriptionResponse } from './event-calendar.ts';
import { toEventResponse, toOrganizerResponse, toVenueResponse } from './get-record.ts';
import { toChangeListResponse } from './list-changes.ts';
import { toEventListResponse } from './list-events.ts';
import { toNoticeListResponse } from './list-notices.ts';
import {
  toCategoryListResponse,
  toOrganizerListResponse,
  toVenueListResponse,
  toZoneListResponse,
} from './list-places.ts';
import { toMapPlacesResponse } from './map-places.ts';
import type { Operation } from './operation.ts';

export interface Route {
  /** A path with at most one `{name}`, as OpenAPI writes it. */
  readonly pattern: string;
  readonly operation_id: string;
  /** For GET and HEAD. */
  readonly operation: Operation;
}

/** The methods of every route. */
export const ALLOW = 'GET, HEAD, OPTIONS';

/** Operations that are not in the description: it, what leads to it, and what is for people. */
export const META_OPERATIONS: ReadonlySet<string> = new Set([
  'getOpenApi',
  'getApiCatalog',
  'getNewsFeed',
  'getOpenSearch',
  'getMapPlaces',
]);

const route = (operation_id: OperationId, operation: Operation): Route => ({
  pattern: API_PATHS[operation_id],
  operation_id,
  operation,
});

/**
 * In order: the first that matches is taken, so `.ics` stands before what it would be an identifier
 * of.
 */
export const ROUTES: readonly Route[] = [
  route('listEvents', toEventListResponse),
  route('eventsCalendarFeed', toEventsFeedResponse),
  route('getEventCalendar', toEventCalendarResponse),
  route('getEvent', toEventResponse),
  route('listVenues', toVenueListResponse),
  route('getVenue', toVenueResponse),
  route('listOrganizers', toOrganizerListResponse),
  route('getOrganizer', toOrganizerResponse),
  route('listCategories', toCategoryListResponse),
  route('listZones', toZoneListResponse),
  route('listNotices', toNoticeListResponse),
  route('getDay', toDayResponse),
  route('listChanges', toChangeListResponse),
  { pattern: OPENAPI_PATH, operation_id: 'getOpenApi', operation: toOpenApiResponse },
  { pattern: API_CATALOG_PATH, operation_id: 'getApiCatalog', operation: toApiCatalogResponse },
  { pattern: FEEDS_PATTERN, operation_id: 'getNewsFeed', operation: toFeedResponse },
  {
    pattern: OPENSEARCH_PATTERN,
    operation_id: 'getOpenSearch',
    operation: toOpenSearchResponse,
  },
  { pattern: MAP_PLACES_PATTERN, operation_id: 'getMapPlaces', operation: toMapPlacesResponse },
  route('followEvent', toEventSubscriptionResponse),
  route('getVenueCalendar', toVenueCalendarResponse),
  route('getOrganizerCalendar', toOrganizerCalendarResponse),
];

interface Match {
  readonly route: Route;
  /** Percent-decoded; empty where the path has none. */
  readonly id: string;
}

/**
 * The identifier where the path has the pattern's form (empty for a pattern without one); null
 * where it has not.
 */
function matchPattern(pattern: string, path: string): string | null {
  const open = pattern.indexOf('{');
  if (open < 0) return path === pattern ? '' : null;
  const [before, after] = [pattern.slice(0, open), pattern.slice(pattern.indexOf('}') + 1)];
  if (!path.startsWith(before) || !path.endsWith(after)) return null;
  const id = path.slice(before.length, path.length - after.length);
  return id === '' || id.includes('/') ? null : id;
}

/**
 * The route of a path as sent, or null. An encoded slash stays inside its identifier, so it names
 * nothing that exists. Throws AppError invalid_parameter where an identifier is no percent-encoded
 * UTF-8.
 */
export function matchRoute(path: string): Match | null {
  for (const route of ROUTES) {
    const id = matchPattern(route.pattern, path);
    if (id !== null) return { route, id: decode(id) };
  }
  return null;
}

/** Those that do not stand under /api: the catalog, and the calendars of places. */
const OUTSIDE = ROUTES.filter(({ pattern }) => !pattern.startsWith('/api/'));

/** Whether a path, as sent, is one of the API's, whose every response is JSON: also `/events/.ics`, which names nothing. */
export const isApiPath = (path: string): boolean =>
  path === '/api' ||
  path.startsWith('/api/') ||
  OUTSIDE.some(
    ({ pattern }) =>
      matchPattern(pattern, path) !== null ||
      (!path.endsWith('/') && path === pattern.replace(/\{\w+\}/, '')),
  );

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
