// The filter for what is free; an unknown price is not free (contract 7.1).
import { toPaidRange } from '../paid-range.ts';
import { createFlagFilter } from './flag-filter.ts';

/** `free`. */
export const free = createFlagFilter({
  name: 'free',
  other_names: ['gratis', 'gratuito', 'is_free'],
  has: (event) => event.price.is_free,
  hasPlace: ({ admission }) => toPaidRange(admission)?.is_free === true,
  toValue: (free: boolean) => ({ free }),
  isOn: ({ free }) => free,
});
