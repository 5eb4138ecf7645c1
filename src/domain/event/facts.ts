// Event facts: selects the facts about an event that each surface shows, in one order: its page and
// preview, Markdown, feeds, calendars and MCP answers. Pure and independent of language.
import type { EventCard, EventDetail } from '../agenda.ts';
import { LANGS, type LocalText } from '../lang.ts';
import type { Admission } from '../opening-hours.ts';
import type { OrganizerRecord } from '../organizer.ts';
import { formatStreetLine } from '../place-text.ts';
import type { TaxonRecord } from '../taxon.ts';
import type { VenueRecord } from '../venue.ts';
import type { EventRecord, OccurrenceRecord, Price } from './event.ts';
import type { Regularity } from './regularity.ts';

/** Location of an event, in parts that each surface arranges. */
export interface PlaceValue {
  readonly kind: 'place';
  readonly venue: VenueRecord | null;
  readonly street: string | null;
  readonly zone: TaxonRecord | null;
  readonly note: LocalText | null;
}

/** Value of a fact. i18n/format-facts.ts formats it, and each surface adds links. */
export type EventFactValue =
  | { readonly kind: 'status'; readonly status: 'cancelled' | 'postponed' }
  | { readonly kind: 'time'; readonly occurrence: OccurrenceRecord }
  | { readonly kind: 'recurrence'; readonly regularity: Regularity }
  | PlaceValue
  /** `is_brief`: in a list, which marks an older price only lightly. */
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
  /** `has_more_dates`: it has upcoming dates besides the one that a visitor saves. */
  | { readonly kind: 'calendar'; readonly card: EventCard; readonly has_more_dates: boolean }
  | { readonly kind: 'dates'; readonly dates: readonly OccurrenceRecord[] }
  /** `is_listed`: in a list, which states uncertainty once at its top. */
  | { readonly kind: 'confirm'; readonly card: EventWithNext; readonly is_listed: boolean }
  | { readonly kind: 'source_days'; readonly event: EventRecord };

/**
 * Surfaces that show facts: the fact list of the event's page, an entry of a Markdown list, an
 * entry of a feed, the Markdown of the event's page, the description of a calendar entry, a line of
 * an MCP list, the MCP answer about the event.
 */
type FactSurface = 'page' | 'entry' | 'feed' | 'document' | 'calendar' | 'line' | 'answer';

/** Event with its regularity and number of upcoming dates, which are present only outside lists. */
type EventWithRegularity = EventCard & Partial<Pick<EventDetail, 'regularity' | 'ahead_count'>>;

type GetFactValue = (card: EventWithRegularity, surface: FactSurface) => EventFactValue | null;

/** Defines a fact; the i18n key of its label is `label.<name>`. */
const defineFact = <N extends string>(
  name: N,
  surfaces: readonly FactSurface[],
  getValue: GetFactValue,
) => ({ name, surfaces, getValue }) as const;

const textValue = (text: LocalText | null): EventFactValue | null => text && { kind: 'text', text };
const addressValue = (url: string | null): EventFactValue | null =>
  url === null ? null : { kind: 'address', url };

/**
 * Returns the status of the event, or else of its next date; null if both take place as planned.
 */
export function getEffectiveStatus(
  event: Pick<EventRecord, 'status'>,
  next: OccurrenceRecord | null,
): 'cancelled' | 'postponed' | null {
  if (event.status !== 'published') return event.status;
  return next === null || next.status === 'scheduled' ? null : next.status;
}

export const CALLED_OFF_STATUSES = ['cancelled', 'postponed'] as const;

/**
 * Lists the cancelled or the postponed dates of an entry other than its own date; none if its whole
 * event is called off, since its status says so.
 */
export const listCalledOffDates = (
  { event, next, called_off }: Pick<EventCard, 'event' | 'next' | 'called_off'>,
  status: (typeof CALLED_OFF_STATUSES)[number],
): readonly OccurrenceRecord[] =>
  event.status === 'published'
    ? called_off.filter((date) => date.status === status && date.id !== next?.id)
    : [];

