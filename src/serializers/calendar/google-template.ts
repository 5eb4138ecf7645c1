// The address that opens Google Calendar with one date filled in, to be saved there.
import type { OccurrenceRecord } from '../../domain/event/event.ts';
import { ZONE } from '../../domain/cancun-time.ts';
import { type Lang, pick } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';
import { toDateStamp, toLocalStamp } from './content-line.ts';
import { type EventWords, toDescription, toLocation } from './event-lines.ts';

const BASE = 'https://calendar.google.com/calendar/render';

/** Characters of the description: an address has to stay one that every browser takes. */
const MAX_DETAILS = 1_200;

/** Cut between words, the event's page always at the end. */
function toDetails(description: string, url: string): string {
  if (description.length <= MAX_DETAILS) return description;
  const kept = description.slice(0, MAX_DETAILS - url.length - 4);
  return `${kept.slice(0, Math.max(0, kept.lastIndexOf(' ')))} …\n\n${url}`;
}

/** Title, local hours with their zone (whole days without hours), place, and what the .ics says. */
export function toGoogleTemplateUrl(
  card: EventWords,
  occurrence: OccurrenceRecord,
  lang: Lang,
  site: Site,
): string {
  const { start, end, all_day, status, time_known, end_known } = occurrence;
  const toStamp = all_day ? toDateStamp : toLocalStamp;
  const url = toAbsolute(site.url, toThingPath('event', card.event.slug, lang));
  const state = { status, time_known, end_known, note: pick(occurrence.notes, lang) };
  const params = new URLSearchParams({
    action: 'TEMPLATE',
    text: card.event.title[lang],
    dates: `${toStamp(start)}/${toStamp(end)}`,
    ctz: ZONE,
    details: toDetails(toDescription(card, state, url, lang), url),
    location: toLocation(card, lang) ?? '',
  });
  return `${BASE}?${params.toString()}`;
}
