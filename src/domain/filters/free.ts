// The filter for free events; an unknown price is not free (contract 7.1).
import { createFlagFilter } from './flag-filter.ts';

/** `free`. */
export const free = createFlagFilter({
  name: 'free',
  other_names: ['gratis', 'gratuito', 'is_free'],
  has: (event) => event.price.is_free,
  toValue: (free: boolean) => ({ free }),
  isOn: ({ free }) => free,
});
