// avisos_hoy tool: tests the notices of a day, seasons, day facts and the search by words.
import { expect, onTestFinished, test } from 'vitest';
import { openFixture, useFixture } from '../../fixtures/fixture.ts';
import { loadFixtureInSeason } from '../../fixtures/season.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot } = useFixture(loadFixtureInSeason());
const ask = (args: Record<string, unknown>, tool = 'avisos_hoy') =>
  call(tool, args, contextOf(snapshot));

test('the default day is today; seasons are listed in full, after other notices', async () => {
  const result = await ask({});
  expectPromised(snapshot, 'avisos_hoy', result);
  expect(result.structuredContent).toEqual((await ask({ date: 'today' })).structuredContent);
  expect(result.structuredContent.data.at(-1)).toMatchObject({ season: true });
  for (const words of [
    'Avisos para el viernes 20 de noviembre de 2026. 2 avisos para hoy; 1 de temporada.',
    'Precaución (clima): Oleaje alto',
    'https://avisos.example/oleaje',
    'Frentes fríos',
  ])
    expect(result.content[0].text).toContain(words);
});

test('eventos_hoy has seasons as one line', async () => {
  const { content, structuredContent } = await ask({ lang: 'en' }, 'eventos_hoy');
  expect(content[0].text).toContain('\n\nIn season: north winds\n');
  expect(content[0].text).not.toContain('Cold fronts');
  expect(structuredContent.in_season).toEqual(['north winds']);
});

test.each([
  ['domingo', '2026-11-22'],
  ['mañana', '2026-11-21'],
  ['Friday', '2026-11-20'],
  ['2026-12-25', '2026-12-25'],
])('%s has the facts of the day with its notices', async (date, day) => {
  const { structuredContent, content } = await ask({ date });
  expect([structuredContent.meta.date, structuredContent.day.date]).toEqual([day, day]);
  const links = structuredContent.day.links.map(({ url }: { url: string }) => url);
  for (const words of ['Sale el sol a las', ...links]) expect(content[0].text).toContain(words);
});

test.each([
  [{ q: 'frente frio' }, 1],
  // Notices that are over by that day are not found.
  [{ q: 'oleaje', date: '2026-11-01' }, 1],
  [{ q: 'oleaje', date: '2027-06-01' }, 0],
  [{ q: 'zzz' }, 0],
])('%o finds %d notices of that day or later', async (args, count) => {
  const result = await ask(args);
  expectPromised(snapshot, 'avisos_hoy', result);
  expect(result.structuredContent.data.length).toBe(count);
});

test.each([
  [{ type: 'weather' }, 2],
  [{ type: 'traffic' }, 0],
  [{ zone: 'zona hotelera', q: 'oleaje', date: '2026-11-01' }, 1],
  [{ zone: 'Isla Mujeres', q: 'oleaje', date: '2026-11-01' }, 0],
])(
  '%o keeps the notices of that type and zone, and those of the whole area',
  async (args, count) => {
    const { structuredContent } = await ask({ date: '2026-11-20', ...args });
    expect(structuredContent.total).toBe(count);
  },
);

test.each([
  ['es', 'Pronóstico (aquí no lo damos): [Avisos del tiempo'],
  ['en', 'Forecast (we don’t give one): [Weather warnings'],
])('the text says where forecasts are, since none are given: %s', async (lang, words) => {
  const weather = {
    topic: 'weather' as const,
    name: { es: 'Avisos del tiempo', en: 'Weather warnings' },
    source: 'Servicio de Ejemplo',
    url: 'https://example.com/tiempo',
    checked: '2026-11-20',
    search_words: [],
  };
  const { calendar, ...town } = loadFixtureInSeason();
  const { snapshot: with_link, close } = openFixture({
    ...town,
    calendar: { ...calendar, links: [weather] },
  });
  onTestFinished(close);
  const { content } = await call('avisos_hoy', { lang }, contextOf(with_link));
  expect(content[0].text).toContain(words);
});
