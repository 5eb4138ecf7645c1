// The filter by who organizes (contract 7.31).
import type { Thing } from './filter.ts';
import { createThingFilter } from './thing-filter.ts';

/** `organizer`. */
export const organizer = createThingFilter({
  name: 'organizer',
  other_names: ['organizador', 'organizadora', 'organizacion', 'organiser'],
  example: 'instituto-de-la-cultura',
  thingsOf: ({ organizers }) => organizers,
  toValue: (organizer: Thing | null) => ({ organizer }),
  thingOf: ({ organizer }) => organizer,
});
