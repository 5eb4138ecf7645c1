// Day texts: facts of a day and inferred notices as sentences.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
  COMPUTABLE_YEARS,
  isComputableDay,
  computeDayFacts,
} from '../../src/domain/day/day-facts.ts';
import { computeSky } from '../../src/domain/day/sky.ts';
import type { NoticeRecord } from '../../src/domain/notice.ts';
import { formatDayLines, formatInferredNotice, formatSunTimes } from '../../src/i18n/format-day.ts';
import { loadFixture } from '../fixtures/fixture.ts';
import { NOTICE } from '../fixtures/notice.ts';

const { calendar } = loadFixture();
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const factsOf = (text: string, year = calendar) => computeDayFacts(day(text), year);
const formatLines = (text: string): string[] =>
  formatDayLines(factsOf(text), 'es').map((line) => line.text);

test.each([
  ['2026-12-25', 0, 'Navidad, día festivo oficial: cierran los bancos y las oficinas públicas.'],
  ['2026-12-25', -1, 'Próxima fiesta: Año Nuevo, viernes 1 de enero de 2027 (faltan 7 días).'],
  ['2026-12-12', 0, 'Día de la Virgen de Guadalupe: cierran los bancos.'],
])('the holidays of %s are in line %d', (text, line, expected) => {
  expect(formatLines(text).at(line)).toBe(expected);
});

test.each([
  ['2026-11-28', 'es', '; llena, mié 23 dic; nueva, mar 8 dic.'],
  ['2026-11-28', 'en', '; full, Wed, Dec 23; new, Tue, Dec 8.'],
  // On the day itself the phase says it.
  ['2026-12-23', 'en', '; new, Thu, Jan 7, 2027.'],
  ['2026-12-08', 'es', '; llena, mié 23 dic.'],
] as const)('the moon of %s in %s names the next phases', (text, lang, expected) => {
  const line = formatDayLines(factsOf(text), lang).find(({ kind }) => kind === 'moon');
  expect(line?.text.endsWith(expected)).toBe(true);
});

test.each([
  ['2026-05-25', null],
  ['2026-05-26', 'La temporada de huracanes empieza en 6 días, el lunes 1 de junio.'],
  ['2026-06-01', 'Primer día de la temporada de huracanes.'],
  ['2026-06-02', null],
  ['2026-11-30', 'Último día de la temporada de huracanes.'],
  ['2026-12-01', null],
  // A season without fixed days is approximate.
  ['2026-04-01', 'Por estas fechas suele empezar la temporada de sargazo.'],
  ['2026-09-24', 'Por estas fechas suele terminar la temporada de sargazo.'],
])('the season text of %s is %j', (text, expected) => {
  const season = (name: string, first: string, last: string, is_fixed: boolean) => {
    const words = { es: `la temporada de ${name}`, en: name };
    return { notice: name, name: words, first, last, is_fixed };
  };
  const seasons = [
    season('huracanes', '2026-06-01', '2026-11-30', true),
    season('sargazo', '2026-04-01', '2026-09-30', false),
  ];
  const lines = formatDayLines(factsOf(text, { ...calendar, seasons }), 'es');
  expect(lines.find(({ kind }) => kind === 'season')?.text ?? null).toBe(expected);
});

// Tromsø: its polar night is from November 27 to January 15, its midnight sun from May 20 to July 22
// (Norwegian Meteorological Institute); the moon of November 28, 2026 is up all day.
test.each([
  [
    '2026-11-28',
    'Noche polar: el sol no sale; hay luz hasta las',
    'sobre el horizonte todo el día;',
  ],
  [
    '2026-12-10',
    'Noche polar: el sol no sale; hay luz hasta las',
    'bajo el horizonte todo el día;',
  ],
  ['2026-06-21', 'Sol de medianoche: el sol no se pone.', 'sale a las'],
])('above the Arctic Circle, sun and moon of %s are %j, %j', (text, sun, moon) => {
  const place = { lat: 69.65, lng: 18.96, time_zone: 'Europe/Oslo' };
  const facts = { ...factsOf(text), sky: computeSky(day(text), place) };
  const lines = formatDayLines(facts, 'es');
  expect(lines.find(({ kind }) => kind === 'sun')?.text).toContain(sun);
  expect(lines.find(({ kind }) => kind === 'moon')?.text).toContain(moon);
  expect(formatSunTimes(facts.sky, 'es')).toContain(sun);
});

test('a day has facts only in the computable years', () => {
  const { first, last } = COMPUTABLE_YEARS;
  const years = [first - 1, first, last, last + 1].map((year) => day(`${year}-06-01`));
  expect(years.map(isComputableDay)).toEqual([false, true, true, false]);
});

test.each<[NoticeRecord['evidence'], string]>([
  [{ year: 2025, was_last_year: true }, 'Así fue el año pasado;'],
  [null, 'Así ha sido otros años;'],
])('a notice inferred from %j has the remark %s', (evidence, expected) => {
  const notice = { ...NOTICE, inferred: true, evidence };
  expect(formatInferredNotice(notice, 'es')).toContain(expected);
  expect(formatInferredNotice({ ...notice, inferred: false }, 'es')).toBeNull();
});
