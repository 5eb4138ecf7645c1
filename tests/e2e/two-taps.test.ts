// Common questions of visitors, answered on a phone without scripts in at most two taps after the first page. A tap and the
// submit key count one each; typing and picking a date do not count.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { openVisitor, type TestVisitor } from '../fixtures/reader.ts';
import { useFolder } from '../fixtures/folder.ts';

const folder = useFolder();
const content_dir = join(folder, 'content');
const CLOCK_START = '2026-11-20T19:30:05-05:00';
const browser = await getBrowser();
let server: BuiltServer;

const formatEvent = (title: string, lines: string, dates: string, start: string): string =>
  `title: { es: ${title}, en: ${title} }
summary: { es: Inventado., en: Made up. }
${lines}
when:
  - { dates: [${dates}], start: "${start}", end: "21:30" }
sources: [{ name: Inventado para las pruebas, checked: 2026-11-20 }]
confidence: high
`;
const PUPPETS = 'category: family\nzone: isla-mujeres\ntags: [familia]';
const MUSIC = 'category: live-music\nprice: { min: 100 }';
const EVENTS = {
  titeres: formatEvent('Títeres en la isla', `${PUPPETS}\nprice: free`, '2026-11-20', '19:00'),
  caros: formatEvent('Títeres de pago', `${PUPPETS}\nprice: { min: 50 }`, '2026-11-20', '19:00'),
  trova: formatEvent('Trova frente al mar', `${MUSIC}\nzone: hotel-zone`, '2026-11-21', '20:00'),
  norte: formatEvent('Trova del centro', `${MUSIC}\nzone: downtown`, '2026-11-21', '20:00'),
  tarde: formatEvent('Trova de después', `${MUSIC}\nzone: hotel-zone`, '2026-11-26', '20:00'),
  taller: formatEvent(
    'Taller de barro',
    'category: art\nvenue: malecon-inventado\nprice: free',
    '2026-11-20, 2026-11-21, 2026-11-22',
    '19:00',
  ),
  posada: formatEvent(
    'Posada del barrio',
    'category: community\nprice: free',
    '2026-12-20',
    '19:00',
  ),
};

beforeAll(async () => {
  cpSync(FIXTURE_DIR, content_dir, { recursive: true });
  for (const [name, event] of Object.entries(EVENTS))
    writeFileSync(join(content_dir, 'events', `${name}.yml`), event);
  server = await startServer({
    data_dir: join(folder, 'data'),
    content_dir,
    clock_start: CLOCK_START,
  });
}, 300_000);
afterAll(() => server.stop());

async function visit(path: string) {
  const options = { baseURL: server.origin, javaScriptEnabled: false, hasTouch: true };
  const reader = await openVisitor(browser, options);
  let taps = 0;
  await reader.open(path);
  const navigate = async (action: () => Promise<void>): Promise<void> => {
    const before = reader.page.url();
    taps += 1;
    await action();
    await reader.page.waitForURL((url) => url.href !== before);
  };
  return {
    ...reader,
    taps: () => taps,
    tap: async (part: Locator) => {
      taps += 1;
      await part.tap();
    },
    follow: (part: Locator) => navigate(() => part.tap()),
    search: async (words: string) => {
      taps += 1;
      await reader.page.getByRole('searchbox', { name: 'Buscar eventos' }).tap();
      await reader.page.keyboard.type(words);
      await navigate(() => reader.page.keyboard.press('Enter'));
    },
  };
}
type Visitor = Awaited<ReturnType<typeof visit>>;

const link = ({ page }: TestVisitor, name: RegExp | string): Locator =>
  page.getByRole('main').getByRole('link', { name }).first();
const readTitles = async ({ page }: TestVisitor): Promise<string[]> =>
  (await page.locator('.row h3').allTextContents()).map((title) => title.trim());

test.each<readonly [string, number, (visitor: Visitor) => Promise<void>]>([
  [
    'free tonight on Isla with kids',
    2,
    async (visitor) => {
      await visitor.search('gratis niños isla esta noche');
      expect(await readTitles(visitor)).toEqual(['Títeres en la isla']);
    },
  ],
  [
    'events on now, at half past seven',
    2,
    async (visitor) => {
      await visitor.search('ahorita');
      expect(await readTitles(visitor)).toContain('Títeres en la isla');
      expect(await readTitles(visitor)).not.toContain('Feria diaria');
    },
  ],
  [
    'save only this Saturday',
    2,
    async (visitor) => {
      await visitor.follow(link(visitor, 'Taller de barro'));
      const saturday = visitor.page.getByRole('listitem').filter({ hasText: 'sáb 21 nov' });
      const download = visitor.page.waitForEvent('download');
      await visitor.tap(saturday.getByRole('link', { name: /^Guardar/ }).first());
      const calendar = await text(await (await download).createReadStream());
      expect(calendar.match(/(?<=DTSTART;TZID[^:]*:)\w+/g)).toEqual(['20261121T190000']);
    },
  ],
  [
    'events in the week before Christmas',
    2,
    async (visitor) => {
      await visitor.tap(visitor.page.getByRole('button', { name: 'Otras fechas' }));
      await visitor.page.getByLabel('Día (o primer día)').fill('2026-12-18');
      await visitor.page.getByLabel('Último día (opcional)').fill('2026-12-24');
      await visitor.follow(visitor.page.getByRole('button', { name: 'Ver qué hay' }));
      expect(await readTitles(visitor)).toContain('Posada del barrio');
    },
  ],
  [
    'the form to publish an event',
    1,
    async (visitor) => {
      await visitor.follow(visitor.page.getByRole('link', { name: 'Publica tu evento' }).first());
      expect(await visitor.page.getByLabel('Nombre del evento').isVisible()).toBe(true);
    },
  ],
  [
    'live music this weekend in the hotel zone',
    2,
    async (visitor) => {
      await visitor.search('musica zona hotelera');
      expect(await readTitles(visitor)).toEqual(['Trova frente al mar', 'Trova de después']);
    },
  ],
])('%s: %i taps', async (_, taps, findAnswer) => {
  const visitor = await visit('/hoy');
  await findAnswer(visitor);
  expect(visitor.taps()).toBe(taps);
  expect(visitor.issues).toEqual([]);
});

test('the filters of a day unfold in place, and an active filter can be removed', async () => {
  const visitor = await visit('/hoy?q=títeres');
  const { page } = visitor;
  await visitor.tap(page.locator('summary', { hasText: 'Filtros' }));
  await page.getByLabel('Zona', { exact: true }).selectOption({ label: 'Isla Mujeres (2)' });
  await page.getByLabel('Gratis, al menos para algunos').check();
  await visitor.follow(page.getByRole('button', { name: 'Aplicar' }));
  expect(await readTitles(visitor)).toEqual(['Títeres en la isla']);
  await visitor.follow(page.getByRole('link', { name: 'Quitar Con entrada gratis' }));
  expect(await readTitles(visitor)).toHaveLength(2);
});
