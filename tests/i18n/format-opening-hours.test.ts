// Hours of a place in words.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
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
import { at, useFixture } from '../fixtures/fixture.ts';
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
  const found = computeVenueDay({ hours }, day(text), [CHRISTMAS]);
  if (found === null) throw new Error('it has hours');
  return found;
};

test.each([
  ['2026-11-24', 'Abierto hoy de 9:00 a 18:00 (último acceso 17:30)'],
  ['2026-11-28', 'Abierto hoy desde las 9:00'],
  ['2026-12-25', 'Hoy cerrado (Navidad)'],
  ['2026-12-24', 'Horario de día festivo por confirmar'],
  ['2026-11-26', 'Abierto hoy de 10:00 a 13:30 (Obra)'],
])('on %s it says: %s', (text, said) => {
  expect(formatOpeningToday(on(text), 'es')).toBe(said);
});

test('beside the hours of the week only what they do not say is said of today', () => {
  const hours = { ...HOURS, rules: HOURS.rules.slice(0, 1) };
  const say = (text: string): string => formatOpenStatus(hours, on(text, hours), 'es');
  const works = 'Abierto hoy de 10:00 a 13:30 (Obra)';
  const said = ['2026-11-24', '2026-11-26', '2026-11-28'].map((day) => say(day));
  expect(said).toEqual(['Abierto hoy', works, 'Hoy cerrado']);
  expect(formatOpenStatus(HOURS, on('2026-11-24'), 'es')).toContain('de 9:00 a 18:00');
});

const [place] = findOpenVenues(useFixture().snapshot, day('2026-11-24'));
if (!place) throw new Error('the fixture has open places');

test.each([
  ['08:00', '09:00-17:00', 'abre de 9:00 a 17:00'],
  ['09:00', '09:00-17:00', 'abierto ahora, hasta las 17:00'],
  ['17:00', '09:00-17:00', undefined],
  ['15:00', '09:00', 'desde las 9:00'],
  ['23:38', '09:00', undefined],
  ['16:00', '09:00-13:00 15:00', 'desde las 15:00'],
])('a place by the hour: at %s, of %s, it says %s', (now, spans, said) => {
  const rules = spans.split(' ').map((span) => {
    const [open = null, end = null] = span.split('-');
    return rule(['tu'], { open, close: end });
  });
  const told = { ...place, on_day: on('2026-11-24', { ...HOURS, rules }) };
  const { lines } = formatOpenVenues([told], at(`2026-11-24T${now}`), 'es');
  expect(lines[0]?.facts[0]).toBe(said);
});

test('on a holiday that its hours do not name the doubt is said once, and no place repeats it', () => {
  const told = { ...place, on_day: on('2026-12-24') };
  const { doubt, lines } = formatOpenVenues([told, told], null, 'es');
  expect(doubt).toMatch(/no está confirmado para este día/);
  expect(lines.flatMap(({ facts }) => facts).join()).not.toMatch(/horario|confirm/);
  expect(formatOpenVenues([{ ...place, on_day: on('2026-11-24') }], null, 'es').doubt).toBeNull();
});

test('the week names days off, holidays, days that differ, free days and what to know', () => {
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
  // The day that differs is over.
  expect(formatOpeningWeek(HOURS, on('2026-11-27'), 'en')).toHaveLength(7);
});
