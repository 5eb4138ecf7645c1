// eventos_hoy: the day is Cancún's, and midnight there changes it.
import { afterAll, expect, test } from 'vitest';
import { handleApi } from '../../../src/api/handle-api.ts';
import { at, FRIDAY_NOON_MS, openFixture } from '../../fixtures/fixture.ts';
import { bodyOf, call, contextOf, SITE } from '../ask.ts';
import { expectPromised, getListed } from '../listed.ts';

const { snapshot, close } = openFixture();
afterAll(close);

test.each([
  ['2026-11-20T23:59:59', '2026-11-20', 'viernes 20'],
  ['2026-11-21T00:00:00', '2026-11-21', 'sábado 21'],
])('at %s today is %s', async (moment, day, words) => {
  const result = await call('eventos_hoy', {}, contextOf(snapshot, { now_ms: at(moment) }));
  expectPromised(snapshot, 'eventos_hoy', result);
  expect(result.structuredContent.meta.range).toEqual({ from: day, to: day });
  expect(result.content[0].text).toContain(words);
});

test('what asks for other days is told so', async () => {
  const result = await call('eventos_hoy', { date: 'tomorrow' }, contextOf(snapshot));
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toMatch(/^date: is not a parameter\. Use /);
  expect(
    Object.keys(Object(getListed(snapshot, 'eventos_hoy').inputSchema.properties)),
  ).not.toContain('date');
});

test('nightclubs have a heading of their own after the rest in the text, and are whole in the data', async () => {
  const { structuredContent, content } = await call('eventos_hoy', {}, contextOf(snapshot));
  const { text } = content[0];
  expect(text.indexOf('## Antros de esta noche (18+)')).toBeGreaterThan(text.indexOf('## Eventos'));
  expect(text.indexOf('¡Fiesta de viernes!')).toBeGreaterThan(text.indexOf('## Antros'));
  expect(structuredContent.data.map(({ title }: { title: string }) => title)).toContain(
    '¡Fiesta de viernes!',
  );
  const weekend = await call('eventos_fin_de_semana', { lang: 'en' }, contextOf(snapshot));
  expect(weekend.content[0].text).toContain('\n## Nightclubs (18+)\n');
});

test.each(['es', 'en'])(
  'the day itself is REST’s, and its text has every sentence of it (%s)',
  async (lang) => {
    const result = await call('eventos_hoy', { lang }, contextOf(snapshot));
    const rest = bodyOf(
      handleApi(
        { method: 'GET', path: '/api/v1/days/today', query: `lang=${lang}`, headers: {} },
        { snapshot, now_ms: FRIDAY_NOON_MS, site: SITE },
      ),
    );
    const { day, open_places } = result.structuredContent;
    const { open_places: all, ...facts } = rest.data;
    expect(facts).toMatchObject(day);
    expect(all.map(({ url }: { url: string }) => url)).toEqual(
      expect.arrayContaining(open_places.map(({ url }: { url: string }) => url)),
    );
    for (const sentence of rest.data.text.split(/(?<=\.) (?=[A-ZÁÉÍÓÚÑÍ])/))
      expect(result.content[0].text).toContain(sentence);
  },
);

test('the places that are open stand beside the events, and closed ones say so (contract 4.14)', async () => {
  const context = contextOf(snapshot, { now_ms: at('2026-11-21T12:00') });
  const listed = async (args: Record<string, unknown>) => {
    const result = await call('eventos_hoy', { lang: 'en', ...args }, context);
    expectPromised(snapshot, 'eventos_hoy', result);
    const names = result.structuredContent.open_places.map(
      (place: { name: string; today: { open: boolean } }) => `${place.name} ${place.today.open}`,
    );
    return { names, text: result.content[0].text };
  };
  const { names, text } = await listed({});
  expect(names).toEqual(['Malecón Inventado true', 'Foro sin Punto true']);
  expect(text).toContain('## Open today');
  expect(text).toContain('open now, until 6 p.m. (last entry 5:30 p.m.)');
  expect((await listed({ zone: 'tajamar' })).names).toEqual(['Malecón Inventado true']);
  expect((await listed({ free: true })).names).toEqual([]);
  expect((await listed({ category: 'party' })).text).not.toContain('## Open today');
});
