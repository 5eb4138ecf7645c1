// One occurrence as a VEVENT (RFC 5545 section 3.6.1; decisions, iCalendar).
import type { EventCard } from '../../domain/agenda.ts';
import { ZONE } from '../../domain/cancun-time.ts';
import { type OccurrenceRecord, type OccurrenceStatus, pick } from '../../domain/event.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { type Said, toEventLines } from './event-lines.ts';
import { fold } from './fold.ts';
import { toDateStamp, toLocalStamp, toUtcStamp } from './stamps.ts';

/** An occurrence with its event. */
export interface CalendarItem {
  readonly card: EventCard;
  readonly occurrence: OccurrenceRecord;
}

/** Finished lines, kept as long as the snapshot and site they came from. Bounded by what the snapshot holds. */
export interface LineCache {
  /** By event, language, status and whether the end is known. */
  readonly events: Map<string, string>;
  /** UTC stamps by timestamp. */
  readonly stamps: Map<string, string>;
}
export const createLineCache = (): LineCache => ({ events: new Map(), stamps: new Map() });

/**
 * What follows the occurrence id in a UID. It never changes, also where the service moves to another host: a UID names
 * the occurrence in every calendar that ever took it (RFC 7986 section 5.3 wants no host name in it).
 */
const UID_DOMAIN = 'hoycancun';

/** RFC 5545 knows no postponed; the summary says it. */
const STATUSES = { scheduled: 'CONFIRMED', cancelled: 'CANCELLED', postponed: 'TENTATIVE' } as const satisfies Record<OccurrenceStatus, string>;

function getOrMake(cache: Map<string, string>, key: string, make: () => string): string {
  const kept = cache.get(key);
  if (kept !== undefined) return kept;
  const made = make();
  cache.set(key, made);
  return made;
}

/** A cancelled or postponed event has no occurrence that takes place. */
function toStatus(card: EventCard, occurrence: OccurrenceRecord): OccurrenceStatus {
  return card.event.status === 'published' ? occurrence.status : card.event.status;
}

function toDateLines({ start, end, all_day }: OccurrenceRecord): string {
  if (all_day) return `DTSTART;VALUE=DATE:${toDateStamp(start)}\r\nDTEND;VALUE=DATE:${toDateStamp(end)}\r\n`;
  return `DTSTART;TZID=${ZONE}:${toLocalStamp(start)}\r\nDTEND;TZID=${ZONE}:${toLocalStamp(end)}\r\n`;
}

/** The component, with CRLF at the end of each line. */
export function toVevent({ card, occurrence }: CalendarItem, lang: Lang, site: Site, cache: LineCache): string {
  const said: Said = { status: toStatus(card, occurrence), end_known: occurrence.end_known, note: pick(occurrence.notes, lang) };
  const make = () => toEventLines(card, said, lang, site);
  const key = `${card.event.id} ${lang} ${said.status} ${said.end_known}`;
  const lines = said.note === null ? getOrMake(cache.events, key, make) : make();
  const stamp = getOrMake(cache.stamps, occurrence.updated_at, () => toUtcStamp(occurrence.updated_at));
  return `BEGIN:VEVENT\r\n${fold(`UID:${occurrence.id}@${UID_DOMAIN}`)}DTSTAMP:${stamp}\r\nLAST-MODIFIED:${stamp}\r\n`
    + `SEQUENCE:${occurrence.sequence}\r\n${toDateLines(occurrence)}STATUS:${STATUSES[said.status]}\r\nTRANSP:TRANSPARENT\r\n`
    + `${lines}END:VEVENT\r\n`;
}
