// Addresses outside the site: maps, telephones, messages, and the calendar programs that subscribe to
// a feed.
import { TOWN } from '../town.ts';
import type { EventCard } from '../domain/agenda.ts';
import type { Lang } from '../domain/lang.ts';
import { formatPlaceLine } from '../domain/place-text.ts';
import type { VenueRecord } from '../domain/venue.ts';

/** An https address that opens any phone's map with the way to a point or an address. */
const toWayUrl = (where: string): string =>
  `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(where)}`;

/** Directions to a point or, without one, to an address. */
export const directionsUrl = (
  place: Pick<VenueRecord, 'lat' | 'lng' | 'name' | 'address' | 'locality' | 'zone'>,
): string | null =>
  toWayUrl(
    place.lat !== null && place.lng !== null
      ? `${place.lat},${place.lng}`
      : formatPlaceLine([place.name, place.address, place.locality], place.zone),
  );

/** Directions to an event: where no venue is known, to what is said of its place and to its zone; else null. */
export function eventDirectionsUrl(
  { event, venue, zone }: Pick<EventCard, 'event' | 'venue' | 'zone'>,
  lang: Lang,
): string | null {
  if (venue !== null) return directionsUrl(venue);
  const known = [event.location_note, zone?.name].flatMap((words) => words?.[lang] ?? []);
  return known.length === 0 ? null : toWayUrl(formatPlaceLine(known, zone?.key ?? null));
}

/** The name of the host of an outer address, without `www.`: what a reader knows a source by. */
export const displayHost = (url: string): string => new URL(url).hostname.replace(/^www\./, '');

/** Calls a number from any country: its first run of digits, without an extension or a second number. */
export function phoneUrl(phone: string): string {
  const digits = (phone.match(/^[\d\s()+.-]+/)?.[0] ?? phone).replace(/[^\d+]/g, '');
  const { calling_code: code } = TOWN;
  return `tel:${code && /^\d{9,10}$/.test(digits) ? `+${code}${digits.replace(/^0/, '')}` : digits}`;
}

/** Apple's and most other programs subscribe so. `feed_url` is absolute, as in all of these. */
export const webcalUrl = (feed_url: string): string => feed_url.replace(/^https?:/, 'webcal:');

/** Google Calendar subscribes to what `cid` names; it wants the webcal form. */
export const googleCalendarUrl = (feed_url: string): string =>
  `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcalUrl(feed_url))}`;

/** Outlook on the web; `name` is what the calendar will be called there. */
export const outlookUrl = (feed_url: string, name: string): string =>
  `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(feed_url)}&name=${encodeURIComponent(name)}`;

/** WhatsApp with a text to send, on a telephone or on the web; whoever opens it chooses to whom. */
export const whatsAppShareUrl = (text: string): string =>
  `https://wa.me/?text=${encodeURIComponent(text)}`;
