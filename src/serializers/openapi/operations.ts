// The operations of the API as data: parameters, answer, what a sample asks and prints (contract 8).
import {
  ORGANIZER_LIST_PARAMETERS,
  VENUE_LIST_PARAMETERS,
} from '../../domain/query/list-queries.ts';
import { EVENT_PARAMETER_NAMES, LIST_PARAMETER_NAMES } from '../../domain/query/parameters.ts';
import type { OperationId } from '../../i18n/paths.ts';
import type { MessageKey } from '../../i18n/translate.ts';
import { DIRECTORY_PARAMETERS } from './parameters.ts';
import type { SchemaName } from './schemas.ts';

/** What is answered in JSON, and which two of its fields a sample prints. */
export interface ResponseDefinition {
  readonly data: SchemaName;
  readonly is_list: boolean;
  readonly meta: SchemaName;
  readonly prints: readonly [string, string];
}

/** The operations that answer in JSON: what a success is has words. */
type JsonId = MessageKey extends infer K
  ? K extends `openapi.${infer Id}.ok`
    ? Extract<Id, OperationId>
    : never
  : never;

interface Common {
  readonly tag: 'events' | 'calendars' | 'places' | 'notices' | 'days' | 'changes';
  /** By the names in parameters.ts. */
  readonly parameters: readonly string[];
  /** Those whose examples make the sample's query. */
  readonly asked: readonly string[];
}
export type OperationDefinition = Common &
  (
    | { readonly id: JsonId; readonly answer: ResponseDefinition }
    | { readonly id: Exclude<OperationId, JsonId>; readonly answer: null }
  );

const get = (
  id: JsonId,
  tag: Common['tag'],
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
const one = (data: SchemaName, ...prints: ResponseDefinition['prints']): ResponseDefinition => ({
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

/** A parameter that means a little else in a list of places has a description of its own. */
const toPlaceParameter = (name: string): string =>
  DIRECTORY_PARAMETERS.some((own) => own === name) ? `place_${name}` : name;
const LISTED = [...LIST_PARAMETER_NAMES, 'include'];
const OF_FEED = EVENT_PARAMETER_NAMES.map((name) => (name === 'limit' ? 'limit_ics' : name));
const OF_VENUES = VENUE_LIST_PARAMETERS.map(toPlaceParameter);
const OF_ORGANIZERS = ORGANIZER_LIST_PARAMETERS.map(toPlaceParameter);
const OF_NOTICES = ['notice_date', 'notice_zone', 'notice_type', 'lang'];
const OF_CHANGES = ['since', 'kind', 'changes_cursor', 'changes_limit', 'lang'];

/** In the order of the contract; their paths are those of API_PATHS. */
export const OPERATIONS: readonly OperationDefinition[] = [
  get('listEvents', 'events', LISTED, list('PublicEvent', 'ListMeta', 'title', 'url'), ['date']),
  getCalendar('eventsCalendarFeed', OF_FEED, ['category']),
  get('getEvent', 'events', ['idOrSlug', 'from', 'to', 'lang'], one('EventDetail', 'title', 'url')),
  getCalendar('getEventCalendar', ['idOrSlug', 'event_date', 'lang']),
  getCalendar('followEvent', ['idOrSlug', 'lang']),
  get('listVenues', 'places', OF_VENUES, list('ListedVenue', 'PlacesMeta', 'name', 'url'), [
    'zone',
  ]),
  get('getVenue', 'places', ['venue_slug', 'lang'], one('Venue', 'name', 'address')),
  get(
    'listOrganizers',
    'places',
    OF_ORGANIZERS,
    list('ListedOrganizer', 'PlacesMeta', 'name', 'url'),
  ),
  get('getOrganizer', 'places', ['organizer_slug', 'lang'], one('Organizer', 'name', 'website')),
  get('listCategories', 'places', ['lang'], list('ListedCategory', 'PlacesMeta', 'key', 'name')),
  get('listZones', 'places', ['lang'], list('ListedZone', 'PlacesMeta', 'key', 'name')),
  get('listNotices', 'notices', OF_NOTICES, list('Notice', 'NoticesMeta', 'severity', 'title'), [
    'notice_date',
  ]),
  get('getDay', 'days', ['day_date', 'lang'], one('Day', 'date', 'text')),
  get('listChanges', 'changes', OF_CHANGES, list('Change', 'ChangesMeta', 'change', 'title'), [
    'since',
  ]),
  getCalendar('getVenueCalendar', ['venue_slug', 'lang']),
  getCalendar('getOrganizerCalendar', ['organizer_slug', 'lang']),
];

const NAMES_OF_THINGS: readonly string[] = ['idOrSlug', 'venue_slug', 'organizer_slug'];
const OF_ANY = ['invalid_parameter'] as const;
const OF_A_THING = [...OF_ANY, 'not_found', 'gone'] as const;

/** The errors that it may answer beside those of any: what is named may not be there. */
export const listErrors = ({ parameters }: OperationDefinition) =>
  parameters.some((name) => NAMES_OF_THINGS.includes(name)) ? OF_A_THING : OF_ANY;