type EventWithNext = Pick<EventCard, 'event' | 'next'>;

/**
 * Tests whether day and hour of the next date are confirmed, with nothing to check with the
 * organizer.
 */
export const isDateConfirmed = ({ event, next }: EventWithNext): boolean =>
  next !== null &&
  getEffectiveStatus(event, next) === null &&
  next.time_known &&
  next.certainty === 'confirmed' &&
  event.gone_from === null &&
  event.confirm_note === null;

/**
 * Returns the note of an editor on where or when the next date takes place: the fact to confirm
 * with the organizer. Every surface on which visitors choose the event shows it. @returns null if
 * the date does not take place.
 */
export const findAttendanceNote = ({ event, next }: EventWithNext): LocalText | null =>
  next !== null && getEffectiveStatus(event, next) === null ? event.confirm_note : null;

/**
 * Tests whether visitors should check an event before going: something is uncertain, and its next
 * date is not called off. A list states once that `usual` dates are unconfirmed.
 */
export function needsConfirmation(
  {
    event,
    next,
  }: {
    readonly event: Pick<
      EventRecord,
      'status' | 'certainty' | 'confirm_note' | 'open_end' | 'gone_from'
    >;
    readonly next: OccurrenceRecord | null;
  },
  is_listed = false,
): boolean {
  if (getEffectiveStatus(event, next) !== null) return false;
  const { certainty, confirm_note, open_end, gone_from } = event;
  const is_uncertain = is_listed ? certainty === 'last_known' : certainty !== 'confirmed';
  return is_uncertain || confirm_note !== null || open_end || gone_from !== null;
}

/**
 * Tests whether a scheduled next date is uncertain, by its certainty or because its calendar no
 * longer lists it.
 */
export const isDateUncertain = ({ event, next }: EventWithNext): boolean =>
  next !== null &&
  getEffectiveStatus(event, next) === null &&
  (next.certainty !== 'confirmed' || event.gone_from !== null);

/**
 * Returns an event with the certainty of one of its dates; the next date can have another one. An
 * outdated event stays `last_known`.
 */
export const withDateCertainty = <E extends Pick<EventRecord, 'certainty'>>(
  event: E,
  { certainty }: Pick<OccurrenceRecord, 'certainty'>,
): E => ({ ...event, certainty: event.certainty === 'last_known' ? 'last_known' : certainty });

/**
 * Returns the day number of the date that a visitor may save. @returns null if no date is
 * scheduled.
 */
export const findSavableDay = ({ next }: Pick<EventCard, 'next'>): number | null =>
  next?.status === 'scheduled' ? next.first_day : null;

function statusValue({ event, next }: EventCard): EventFactValue | null {
  const status = getEffectiveStatus(event, next);
  return status && { kind: 'status', status };
}

/**
 * Returns the source of an event as the address for booking.
 * @returns null if the event has its own address for tickets or registration.
 */
export const findBookingContactUrl = ({
  ticket_url,
  registration_url,
  source_url,
}: Pick<EventRecord, 'ticket_url' | 'registration_url' | 'source_url'>): string | null =>
  ticket_url === null && registration_url === null ? source_url : null;

/** Builds the location; leaves out a zone that has the name of the venue. */
function placeValue({ event, venue, zone }: EventCard): EventFactValue | null {
  if (venue === null && zone === null && event.location_note === null) return null;
  const street = venue === null ? null : formatStreetLine(venue, zone) || null;
  const is_zone_in_name = zone !== null && LANGS.some((lang) => zone.name[lang] === venue?.name);
  return {
    kind: 'place',
    venue,
    street,
    zone: is_zone_in_name ? null : zone,
    note: event.location_note,
  };
}

/** Builds the advice to check details before going; null if nothing is uncertain. */
function uncertaintyValue(card: EventCard, surface: FactSurface): EventFactValue | null {
  const is_listed = surface === 'entry' || surface === 'line';
  return needsConfirmation(card, is_listed) ? { kind: 'confirm', card, is_listed } : null;
}

