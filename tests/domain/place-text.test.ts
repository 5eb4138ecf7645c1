// Place text: address lines, venue names across spellings, and mentions in a text.
import { expect, test } from 'vitest';
import {
  findMentionedIn,
  formatPlaceLine,
  formatStreetLine,
  listUnmentioned,
} from '../../src/domain/place-text.ts';
import { loadFixture } from '../fixtures/fixture.ts';

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

const ZONE = loadFixture().taxonomy.zones.find(({ key }) => key === 'hotel-zone') ?? null;
test.each([
  ['Av. de Mentiras 1', 'Zona Hotelera', ZONE, 'Av. de Mentiras 1'],
  ['Av. de Mentiras 1', 'Hotel Zone', ZONE, 'Av. de Mentiras 1'],
  ['Av. de Mentiras 1', 'SM 76', ZONE, 'Av. de Mentiras 1, SM 76'],
  [null, 'Zona Hotelera', null, 'Zona Hotelera'],
])('formats a street %j in %s without the name of its zone', (address, locality, zone, line) => {
  expect(formatStreetLine({ address, locality }, zone)).toBe(line);
});

const VENUES = ['Museo Maya', 'Teatro', 'Parque de Las Palapas', 'Casa Azul', 'Casa Azul'];
test.each([
  ['Concierto en el Parque de las Palapas, gratis', 'Parque de Las Palapas'],
  ['Concert at Las Palapas Park', 'Parque de Las Palapas'],
  ['Teatro', 'Teatro'],
  ['Teatro Cancún', 'Teatro'],
  ['Obra de gran teatro infantil', ''],
  ['Obra infantil en el teatro', 'Teatro'],
  ['Obra infantil en un gran teatro', ''],
  ['Museo Maya, teatro; Museo Maya', 'Museo Maya, Teatro'],
  // Two venues of the same name are ambiguous.
  ['Fiesta en Casa Azul', ''],
])('%j mentions %j', (text, expected) => {
  const venues = VENUES.map((name) => ({ name }));
  const names = findMentionedIn(venues, text).map(({ name }) => name);
  expect(names.join(', ')).toBe(expected);
});

test.each([
  [['Centro'], ['Plaza del Centro'], []],
  [['Centro'], ['Epicentro'], ['Centro']],
  [['Foro', 'Gran Foro', null], [], ['Foro', 'Gran Foro']],
  [['Gran Foro', 'foro'], [], ['Gran Foro']],
])('of the names %j, %j leaves %j unmentioned', (names, texts, expected) => {
  expect(listUnmentioned(names, texts)).toEqual(expected);
});
