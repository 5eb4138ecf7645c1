// The filter for family plans: the category, or the tag (contract 7.12).
import { FAMILY_CATEGORY, isFamily } from '../event/event.ts';
import type { EventFilter } from './event-filter.ts';
import type { ParameterTexts } from './filter.ts';
import { createFlagFilter } from './flag-filter.ts';

/** `family`. */
export const family = createFlagFilter({
  name: 'family',
  other_names: ['familia', 'familiar', 'ninos'],
  has: isFamily,
  toValue: (family: boolean) => ({ family }),
  isOn: ({ family }) => family,
});

/** What the page of a category lists, as a filter and as a query. */
interface Listed {
  readonly filter: Partial<EventFilter>;
  readonly texts: ParameterTexts;
}

/**
 * Families ask for plans, not for a category: its page lists all that the filter lets pass. Any other
 * category lists what is of it; `slug` is its name in an address.
 */
export const toListedCategory = (key: string, slug: string): Listed =>
  key === FAMILY_CATEGORY
    ? { filter: { family: true }, texts: { family: '1' } }
    : { filter: { categories: [key] }, texts: { category: slug } };
