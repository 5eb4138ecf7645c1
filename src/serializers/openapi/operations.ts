// API operations: defines the parameters, response and sample of each operation (contract 8).
import {
  ORGANIZER_LIST_PARAMETERS,
  VENUE_LIST_PARAMETERS,
} from '../../domain/query/list-queries.ts';
import { EVENT_PARAMETER_NAMES, LIST_PARAMETER_NAMES } from '../../domain/query/parameters.ts';
import type { OperationId } from '../../i18n/paths.ts';
import type { MessageKey } from '../../i18n/translate.ts';
import { DIRECTORY_PARAMETERS } from './parameters.ts';
import type { SchemaName } from './schemas.ts';

/** A JSON response, with the two fields that its sample prints. */
export interface ResponseDefinition {
  readonly data: SchemaName;
  readonly is_list: boolean;
  readonly meta: SchemaName;
  readonly prints: readonly [string, string];
}

/** Operations with a JSON response; each has a text `openapi.<id>.ok`. */
type JsonId = MessageKey extends infer K
  ? K extends `openapi.${infer Id}.ok`
    ? Extract<Id, OperationId>
    : never
  : never;

interface OperationBase {
  readonly tag: 'events' | 'calendars' | 'places' | 'notices' | 'days' | 'changes';
  /** Keys of parameters.ts. */
  readonly parameters: readonly string[];
  /** Parameters whose examples form the query of the sample. */
  readonly asked: readonly string[];
}
export type OperationDefinition = OperationBase &
  (
    | { readonly id: JsonId; readonly answer: ResponseDefinition }
    | { readonly id: Exclude<OperationId, JsonId>; readonly answer: null }
  );

const get = (
  id: JsonId,
  tag: OperationBase['tag'],
  parameters: readonly string[],
  answer: ResponseDefinition,
  asked: readonly string[] = [],
): OperationDefinition => ({ id, tag, parameters, asked, answer });
const list = (
  data: SchemaName,
  meta: SchemaName,
  ...prints: ResponseDefinition['prints']
): ResponseDefinition => ({
  data,
  meta,
  prints,
  is_list: true,
});
const single = (data: SchemaName, ...prints: ResponseDefinition['prints']): ResponseDefinition => ({
  data,
  prints,
  meta: 'Meta',
  is_list: false,
});
const getCalendar = (
  id: Exclude<OperationId, JsonId>,
  parameters: readonly string[],
  asked: readonly string[] = [],
): OperationDefinition => ({ id, tag: 'calendars', parameters, asked, answer: null });

/** Returns the key of a list parameter: some have a separate description for venues and organizers. */
const directoryParameterKey = (name: string): string =>
  DIRECTORY_PARAMETERS.some((own) => own === name) ? `place_${name}` : name;
const EVENT_LIST_KEYS = [...LIST_PARAMETER_NAMES, 'include'];
const FEED_KEYS = EVENT_PARAMETER_NAMES.map((name) => (name === 'limit' ? 'limit_ics' : name));
const VENUE_LIST_KEYS = VENUE_LIST_PARAMETERS.map(directoryParameterKey);
const ORGANIZER_LIST_KEYS = ORGANIZER_LIST_PARAMETERS.map(directoryParameterKey);
const NOTICE_KEYS = ['notice_date', 'notice_zone', 'notice_type', 'lang'];
const CHANGE_KEYS = ['since', 'kind', 'changes_cursor', 'changes_limit', 'lang'];

/** All operations in the order of the contract; API_PATHS has their paths. */
export const OPERATIONS: readonly OperationDefinition[] = [
  get('listEvents', 'events', EVENT_LIST_KEYS, list('PublicEvent', 'ListMeta', 'title', 'url'), [
    'date',
  ]),
  getCalendar('eventsCalendarFeed', FEED_KEYS, ['category']),
  get(
    'getEvent',
    'events',
    ['idOrSlug', 'from', 'to', 'lang'],
    single('EventDetail', 'title', 'url'),
  ),
  getCalendar('getEventCalendar', ['idOrSlug', 'event_date', 'lang']),
  getCalendar('followEvent', ['idOrSlug', 'lang']),
  get('listVenues', 'places', VENUE_LIST_KEYS, list('ListedVenue', 'PlacesMeta', 'name', 'url'), [
    'zone',
  ]),
  get('getVenue', 'places', ['venue_slug', 'lang'], single('Venue', 'name', 'address')),
  get(
    'listOrganizers',
    'places',
    ORGANIZER_LIST_KEYS,
    list('ListedOrganizer', 'PlacesMeta', 'name', 'url'),
  ),
  get('getOrganizer', 'places', ['organizer_slug', 'lang'], single('Organizer', 'name', 'website')),
  get('listCategories', 'places', ['lang'], list('ListedCategory', 'PlacesMeta', 'key', 'name')),
  get('listZones', 'places', ['lang'], list('ListedZone', 'PlacesMeta', 'key', 'name')),
  get('listNotices', 'notices', NOTICE_KEYS, list('Notice', 'NoticesMeta', 'severity', 'title'), [
    'notice_date',
  ]),
  get('getDay', 'days', ['day_date', 'lang'], single('Day', 'date', 'text')),
  get('listChanges', 'changes', CHANGE_KEYS, list('Change', 'ChangesMeta', 'change', 'title'), [
    'since',
  ]),
  getCalendar('getVenueCalendar', ['venue_slug', 'lang']),
  getCalendar('getOrganizerCalendar', ['organizer_slug', 'lang']),
];

const RECORD_PARAMETERS: readonly string[] = ['idOrSlug', 'venue_slug', 'organizer_slug'];
const COMMON_ERRORS = ['invalid_parameter'] as const;
const RECORD_ERRORS = [...COMMON_ERRORS, 'not_found', 'gone'] as const;

/**
 * Lists the error codes of an operation, without those shared by all; operations on single record add not_found
 * and gone.
 */
export const listErrors = ({ parameters }: OperationDefinition) =>
  parameters.some((name) => RECORD_PARAMETERS.includes(name)) ? RECORD_ERRORS : COMMON_ERRORS;
