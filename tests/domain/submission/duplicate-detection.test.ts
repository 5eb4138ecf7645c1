// Duplicate detection: events on the same day with a similar title, and venues with a similar name.
import { describe, expect, test } from 'vitest';
import {
  findByExactName,
  isLikelyDuplicate,
  type DuplicateCandidate,
  listSimilarVenues,
  disambiguateNames,
} from '../../../src/domain/submission/duplicate-detection.ts';

const AT = { venue: 've_1', venue_name: 'Teatro' };
const jazz: DuplicateCandidate = { titles: ['Noche de jazz con Ana'], days: ['2026-12-05'], ...AT };
test.each<[Partial<DuplicateCandidate>, boolean]>([
  [{}, true],
  [{ days: ['2026-12-06'] }, false],
  [{ days: ['2026-12-04', '2026-12-05'] }, true],
  [{ titles: ['Jazz en el teatro', 'Jazz night'] }, true],
  [{ titles: ['Jazz en el parque'], venue: 've_2' }, false],
  [{ venue: null, venue_name: 'TEATRO', titles: ['Jazz'] }, true],
])('isLikelyDuplicate with %j is %s', (changed, expected) =>
  expect(isLikelyDuplicate(jazz, { ...jazz, ...changed })).toBe(expected),
);

describe('venue names', () => {
  const venue = (id: string, name: string) => ({ id, name, slug: { es: id, en: id } });
  const ALL = [
    venue('palapas', 'Parque de las Palapas'),
    venue('teatro', 'Teatro Xbalamqué'),
    venue('maya-1', 'Casa Maya'),
    venue('maya-2', 'Casa Maya'),
  ];
  test('disambiguateNames makes each name unique, and findByExactName finds the venue by it', () => {
    const names = disambiguateNames(ALL).map(([name]) => name);
    expect(names.slice(2)).toEqual(['Casa Maya (maya-1)', 'Casa Maya (maya-2)']);
    expect(names.map((name) => findByExactName(ALL, name)?.id)).toEqual(ALL.map(({ id }) => id));
    expect(findByExactName(ALL, 'Casa Maya')).toBe(null);
  });
  test.each([
    ['Parque de las palapsa', ['palapas']],
    ['Las Palapas', ['palapas']],
    ['Plaza del Huapango', []],
  ])('%s is similar to %j', (text, similar) => {
    expect(listSimilarVenues(ALL, text).map(({ id }) => id)).toEqual(similar);
  });
});
