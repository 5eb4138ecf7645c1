// API operations: defines the parameters, response and sample request of each REST operation
// (contract 8), from which the OpenAPI document and the API guide are built.
import {
  ORGANIZER_LIST_PARAMETERS,
  VENUE_LIST_PARAMETERS,
} from '../../domain/query/list-queries.ts';
import { EVENT_PARAMETER_NAMES, LIST_PARAMETER_NAMES } from '../../domain/query/parameters.ts';
import type { OperationId } from '../../i18n/paths.ts';
import type { MessageKey } from '../../i18n/translate.ts';
import { DIRECTORY_PARAMETERS } from './parameters.ts';
import type { SchemaName } from './schemas.ts';

/** A JSON response `{data, meta}`. */
export interface ResponseDefinition {
  /** Schema of `data`, or of its items in a list. */
  readonly data: SchemaName;
  readonly is_list: boolean;
  readonly meta: SchemaName;
  /** The two fields that the code samples print. */
  readonly printed_fields: readonly [string, string];
}

/** Operations with a JSON response; each has a text `openapi.<id>.ok`. */
type JsonId = MessageKey extends infer K
  ? K extends `openapi.${infer Id}.ok`
    ? Extract<Id, OperationId>
    : never
  : never;

/** Properties of every operation. */
interface OperationBase {
  readonly tag: 'events' | 'calendars' | 'places' | 'notices' | 'days' | 'changes';
  /** Component keys of parameters.ts. */
  readonly parameters: readonly string[];
  /** Keys of the parameters that the sample request has in its query. */
  readonly sample_query: readonly string[];
}
/** An operation; `answer` is null if it responds with a calendar. */
export type OperationDefinition = OperationBase &
  (
    | { readonly id: JsonId; readonly answer: ResponseDefinition }
    | { readonly id: Exclude<OperationId, JsonId>; readonly answer: null }
  );

/** Defines an operation with a JSON response. */
const defineJson = (
  id: JsonId,
  tag: OperationBase['tag'],
  parameters: readonly string[],
  answer: ResponseDefinition,
  sample_query: readonly string[] = [],
): OperationDefinition => ({ id, tag, parameters, sample_query, answer });
/** Defines the response of a list. */
const listOf = (
  data: SchemaName,
  meta: SchemaName,
  ...printed_fields: ResponseDefinition['printed_fields']
): ResponseDefinition => ({
  data,
  meta,
  printed_fields,
  is_list: true,
});
/** Defines the response of a single record. */
const single = (
  data: SchemaName,
  ...printed_fields: ResponseDefinition['printed_fields']
): ResponseDefinition => ({
  data,
  printed_fields,
  meta: 'Meta',
  is_list: false,
});
/** Defines an operation that responds with a calendar. */
const defineCalendar = (
  id: Exclude<OperationId, JsonId>,
  parameters: readonly string[],
  sample_query: readonly string[] = [],
): OperationDefinition => ({ id, tag: 'calendars', parameters, sample_query, answer: null });

/**
 * Returns the key of a list parameter: some have a separate description for venues and organizers.
 */
const directoryParameterKey = (name: string): string =>
  DIRECTORY_PARAMETERS.some((separate_name) => separate_name === name) ? `place_${name}` : name;

// Component keys of the parameters of each kind of operation.
const EVENT_LIST_KEYS = [...LIST_PARAMETER_NAMES, 'include'];
const FEED_KEYS = EVENT_PARAMETER_NAMES.map((name) => (name === 'limit' ? 'limit_ics' : name));
const VENUE_LIST_KEYS = VENUE_LIST_PARAMETERS.map(directoryParameterKey);
const ORGANIZER_LIST_KEYS = ORGANIZER_LIST_PARAMETERS.map(directoryParameterKey);
const NOTICE_KEYS = ['notice_date', 'notice_zone', 'notice_type', 'lang'];
const CHANGE_KEYS = ['since', 'kind', 'changes_cursor', 'changes_limit', 'lang'];

/** All operations in the order of the contract; API_PATHS has their paths. */
export const OPERATIONS: readonly OperationDefinition[] = [
  defineJson(
    'listEvents',
    'events',
    EVENT_LIST_KEYS,
    listOf('PublicEvent', 'ListMeta', 'title', 'url'),
    ['date'],
  ),
  defineCalendar('eventsCalendarFeed', FEED_KEYS, ['category']),
  defineJson(
    'getEvent',
    'events',
    ['idOrSlug', 'from', 'to', 'lang'],
    single('EventDetail', 'title', 'url'),
  ),
  defineCalendar('getEventCalendar', ['idOrSlug', 'event_date', 'lang']),
  defineCalendar('followEvent', ['idOrSlug', 'lang']),
  defineJson(
    'listVenues',
    'places',
    VENUE_LIST_KEYS,
    listOf('ListedVenue', 'PlacesMeta', 'name', 'url'),
    ['zone'],
  ),
  defineJson('getVenue', 'places', ['venue_slug', 'lang'], single('Venue', 'name', 'address')),
  defineJson(
    'listOrganizers',
    'places',
    ORGANIZER_LIST_KEYS,
    listOf('ListedOrganizer', 'PlacesMeta', 'name', 'url'),
  ),
  defineJson(
    'getOrganizer',
    'places',
    ['organizer_slug', 'lang'],
    single('Organizer', 'name', 'website'),
  ),
  defineJson(
    'listCategories',
    'places',
    ['lang'],
    listOf('ListedCategory', 'PlacesMeta', 'key', 'name'),
  ),
  defineJson('listZones', 'places', ['lang'], listOf('ListedZone', 'PlacesMeta', 'key', 'name')),
  defineJson(
    'listNotices',
    'notices',
    NOTICE_KEYS,
    listOf('Notice', 'NoticesMeta', 'severity', 'title'),
    ['notice_date'],
  ),
  defineJson('getNotice', 'notices', ['notice_id', 'lang'], single('Notice', 'title', 'severity')),
  defineJson('getDay', 'days', ['day_date', 'lang'], single('Day', 'date', 'text')),
  defineJson(
    'listChanges',
    'changes',
    CHANGE_KEYS,
    listOf('Change', 'ChangesMeta', 'change', 'title'),
    ['since'],
  ),
  defineCalendar('getVenueCalendar', ['venue_slug', 'lang']),
  defineCalendar('getOrganizerCalendar', ['organizer_slug', 'lang']),
];

/** Path parameters that identify a record. */
const RECORD_PARAMETERS: readonly string[] = ['idOrSlug', 'venue_slug', 'organizer_slug'];
const COMMON_ERRORS = ['invalid_parameter'] as const;
const RECORD_ERRORS = [...COMMON_ERRORS, 'not_found', 'gone'] as const;
const NOTICE_ERRORS = [...COMMON_ERRORS, 'not_found'] as const;

/**
 * Lists the error codes of an operation, without those shared by all; operations on a single record
 * add not_found, and gone for records with a slug.
 */
export function listErrors({ parameters }: OperationDefinition) {
  if (parameters.includes('notice_id')) return NOTICE_ERRORS;
  return parameters.some((name) => RECORD_PARAMETERS.includes(name))
    ? RECORD_ERRORS
    : COMMON_ERRORS;
}
