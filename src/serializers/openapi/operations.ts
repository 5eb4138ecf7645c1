// The operations of the API as data: parameters, answer, what a sample asks and prints (contract 8).
import {
  ORGANIZER_LIST_PARAMETERS,
  VENUE_LIST_PARAMETERS,
} from '../../domain/query/list-queries.ts';
import { EVENT_PARAMETER_NAMES, LIST_PARAMETER_NAMES } from '../../domain/query/parameters.ts';
import type { OperationId } from '../../i18n/paths.ts';
import type { Key } from '../../i18n/translate.ts';
import { PLACE_PARAMETERS } from './parameters.ts';
import type { SchemaName } from './schemas.ts';

/** What is answered in JSON, and which two of its fields a sample prints. */
export interface Answer {
  readonly data: SchemaName;
  readonly is_list: boolean;
  readonly meta: SchemaName;
  readonly prints: readonly [string, string];
}

/** The operations that answer in JSON: what a success is has words. */
type JsonId = Key extends infer K
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
export type OperationForm = Common &
  (
    | { readonly id: JsonId; readonly answer: Answer }
    | { readonly id: Exclude<OperationId, JsonId>; readonly answer: null }
  );

const list = (data: SchemaName, meta: SchemaName, ...prints: Answer['prints']): Answer => ({
  data,
  meta,
  prints,
  is_list: true,
});
const one = (data: SchemaName, ...prints: Answer['prints']): Answer => ({
  data,
  prints,
  meta: 'Meta',
  is_list: false,
});
const CALENDAR = { tag: 'calendars', asked: [], answer: null } as const;

/** A parameter that means a little else in a list of places has a description of its own. */
const toPlaceParameter = (name: string): string =>
  PLACE_PARAMETERS.some((own) => own === name) ? `place_${name}` : name;

/** In the order of the contract; their paths are those of API_PATHS. */
export const OPERATIONS: readonly OperationForm[] = [
  {
    id: 'listEvents',
    tag: 'events',
    parameters: [...LIST_PARAMETER_NAMES, 'include'],
    asked: ['date'],
    answer: list('PublicEvent', 'ListMeta', 'title', 'url'),
  },
  {
    ...CALENDAR,
    id: 'eventsCalendarFeed',
    asked: ['category'],
    parameters: EVENT_PARAMETER_NAMES.map((name) => (name === 'limit' ? 'limit_ics' : name)),
  },
  {
    id: 'getEvent',
    tag: 'events',
    parameters: ['idOrSlug', 'from', 'to', 'lang'],
    asked: [],
    answer: one('EventDetail', 'title', 'url'),
  },
  { ...CALENDAR, id: 'getEventCalendar', parameters: ['idOrSlug', 'event_date', 'lang'] },
  { ...CALENDAR, id: 'followEvent', parameters: ['idOrSlug', 'lang'] },
  {
    id: 'listVenues',
    tag: 'places',
    parameters: VENUE_LIST_PARAMETERS.map(toPlaceParameter),
    asked: ['zone'],
    answer: list('ListedVenue', 'PlacesMeta', 'name', 'url'),
  },
  {
    id: 'getVenue',
    tag: 'places',
    parameters: ['venue_slug', 'lang'],
    asked: [],
    answer: one('Venue', 'name', 'address'),
  },
  {
    id: 'listOrganizers',
    tag: 'places',
    parameters: ORGANIZER_LIST_PARAMETERS.map(toPlaceParameter),
    asked: [],
    answer: list('ListedOrganizer', 'PlacesMeta', 'name', 'url'),
  },
  {
    id: 'getOrganizer',
    tag: 'places',
    parameters: ['organizer_slug', 'lang'],
    asked: [],
    answer: one('Organizer', 'name', 'website'),
  },
  {
    id: 'listCategories',
    tag: 'places',
    parameters: ['lang'],
    asked: [],
    answer: list('ListedCategory', 'PlacesMeta', 'key', 'name'),
  },
  {
    id: 'listZones',
    tag: 'places',
    parameters: ['lang'],
    asked: [],
    answer: list('ListedZone', 'PlacesMeta', 'key', 'name'),
  },
  {
    id: 'listNotices',
    tag: 'notices',
    parameters: ['notice_date', 'notice_zone', 'notice_type', 'lang'],
    asked: ['notice_date'],
    answer: list('Notice', 'NoticesMeta', 'severity', 'title'),
  },
  {
    id: 'getDay',
    tag: 'days',
    parameters: ['day_date', 'lang'],
    asked: [],
    answer: one('Day', 'date', 'text'),
  },
  {
    id: 'listChanges',
    tag: 'changes',
    parameters: ['since', 'kind', 'changes_cursor', 'changes_limit', 'lang'],
    asked: ['since'],
    answer: list('Change', 'ChangesMeta', 'change', 'title'),
  },
  { ...CALENDAR, id: 'getVenueCalendar', parameters: ['venue_slug', 'lang'] },
  { ...CALENDAR, id: 'getOrganizerCalendar', parameters: ['organizer_slug', 'lang'] },
];

const NAMES_OF_THINGS: readonly string[] = ['idOrSlug', 'venue_slug', 'organizer_slug'];
const OF_ANY = ['invalid_parameter'] as const;
const OF_A_THING = [...OF_ANY, 'not_found', 'gone'] as const;

/** The errors that it may answer beside those of any: what is named may not be there. */
export const listErrors = ({ parameters }: OperationForm) =>
  parameters.some((name) => NAMES_OF_THINGS.includes(name)) ? OF_A_THING : OF_ANY;
