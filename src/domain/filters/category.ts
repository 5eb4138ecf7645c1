// The filter by category, several of which may be meant (contract 7.1).
import { CATEGORY_KEYS } from '../taxon.ts';
import { createTaxonFilter, type WantedKeys } from './taxon-filter.ts';

/** `category`. */
export const category = createTaxonFilter({
  name: 'category',
  other_names: ['categoria', 'categorias', 'categories'],
  example: 'live-music',
  keys: CATEGORY_KEYS,
  keyOf: (event) => event.category,
  taxaOf: ({ categories }) => categories,
  toValue: (categories: WantedKeys) => ({ categories }),
  keysOf: ({ categories }) => categories,
});
