// A day and its notices in sentences, in both languages.
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
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
const factsOf = (day: string) => toDayFacts(Temporal.PlainDate.from(day), calendar);
const say = (day: string, lang: Lang): string[] =>
  toDayLines(factsOf(day), lang).map(({ text }) => text);

describe('a plain day', () => {
  test('has the sun, the moon, the light and the next feast', () => {
    expect(say('2026-11-21', 'es')).toMatchInlineSnapshot(`
      [
        "Sale el sol a las 7:02, se pone a las 18:05; hay luz hasta las 18:28.",
        "Luna creciente, 89 %; sale a las 15:40.",
        "Índice UV con cielo despejado: alto.",
        "Próxima fiesta: Día de la Virgen de Guadalupe, sábado 12 de diciembre (faltan 21 días).",
      ]
    `);
    expect(say('2026-11-21', 'en')).toMatchInlineSnapshot(`
      [
        "The sun rises at 7:02 a.m. and sets at 6:05 p.m.; light until 6:28 p.m.",
        "Waxing gibbous moon, 89% lit; rises at 3:40 p.m.",
        "Clear-sky UV index: high.",
        "Coming up: Our Lady of Guadalupe, Saturday, December 12 (21 days to go).",
      ]
    `);
  });
});

describe('a holiday', () => {
  test('says first what it closes, and counts to the one after it', () => {
    expect(say('2026-12-25', 'es')[0]).toBe(
      'Navidad, día festivo oficial: cierran los bancos y las oficinas públicas.',
    );
    expect(say('2026-12-25', 'en').at(-1)).toBe(
      'Coming up: New Year’s Day, Friday, January 1, 2027 (7 days to go).',
    );
  });
  test('of the banks alone says so', () => {
    expect(say('2026-12-12', 'es')[0]).toBe('Día de la Virgen de Guadalupe: cierran los bancos.');
    expect(say('2026-12-12', 'en')[0]).toBe('Our Lady of Guadalupe: banks are closed.');
  });
  test('is one day away on its eve', () => {
    expect(say('2026-12-24', 'es').at(-1)).toBe(
      'Próxima fiesta: Navidad, viernes 25 de diciembre (falta 1 día).',
    );
    expect(say('2026-12-24', 'en').at(-1)).toBe(
      'Coming up: Christmas Day, Friday, December 25 (1 day to go).',
    );
  });
});

const HURRICANES = {
  notice: 'no_hurricanes-20260601',
  name: { es: 'la temporada de huracanes', en: 'hurricane season' },
  first: '2026-06-01',
  last: '2026-11-30',
  is_fixed: true,
} as const;
const SARGASSUM = {
  notice: 'no_sargassum-20260401',
  name: { es: 'la temporada de sargazo', en: 'sargassum season' },
  first: '2026-04-01',
  last: '2026-09-30',
  is_fixed: false,
} as const;

describe('a season', () => {
  const year = { ...calendar, seasons: [HURRICANES, SARGASSUM] };
  const saySeasons = (day: string, lang: Lang): string[] =>
    toDayLines(toDayFacts(Temporal.PlainDate.from(day), year), lang).flatMap(({ kind, text }) =>
      kind === 'season' ? [text] : [],
    );

  test.each<[string, string[], string[]]>([
    ['2026-05-25', [], []],
    [
      '2026-05-26',
      ['La temporada de huracanes empieza en 6 días, el lunes 1 de junio.'],
      ['Hurricane season starts in 6 days, on Monday, June 1.'],
    ],
    [
      '2026-06-01',
      ['Primer día de la temporada de huracanes.'],
      ['First day of hurricane season.'],
    ],
    ['2026-06-02', [], []],
    ['2026-11-23', [], []],
    [
      '2026-11-25',
      ['La temporada de huracanes termina en 5 días, el lunes 30 de noviembre.'],
      ['Hurricane season ends in 5 days, on Monday, November 30.'],
    ],
    [
      '2026-11-29',
      ['La temporada de huracanes termina en 1 día, el lunes 30 de noviembre.'],
      ['Hurricane season ends in 1 day, on Monday, November 30.'],
    ],
    ['2026-11-30', ['Último día de la temporada de huracanes.'], ['Last day of hurricane season.']],
    ['2026-12-01', [], []],
    // Of what nobody sets a day for, only about when.
    [
      '2026-04-01',
      ['Por estas fechas suele empezar la temporada de sargazo.'],
      ['Sargassum season usually starts around this time.'],
    ],
    [
      '2026-09-24',
      ['Por estas fechas suele terminar la temporada de sargazo.'],
      ['Sargassum season usually ends around this time.'],
    ],
  ])('on %s', (day, es, en) => {
    expect([saySeasons(day, 'es'), saySeasons(day, 'en')]).toEqual([es, en]);
  });
});

