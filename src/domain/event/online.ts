// What takes place online alone: an event without a venue and a zone, whose note on the place says so.
import { fold } from '../folding.ts';
import { LANGS, type LocalText } from '../lang.ts';
import type { EventRecord } from './event.ts';

/** The note on the place, and what a sender writes as the place. */
export const ONLINE: LocalText = { es: 'En línea', en: 'Online' };

export const isOnline = ({
  venue,
  zone,
  location_note: note,
}: Pick<EventRecord, 'venue' | 'zone' | 'location_note'>): boolean =>
  venue === null && zone === null && LANGS.every((lang) => note?.[lang] === ONLINE[lang]);

interface SentPlace {
  readonly venue?: string | null | undefined;
  readonly venue_name?: string | null | undefined;
  readonly venue_address?: string | null | undefined;
  readonly zone?: string | null | undefined;
}

/** Whether a sender means no place in town: with an address or a zone it is a place of that name. */
export const isSentOnline = ({ venue, venue_name, venue_address, zone }: SentPlace): boolean =>
  !venue &&
  !venue_address &&
  !zone &&
  LANGS.some((lang) => fold(ONLINE[lang]) === fold(venue_name?.trim() ?? ''));
