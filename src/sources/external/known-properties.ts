// Known properties: lists the properties of an event in iCalendar (RFC 5545) and schema.org that the
// parsers understand, and those that change neither its time, nor its place, nor its status. Any
// other property that seems to change one of these raises a doubt (contract 14.59).
import { type IcsBlock, icsValue } from './ics-lines.ts';
import { asArray, type SchemaOrgNode } from './schema-org-node.ts';

/** Properties of iCalendar: `understood`, or harmless in spite of a date or a status in them. */
const ICS_PROPERTIES = {
  understood: new Set(
    `UID SEQUENCE DTSTART DTEND DURATION RRULE RDATE EXDATE RECURRENCE-ID STATUS CLASS SUMMARY
    DESCRIPTION LOCATION URL CATEGORIES DTSTAMP LAST-MODIFIED`.split(/\s+/),
  ),
  harmless: new Set(
    `CREATED ORGANIZER ATTENDEE CONTACT COMMENT ATTACH GEO RESOURCES RELATED-TO REQUEST-STATUS PRIORITY
    TRANSP COLOR IMAGE CONFERENCE ACKNOWLEDGED X-ALT-DESC X-LAST-MODIFIED X-MS-OLK-ORIGINALSTART
    X-MS-OLK-ORIGINALEND X-MICROSOFT-CDO-OWNER-CRITICAL-CHANGE
    X-MICROSOFT-CDO-ATTENDEE-CRITICAL-CHANGE`.split(/\s+/),
  ),
  /** Properties of which an event has one; further ones with other values are not understood. */
  single: ['DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RECURRENCE-ID', 'STATUS', 'LOCATION'],
} as const;
/** Properties of programs that change with every save or alarm. */
const HARMLESS_ICS_PATTERN = /^X-(?:MOZ|EVOLUTION|APPLE|LIC)-|(?:CREATED|MODIFIED|UPDATED|STAMP)$/;

/** Flags of programs for an event that lasts all day. */
const ALL_DAY_PATTERN = /^X-.*ALL-?DAY/;
export const hasAllDayFlag = ({ lines }: IcsBlock): boolean =>
  lines.some(({ name, value }) => ALL_DAY_PATTERN.test(name) && /^(?:true|yes|1)$/i.test(value));

/** A value that is a date, a rule or a status. */
const TELLING_VALUE_PATTERN =
  /^(?:\d{4}-?\d\d-?\d\d(?:[T ,/]|$)|R?RULE:|FREQ=|(?:event)?(?:cancel|postpon|reschedul|suspend))/i;
const TELLING_TYPE_PATTERN = /^(?:DATE|DATE-TIME|PERIOD|RECUR)$/i;

/** Lists the properties of an event block that are not understood but may matter. */
export function listUnknownIcsProperties(block: IcsBlock): string[] {
  const { lines, calendar } = block;
  const unknown = lines.filter(({ name, value, params }) => {
    if (ICS_PROPERTIES.understood.has(name) || ICS_PROPERTIES.harmless.has(name)) return false;
    if (HARMLESS_ICS_PATTERN.test(name) || ALL_DAY_PATTERN.test(name)) return false;
    return (
      name === 'EXRULE' ||
      TELLING_VALUE_PATTERN.test(value) ||
      TELLING_TYPE_PATTERN.test(params.get('VALUE') ?? '')
    );
  });
  const repeated = ICS_PROPERTIES.single.filter(
    (name) =>
      new Set(lines.filter((line) => line.name === name).map(({ value }) => value)).size > 1,
  );
  const range = lines.find(({ name }) => name === 'RECURRENCE-ID')?.params.get('RANGE') ?? '';
  const scale = icsValue(calendar.lines, 'CALSCALE');
  const method = icsValue(calendar.lines, 'METHOD');
  return [
    ...unknown.map(({ name, value }) => `${name}:${value}`),
    ...repeated,
    ...(/^(?:THISANDFUTURE)?$/i.test(range) ? [] : [`RANGE=${range}`]),
    ...(/^(?:GREGORIAN)?$/i.test(scale) ? [] : [`CALSCALE:${scale}`]),
    ...(/^(?:PUBLISH|REQUEST|CANCEL)?$/i.test(method) ? [] : [`METHOD:${method}`]),
  ];
}

/** Properties of schema.org with a date, an event or a status: `understood` or harmless. */
const SCHEMA_ORG_PROPERTIES: ReadonlySet<string> = new Set([
  ...['startDate', 'endDate', 'duration', 'eventStatus'],
  ...[
    'datePublished',
    'dateModified',
    'dateCreated',
    'datePosted',
    'uploadDate',
    'sdDatePublished',
  ],
  ...['doorTime', 'timeRequired', 'eventAttendanceMode', 'workFeatured', 'about', 'subjectOf'],
]);
/** Names of properties that may change when or whether an event takes place. */
const TELLING_NAME_PATTERN =
  /date|time|schedule|recur|repeat|rule$|except|status|(?:sub|super)_?event|events?$|^(?:start|end)/i;

/** Lists the properties of an event of schema.org that are not understood but may matter. */
export function listUnknownSchemaOrgProperties(node: SchemaOrgNode): string[] {
  const isGiven = (name: string): boolean => asArray(node[name]).some((value) => value !== '');
  const unknown = Object.keys(node).filter(
    (name) => TELLING_NAME_PATTERN.test(name) && !SCHEMA_ORG_PROPERTIES.has(name) && isGiven(name),
  );
  // Of several values only the first one counts.
  const repeated = ['startDate', 'endDate', 'location'].filter(
    (name) => asArray(node[name]).length > 1,
  );
  const is_online = /OnlineEventAttendanceMode$/i.test(String(node.eventAttendanceMode));
  return [...unknown, ...repeated, ...(is_online ? ['eventAttendanceMode'] : [])];
}

/** Status of an event; `unknown` if its text is not understood. */
export type EventState = 'on' | 'tentative' | 'cancelled' | 'postponed' | 'unknown';
const STATES: readonly (readonly [EventState, RegExp])[] = [
  ['on', /^(?:scheduled|rescheduled|confirmed)?$/],
  ['tentative', /^tentative$/],
  ['cancelled', /^cancel+(?:ed)?$|^cancelad[oa]$/],
  ['postponed', /^postponed$|^pospuest[oa]$|^aplazad[oa]$/],
];

/** Parses STATUS of iCalendar or `eventStatus` of schema.org, with or without its address. */
export function parseEventState(text: string): EventState {
  const word = text
    .trim()
    .replace(/^.*[/#:]/, '')
    .replace(/^event/i, '')
    .toLowerCase();
  return STATES.find(([, pattern]) => pattern.test(word))?.[0] ?? 'unknown';
}
