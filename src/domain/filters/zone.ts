// The filter by zone, several of which may be meant (contract 7.1).
import { ZONE_KEYS } from '../taxon.ts';
import { createTaxonFilter, type WantedKeys } from './taxon-filter.ts';

/** `zone`. */
export const zone = createTaxonFilter({
  name: 'zone',
  other_names: ['zona', 'zonas'],
  example: 'isla-mujeres',
  keys: ZONE_KEYS,
  keyOf: (event) => event.zone,
  taxaOf: ({ zones }) => zones,
  toValue: (zones: WantedKeys) => ({ zones }),
  keysOf: ({ zones }) => zones,
});
