// Text folding: folded texts, words and slugs.
import { expect, test } from 'vitest';
import { foldText, slugify, splitWords } from '../../src/domain/text-folding.ts';

test.each([
  ['MÚSICA Cancún niños', 'musica cancun ninos'],
  ['Ka’Yok’', 'ka’yok’'],
  ['ﬁesta ÀÉÎÕÜ', 'fiesta aeiou'],
])('%s folds to %s', (text, folded) => {
  expect(foldText(text)).toBe(folded);
});

test.each([
  ['¡Música, en-vivo! 🎉🎺 2026', 'musica en vivo 🎉 🎺 2026'],
  ['*** "" :', ''],
  ["D'Cave", 'd cave'],
])('%s has the words %s', (text, words) => {
  expect(splitWords(text).join(' ')).toBe(words);
});

test.each([
  ['¡Fiesta de Año Nuevo!', 'fiesta-de-ano-nuevo'],
  ["D'Cave Cancún", 'dcave-cancun'],
  ['🎉', ''],
  ['palabra '.repeat(12), 'palabra-'.repeat(10).slice(0, -1)],
])('%s has the slug %s', (title, slug) => {
  expect(slugify(title)).toBe(slug);
});
