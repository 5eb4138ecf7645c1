// Place text: address lines, venue names across spellings, and mentions in a text.
import { expect, test } from 'vitest';
import { formatPlaceLine, formatStreetLine } from '../../src/domain/place-text.ts';
import { readFixture } from '../fixtures/fixture.ts';

test.each([
  ['Foro|Av. de Mentiras 1|SM 76', 'downtown', 'Foro, Av. de Mentiras 1, SM 76, Cancún'],
  ['Foro Cancún||Zona Hotelera', 'hotel-zone', 'Foro Cancún, Zona Hotelera, Cancún'],
  ['Av. de Mentiras 1|77500 Cancún', 'downtown', 'Av. de Mentiras 1, 77500 Cancún'],
  ['Foro|Centro, Isla Mujeres', 'isla-mujeres', 'Foro, Centro, Isla Mujeres'],
  ['A la capilla.|Isla Mujeres', 'isla-mujeres', 'A la capilla, Isla Mujeres'],
  ['Foro||Leona Vicario', null, 'Foro, Leona Vicario'],
] as const)('formats %s in zone %s as %s', (parts, zone, line) => {
  const place_parts = parts.split('|').map((part) => part || null);
  expect(formatPlaceLine(place_parts, zone)).toBe(`${line}, Quintana Roo`);
});

const ZONE = readFixture().taxonomy.zones.find(({ key }) => key === 'hotel-zone') ?? null;
test.each([
  ['Av. de Mentiras 1', 'Zona Hotelera', ZONE, 'Av. de Mentiras 1'],
  ['Av. de Mentiras 1', 'Hotel Zone', ZONE, 'Av. de Mentiras 1'],
  ['Av. de Mentiras 1', 'SM 76', ZONE, 'Av. de Mentiras 1, SM 76'],
  [null, 'Zona Hotelera', null, 'Zona Hotelera'],
])('formats a street %j in %s without the name of its zone', (address, locality, zone, line) => {
  expect(formatStreetLine({ address, locality }, zone)).toBe(line);
});
