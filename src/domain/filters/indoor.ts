// The filter for what is under a roof: events and places of which that is known.
import { createFlagFilter } from './flag-filter.ts';

/** `indoor`. */
export const indoor = createFlagFilter({
  name: 'indoor',
  other_names: ['techado', 'bajo_techo', 'lluvia', 'indoors'],
  has: (event) => event.indoor === true,
  hasPlace: (venue) => venue.indoor === true,
  toValue: (indoor: boolean) => ({ indoor }),
  isOn: ({ indoor }) => indoor,
});
