// The operations of the API as data: parameters, response, what a sample asks and prints
// (contract 8).
import type { OperationId } from '../../i18n/api-paths.ts';
import type { Key } from '../../i18n/translate.ts';
import { EVENT_PARAMETER_NAMES, LIST_PARAMETER_NAMES } from '../../domain/query/parameters.ts';
import {
  ORGANIZER_LIST_PARAMETERS,
  VENUE_LIST_PARAMETERS,
} from '../../domain/query/list-queries.ts';
import { PLACE_PARAMETERS } from './parameters.ts';
import type { DescribedError } from './responses.ts';
import { type Json, refTo, type SchemaName } from './schemas.ts';

/** What a response holds, and which of its fields a sample prints. */
export type Printed =
  | { readonly kind: 'list' | 'one'; readonly fields: readonly [string, string] }
  | { readonly kind: 'calendar' };

export interface OperationForm {
  readonly id: OperationId;
  readonly tag: 'events' | 'calendars' | 'places' | 'notices' | 'days' | 'changes';
  readonly parameters: readonly string[];
  /** Those whose examples make the sample's query. */
  readonly asked: readonly string[];
  readonly printed: Printed;
  readonly ok: Key;
  /** The schemas of a response in JSON; null for a calendar. */
  readonly body: { readonly data: Json; readonly meta: SchemaName } | null;
  readonly errors: readonly DescribedError[];
  /** Served outside /api: neither counted nor keyed. */
  readonly is_uncounted: boolean;
}

const listOf = (name: SchemaName): Json => ({ type: 'array', items: refTo(name) });
const ONE = ['not_found', 'gone'] as const;
const CALENDAR = {
  tag: 'calendars',
  printed: { kind: 'calendar' },
  ok: 'openapi.calendar.ok',
  body: null,
  is_uncounted: false,
} as const;
const COUNTED = { is_uncounted: false } as const;
const PLACE_LIST = { ...COUNTED, tag: 'places', errors: [] } as const;

/** A parameter that means a little else in a list of places has a description of its own. */
const toPlaceParameter = (name: string): string =>
  PLACE_PARAMETERS.some((own) => own === name) ? `place_${name}` : name;

/** In the order of the contract; their paths are those of API_PATHS. */
export const OPERATIONS: readonly OperationForm[] = [
  {
    ...COUNTED,
    id: 'listEvents',
    tag: 'events',
    parameters: [...LIST_PARAMETER_NAMES, 'include'],
    asked: ['date'],
    printed: { kind: 'list', fields: ['title', 'url'] },
    ok: 'openapi.listEvents.ok',
    body: { data: listOf('PublicEvent'), meta: 'ListMeta' },
    errors: [],
  },
  {
    ...CALENDAR,
    id: 'eventsCalendarFeed',
    asked: ['category'],
    errors: [],
    parameters: EVENT_PARAMETER_NAMES.map((name) => (name === 'limit' ? 'limit_ics' : name)),
  },
  {
    ...COUNTED,
    id: 'getEvent',
    tag: 'events',
    parameters: ['idOrSlug', 'from', 'to', 'lang'],
    asked: [],
    printed: { kind: 'one', fields: ['title', 'url'] },
    ok: 'openapi.getEvent.ok',
    body: { data: refTo('EventDetail'), meta: 'Meta' },
    errors: ONE,
  },
  {
    ...CALENDAR,
    id: 'getEventCalendar',
    parameters: ['idOrSlug', 'event_date', 'lang'],
    asked: [],
    errors: ONE,
  },
  {
    ...CALENDAR,
    id: 'followEvent',
    parameters: ['idOrSlug', 'lang'],
    asked: [],
    errors: ONE,
    is_uncounted: true,
  },
  {
    ...PLACE_LIST,
    id: 'listVenues',
    parameters: VENUE_LIST_PARAMETERS.map(toPlaceParameter),
    asked: ['zone'],
    printed: { kind: 'list', fields: ['name', 'url'] },
    ok: 'openapi.listVenues.ok',
    body: { data: listOf('ListedVenue'), meta: 'PlacesMeta' },
  },
  {
    ...COUNTED,
    id: 'getVenue',
    tag: 'places',
    parameters: ['venue_slug', 'lang'],
    asked: [],
    printed: { kind: 'one', fields: ['name', 'address'] },
    ok: 'openapi.getVenue.ok',
    body: { data: refTo('Venue'), meta: 'Meta' },
    errors: ONE,
  },
  {
    ...PLACE_LIST,
    id: 'listOrganizers',
    parameters: ORGANIZER_LIST_PARAMETERS.map(toPlaceParameter),
    asked: [],
    printed: { kind: 'list', fields: ['name', 'url'] },
    ok: 'openapi.listOrganizers.ok',
    body: { data: listOf('ListedOrganizer'), meta: 'PlacesMeta' },
  },
  {
    ...COUNTED,
    id: 'getOrganizer',
    tag: 'places',
    parameters: ['organizer_slug', 'lang'],
    asked: [],
    printed: { kind: 'one', fields: ['name', 'website'] },
    ok: 'openapi.getOrganizer.ok',
    body: { data: refTo('Organizer'), meta: 'Meta' },
    errors: ONE,
  },
  {
    ...PLACE_LIST,
    id: 'listCategories',
    parameters: ['lang'],
    asked: [],
    printed: { kind: 'list', fields: ['key', 'name'] },
    ok: 'openapi.listCategories.ok',
    body: { data: listOf('ListedCategory'), meta: 'PlacesMeta' },
  },
  {
    ...PLACE_LIST,
    id: 'listZones',
    parameters: ['lang'],
    asked: [],
    printed: { kind: 'list', fields: ['key', 'name'] },
    ok: 'openapi.listZones.ok',
    body: { data: listOf('ListedZone'), meta: 'PlacesMeta' },
  },
  {
    ...COUNTED,
    id: 'listNotices',
    tag: 'notices',
    parameters: ['notice_date', 'notice_zone', 'notice_type', 'lang'],
    asked: ['notice_date'],
    printed: { kind: 'list', fields: ['severity', 'title'] },
    ok: 'openapi.listNotices.ok',
    body: { data: listOf('Notice'), meta: 'NoticesMeta' },
    errors: [],
  },
  {
    ...COUNTED,
    id: 'getDay',
    tag: 'days',
    parameters: ['day_date', 'lang'],
    asked: [],
    printed: { kind: 'one', fields: ['date', 'text'] },
    ok: 'openapi.getDay.ok',
    body: { data: refTo('Day'), meta: 'Meta' },
    errors: [],
  },
  {
    ...COUNTED,
    id: 'listChanges',
    tag: 'changes',
    parameters: ['since', 'kind', 'changes_cursor', 'changes_limit', 'lang'],
    asked: ['since'],
    printed: { kind: 'list', fields: ['change', 'title'] },
    ok: 'openapi.listChanges.ok',
    body: { data: listOf('Change'), meta: 'ChangesMeta' },
    errors: [],
  },
  {
    ...CALENDAR,
    id: 'getVenueCalendar',
    parameters: ['venue_slug', 'lang'],
    asked: [],
    errors: ONE,
    is_uncounted: true,
  },
  {
    ...CALENDAR,
    id: 'getOrganizerCalendar',
    parameters: ['organizer_slug', 'lang'],
    asked: [],
    errors: ONE,
    is_uncounted: true,
  },
];
