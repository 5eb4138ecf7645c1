// The wire form of a category or a zone (interface 2, Taxon).
import * as v from 'valibot';

export const TaxonSchema = v.strictObject({
  key: v.pipe(v.string(), v.description('Stable key, to be used in filters.')),
  name: v.pipe(v.string(), v.description('In the requested language.')),
});
