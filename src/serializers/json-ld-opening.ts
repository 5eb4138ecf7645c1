// A place's hours as schema.org has them (JSON-LD).
import type { OpeningHours, Weekday } from '../domain/opening-hours.ts';
import type { VenueDay } from '../domain/venue-day.ts';
import type { Node } from './json-ld.ts';

const DAYS: Readonly<Record<Weekday, string>> = {
  mo: 'Monday',
  tu: 'Tuesday',
  we: 'Wednesday',
  th: 'Thursday',
  fr: 'Friday',
  sa: 'Saturday',
  su: 'Sunday',
};

/** How schema.org says that it is closed. */
const CLOSED = { opens: '00:00', closes: '00:00' } as const;

/**
 * Hours that are known at both ends, and the days that differ; nothing where none are, and on a day
 * for which nobody has confirmed them: schema.org has no word for that.
 */
export function toOpeningNodes(hours: OpeningHours | null, today: VenueDay | null): Node {
  if (hours === null || today?.opening.is_unsure) return {};
  const rules = hours.rules.flatMap(({ days, open, close, since, until }) =>
    open === null || close === null
      ? []
      : [
          {
            '@type': 'OpeningHoursSpecification',
            dayOfWeek: days.map((day) => `https://schema.org/${DAYS[day]}`),
            opens: open,
            closes: close,
            validFrom: since ?? undefined,
            validThrough: until ?? undefined,
          },
        ],
  );
  const exceptions = hours.exceptions.flatMap(({ date, open, close }) =>
    open !== null && close === null
      ? []
      : [
          {
            '@type': 'OpeningHoursSpecification',
            validFrom: date,
            validThrough: date,
            ...(open === null || close === null ? CLOSED : { opens: open, closes: close }),
          },
        ],
  );
  return {
    openingHoursSpecification: rules.length === 0 ? undefined : rules,
    specialOpeningHoursSpecification: exceptions.length === 0 ? undefined : exceptions,
  };
}
