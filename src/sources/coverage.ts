// What the agenda of the coming days has, counted: for whoever keeps the content.
import type { Temporal } from 'temporal-polyfill';
import { fromDayNumber, toDayNumber } from '../domain/cancun-time.ts';
import type { Dataset } from '../domain/dataset.ts';
import type { EventRecord, OccurrenceRecord } from '../domain/event/event.ts';
import { CATEGORY_KEYS, ZONE_KEYS } from '../domain/taxon.ts';
import { toVenueDay } from '../domain/venue-day.ts';
import type { VenueRecord } from '../domain/venue.ts';

/** The listings of one day, or of several. */
export interface Coverage {
  /** YYYY-MM-DD; empty for the sum of several days. */
  readonly day: string;
  readonly listings: number;
  /** Listings with the tag `antro`. */
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
    nightclubs: number((_, { tags }) => tags.includes('antro')),
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

const toShare = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`;

/** A table in columns, then what no listing has. */
export function formatCoverage(rows: readonly Coverage[]): string {
  const head = [
    'day',
    'listings',
    'nightclubs',
    'zones',
    'categories',
    'hour',
    'price',
    'confirmed',
    'places',
  ];
  const lines = rows.map((row) => [
    row.day === '' ? 'all' : row.day,
    String(row.listings),
    String(row.nightclubs),
    `${row.zones.size} of ${ZONE_KEYS.length}`,
    `${row.categories.size} of ${CATEGORY_KEYS.length}`,
    toShare(row.hour_known, row.listings),
    toShare(row.price_known, row.listings),
    toShare(row.confirmed, row.listings),
    String(row.places.size),
  ]);
  const widths = head.map((title, at) =>
    Math.max(title.length, ...lines.map((line) => (line[at] ?? '').length)),
  );
  const table = [head, ...lines]
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
  const all = rows.at(-1);
  const missing = (keys: readonly string[], found: ReadonlySet<string> | undefined): string =>
    keys.filter((key) => !found?.has(key)).join(', ') || 'none';
  const reached = new Set([
    ...(all?.zones ?? []),
    ...[...(all?.places ?? [])].map((v) => v.zone ?? ''),
  ]);
  return `${table}\n\nzones without a listing: ${missing(ZONE_KEYS, all?.zones)}\nzones without a listing or an open place: ${missing(ZONE_KEYS, reached)}\ncategories without a listing: ${missing(CATEGORY_KEYS, all?.categories)}\n`;
}
