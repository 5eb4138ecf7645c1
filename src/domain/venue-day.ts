// A venue on one day: its hours, and the holiday that closes it.
import type { Temporal } from 'temporal-polyfill';
import { type HolidayRecord, listHolidaysOf } from './day/holidays.ts';
import { type OpeningDay, toOpeningDay } from './opening-hours.ts';
import type { TaxonRecord } from './taxon.ts';
import type { VenueRecord } from './venue.ts';

export interface VenueDay {
  readonly day: Temporal.PlainDate;
  readonly opening: OpeningDay;
  /** The holiday on which it closes; null where none closes it. */
  readonly holiday: HolidayRecord | null;
  /** All holidays on which it closes. */
  readonly closed_on: readonly HolidayRecord[];
}

/** A place where simply being is a plan, with its hours on a day. */
export interface OpenPlace {
  readonly venue: VenueRecord;
  readonly zone: TaxonRecord | null;
  readonly on_day: VenueDay;
}

/** The venue on a day; null where its hours are not known. */
export function toVenueDay(
  { hours }: Pick<VenueRecord, 'hours'>,
  day: Temporal.PlainDate,
  holidays: readonly HolidayRecord[],
): VenueDay | null {
  if (hours === null) return null;
  const of_day = listHolidaysOf(holidays, day);
  const opening = toOpeningDay(
    hours,
    day,
    of_day.map(({ key }) => key),
  );
  return {
    day,
    opening,
    holiday: of_day.find(({ key }) => key === opening.holiday) ?? null,
    closed_on: holidays.filter(({ key }) => hours.closed_on.includes(key)),
  };
}
