// lugares tool: tests venues by name, id, URL, day, zone and distance, and hints for an empty list.
import { expect, test } from 'vitest';
import { useFixture } from '../../fixtures/fixture.ts';
import { call, contextOf } from '../ask.ts';
import { expectPromised } from '../listed.ts';

const { snapshot } = useFixture();
const ask = (args: Record<string, unknown>, tool = 'lugares') =>
  call(tool, args, contextOf(snapshot));
const namesOf = async (args: Record<string, unknown>): Promise<string[]> =>
  (await ask(args)).structuredContent.data.map(({ name }: { name: string }) => name);
const FORO = 'Foro sin Punto';
const MALECON = 'Malecón Inventado';
const URL_OF_MALECON = 'https://hoy.example/lugares/malecon-inventado';

test('a venue has hours, admission, address and directions in text and structured content', async () => {
  const result = await ask({ q: MALECON });
  expectPromised(snapshot, 'lugares', result);
  const [place] = result.structuredContent.data;
  expect(place).toMatchObject({
    name: MALECON,
    url: URL_OF_MALECON,
    zone: { key: 'tajamar' },
    today: { date: '2026-11-20', open: true },
    admission: [{ visitor: 'foreign', amount: 210 }, { visitor: 'national' }, { visitor: 'child' }],
    upcoming_count: expect.any(Number),
  });
  for (const words of [
    `[${MALECON}](${URL_OF_MALECON}) · Tajamar · Abierto hoy de 9:00 a 18:00`,
    'Extranjeros: $210 MXN',
    'Av. de Mentiras 1, Cancún',
    'destination=21.1266%2C-86.8161',
    'Rampa en la entrada',
  ])
    expect(result.content[0].text).toContain(words);
});

const malecon = [...snapshot.venues.values()].find(({ name }) => name === MALECON);
test.each([
  ...['malecon inventado', 'Inventado Boardwalk', 'malecon-inventado', malecon?.id],
  ...[URL_OF_MALECON, '/en/venues/malecon-inventado.md'],
])('%s finds the venue; detalle_evento rejects it with the name of the venue', async (name) => {
  expect(await namesOf({ q: name })).toEqual([MALECON]);
  const events = (await ask({ q: name }, 'buscar_eventos')).structuredContent.data;
  expect(events.length).toBeGreaterThan(0);
  expect(events).toEqual((await ask({ q: MALECON }, 'buscar_eventos')).structuredContent.data);
  const { isError, content } = await ask({ id: name }, 'detalle_evento');
  expect(isError).toBe(true);
  expect(content[0].text).toContain(`id: is a place (${MALECON}), no event. Ask lugares`);
});

test.each([
  [{}, [FORO, MALECON]],
  [{ open_on: 'lunes' }, [FORO]],
  [{ zone: 'Isla Mujeres' }, [FORO]],
  [{ category: 'mercados' }, [MALECON]],
  // Free for children.
  [{ free: true }, [MALECON]],
  [{ family: true }, []],
  [{ near: '21.1266, -86.8161', radius_km: 1 }, [MALECON]],
])('%o lists %o', async (args, names) => {
  expect(await namesOf(args)).toEqual(names);
});

test('open_on returns the hours of that day, with their note', async () => {
  const result = await ask({ open_on: '2026-12-24', lang: 'en' });
  expectPromised(snapshot, 'lugares', result);
  const day = { date: '2026-12-24', note: 'Half day' };
  expect(result.structuredContent.data[0].today).toMatchObject(day);
  expect(result.content[0].text).toContain('December 24: from 9 a.m. to 1 p.m. (Half day)');
});

test('an empty list has a hint', async () => {
  const closed = await ask({ q: 'malecon', open_on: 'monday' });
  expect(closed.structuredContent.hints).toEqual([
    'El lunes 23 de noviembre no abren: Malecón Inventado (abre el martes 24 de noviembre).',
  ]);
  const none = await ask({ q: 'zzz' });
  expectPromised(snapshot, 'lugares', none);
  expect(none.structuredContent.hints[0]).toContain('https://hoy.example/lugares');
});
