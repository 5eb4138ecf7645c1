// The table of operations: which path answers what. OpenAPI, the front server and Astro's endpoint
// all read it.
import { API_CATALOG_PATH } from '../i18n/paths.ts';
import type { Operation } from './context.ts';
import { eventsCalendarFeed } from './events-calendar-feed.ts';
import { getApiCatalog } from './get-api-catalog.ts';
import { getEventCalendar } from './get-event-calendar.ts';
import { getEvent } from './get-event.ts';
import { getOpenApi } from './get-openapi.ts';
import { getOrganizer } from './get-organizer.ts';
import { getVenue } from './get-venue.ts';
import { listEvents } from './list-events.ts';
import { listNotices } from './list-notices.ts';
import { getOrganizerCalendar, getVenueCalendar } from './place-calendars.ts';

export interface Route {
  /** A path with at most one `{name}`, as OpenAPI writes it. */
  readonly pattern: string;
  readonly operation_id: string;
  /** Answers GET and HEAD. */
  readonly operation: Operation;
}

/** What each route answers to. */
export const ALLOW = 'GET, HEAD, OPTIONS';

/** Operations that describe the others, and are not in the description themselves. */
export const META_OPERATIONS: ReadonlySet<string> = new Set(['getOpenApi', 'getApiCatalog']);

/**
 * In order: the first that matches answers, so `.ics` stands before what it would be an identifier
 * of.
 */
export const ROUTES: readonly Route[] = [
  { pattern: '/api/v1/events', operation_id: 'listEvents', operation: listEvents },
  {
    pattern: '/api/v1/events.ics',
    operation_id: 'eventsCalendarFeed',
    operation: eventsCalendarFeed,
  },
  {
    pattern: '/api/v1/events/{idOrSlug}.ics',
    operation_id: 'getEventCalendar',
    operation: getEventCalendar,
  },
  { pattern: '/api/v1/events/{idOrSlug}', operation_id: 'getEvent', operation: getEvent },
  { pattern: '/api/v1/venues/{slug}', operation_id: 'getVenue', operation: getVenue },
  { pattern: '/api/v1/organizers/{slug}', operation_id: 'getOrganizer', operation: getOrganizer },
  { pattern: '/api/v1/notices', operation_id: 'listNotices', operation: listNotices },
  { pattern: '/api/openapi.json', operation_id: 'getOpenApi', operation: getOpenApi },
  { pattern: API_CATALOG_PATH, operation_id: 'getApiCatalog', operation: getApiCatalog },
  { pattern: '/venues/{slug}.ics', operation_id: 'getVenueCalendar', operation: getVenueCalendar },
  {
    pattern: '/organizers/{slug}.ics',
    operation_id: 'getOrganizerCalendar',
    operation: getOrganizerCalendar,
  },
];
