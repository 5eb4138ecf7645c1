// A place in one line, found on a map from anywhere.
import { describe, expect, test } from 'vitest';
import { toPlaceLine, toStreetLine } from '../../src/domain/place-names.ts';

test.each([
  [
    'a venue of a part of Cancún',
    ['Foro Inventado', 'Av. de Mentiras 1', 'SM 76'],
    'downtown',
    'Foro Inventado, Av. de Mentiras 1, SM 76, Cancún, Quintana Roo',
  ],
  [
    'a venue whose locality is the town',
    ['Foro Inventado', null, 'Cancún'],
    'downtown',
    'Foro Inventado, Cancún, Quintana Roo',
  ],
  [
    'a venue that is only named after the town',
    ['Foro Cancún', null, 'Zona Hotelera'],
    'hotel-zone',
    'Foro Cancún, Zona Hotelera, Cancún, Quintana Roo',
  ],
  [
    'a postal code before the town',
    ['Av. de Mentiras 1', '77500 Cancún'],
    'downtown',
    'Av. de Mentiras 1, 77500 Cancún, Quintana Roo',
  ],
  [
    'a zone that is a town',
    ['Foro Inventado', 'Centro, Isla Mujeres'],
    'isla-mujeres',
    'Foro Inventado, Centro, Isla Mujeres, Quintana Roo',
  ],
  [
    'the other one',
    ['Foro Inventado'],
    'puerto-morelos',
    'Foro Inventado, Puerto Morelos, Quintana Roo',
  ],
  [
    'a sentence with its full stop',
    ['Del centro a la capilla.', 'Isla Mujeres'],
    'isla-mujeres',
    'Del centro a la capilla, Isla Mujeres, Quintana Roo',
  ],
  [
    'a place in no zone',
    ['Foro Inventado', null, 'Leona Vicario'],
    null,
    'Foro Inventado, Leona Vicario, Quintana Roo',
  ],
] as const)('%s', (_what, parts, zone, line) => {
  expect(toPlaceLine(parts, zone)).toBe(line);
});

describe('a street beside its zone', () => {
  const zone = {
    key: 'hotel-zone',
    name: { es: 'Zona Hotelera', en: 'Hotel Zone' },
    slug: { es: 'zona-hotelera', en: 'hotel-zone' },
    name_in: { es: 'en la Zona Hotelera', en: 'in the Hotel Zone' },
    middle: null,
    search_words: [],
    description: null,
  };
  test.each([
    ['Av. de Mentiras 1', 'Zona Hotelera', 'Av. de Mentiras 1'],
    ['Av. de Mentiras 1', 'Hotel Zone', 'Av. de Mentiras 1'],
    [null, 'Zona Hotelera', ''],
    ['Av. de Mentiras 1', 'SM 76', 'Av. de Mentiras 1, SM 76'],
    [null, 'Cancún', 'Cancún'],
  ])('%s, %s is said as %s', (address, locality, line) => {
    expect(toStreetLine({ address, locality }, zone)).toBe(line);
  });
  test('without a zone says its locality', () => {
    expect(toStreetLine({ address: null, locality: 'Zona Hotelera' }, null)).toBe('Zona Hotelera');
  });
});
