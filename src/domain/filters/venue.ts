// The filter by venue (contract 7.31).
import type { Thing } from './filter.ts';
import { createThingFilter } from './thing-filter.ts';

/** `venue`. */
export const venue = createThingFilter({
  name: 'venue',
  other_names: ['lugar', 'recinto', 'place'],
  example: 'parque-de-las-palapas',
  thingsOf: ({ venues }) => venues,
  toValue: (venue: Thing | null) => ({ venue }),
  thingOf: ({ venue }) => venue,
});
