// Feed entries: parses RSS and Atom entries with an event date as schema.org events. The
// publication date does not count: an entry without an event date is only counted (contract 14.40).
import { TIME_ZONE } from '../../domain/local-time.ts';
import type { ParseResult } from './parse-ics.ts';
import { parseSchemaOrgEvents } from './parse-json-ld.ts';
import type { SchemaOrgNode } from './schema-org-node.ts';
import { findNodes, entryLink, parseXml, elementText } from './xml.ts';

export function parseFeedEntries(
  bytes: Uint8Array,
  now_ms: number,
  zone: string = TIME_ZONE,
): ParseResult {
  const parsed = parseXml(bytes);
  if ('problem' in parsed) return parsed;
  const { root } = parsed;
  const [feed] = [...findNodes(root, 'channel'), ...findNodes(root, 'feed')];
  if (feed === undefined) return { problem: 'not_feed' };
  const entries = [...findNodes(root, 'item'), ...findNodes(root, 'entry')];
  return {
    reading: parseSchemaOrgEvents(
      entries.map(toEventNode),
      elementText(feed, 'title'),
      now_ms,
      zone,
    ),
  };
}

/**
 * Converts an entry with fields of the RSS event module, Modern Events Calendar, xCal or LibCal.
 */
function toEventNode(entry: SchemaOrgNode): SchemaOrgNode {
  const firstText = (...names: readonly string[]) =>
    names.map((name) => elementText(entry, name)).find((text) => text !== '') ?? '';
  const start_day = firstText('startdate', 'dtstart', 'libcal:date');
  const end_day = firstText('enddate', 'dtend') || elementText(entry, 'libcal:date');
  return {
    '@id': firstText('guid', 'id'),
    name: firstText('title'),
    description: firstText('description', 'encoded', 'summary', 'content'),
    startDate: toTimestamp(start_day, firstText('starthour', 'libcal:start')),
    endDate: toTimestamp(end_day, firstText('endhour', 'libcal:end')),
    location: firstText('location', 'libcal:location'),
    url: entryLink(entry),
    eventStatus: firstText('eventstatus', 'status'),
    duration: firstText('duration'),
    ...Object.fromEntries(TELLING_NAMES.map((name) => [name, firstText(name)])),
  };
}

/** Further elements of xCal that change the dates of an event. */
const TELLING_NAMES = ['rrule', 'rdate', 'exdate', 'exrule', 'recurrence-id', 'eventschedule'];

/**
 * Joins a day and an hour as ISO 8601; also converts `Wed, 24 Apr 2013 09:00:00 +0100`. Returns
 * other days as is.
 */
function toTimestamp(day: string, hour: string): string {
  const ms = /^[a-z]{3}, .* ([+-]\d{4}|GMT|UTC)$/i.test(day) ? Date.parse(day) : Number.NaN;
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  const [, hours, minutes, meridiem] = /^(\d{1,2}):(\d\d)(?::\d\d)?\s*([ap])?/i.exec(hour) ?? [];
  if (hours === undefined || day.length > 10) return day;
  // Twelve o'clock is hour 0 of either half of the day.
  const pm_hours = meridiem?.toLowerCase() === 'p' ? 12 : 0;
  const hours_24 = meridiem === undefined ? Number(hours) : (Number(hours) % 12) + pm_hours;
  return `${day}T${String(hours_24).padStart(2, '0')}:${minutes}:00`;
}
