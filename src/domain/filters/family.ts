// The filter for family plans: the category, or the tag; of a place its own word (contract 7.12).
import { isFamily } from '../event/event.ts';
import { createFlagFilter } from './flag-filter.ts';

/** `family`. */
export const family = createFlagFilter({
  name: 'family',
  other_names: ['familia', 'familiar', 'ninos'],
  has: isFamily,
  hasPlace: ({ family }) => family === true,
  toValue: (family: boolean) => ({ family }),
  isOn: ({ family }) => family,
});