/** All facts in display order, each with the surfaces that show it. */
const FACTS = [
  defineFact('status', ['entry', 'feed', 'document', 'line', 'answer'], statusValue),
  defineFact(
    'when',
    ['entry', 'feed', 'document', 'line', 'answer'],
    ({ next }) => next && { kind: 'time', occurrence: next },
  ),
  ...CALLED_OFF_STATUSES.map((status) =>
    defineFact(`${status}_dates`, ['entry', 'feed', 'line'], (card) => {
      const dates = listCalledOffDates(card, status);
      return dates.length === 0 ? null : { kind: 'dates', dates };
    }),
  ),
  defineFact('recurrence', ['page', 'document', 'answer'], ({ regularity }) =>
    regularity ? { kind: 'recurrence', regularity } : null,
  ),
  defineFact('where', ['page', 'entry', 'feed', 'document', 'line', 'answer'], placeValue),
  defineFact('distance', ['entry', 'line'], ({ distance_km, venue }) =>
    distance_km === undefined
      ? null
      : { kind: 'distance', distance_km, coordinates: venue?.coordinates ?? null },
  ),
  defineFact(
    'price',
    ['page', 'entry', 'feed', 'document', 'calendar', 'line', 'answer'],
    ({ event: { price } }, surface) => ({
      kind: 'price',
      price,
      is_brief: surface === 'entry' || surface === 'feed',
    }),
  ),
  defineFact('admission', ['page', 'document', 'calendar', 'answer'], ({ event: { price } }) =>
    price.visitors.length === 0 ? null : { kind: 'visitors', visitors: price.visitors },
  ),
  defineFact(
    'confirm',
    ['entry', 'feed', 'document', 'calendar', 'line', 'answer'],
    uncertaintyValue,
  ),
  defineFact('category', ['document', 'line', 'answer'], ({ category }) =>
    textValue(category?.name ?? null),
  ),
  defineFact('age', ['page', 'entry', 'feed', 'document', 'line', 'answer'], ({ event }) =>
    textValue(event.age_restriction),
  ),
  defineFact('languages', ['page', 'document', 'answer'], ({ event }) =>
    event.languages.length === 0 ? null : { kind: 'languages', codes: event.languages },
  ),
  defineFact('tickets', ['document', 'calendar', 'answer'], ({ event }) =>
    addressValue(event.ticket_url),
  ),
  defineFact('registration', ['document', 'calendar', 'answer'], ({ event }) =>
    addressValue(event.registration_url),
  ),
  defineFact(
    'organizer',
    ['page', 'document', 'answer'],
    ({ organizer }) => organizer && { kind: 'organizer', organizer },
  ),
  defineFact('calendar', ['document'], (card) => {
    const has_more_dates = (card.ahead_count ?? 0) > 1;
    return findSavableDay(card) === null && !has_more_dates
      ? null
      : { kind: 'calendar', card, has_more_dates };
  }),
  defineFact('source', ['document', 'answer'], ({ event }, surface) => {
    const { source_url: url, other_source_urls: others } = event;
    if (surface === 'answer') return addressValue(findBookingContactUrl(event));
    return url === null ? null : { kind: 'address', url, others };
  }),
  defineFact('checked', ['document', 'answer'], ({ event }) => ({ kind: 'source_days', event })),
] as const;

/** A fact; the i18n key of its label is `label.<name>`. */
export interface EventFact {
  readonly name: (typeof FACTS)[number]['name'];
  readonly value: EventFactValue;
}

/** Lists the facts of an event for a surface, without those that have no value. */
export const listFacts = (card: EventWithRegularity, surface: FactSurface): readonly EventFact[] =>
  FACTS.filter(({ surfaces }) => surfaces.includes(surface)).flatMap(({ name, getValue }) => {
    const value = getValue(card, surface);
    return value === null ? [] : [{ name, value }];
  });
