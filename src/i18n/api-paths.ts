// Where the operations of the API are: each path once, for routes, links, feeds and descriptions
// (contract 8).

/** What the paths of the API begin with; the version stands in it. */
export const API_BASE = '/api/v1';

/** The path of each operation, as OpenAPI writes it. */
export const API_PATHS = {
  listEvents: `${API_BASE}/events`,
  eventsCalendarFeed: `${API_BASE}/events.ics`,
  getEvent: `${API_BASE}/events/{idOrSlug}`,
  getEventCalendar: `${API_BASE}/events/{idOrSlug}.ics`,
  listVenues: `${API_BASE}/venues`,
  getVenue: `${API_BASE}/venues/{slug}`,
  listOrganizers: `${API_BASE}/organizers`,
  getOrganizer: `${API_BASE}/organizers/{slug}`,
  listCategories: `${API_BASE}/categories`,
  listZones: `${API_BASE}/zones`,
  listNotices: `${API_BASE}/notices`,
  getDay: `${API_BASE}/days/{date}`,
  listChanges: `${API_BASE}/changes`,
  followEvent: '/events/{idOrSlug}.ics',
  getVenueCalendar: '/venues/{slug}.ics',
  getOrganizerCalendar: '/organizers/{slug}.ics',
} as const;
export type OperationId = keyof typeof API_PATHS;

/** The path of an operation for one id or slug. */
export const toApiPath = (operation: OperationId, id: string): string =>
  API_PATHS[operation].replace(/\{\w+\}/, () => id);

/** A path with a query; without a question mark where there is nothing to ask. */
export function withQuery(path: string, params: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(params).toString();
  return query === '' ? path : `${path}?${query}`;
}
