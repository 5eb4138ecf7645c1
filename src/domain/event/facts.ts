// What a reader is told of an event, fact by fact and in this order, whatever the surface: its page,
// its preview, Markdown and calendars all read this list. Pure; no language yet.
import type { EventCard, EventDetail } from '../agenda.ts';
import { LANGS, type LocalText } from '../lang.ts';
import type { Admission } from '../opening-hours.ts';
import type { OrganizerRecord } from '../organizer.ts';
import { formatStreetLine } from '../place-text.ts';
import type { TaxonRecord } from '../taxon.ts';
import type { VenueRecord } from '../venue.ts';
import type { EventRecord, OccurrenceRecord, Price } from './event.ts';
import type { Regularity } from './regularity.ts';

/** Where it is, in pieces that each surface lays out. */
export interface PlaceValue {
  readonly kind: 'place';
  readonly venue: VenueRecord | null;
  readonly street: string | null;
  readonly zone: TaxonRecord | null;
  readonly note: LocalText | null;
}

/** What a fact says; i18n/fact-lines.ts puts it into words, a surface adds links to it. */
export type EventFactValue =
  | { readonly kind: 'status'; readonly status: 'cancelled' | 'postponed' }
  | { readonly kind: 'time'; readonly occurrence: OccurrenceRecord }
  | { readonly kind: 'recurrence'; readonly regularity: Regularity }
  | PlaceValue
  /** `is_brief`: in a list, where an older price is marked only lightly. */
  | { readonly kind: 'price'; readonly price: Price; readonly is_brief: boolean }
  | { readonly kind: 'visitors'; readonly visitors: readonly Admission[] }
  | {
      readonly kind: 'distance';
      readonly distance_km: number;
      readonly coordinates: VenueRecord['coordinates'];
    }
  | { readonly kind: 'text'; readonly text: LocalText }
  | { readonly kind: 'languages'; readonly codes: readonly string[] }
  | { readonly kind: 'organizer'; readonly organizer: OrganizerRecord }
  | { readonly kind: 'address'; readonly url: string; readonly others?: readonly string[] }
  /** `is_followed`: it has more dates than the one that is saved. */
  | { readonly kind: 'calendar'; readonly card: EventCard; readonly is_followed: boolean }
  /** `is_listed`: in a list, whose head says once what is not confirmed. */
  | { readonly kind: 'confirm'; readonly event: EventRecord; readonly is_listed: boolean }
  | { readonly kind: 'source_days'; readonly event: EventRecord };

/**
 * The facts an event has in the list of its page, in an entry of a Markdown list or of a feed, in the
 * Markdown of its page, in the description of a calendar entry, in one line of an assistant's list, in
 * all that an assistant is told of it.
 */
type FactSurface = 'page' | 'entry' | 'feed' | 'document' | 'calendar' | 'line' | 'answer';

/** An event in a list, or by itself: only then are the rule and the number of its dates known. */
type EventWithRegularity = EventCard & Partial<Pick<EventDetail, 'regularity' | 'ahead_count'>>;

type ReadFact = (card: EventWithRegularity, surface: FactSurface) => EventFactValue | null;

/** Its label is the word `label.<name>`. */
const row = <N extends string>(name: N, on: readonly FactSurface[], read: ReadFact) =>
  ({ name, on, read }) as const;

const toText = (text: LocalText | null): EventFactValue | null => text && { kind: 'text', text };
const toAddress = (url: string | null): EventFactValue | null =>
  url === null ? null : { kind: 'address', url };

export function getEffectiveStatus(
  event: Pick<EventRecord, 'status'>,
  next: OccurrenceRecord | null,
): 'cancelled' | 'postponed' | null {
  if (event.status !== 'published') return event.status;
  return next === null || next.status === 'scheduled' ? null : next.status;
}

type Dated = Pick<EventCard, 'event' | 'next'>;

/** Whether day and hour of the date that is shown are confirmed, and nothing of it is to be asked. */
export const isDateConfirmed = ({ event, next }: Dated): boolean =>
  next !== null &&
  getEffectiveStatus(event, next) === null &&
  next.time_known &&
  next.certainty === 'confirmed' &&
  event.gone_from === null &&
  event.confirm_note === null;

export const isDateUncertain = ({ event, next }: Dated): boolean =>
  next !== null &&
  getEffectiveStatus(event, next) === null &&
  (next.certainty !== 'confirmed' || event.gone_from !== null);

/** The day that a reader may save, day number; null where nothing is to take place. */
export const findSavableDay = ({ next }: Pick<EventCard, 'next'>): number | null =>
  next?.status === 'scheduled' ? next.first_day : null;

