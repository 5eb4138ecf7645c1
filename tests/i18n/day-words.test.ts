// A day and its notices in sentences, in both languages.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import {
  DAY_YEARS,
  isComputed,
  toAgendaFacts,
  toDayFacts,
} from '../../src/domain/day/day-facts.ts';
import { type Lang, LANGS } from '../../src/domain/lang.ts';
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
  [
    '2026-12-25',
    0,
    'Navidad, día festivo oficial: cierran los bancos y las oficinas públicas.',
    'Christmas Day, a public holiday: banks and government offices are closed.',
  ],
  [
    '2026-12-25',
    -1,
    'Próxima fiesta: Año Nuevo, viernes 1 de enero de 2027 (faltan 7 días).',
    'Coming up: New Year’s Day, Friday, January 1, 2027 (7 days to go).',
  ],
  [
    '2026-12-12',
    0,
    'Día de la Virgen de Guadalupe: cierran los bancos.',
    'Our Lady of Guadalupe: banks are closed.',
  ],
  [
    '2026-12-24',
    -1,
    'Próxima fiesta: Navidad, viernes 25 de diciembre (falta 1 día).',
    'Coming up: Christmas Day, Friday, December 25 (1 day to go).',
  ],
])('of holidays %s says in line %d', (text, line, es, en) => {
  expect(LANGS.map((lang) => say(text, lang).at(line))).toEqual([es, en]);
});

describe('a season', () => {
  const HURRICANES = {
    notice: 'no_hurricanes-20260601',
    name: { es: 'la temporada de huracanes', en: 'hurricane season' },
    first: '2026-06-01',
    last: '2026-11-30',
    is_fixed: true,
  };
  const SARGASSUM = {
    notice: 'no_sargassum-20260401',
    name: { es: 'la temporada de sargazo', en: 'sargassum season' },
    first: '2026-04-01',
    last: '2026-09-30',
    is_fixed: false,
  };
  const year = { ...calendar, seasons: [HURRICANES, SARGASSUM] };
  const saySeasons = (text: string, lang: Lang): string[] =>
    toDayLines(factsOf(text, year), lang).flatMap((line) =>
      line.kind === 'season' ? [line.text] : [],
    );

  test.each([
    [
      '2026-05-26',
      'La temporada de huracanes empieza en 6 días, el lunes 1 de junio.',
      'Hurricane season starts in 6 days, on Monday, June 1.',
    ],
    ['2026-06-01', 'Primer día de la temporada de huracanes.', 'First day of hurricane season.'],
    [
      '2026-11-29',
      'La temporada de huracanes termina en 1 día, el lunes 30 de noviembre.',
      'Hurricane season ends in 1 day, on Monday, November 30.',
    ],
    ['2026-11-30', 'Último día de la temporada de huracanes.', 'Last day of hurricane season.'],
    // Of what nobody sets a day for, only about when.
    [
      '2026-04-01',
      'Por estas fechas suele empezar la temporada de sargazo.',
      'Sargassum season usually starts around this time.',
    ],
    [
      '2026-09-24',
      'Por estas fechas suele terminar la temporada de sargazo.',
      'Sargassum season usually ends around this time.',
    ],
  ])('on %s', (text, es, en) => {
    expect(LANGS.map((lang) => saySeasons(text, lang))).toEqual([[es], [en]]);
  });
  test('is news within a week only', () => {
    const quiet = ['2026-05-25', '2026-06-02', '2026-11-23', '2026-12-01'];
    expect(quiet.flatMap((text) => saySeasons(text, 'es'))).toEqual([]);
  });
});

test('the moon of sixty days: where it does not rise it rises early on the next day, and at one', () => {
  const days = Array.from({ length: 60 }, (_, days) => day('2026-11-21').add({ days }));
  const late = days.filter((one) => factsOf(`${one}`).sky.moonrise_ms === null);
  expect(late.length).toBeGreaterThan(0);
  for (const one of late) {
    expect(say(`${one}`, 'es')[1]).toContain('no sale hasta después de medianoche.');
    expect(say(`${one}`, 'en')[1]).toContain('it does not rise until after midnight.');
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
  if (!link) throw new Error('no link');
  expect(LANGS.map((lang) => toLinkWords(link, lang))).toEqual([
    {
      topic: 'Sargazo',
      label: 'Semáforo del sargazo',
      note: '(Oficina de Ejemplo; enlace revisado el 20 de noviembre de 2026)',
    },
    {
      topic: 'Sargassum',
      label: 'Sargassum traffic light',
      note: '(Oficina de Ejemplo; link checked November 20, 2026)',
    },
  ]);
});

test('only a page of one day has facts, and only of years that are computed', () => {
  const today = day('2026-11-22');
  expect(toAgendaFacts('weekend', today, calendar)).toBeNull();
  expect(toAgendaFacts('today', today, calendar)?.day).toEqual(today);
  const { first, last } = DAY_YEARS;
  const years = [first - 1, first, last, last + 1].map((year) => day(`${year}-06-01`));
  expect(years.map(isComputed)).toEqual([false, true, true, false]);
});

test.each<[NoticeRecord['evidence'], string, string]>([
  [{ year: 2025, was_last_year: true }, 'Así fue el año pasado;', 'This is how it was last year;'],
  [{ year: 2024, was_last_year: false }, 'Así fue en 2024;', 'This is how it was in 2024;'],
  [null, 'Así ha sido otros años;', 'This is how it has been in other years;'],
])('what is inferred from %j says so', (evidence, es, en) => {
  const notice = { ...NOTICE, inferred: true, evidence };
  const said = LANGS.map((lang) => toInferredSentence(notice, lang));
  expect(said).toEqual([expect.stringContaining(es), expect.stringContaining(en)]);
  expect(toInferredSentence({ ...notice, inferred: false }, 'es')).toBeNull();
});

test('seasons by their short names, else by their titles', () => {
  const short = { ...NOTICE, short: { es: 'nortes', en: 'north winds' } };
  const titled = { ...NOTICE, title: { es: 'Sargazo', en: 'Sargassum' } };
  expect(LANGS.map((lang) => toSeasonLine([short, titled], lang))).toEqual([
    'En temporada: nortes, Sargazo',
    'In season: north winds, Sargassum',
  ]);
  expect(toSeasonLine([], 'es')).toBeNull();
});