test('a day on which the moon does not rise says so, about once a month', () => {
  const days = Array.from({ length: 60 }, (_, n) =>
    Temporal.PlainDate.from('2026-11-21').add({ days: n }),
  );
  const without = days.filter((day) => factsOf(day.toString()).sky.moonrise_ms === null);
  expect(without.length).toBeGreaterThan(0);
  for (const day of without) {
    expect(say(day.toString(), 'es')[1]).toMatch(/ %; no sale hasta después de medianoche\.$/);
    expect(say(day.toString(), 'en')[1]).toMatch(/% lit; it does not rise until after midnight\.$/);
    // The rise that it lacks is in the first hours of the next day.
    const next = factsOf(day.add({ days: 1 }).toString()).sky.moonrise_ms ?? 0;
    expect(
      next - day.add({ days: 1 }).toZonedDateTime('America/Cancun').epochMilliseconds,
    ).toBeLessThan(3 * 3_600_000);
  }
});

test('every moment is a whole minute of that day', () => {
  for (let day = Temporal.PlainDate.from('2026-11-21'), n = 0; n < 60; n += 1) {
    const { sky } = factsOf(day.toString());
    for (const moment of [sky.sunrise_ms, sky.sunset_ms, sky.civil_dusk_ms])
      expect((moment ?? 1) % 60_000).toBe(0);
    day = day.add({ days: 1 });
  }
});

test('the moon rises at one o’clock in the singular', () => {
  const days = Array.from({ length: 60 }, (_, n) =>
    say(Temporal.PlainDate.from('2026-11-21').add({ days: n }).toString(), 'es').join(' '),
  );
  const at_one = days.filter((text) => /sale a la 0?1:\d\d/.test(text));
  expect(at_one.length).toBeGreaterThan(0);
  expect(days.join(' ')).not.toMatch(/a las 0?1:/);
});

test('a page to look at says who publishes it and when we looked', () => {
  const [link] = calendar.links;
  if (!link) throw new Error('no link');
  expect([toLinkWords(link, 'es'), toLinkWords(link, 'en')]).toEqual([
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
  const day = Temporal.PlainDate.from('2026-11-22');
  expect(toAgendaFacts('weekend', day, calendar)).toBeNull();
  expect(toAgendaFacts('week', day, calendar)).toBeNull();
  expect(toAgendaFacts('today', day, calendar)?.day.toString()).toBe('2026-11-22');
  expect(
    [DAY_YEARS.first - 1, DAY_YEARS.first, DAY_YEARS.last, DAY_YEARS.last + 1].map((year) =>
      isComputed(new Temporal.PlainDate(year, 6, 1)),
    ),
  ).toEqual([false, true, true, false]);
});

const inferred = (evidence: NoticeRecord['evidence']): NoticeRecord => ({
  ...NOTICE,
  inferred: true,
  evidence,
});

test.each([
  [{ year: 2025, was_last_year: true }, 'Así fue el año pasado;', 'This is how it was last year;'],
  [{ year: 2024, was_last_year: false }, 'Así fue en 2024;', 'This is how it was in 2024;'],
  [null, 'Así ha sido otros años;', 'This is how it has been in other years;'],
])('what is inferred from %j says so', (evidence, es, en) => {
  expect(toInferredSentence(inferred(evidence), 'es')).toContain(es);
  expect(toInferredSentence(inferred(evidence), 'en')).toContain(en);
});

test('what is known of its own year says nothing of other years', () => {
  expect(toInferredSentence(NOTICE, 'es')).toBeNull();
});

test('seasons by their short names, else by their titles', () => {
  const short = { ...NOTICE, short: { es: 'nortes', en: 'north winds' } };
  const titled = { ...NOTICE, title: { es: 'Sargazo', en: 'Sargassum' } };
  expect(toSeasonLine([short, titled], 'es')).toBe('En temporada: nortes, Sargazo');
  expect(toSeasonLine([short, titled], 'en')).toBe('In season: north winds, Sargassum');
  expect(toSeasonLine([], 'es')).toBeNull();
});
