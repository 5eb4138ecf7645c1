// One occurrence as a VEVENT (RFC 5545 section 3.6.1; contract 12).
import { ZONE } from '../../domain/cancun-time.ts';
import type { OccurrenceRecord, OccurrenceStatus } from '../../domain/event/event.ts';
import { type Lang, pick } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { foldLine, toDateStamp, toLocalStamp, toUtcStamp } from './content-line.ts';
import { type EventWords, type OccurrenceState, toEventLines } from './event-lines.ts';

/** An occurrence, and its event for when its lines are not cached yet. */
export interface CalendarItem {
  readonly occurrence: OccurrenceRecord;
  readonly readEvent: () => EventWords;
}

/**
 * Finished lines, cached as long as the snapshot and site they came from. Bounded by what the
 * snapshot holds.
 */
export interface LineCache {
  /**
   * By event, language, status and whether the end is known; by occurrence and language where it
   * has a note.
   */
  readonly events: Map<string, Buffer>;
  /** UTC stamps by timestamp. */
  readonly stamps: Map<string, string>;
}
export const createLineCache = (): LineCache => ({ events: new Map(), stamps: new Map() });

/**
 * What follows the occurrence id in a UID. It never changes, also where the service moves to
 * another host: a UID names the occurrence in every calendar that ever took it (RFC 7986 section
 * 5.3 wants no host name in it).
 */
const UID_DOMAIN = 'hoycancun';

/** RFC 5545 knows no postponed; the summary says it. */
const STATUSES = {
  scheduled: 'CONFIRMED',
  cancelled: 'CANCELLED',
  postponed: 'TENTATIVE',
} as const satisfies Record<OccurrenceStatus, string>;

function getOrMake<T>(cache: Map<string, T>, key: string, make: () => T): T {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const made = make();
  cache.set(key, made);
  return made;
}

function toDateLines({ start, end, all_day }: OccurrenceRecord): string {
  if (all_day)
    return `DTSTART;VALUE=DATE:${toDateStamp(start)}\r\nDTEND;VALUE=DATE:${toDateStamp(end)}\r\n`;
  return `DTSTART;TZID=${ZONE}:${toLocalStamp(start)}\r\nDTEND;TZID=${ZONE}:${toLocalStamp(end)}\r\n`;
}

/**
 * The component in two parts, its own lines and those of its event; CRLF at the end of each line.
 */
export function toVevent(
  { occurrence, readEvent }: CalendarItem,
  lang: Lang,
  site: Site,
  cache: LineCache,
): [own: string, of_event: Buffer] {
  const { id, event, status, time_known, end_known, updated_at, sequence } = occurrence;
  const state: OccurrenceState = {
    status,
    time_known,
    end_known,
    note: pick(occurrence.notes, lang),
  };
  const make = (): Buffer =>
    Buffer.from(`${toEventLines(readEvent(), state, lang, site)}END:VEVENT\r\n`);
  const key =
    state.note === null ? `${event} ${lang} ${status} ${time_known} ${end_known}` : `${id} ${lang}`;
  const lines = getOrMake(cache.events, key, make);
  const stamp = getOrMake(cache.stamps, updated_at, () => toUtcStamp(updated_at));
  const own =
    `BEGIN:VEVENT\r\n${foldLine(`UID:${id}@${UID_DOMAIN}`)}DTSTAMP:${stamp}\r\nLAST-MODIFIED:${stamp}\r\n` +
    `SEQUENCE:${sequence}\r\n${toDateLines(occurrence)}STATUS:${STATUSES[status]}\r\nTRANSP:TRANSPARENT\r\n`;
  return [own, lines];
}
