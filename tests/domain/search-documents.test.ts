// Search documents: names in all languages, synonyms, and words for free admission.
import { expect, test } from 'vitest';
import { createSearchDocuments, createSynonymExpander } from '../../src/domain/search-documents.ts';
import { foldText } from '../../src/domain/text-folding.ts';
import { CONCERT } from '../fixtures/concert.ts';
import { loadFixture } from '../fixtures/fixture.ts';

const same = [
  ['museo', 'gallery'],
  ['luz', 'light'],
  ['día de muertos', 'day of the dead'],
];

test.each([
  ['museos', 'museo,gallery'],
  ['luces', 'luz,light'],
  ['Día de Muertos 2026', 'día de muertos,day of the dead'],
  ['muertos', ''],
  ['museología', ''],
  ['museo con luz', 'museo,gallery,luz,light'],
])('the synonyms of %s are %j', (text, expected) => {
  expect(createSynonymExpander({ same })(text).join()).toBe(expected);
});

const { venues, organizers, taxonomy } = loadFixture();
const search_words = { same, free: ['gratis', 'free'] };
const documents = createSearchDocuments({ venues, organizers, taxonomy, search_words });

test.each([
  [{ is_free: true }, true],
  [{ is_free: false, min: 100 }, false],
])('an event with the price %j has words for free admission: %s', (price, expected) => {
  const text = documents.event({ ...CONCERT, price: { ...CONCERT.price, visitors: [], ...price } });
  expect(text.includes('gratis')).toBe(expected);
});

test('an event includes its titles, venue and zone in both languages', () => {
  const [venue] = venues;
  const zone = taxonomy.zones.find(({ key }) => key === 'hotel-zone');
  const event = { ...CONCERT, venue: venue?.id ?? null, zone: 'hotel-zone' };
  const text = foldText(documents.event(event));
  const names = [CONCERT.title.es, CONCERT.title.en, venue?.name, zone?.name.es, zone?.name.en];
  for (const name of names) expect(text).toContain(foldText(name ?? expect.unreachable()));
});
