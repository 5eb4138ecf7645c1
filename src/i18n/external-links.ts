// External links: builds URLs for maps, telephones, messages and calendar subscriptions.
import { TOWN } from '../town.ts';
import type { EventCard } from '../domain/agenda.ts';
import type { Lang } from '../domain/lang.ts';
import { formatPlaceLine } from '../domain/place-text.ts';
import type { VenueRecord } from '../domain/venue.ts';

/** Builds an https URL that opens the phone's map with directions to a point or an address. */
const mapDirectionsUrl = (destination: string): string =>
  `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(destination)}`;

/** Builds the URL for directions to a venue: to its point or else its address. */
export const directionsUrl = (
  venue: Pick<VenueRecord, 'lat' | 'lng' | 'name' | 'address' | 'locality' | 'zone'>,
): string | null =>
  mapDirectionsUrl(
    venue.lat !== null && venue.lng !== null
      ? `${venue.lat},${venue.lng}`
      : formatPlaceLine([venue.name, venue.address, venue.locality], venue.zone),
  );

/**
 * Builds the URL for directions to an event: to its venue, or else its location note and zone; null
 * without both.
 */
export function eventDirectionsUrl(
  { event, venue, zone }: Pick<EventCard, 'event' | 'venue' | 'zone'>,
  lang: Lang,
): string | null {
  if (venue !== null) return directionsUrl(venue);
  const parts = [event.location_note, zone?.name].flatMap((text) => text?.[lang] ?? []);
  return parts.length === 0 ? null : mapDirectionsUrl(formatPlaceLine(parts, zone?.key ?? null));
}

/** Returns the host of an external URL without `www.`, to name a source. */
export const displayHost = (url: string): string => new URL(url).hostname.replace(/^www\./, '');

/**
 * Builds a `tel:` URL that works from any country: the first number, without an extension or a
 * second number.
 */
export function phoneUrl(phone: string): string {
  const digits = (phone.match(/^[\d\s()+.-]+/)?.[0] ?? phone).replace(/[^\d+]/g, '');
  const { calling_code: code } = TOWN;
  return `tel:${code && /^\d{9,10}$/.test(digits) ? `+${code}${digits.replace(/^0/, '')}` : digits}`;
}

/**
 * Builds the subscription URL for Apple Calendar and most others. Here and below, `feed_url` is an
 * absolute URL.
 */
export const webcalUrl = (feed_url: string): string => feed_url.replace(/^https?:/, 'webcal:');

/** Builds the subscription URL for Google Calendar, which expects a webcal URL in `cid`. */
export const googleCalendarUrl = (feed_url: string): string =>
  `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(webcalUrl(feed_url))}`;

/**
 * Builds the subscription URL for Outlook on the web.
 * @param name The calendar's name in Outlook.
 */
export const outlookUrl = (feed_url: string, name: string): string =>
  `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(feed_url)}&name=${encodeURIComponent(name)}`;

/**
 * Builds a URL that opens WhatsApp, as an app or on the web, with a text for recipients of the
 * user's choice.
 */
export const whatsAppShareUrl = (text: string): string =>
  `https://wa.me/?text=${encodeURIComponent(text)}`;
