// lugares: places by whatever names them, by day, zone, distance and what is on there, with hours,
// admission and directions; the same as the list of venues.
import { afterAll, describe, expect, test } from 'vitest';
import { openFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const ask = (args: Record<string, unknown>) => call('lugares', args, contextOf(snapshot));
const namesOf = async (args: Record<string, unknown>): Promise<string[]> =>
  (await ask(args)).structuredContent.data.map(({ name }: { name: string }) => name);
const FORO = 'Foro sin Punto';
const MALECON = 'Malecón Inventado';

test('a place with its hours, admission, address and directions, in words and as data', async () => {
  const result = await ask({ q: MALECON });
  expectPromised(snapshot, 'lugares', result);
  const [place] = result.structuredContent.data;
  expect(place).toMatchObject({
    name: MALECON,
    url: 'https://hoy.example/lugares/malecon-inventado',
    zone: { key: 'tajamar' },
    today: { date: '2026-11-20', open: true },
    admission: [{ visitor: 'foreign', amount: 210 }, { visitor: 'national' }, { visitor: 'child' }],
    upcoming_count: expect.any(Number),
  });
  for (const words of [
    'Lugares: 1 lugar',
    `[${MALECON}](https://hoy.example/lugares/malecon-inventado) · Tajamar · Abierto hoy de 9:00 a 18:00`,
    'Extranjeros: $210 MXN',
    '**Dirección:** Av. de Mentiras 1, Cancún',
    'destination=21.1266%2C-86.8161',
    'Rampa en la entrada',
  ])
    expect(result.content[0].text).toContain(words);
});

describe('whatever names a place finds it', () => {
  const [, venue] = [...snapshot.venues.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const names = [
    'malecon inventado',
    'Inventado Boardwalk',
    'malecon-inventado',
    venue?.id,
    'https://hoy.example/lugares/malecon-inventado',
    '/en/venues/malecon-inventado.md',
  ];
  test.each(names)('%s', async (q) => {
    expect(await namesOf({ q })).toEqual([MALECON]);
    const found = await call('buscar_eventos', { q }, contextOf(snapshot));
    const known = await call('buscar_eventos', { q: MALECON }, contextOf(snapshot));
    expect(found.structuredContent.data.length).toBeGreaterThan(0);
    expect(found.structuredContent.data).toEqual(known.structuredContent.data);
  });
  test.each(names)('%s is no event, and detalle_evento says which place it is', async (id) => {
    const result = await call('detalle_evento', { id }, contextOf(snapshot));
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain(`id: is a place (${MALECON}), no event. Ask lugares`);
  });
});

test.each([
  [{}, [FORO, MALECON]],
  [{ open_on: 'lunes' }, [FORO]],
  [{ zone: 'Isla Mujeres' }, [FORO]],
  [{ category: 'mercados' }, [MALECON]],
  [{ free: true }, []],
  [{ indoor: true }, []],
  [{ family: true }, []],
  [{ near: '21.1266, -86.8161', radius_km: 1 }, [MALECON]],
  [{ limit: 1 }, [FORO]],
])('%o: %o', async (args, names) => {
  expect(await namesOf(args)).toEqual(names);
});

test('of another day its hours are told, and why', async () => {
  const result = await ask({ open_on: '2026-12-24', lang: 'en' });
  expectPromised(snapshot, 'lugares', result);
  expect(result.structuredContent.data[0].today).toMatchObject({
    date: '2026-12-24',
    note: 'Half day',
  });
  expect(result.content[0].text).toContain(
    'Thursday, December 24: from 9 a.m. to 1 p.m. (Half day)',
  );
  expect(result.content[0].text).toContain('Places that open on Thursday, December 24: 1 place');
});

test('goes on by its cursor, and says what to do where nothing matches', async () => {
  const first = await ask({ limit: 1 });
  const { next_cursor } = first.structuredContent;
  expect(first.content[0].text).toContain(`cursor: "${next_cursor}"`);
  expect(await namesOf({ limit: 1, cursor: next_cursor })).toEqual([MALECON]);
  const near = await ask({ near: '21.1266, -86.8161', lang: 'en' });
  expect(near.structuredContent.meta.without_place).toBe(0);
  const shut = await ask({ q: 'malecon', open_on: 'monday' });
  expect(shut.structuredContent.hints).toEqual(['No abren: Malecón Inventado']);
  const none = await ask({ q: 'zzz' });
  expectPromised(snapshot, 'lugares', none);
  expect(none.structuredContent.hints[0]).toContain('https://hoy.example/lugares');
});

test.each([
  [{ open_on: 'ayer' }, /^open_on: 'ayer' is not accepted\. .*Today is 2026-11-20 in Cancún/],
  [{ free: 'quizá', zone: 'x' }, /^zone: 'x' is not known.*; free: /],
  [{ venue: 'x' }, /^venue: is not a parameter\. Use /],
])('%o is refused', async (args, sentence) => {
  const result = await ask(args);
  expect([result.isError, result.content[0].text]).toEqual([true, expect.stringMatching(sentence)]);
});
