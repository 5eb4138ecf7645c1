// Hours of a place in words.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { at, openFixture } from '../fixtures/fixture.ts';
import { findOpenPlaces } from '../../src/snapshot/places.ts';
import { type OpeningHours, type OpeningRule, toVenueDay } from '../../src/domain/opening-hours.ts';
import { tellPlaces, toTodayWords, toWeekLines } from '../../src/i18n/opening.ts';

const CHRISTMAS = {
  key: 'christmas',
  name: { es: 'Navidad', en: 'Christmas Day' },
  kind: 'statutory',
  closes: [],
  feast: true,
  rule: { month: 12, day: 25 },
  every: null,
} as const;
const rule = (days: OpeningRule['days'], more: Partial<OpeningRule> = {}): OpeningRule => ({
  days,
  open: null,
  close: null,
  last_entry: null,
  since: null,
  until: null,
  ...more,
});
const HOURS: OpeningHours = {
  rules: [
    rule(['tu', 'we', 'th', 'fr'], { open: '09:00', close: '18:00', last_entry: '17:30' }),
    rule(['sa'], { open: '09:00' }),
    rule(['su']),
  ],
  exceptions: [
    { date: '2026-11-26', open: '10:00', close: '13:30', note: { es: 'Obra', en: 'Works' } },
  ],
  closed_on: ['christmas'],
  free: [{ days: ['su'], visitors: ['national', 'resident'] }],
  note: { es: 'Horario de 2024.', en: 'Hours from 2024.' },
};
const on = (day: string) => {
  const found = toVenueDay({ hours: HOURS }, Temporal.PlainDate.from(day), [CHRISTMAS]);
  if (found === null) throw new Error('it has hours');
  return found;
};

describe('today', () => {
  test.each([
    [
      '2026-11-24',
      'Abierto hoy de 9:00 a 18:00 (último acceso 17:30)',
      'Open today from 9 a.m. to 6 p.m. (last entry 5:30 p.m.)',
    ],
    ['2026-11-28', 'Abierto hoy desde las 9:00', 'Open today from 9 a.m.'],
    ['2026-11-29', 'Abierto hoy, horario por confirmar', 'Open today, hours to be confirmed'],
    ['2026-11-23', 'Hoy cerrado', 'Closed today'],
    ['2026-12-25', 'Hoy cerrado (Navidad)', 'Closed today (Christmas Day)'],
    ['2026-12-24', 'Horario de día festivo por confirmar', 'Holiday hours not confirmed'],
    [
      '2026-11-26',
      'Abierto hoy de 10:00 a 13:30 (Obra)',
      'Open today from 10 a.m. to 1:30 p.m. (Works)',
    ],
  ])('%s', (day, es, en) => {
    expect([toTodayWords(on(day), 'es'), toTodayWords(on(day), 'en')]).toEqual([es, en]);
  });
});

test('an open place does not repeat its name as its zone', () => {
  const { snapshot, close } = openFixture();
  const [place] = findOpenPlaces(snapshot, Temporal.PlainDate.from('2026-11-24'));
  close();
  if (!place) throw new Error('the fixture has open places');
  const zone = place.zone?.name.en ?? '';
  const listFacts = (name: string): readonly string[] =>
    tellPlaces([{ ...place, venue: { ...place.venue, name } }], null, 'en').lines[0]?.facts ?? [];
  expect(listFacts('Malecón Inventado')).toContain(zone);
  expect(listFacts(`Malecón ${zone}`)).not.toContain(zone);
});

/** A place that opens at `open` and closes at `close`, told at `now` of a Tuesday. */
function tellAt(now: string, ...spans: readonly (readonly [string, string?])[]) {
  const { snapshot, close } = openFixture();
  const [place] = findOpenPlaces(snapshot, Temporal.PlainDate.from('2026-11-24'));
  close();
  if (!place) throw new Error('the fixture has open places');
  const rules = spans.map(([open, end]) => rule(['tu'], { open, close: end ?? null }));
  const on_day = toVenueDay(
    { hours: { ...HOURS, rules } },
    Temporal.PlainDate.from('2026-11-24'),
    [],
  );
  if (on_day === null) throw new Error('it has hours');
  return (['es', 'en'] as const).map((lang) => {
    const told = tellPlaces([{ ...place, on_day }], at(`2026-11-24T${now}`), lang);
    return told.lines[0]?.facts[0] ?? null;
  });
}

test.each([
  ['08:00', [['09:00', '17:00']], ['abre de 9:00 a 17:00', 'opens from 9 a.m. to 5 p.m.']],
  ['09:00', [['09:00', '17:00']], ['abierto ahora, hasta las 17:00', 'open now, until 5 p.m.']],
  ['17:00', [['09:00', '17:00']], [null, null]],
  ['08:00', [['09:00']], ['abre a las 9:00', 'opens at 9 a.m.']],
  ['23:38', [['09:00']], ['abre a las 9:00', 'opens at 9 a.m.']],
  ['14:00', [['09:00', '13:00'], ['15:00']], ['abre a las 15:00', 'opens at 3 p.m.']],
  ['16:00', [['09:00', '13:00'], ['15:00']], ['abre a las 15:00', 'opens at 3 p.m.']],
] as const)('a place by the hour: at %s, of %j', (now, spans, words) => {
  expect(tellAt(now, ...spans)).toEqual(words);
});

test('the week names days off, holidays, days that differ, free days and what to know', () => {
  expect(toWeekLines(HOURS, on('2026-11-24'), 'es')).toEqual([
    'Martes a viernes: de 9:00 a 18:00 (último acceso 17:30)',
    'Sábado: desde las 9:00',
    'Domingo: horario por confirmar',
    'Lunes: cerrado',
    'Navidad: cerrado',
    'Jueves 26 de noviembre de 2026: de 10:00 a 13:30 (Obra)',
    'Domingo: gratis para nacionales y residentes',
    'Horario de 2024.',
  ]);
  expect(toWeekLines(HOURS, on('2026-11-27'), 'en')).toEqual([
    'Tuesday to Friday: from 9 a.m. to 6 p.m. (last entry 5:30 p.m.)',
    'Saturday: from 9 a.m.',
    'Sunday: hours to be confirmed',
    'Monday: closed',
    'Christmas Day: closed',
    'Sunday: free for Mexicans and residents',
    'Hours from 2024.',
  ]);
});