function readStatus({ event, next }: EventCard): EventFactValue | null {
  const status = getEffectiveStatus(event, next);
  return status && { kind: 'status', status };
}

/** Where to ask for a place in an event, where nobody knows where one books; else null. */
export const findBookingContactUrl = ({
  ticket_url,
  registration_url,
  source_url,
}: Pick<EventRecord, 'ticket_url' | 'registration_url' | 'source_url'>): string | null =>
  ticket_url === null && registration_url === null ? source_url : null;

function readPlace({ event, venue, zone }: EventCard): EventFactValue | null {
  if (venue === null && zone === null && event.location_note === null) return null;
  const street = venue === null ? null : formatStreetLine(venue, zone) || null;
  const is_named = zone !== null && LANGS.some((lang) => zone.name[lang] === venue?.name);
  return { kind: 'place', venue, street, zone: is_named ? null : zone, note: event.location_note };
}

/** A list says once, at its head, what is only usual. */
function readDoubt({ event }: EventCard, surface: FactSurface): EventFactValue | null {
  const { certainty, confirm_note, open_end, gone_from } = event;
  const is_listed = surface === 'entry' || surface === 'line';
  const is_unsure = is_listed ? certainty === 'last_known' : certainty !== 'confirmed';
  return is_unsure || confirm_note !== null || open_end || gone_from
    ? { kind: 'confirm', event, is_listed }
    : null;
}

const ROWS = [
  row('status', ['entry', 'document', 'line', 'answer'], readStatus),
  row(
    'when',
    ['entry', 'feed', 'document', 'line', 'answer'],
    ({ next }) => next && { kind: 'time', occurrence: next },
  ),
  row('recurrence', ['page', 'document', 'answer'], ({ regularity }) =>
    regularity ? { kind: 'recurrence', regularity } : null,
  ),
  row('where', ['page', 'entry', 'feed', 'document', 'line', 'answer'], readPlace),
  row('distance', ['entry', 'line'], ({ distance_km, venue }) =>
    distance_km === undefined
      ? null
      : { kind: 'distance', distance_km, coordinates: venue?.coordinates ?? null },
  ),
  row(
    'price',
    ['page', 'entry', 'feed', 'document', 'calendar', 'line', 'answer'],
    ({ event: { price } }, surface) => ({
      kind: 'price',
      price,
      is_brief: surface === 'entry' || surface === 'feed',
    }),
  ),
  row('admission', ['page', 'document', 'calendar', 'answer'], ({ event: { price } }) =>
    price.visitors.length === 0 ? null : { kind: 'visitors', visitors: price.visitors },
  ),
  row('confirm', ['entry', 'feed', 'document', 'calendar', 'line', 'answer'], readDoubt),
  row('category', ['document', 'line', 'answer'], ({ category }) => toText(category?.name ?? null)),
  row('age', ['page', 'entry', 'feed', 'document', 'line', 'answer'], ({ event }) =>
    toText(event.age_restriction),
  ),
  row('languages', ['page', 'document', 'answer'], ({ event }) =>
    event.languages.length === 0 ? null : { kind: 'languages', codes: event.languages },
  ),
  row('tickets', ['document', 'calendar', 'answer'], ({ event }) => toAddress(event.ticket_url)),
  row('registration', ['document', 'calendar', 'answer'], ({ event }) =>
    toAddress(event.registration_url),
  ),
  row(
    'organizer',
    ['page', 'document', 'answer'],
    ({ organizer }) => organizer && { kind: 'organizer', organizer },
  ),
  row('calendar', ['document'], (card) => {
    const is_followed = (card.ahead_count ?? 0) > 1;
    return findSavableDay(card) === null && !is_followed
      ? null
      : { kind: 'calendar', card, is_followed };
  }),
  row('source', ['document', 'answer'], ({ event }, surface) => {
    const { source_url: url, other_source_urls: others } = event;
    if (surface === 'answer') return toAddress(findBookingContactUrl(event));
    return url === null ? null : { kind: 'address', url, others };
  }),
  row('checked', ['document', 'answer'], ({ event }) => ({ kind: 'source_days', event })),
] as const;

/** One fact; the word key of its label is `label.` and its name. */
export interface EventFact {
  readonly name: (typeof ROWS)[number]['name'];
  readonly value: EventFactValue;
}

export const listFacts = (card: EventWithRegularity, surface: FactSurface): readonly EventFact[] =>
  ROWS.filter(({ on }) => on.includes(surface)).flatMap(({ name, read }) => {
    const value = read(card, surface);
    return value === null ? [] : [{ name, value }];
  });
