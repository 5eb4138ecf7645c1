// A day and its notices in sentences. What both languages say alike is held in Spanish: that they
// have the same words and parts is held in words.test.ts.
import { Temporal } from 'temporal-polyfill';
import { expect, test } from 'vitest';
import {
  DAY_YEARS,
  isComputed,
  toAgendaFacts,
  toDayFacts,
} from '../../src/domain/day/day-facts.ts';
import type { Lang } from '../../src/domain/lang.ts';
import type { NoticeRecord } from '../../src/domain/notice.ts';
import {
  toDayLines,
  toInferredSentence,
  toLinkWords,
  toSeasonLine,
} from '../../src/i18n/day-words.ts';
import { readFixture } from '../fixtures/fixture.ts';
import { NOTICE } from '../fixtures/notice.ts';

const { calendar } = readFixture();
const day = (text: string): Temporal.PlainDate => Temporal.PlainDate.from(text);
const factsOf = (text: string, year = calendar) => toDayFacts(day(text), year);
const say = (text: string, lang: Lang): string[] =>
  toDayLines(factsOf(text), lang).map((line) => line.text);

test('a plain day has the sun, the moon, the light and the next feast', () => {
  expect([say('2026-11-21', 'es'), say('2026-11-21', 'en')]).toMatchInlineSnapshot(`
    [
      [
        "Sale el sol a las 7:02, se pone a las 18:05; hay luz hasta las 18:28.",
        "Luna creciente, 89 %; sale a las 15:40.",
        "Índice UV con cielo despejado: alto.",
        "Próxima fiesta: Día de la Virgen de Guadalupe, sábado 12 de diciembre (faltan 21 días).",
      ],
      [
        "The sun rises at 7:02 a.m. and sets at 6:05 p.m.; light until 6:28 p.m.",
        "Waxing gibbous moon, 89% lit; rises at 3:40 p.m.",
        "Clear-sky UV index: high.",
        "Coming up: Our Lady of Guadalupe, Saturday, December 12 (21 days to go).",
      ],
    ]
  `);
});

test.each([
  ['2026-12-25', 0, 'Navidad, día festivo oficial: cierran los bancos y las oficinas públicas.'],
  ['2026-12-25', -1, 'Próxima fiesta: Año Nuevo, viernes 1 de enero de 2027 (faltan 7 días).'],
  ['2026-12-12', 0, 'Día de la Virgen de Guadalupe: cierran los bancos.'],
  ['2026-12-24', -1, 'Próxima fiesta: Navidad, viernes 25 de diciembre (falta 1 día).'],
])('of holidays %s says in line %d', (text, line, said) => {
  expect(say(text, 'es').at(line)).toBe(said);
});

test.each([
  ['2026-05-25', null],
  ['2026-05-26', 'La temporada de huracanes empieza en 6 días, el lunes 1 de junio.'],
  ['2026-06-01', 'Primer día de la temporada de huracanes.'],
  ['2026-06-02', null],
  ['2026-11-23', null],
  ['2026-11-29', 'La temporada de huracanes termina en 1 día, el lunes 30 de noviembre.'],
  ['2026-11-30', 'Último día de la temporada de huracanes.'],
  ['2026-12-01', null],
  // Of what nobody sets a day for, only about when.
  ['2026-04-01', 'Por estas fechas suele empezar la temporada de sargazo.'],
  ['2026-09-24', 'Por estas fechas suele terminar la temporada de sargazo.'],
])('of seasons %s says %j', (text, said) => {
  const season = (name: string, first: string, last: string, is_fixed: boolean) => {
    return {
      notice: name,
      name: { es: `la temporada de ${name}`, en: name },
      first,
      last,
      is_fixed,
    };
  };
  const seasons = [
    season('huracanes', '2026-06-01', '2026-11-30', true),
    season('sargazo', '2026-04-01', '2026-09-30', false),
  ];
  const lines = toDayLines(factsOf(text, { ...calendar, seasons }), 'es');
  expect(lines.find(({ kind }) => kind === 'season')?.text ?? null).toBe(said);
});

test('the moon of sixty days: where it does not rise it rises early on the next day, and at one', () => {
  const days = Array.from({ length: 60 }, (_, days) => day('2026-11-21').add({ days }));
  const late = days.filter((one) => factsOf(`${one}`).sky.moonrise_ms === null);
  expect(late.length).toBeGreaterThan(0);
  for (const one of late) {
    expect(say(`${one}`, 'es')[1]).toContain('no sale hasta después de medianoche.');
    const next = one.add({ days: 1 });
    const rise_ms = factsOf(`${next}`).sky.moonrise_ms ?? 0;
    const midnight_ms = next.toZonedDateTime('America/Cancun').epochMilliseconds;
    expect(rise_ms - midnight_ms).toBeLessThan(3 * 3_600_000);
  }
  const said = days.map((one) => say(`${one}`, 'es').join(' ')).join(' ');
  expect(said).toMatch(/sale a la 1:\d\d/);
  expect(said).not.toContain('a las 1:');
});

test('a page to look at says who publishes it and when we looked', () => {
  const [link] = calendar.links;
  expect(link && toLinkWords(link, 'es')).toEqual({
    topic: 'Sargazo',
    label: 'Semáforo del sargazo',
    note: '(Oficina de Ejemplo; enlace revisado el 20 de noviembre de 2026)',
  });
});

test('only a page of one day has facts, and only of years that are computed', () => {
  const today = day('2026-11-22');
  expect(toAgendaFacts('weekend', today, calendar)).toBeNull();
  expect(toAgendaFacts('today', today, calendar)?.day).toEqual(today);
  const { first, last } = DAY_YEARS;
  const years = [first - 1, first, last, last + 1].map((year) => day(`${year}-06-01`));
  expect(years.map(isComputed)).toEqual([false, true, true, false]);
});

test.each<[NoticeRecord['evidence'], string]>([
  [{ year: 2025, was_last_year: true }, 'Así fue el año pasado;'],
  [{ year: 2024, was_last_year: false }, 'Así fue en 2024;'],
  [null, 'Así ha sido otros años;'],
])('what is inferred from %j says %s', (evidence, said) => {
  const notice = { ...NOTICE, inferred: true, evidence };
  expect(toInferredSentence(notice, 'es')).toContain(said);
  expect(toInferredSentence({ ...notice, inferred: false }, 'es')).toBeNull();
});

test('seasons by their short names, else by their titles', () => {
  const short = { ...NOTICE, short: { es: 'nortes', en: 'north winds' } };
  const titled = { ...NOTICE, title: { es: 'Sargazo', en: 'Sargassum' } };
  expect(toSeasonLine([short, titled], 'es')).toBe('En temporada: nortes, Sargazo');
  expect(toSeasonLine([], 'es')).toBeNull();
});
