// Opening hours texts: a venue's day and week, and the open venues of a day.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import {
  type Admission,
  type OpeningHours,
  type OpeningRule,
  computeVenueDay,
} from '../../src/domain/opening-hours.ts';
import {
  formatOpenVenues,
  formatOpenStatus,
  formatOpeningToday,
  formatOpeningWeek,
} from '../../src/i18n/format-opening-hours.ts';
import { findOpenVenues } from '../../src/snapshot/find-directory.ts';
import { localMs, useFixture } from '../fixtures/fixture.ts';
import { CHRISTMAS } from '../fixtures/holiday.ts';

const rule = (days: OpeningRule['days'], more: Partial<OpeningRule> = {}): OpeningRule => ({
  ...{ days, open: null, close: null, last_entry: null, since: null, until: null },
  ...more,
});
const WORKS = { es: 'Obra', en: 'Works' };
const HOURS: OpeningHours = {
  rules: [
    rule(['tu', 'we', 'th', 'fr'], { open: '09:00', close: '18:00', last_entry: '17:30' }),
    rule(['sa'], { open: '09:00' }),
    rule(['su']),
  ],
  exceptions: [{ date: '2026-11-26', open: '10:00', close: '13:30', note: WORKS }],
  closed_on: ['christmas'],
  free: [{ days: ['su'], visitors: ['national', 'resident'] }],
  note: { es: 'Horario de 2024.', en: 'Hours from 2024.' },
};
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const on = (text: string, hours = HOURS) => {
  const venue_day = computeVenueDay({ hours }, day(text), [CHRISTMAS]);
  if (venue_day === null) throw new Error('The venue must have hours');
  return venue_day;
};

test.each([
  ['2026-11-24', 'Abierto hoy de 9:00 a 18:00 (último acceso 17:30)'],
  ['2026-11-28', 'Abierto hoy desde las 9:00'],
  ['2026-12-25', 'Hoy cerrado (Navidad)'],
  ['2026-12-24', 'Horario de día festivo por confirmar'],
  ['2026-11-26', 'Abierto hoy de 10:00 a 13:30 (Obra)'],
])('the hours on %s are: %s', (text, expected) => {
  expect(formatOpeningToday(on(text), 'es')).toBe(expected);
});

test('next to the weekly hours, today shows only differences', () => {
  const hours = { ...HOURS, rules: HOURS.rules.slice(0, 1) };
  const formatStatus = (text: string): string => formatOpenStatus(hours, on(text, hours), 'es');
  const works = 'Abierto hoy de 10:00 a 13:30 (Obra)';
  const texts = ['2026-11-24', '2026-11-26', '2026-11-28'].map((day) => formatStatus(day));
  expect(texts).toEqual(['Abierto hoy', works, 'Hoy cerrado']);
  expect(formatOpenStatus(HOURS, on('2026-11-24'), 'es')).toContain('de 9:00 a 18:00');
});

const [place] = findOpenVenues(useFixture().snapshot, day('2026-11-24'));
if (!place) throw new Error('The fixture must have open venues');

test.each([
  ['08:00', '09:00-17:00', 'abre de 9:00 a 17:00'],
  ['09:00', '09:00-17:00', 'abierto ahora, hasta las 17:00'],
  ['17:00', '09:00-17:00', undefined],
  ['15:00', '09:00', 'desde las 9:00'],
  ['23:38', '09:00', undefined],
  ['16:00', '09:00-13:00 15:00', 'desde las 15:00'],
])('at %s, a venue open %s has the fact %s', (now, spans, expected) => {
  const rules = spans.split(' ').map((span) => {
    const [open = null, end = null] = span.split('-');
    return rule(['tu'], { open, close: end });
  });
  const open_venue = { ...place, on_day: on('2026-11-24', { ...HOURS, rules }) };
  const { lines } = formatOpenVenues([open_venue], localMs(`2026-11-24T${now}`), 'es');
  expect(lines[0]?.facts[0]).toBe(expected);
});

test.each([
  ['16:00', ['abierto ahora, hasta las 17:00 (último acceso 16:30)'], []],
  ['16:36', [], ['Ya no admiten entrada: Museo (última entrada a las 16:30)']],
  ['17:00', [], ['Ya cerraron: Museo']],
])('at %s, a venue with its last entry at 16:30 is %j %j', (now, facts, sentences) => {
  const rules = [rule(['tu'], { open: '09:00', close: '17:00', last_entry: '16:30' })];
  const venue = { ...place.venue, name: 'Museo' };
  const museum = { ...place, venue, on_day: on('2026-11-24', { ...HOURS, rules }) };
  const text = formatOpenVenues([museum], localMs(`2026-11-24T${now}`), 'es');
  expect([text.lines.map((line) => line.facts[0]), text.sentences]).toEqual([facts, sentences]);
});

const price = (visitor: Admission['visitor'], amount: number, note: Admission['note'] = null) => ({
  ...{ visitor, amount, currency: 'MXN', note },
});
const UNDER_13 = { es: 'menores de 13 años', en: 'under 13' };
const MUSEUM_ADMISSION = [
  price('foreign', 210),
  price('national', 105),
  price('resident', 105),
  price('child', 0, UNDER_13),
];
test.each([
  [
    '2026-11-29',
    MUSEUM_ADMISSION,
    'Gratis para nacionales y residentes; visitantes $210 MXN',
    'Free for Mexicans and residents; visitors pay $210 MXN',
  ],
  [
    '2026-11-24',
    MUSEUM_ADMISSION,
    'De $105 a $210 MXN; gratis para niñas y niños (menores de 13 años)',
    '$105 to $210 MXN; free for children (under 13)',
  ],
  ['2026-11-29', [], 'Gratis para nacionales y residentes', 'Free for Mexicans and residents'],
  ['2026-11-24', [price('everyone', 0)], 'Gratis', 'Free'],
])('on %s, the row of a venue names only amounts that somebody pays', (text, admission, es, en) => {
  const open_venue = {
    ...place,
    venue: { ...place.venue, admission, admission_as_of: null },
    on_day: on(text),
  };
  const facts = LANGS.map((lang) => formatOpenVenues([open_venue], null, lang).lines[0]?.facts[1]);
  expect(facts).toEqual([es, en]);
});

test('unconfirmed holiday hours give one note, which no venue repeats', () => {
  const unconfirmed = { ...place, on_day: on('2026-12-24') };
  const { doubt, lines } = formatOpenVenues([unconfirmed, unconfirmed], null, 'es');
  expect(doubt).toMatch(/no está confirmado para este día/);
  expect(lines.flatMap(({ facts }) => facts).join()).not.toMatch(/horario|confirm/);
  expect(formatOpenVenues([{ ...place, on_day: on('2026-11-24') }], null, 'es').doubt).toBeNull();
});

test('the week lists closed days, holidays, exceptions, free days and the note', () => {
  expect(formatOpeningWeek(HOURS, on('2026-11-24'), 'es')).toEqual([
    'Martes a viernes: de 9:00 a 18:00 (último acceso 17:30)',
    'Sábado: desde las 9:00',
    'Domingo: horario por confirmar',
    'Lunes: cerrado',
    'Navidad: cerrado',
    'Jueves 26 de noviembre de 2026: de 10:00 a 13:30 (Obra)',
    'Domingo: gratis para nacionales y residentes',
    'Horario de 2024.',
  ]);
  // The exception is past.
  expect(formatOpeningWeek(HOURS, on('2026-11-27'), 'en')).toHaveLength(7);
});
