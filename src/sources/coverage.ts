// What the agenda of the coming days has, counted: for whoever keeps the content.
import type { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toDayNumber } from '../domain/cancun-time.ts';
import type { Dataset } from '../domain/dataset.ts';
import type { EventRecord, OccurrenceRecord } from '../domain/event/event.ts';
import { isNightclub } from '../domain/event/nightclub.ts';
import { toVenueDay } from '../domain/venue-day.ts';
import type { VenueRecord } from '../domain/venue.ts';

/** The listings of one day, or of several. */
export interface Coverage {
  /** YYYY-MM-DD; empty for the sum of several days. */
  readonly day: string;
  readonly listings: number;
  /** Events that are no nightclub, each once, and of several at the same open place one. */
  readonly distinct: number;
  /** Listings of nightclubs. */
  readonly nightclubs: number;
  readonly zones: ReadonlySet<string>;
  readonly categories: ReadonlySet<string>;
  readonly hour_known: number;
  /** Free, or with a lowest or highest amount. */
  readonly price_known: number;
  readonly confirmed: number;
  /** Open places, which the day lists apart and which are no listings; over several days, each once. */
  readonly places: ReadonlySet<VenueRecord>;
}

type Listing = readonly [OccurrenceRecord, EventRecord];

function count(
  day: string,
  listings: readonly Listing[],
  places: ReadonlySet<VenueRecord>,
): Coverage {
  const number = (test: (occurrence: OccurrenceRecord, event: EventRecord) => boolean): number =>
    listings.filter(([occurrence, event]) => test(occurrence, event)).length;
  const keys = (read: (event: EventRecord) => string | null): ReadonlySet<string> =>
    new Set(listings.flatMap(([, event]) => read(event) ?? []));
  return {
    day,
    listings: listings.length,
    distinct: countDistinct(listings, places),
    nightclubs: number((_, event) => isNightclub(event)),
    zones: keys(({ zone }) => zone),
    categories: keys(({ category }) => category),
    hour_known: number(({ time_known }) => time_known),
    price_known: number(
      (_, { price }) => price.is_free || price.min !== null || price.max !== null,
    ),
    confirmed: number(({ certainty }) => certainty === 'confirmed'),
    places,
  };
}

/** What a visitor has to choose from: what is neither a nightclub nor the same museum again. */
function countDistinct(listings: readonly Listing[], places: ReadonlySet<VenueRecord>): number {
  const museums = new Set([...places].map(({ id }) => id));
  const others = listings.filter(([, event]) => !isNightclub(event));
  return new Set(
    others.map(([, { id, venue }]) => (venue !== null && museums.has(venue) ? venue : id)),
  ).size;
}

/** Of how many things of a dataset something is known, whatever the day. */
export interface Completeness {
  readonly venues: number;
  /** Venues with a point of their own. */
  readonly located: number;
  readonly events: number;
  /** Events with a description beyond the summary. */
  readonly described: number;
}

/** How much of a dataset is known. */
export const countCompleteness = ({ venues, events }: Dataset): Completeness => ({
  venues: venues.length,
  located: venues.filter(({ coordinates }) => coordinates === 'venue').length,
  events: events.length,
  described: events.filter(({ description }) => description !== null).length,
});

/** The places that a day lists as open. */
function listPlaces({ venues, calendar }: Dataset, day: Temporal.PlainDate): VenueRecord[] {
  return venues.filter(
    (venue) => venue.open_place && toVenueDay(venue, day, calendar.holidays)?.opening.is_open,
  );
}

/** One row for each of `days` days from `from` on, and their sum; what is cancelled does not count. */
export function countCoverage(
  dataset: Dataset,
  from: Temporal.PlainDate,
  days: number,
): Coverage[] {
  const events = new Map(dataset.events.map((event) => [event.id, event]));
  const first = toDayNumber(from);
  const listed = Array.from({ length: days }, (_, at): readonly Listing[] =>
    dataset.occurrences.flatMap((occurrence): readonly Listing[] => {
      const event = events.get(occurrence.event);
      const is_on = occurrence.first_day <= first + at && first + at <= occurrence.last_day;
      return is_on && event && occurrence.status === 'scheduled' ? [[occurrence, event]] : [];
    }),
  );
  const places = listed.map((_, at) => listPlaces(dataset, fromDayNumber(first + at)));
  return [
    ...listed.map((listings, at) =>
      count(fromDayNumber(first + at).toString(), listings, new Set(places[at])),
    ),
    count('', listed.flat(), new Set(places.flat())),
  ];
}
