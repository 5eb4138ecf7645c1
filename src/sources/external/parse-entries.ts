// The entries of an RSS or Atom feed that say of themselves when something takes place, each as an event that a page
// says of itself. A date of publication is none: an entry with nothing else is counted and no event (contract 14.40).
import { TIME_ZONE } from '../../domain/local-time.ts';
import type { ParseResult } from './parse-ics.ts';
import { type SchemaOrgNode, parseSchemaOrgEvents } from './parse-json-ld.ts';
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
    reading: parseSchemaOrgEvents(entries.map(toEvent), elementText(feed, 'title'), now_ms, zone),
  };
}

/** The event module of RSS, Modern Events Calendar, xCal, LibCal. */
function toEvent(entry: SchemaOrgNode): SchemaOrgNode {
  const first = (...names: readonly string[]) =>
    names.map((name) => elementText(entry, name)).find((text) => text !== '') ?? '';
  const day = first('startdate', 'dtstart', 'libcal:date');
  const last = first('enddate', 'dtend') || elementText(entry, 'libcal:date');
  return {
    '@id': first('guid', 'id'),
    name: first('title'),
    description: first('description', 'encoded', 'summary', 'content'),
    startDate: toStamp(day, first('starthour', 'libcal:start')),
    endDate: toStamp(last, first('endhour', 'libcal:end')),
    location: first('location', 'libcal:location'),
    url: entryLink(entry),
  };
}

/** A day with its hour as ISO 8601; `Wed, 24 Apr 2013 09:00:00 +0100` too. What is neither stays as it is. */
function toStamp(day: string, hour: string): string {
  const ms = /^[a-z]{3}, .* ([+-]\d{4}|GMT|UTC)$/i.test(day) ? Date.parse(day) : Number.NaN;
  if (!Number.isNaN(ms)) return new Date(ms).toISOString();
  const [, hours, minutes, half] = /^(\d{1,2}):(\d\d)(?::\d\d)?\s*([ap])?/i.exec(hour) ?? [];
  if (hours === undefined || day.length > 10) return day;
  const noon = half?.toLowerCase() === 'p' ? 12 : 0;
  const whole = half === undefined ? Number(hours) : (Number(hours) % 12) + noon;
  return `${day}T${String(whole).padStart(2, '0')}:${minutes}:00`;
}
