// The paths of the description: every operation with its parameters and answers (interface 4).
import type { Examples } from './examples.ts';
import { type DescribedFault, toFaultRefs } from './faults.ts';
import { parameterRef, toFilterRefs } from './parameters.ts';
import { type Json, refTo, type SchemaName } from './schemas.ts';

interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Json[];
  readonly ok: Json;
  readonly faults: readonly DescribedFault[];
  /** Served outside /api: neither counted nor keyed. */
  readonly is_uncounted?: boolean;
}

const COUNTED: readonly DescribedFault[] = ['invalid_parameter', 'invalid_api_key', 'method_not_allowed', 'rate_limited', 'internal_error', 'unavailable'];
const UNCOUNTED: readonly DescribedFault[] = ['invalid_parameter', 'method_not_allowed', 'internal_error', 'unavailable'];
const LANG = parameterRef('lang');

const headers = (...names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

const envelope = (data: Json, meta: SchemaName): Json => ({ type: 'object', required: ['data', 'meta'], properties: { data, meta: refTo(meta) } });

const json = (description: string, schema: Json, example: unknown, ...more: readonly string[]): Json => ({
  description,
  headers: headers('ETag', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', ...more),
  content: { 'application/json': { schema, example } },
});

const calendar = (description: string, example: string): Json => ({
  description,
  headers: headers('ETag'),
  content: { 'text/calendar': { schema: { type: 'string' }, example } },
});

function toGet(operation: Operation): Json {
  const { id, tag, summary, description, parameters, ok, faults, is_uncounted } = operation;
  return {
    get: {
      operationId: id, tags: [tag], summary, description, parameters,
      ...(is_uncounted ? { security: [{}] } : {}),
      responses: { 200: ok, 304: { description: 'Nothing has changed since the ETag in If-None-Match.' }, ...toFaultRefs([...(is_uncounted ? UNCOUNTED : COUNTED), ...faults]) },
    },
  };
}

const ONE_EVENT: readonly DescribedFault[] = ['not_found', 'gone'];

function toEventPaths(examples: Examples): Json {
  return {
    '/api/v1/events': toGet({
      id: 'listEvents', tag: 'Events', summary: 'Events in a range of days, or upcoming from now',
      description: 'One item an event, in order of its next occurrence: `next` is its first occurrence in the range that is still to take place, `more_dates` counts the others. Cancelled and postponed events stay in the list with their status.',
      parameters: [...toFilterRefs('list'), parameterRef('cursor')],
      ok: json('The events.', envelope({ type: 'array', items: refTo('PublicEvent') }, 'ListMeta'), examples.event_list, 'Link'), faults: [],
    }),
    '/api/v1/events.ics': toGet({
      id: 'eventsCalendarFeed', tag: 'Calendars', summary: 'The same events as a calendar to subscribe to',
      description: 'Every occurrence in the range, one VEVENT each (RFC 5545), with a UID that never changes. Without dates: today and the 60 days after it. Come back every 6 hours.',
      parameters: toFilterRefs('feed'), ok: calendar('The calendar.', examples.calendar), faults: [],
    }),
    '/api/v1/events/{idOrSlug}': toGet({
      id: 'getEvent', tag: 'Events', summary: 'One event with every occurrence',
      description: 'Past events are answered too, with `is_past` true. Without an upcoming occurrence there is no `next`.',
      parameters: [parameterRef('idOrSlug'), LANG], ok: json('The event.', envelope(refTo('EventDetail'), 'Meta'), examples.event), faults: ONE_EVENT,
    }),
    '/api/v1/events/{idOrSlug}.ics': toGet({
      id: 'getEventCalendar', tag: 'Calendars', summary: 'One event as a calendar file',
      description: 'Every occurrence of the event, past ones too, with the same UIDs as in the feeds.',
      parameters: [parameterRef('idOrSlug'), LANG], ok: calendar('The calendar.', examples.calendar), faults: ONE_EVENT,
    }),
  };
}

function toOtherPaths(examples: Examples): Json {
  const feed = (id: string, of: string, parameter: string): Json => toGet({
    id, tag: 'Calendars', summary: `The calendar of one ${of}, to follow it`, is_uncounted: true,
    description: `Every occurrence of the ${of}, today and the 60 days after it. Not counted against the rate limit.`,
    parameters: [parameterRef(parameter), LANG], ok: calendar('The calendar.', examples.calendar), faults: ['not_found'],
  });
  return {
    '/api/v1/venues/{slug}': toGet({
      id: 'getVenue', tag: 'Places and people', summary: 'A venue and what is upcoming there',
      description: 'At most 200 upcoming events, in order of time.',
      parameters: [parameterRef('venue_slug'), LANG], ok: json('The venue.', envelope(refTo('Venue'), 'Meta'), examples.venue), faults: ['not_found'],
    }),
    '/api/v1/organizers/{slug}': toGet({
      id: 'getOrganizer', tag: 'Places and people', summary: 'An organizer and what is upcoming of theirs',
      description: 'At most 200 upcoming events, in order of time.',
      parameters: [parameterRef('organizer_slug'), LANG], ok: json('The organizer.', envelope(refTo('Organizer'), 'Meta'), examples.organizer), faults: ['not_found'],
    }),
    '/api/v1/notices': toGet({
      id: 'listNotices', tag: 'Notices', summary: 'The notices that touch a day',
      description: 'Weather, traffic, closures, ecology, health. The gravest first, then the newest. A notice without an end stays until an editor closes it.',
      parameters: [parameterRef('notice_date'), LANG],
      ok: json('The notices.', envelope({ type: 'array', items: refTo('Notice') }, 'NoticesMeta'), examples.notice_list), faults: [],
    }),
    '/venues/{slug}.ics': feed('getVenueCalendar', 'venue', 'venue_slug'),
    '/organizers/{slug}.ics': feed('getOrganizerCalendar', 'organizer', 'organizer_slug'),
  };
}

/** All paths, relative to the site's address. */
export const toPaths = (examples: Examples): Json => ({ ...toEventPaths(examples), ...toOtherPaths(examples) });
