// Taxon: found by key, slug or name in any language.
import { expect, test } from 'vitest';
import { findTaxon, serializeTaxon, type TaxonRecord } from '../../src/domain/taxon.ts';

const taxon = (key: string, es: string, en: string): TaxonRecord => ({
  key,
  name: { es, en },
  slug: { es: `${key}-es`, en: `${key}-en` },
  name_in: { es, en },
  ...{ middle: null, search_words: [], description: null, motif: null },
});
const TAXA = [taxon('music', 'Música', 'Music'), taxon('dance', 'Danza', 'MUSICA')];

test.each([
  ['music', 'music'],
  [' MÚSICA ', 'music'],
  ['music-en', 'music'],
  ['danza', 'dance'],
  // The first taxon of a name wins.
  ['musica', 'music'],
  ['mus', undefined],
  ['', undefined],
])('%j finds the taxon %s', (word, key) => {
  expect(findTaxon(TAXA, word)?.key).toBe(key);
});

test('is serialized with its name in the requested language, or as null', () => {
  expect(serializeTaxon(TAXA, 'music', 'es')).toEqual({ key: 'music', name: 'Música' });
  expect([serializeTaxon(TAXA, null, 'es'), serializeTaxon(TAXA, 'x', 'es')]).toEqual([null, null]);
});
