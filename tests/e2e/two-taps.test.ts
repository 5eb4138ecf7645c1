// What visitors ask, answered on a telephone without script in at most two taps after the first page.
// A touch counts one, and so does the keyboard's key that sends; typing and picking a day do not.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import type { Locator } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { newReader, type Reader, readWords } from '../fixtures/reader.ts';
import { makeFolder } from '../fixtures/folder.ts';
import { findViolations } from '../fixtures/violations.ts';

const folder = makeFolder();
const content_dir = join(folder, 'content');
const EVENING = '2026-11-20T19:30:05-05:00';
const NIGHT = '2026-11-21T00:40:05-05:00';
const browser = await getBrowser();
let evening: BuiltServer;
let night: BuiltServer;

/** An event in the two languages, with what a question turns on. */
const toEvent = (title: string, lines: string, dates: string, start: string): string =>
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
/** What answers, and beside it what looks like it. */
const EVENTS = {
  titeres: toEvent('Títeres en la isla', `${PUPPETS}\nprice: free`, '2026-11-20', '19:00'),
  caros: toEvent('Títeres de pago', `${PUPPETS}\nprice: { min: 50 }`, '2026-11-20', '19:00'),
  trova: toEvent('Trova frente al mar', `${MUSIC}\nzone: hotel-zone`, '2026-11-21', '20:00'),
  norte: toEvent('Trova del centro', `${MUSIC}\nzone: downtown`, '2026-11-21', '20:00'),
  tarde: toEvent('Trova de después', `${MUSIC}\nzone: hotel-zone`, '2026-11-26', '20:00'),
  taller: toEvent(
    'Taller de barro',
    'category: art\nvenue: malecon-inventado\nprice: free',
    '2026-11-20, 2026-11-21, 2026-11-22',
    '19:00',
  ),
  posada: toEvent('Posada del barrio', 'category: community\nprice: free', '2026-12-20', '19:00'),
};

beforeAll(async () => {
  cpSync(FIXTURE_DIR, content_dir, { recursive: true });
  for (const [name, text] of Object.entries(EVENTS))
    writeFileSync(join(content_dir, 'events', `${name}.yml`), text);
  const data_dir = join(folder, 'evening');
  const later_dir = join(folder, 'night');
  evening = await startServer({ data_dir, content_dir, clock_start: EVENING });
  // A copy of what is built already.
  cpSync(data_dir, later_dir, { recursive: true, verbatimSymlinks: true });
  night = await startServer({ data_dir: later_dir, content_dir, clock_start: NIGHT });
}, 300_000);
afterAll(() => Promise.all([evening.stop(), night.stop()]));

/** A visitor who counts. */
interface Visitor extends Reader {
  readonly tap: (part: Locator) => Promise<void>;
  /** The same, to another page. */
  readonly follow: (part: Locator) => Promise<void>;
  /** Sends what is typed, with the keyboard's own key. */
  readonly send: () => Promise<void>;
  readonly taps: () => number;
}

async function visit(server: BuiltServer, path: string): Promise<Visitor> {
  const options = { baseURL: server.origin, javaScriptEnabled: false, hasTouch: true };
  const reader = await newReader(browser, options);
  let taps = 0;
  expect(await reader.open(path)).toBe(200);
  const leave = async (go: () => Promise<void>): Promise<void> => {
    const before = reader.page.url();
    taps += 1;
    await go();
    await reader.page.waitForURL((url) => url.href !== before);
  };
  return {
    ...reader,
    tap: async (part) => {
      taps += 1;
      await part.tap();
    },
    follow: (part) => leave(() => part.tap()),
    send: () => leave(() => reader.page.keyboard.press('Enter')),
    taps: () => taps,
  };
}

const link = ({ page }: Reader, name: RegExp | string): Locator =>
  page.getByRole('main').getByRole('link', { name }).first();
const readTitles = async ({ page }: Reader): Promise<string[]> =>
  (await page.locator('.row h3').allTextContents()).map((title) => title.trim());

type Question = readonly [
  asked: string,
  taps: number,
  from: readonly [server: () => BuiltServer, path: string],
  answer: (visitor: Visitor) => Promise<void>,
];
const TODAY = [() => evening, '/hoy'] as const;
const toDays = ({ page }: Reader): Locator =>
  page.getByRole('navigation', { name: 'Días', exact: true });

async function search(visitor: Visitor, words: string): Promise<void> {
  await visitor.tap(visitor.page.getByRole('searchbox', { name: 'Buscar eventos' }));
  await visitor.page.keyboard.type(words);
  await visitor.send();
}

const QUESTIONS: readonly Question[] = [
  [
    'free tonight on Isla with kids',
    2,
    TODAY,
    async (visitor) => {
      await visitor.follow(link(visitor, /^Gratis y en familia/));
      await visitor.follow(link(visitor, /^Isla Mujeres/));
      expect(await readTitles(visitor)).toEqual(['Títeres en la isla']);
    },
  ],
  [
    'is anything on right now, at 00:40',
    0,
    [() => night, '/hoy'],
    async ({ page }) => {
      const first = page.locator('main section.group').first();
      expect(await readWords(first)).toMatch(/^Antros abiertos ahora .*hasta 3:00 ¡Fiesta de/);
    },
  ],
  [
    'what is on right now, at half past seven',
    1,
    TODAY,
    async (visitor) => {
      await visitor.follow(link(visitor, /^Ahora \d/));
      expect(await readTitles(visitor)).toContain('Títeres en la isla');
      expect(await readTitles(visitor)).not.toContain('Feria diaria');
    },
  ],
  [
    'save only this Saturday',
    2,
    TODAY,
    async (visitor) => {
      await visitor.follow(link(visitor, 'Taller de barro'));
      const saturday = visitor.page.getByRole('listitem').filter({ hasText: 'sáb 21 nov' });
      const save = saturday.getByRole('link', { name: /^Guardar/ }).first();
      const begun = visitor.page.waitForEvent('download');
      await visitor.tap(save);
      const download = await begun;
      expect(download.suggestedFilename()).toMatch(/\.ics$/);
      const text = await (await evening.get((await save.getAttribute('href')) ?? '')).text();
      const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
      expect(events.map((event) => new ICAL.Event(event).startDate.toString())).toEqual([
        '2026-11-21T19:00:00',
      ]);
    },
  ],
  [
    'what is on at the Malecón this week',
    2,
    [() => evening, '/semana'],
    async (visitor) => {
      await search(visitor, 'malecon');
      expect(await readTitles(visitor)).toEqual(
        expect.arrayContaining(['Taller de barro', 'Feria diaria']),
      );
    },
  ],
  [
    'what is on on the 20th of next month',
    2,
    TODAY,
    async (visitor) => {
      const field = visitor.page.getByLabel('Otro día, o desde');
      await visitor.tap(field);
      await field.fill('2026-12-20');
      await visitor.follow(visitor.page.getByRole('button', { name: 'Ir', exact: true }));
      expect(visitor.at()).toBe('/fecha/2026-12-20');
      expect(await readTitles(visitor)).toContain('Posada del barrio');
    },
  ],
  [
    'where do I publish my event',
    2,
    TODAY,
    async (visitor) => {
      await visitor.tap(visitor.page.getByRole('button', { name: 'Menú' }));
      await visitor.follow(visitor.page.getByRole('link', { name: 'Publica tu evento' }));
      expect(visitor.at()).toBe('/publicar');
      expect(await visitor.page.getByLabel('Nombre del evento').isVisible()).toBe(true);
    },
  ],
  [
    'live music this weekend in the hotel zone',
    2,
    TODAY,
    async (visitor) => {
      await search(visitor, 'musica zona hotelera');
      expect(await readTitles(visitor)).toEqual(['Trova frente al mar', 'Trova de después']);
      expect(await readWords(visitor.page.locator('.row').first())).toMatch(/sáb 21/);
    },
  ],
  [
    'what is free this weekend',
    2,
    TODAY,
    async (visitor) => {
      await visitor.follow(toDays(visitor).getByRole('link', { name: /^Fin de/ }));
      await visitor.follow(link(visitor, /^Gratis \d/));
      expect(await readTitles(visitor)).toContain('Taller de barro');
      expect(await readTitles(visitor)).not.toContain('Trova frente al mar');
    },
  ],
];

test.each(QUESTIONS)('%s: %i', async (_, taps, [server, path], answer) => {
  const visitor = await visit(server(), path);
  await answer(visitor);
  expect(visitor.taps()).toBe(taps);
  expect(visitor.issues).toEqual([]);
});

test('the form of the search asks for everything at once, and keeps what was asked', async () => {
  const visitor = await visit(evening, '/buscar');
  const { page } = visitor;
  await page.getByLabel('Cuándo').selectOption('tonight');
  await page.getByLabel('Zona').selectOption('isla-mujeres');
  await page.getByLabel('Solo lo gratis').check();
  await visitor.follow(page.getByRole('button', { name: 'Buscar' }).last());
  expect(new URL(page.url()).searchParams.get('free')).toBe('1');
  expect(await readTitles(visitor)).toEqual(['Títeres en la isla']);
  await visitor.tap(page.getByText('Fechas, zonas y más filtros'));
  expect(await page.getByLabel('Zona').inputValue()).toBe('isla-mujeres');
  expect(await page.getByLabel('Solo lo gratis').isChecked()).toBe(true);
});

test.each(['/en/today', '/semana'])('%s is fit for everyone at 00:40 too', async (path) => {
  const { page, open } = await newReader(browser, { baseURL: night.origin });
  await open(path);
  expect(await findViolations(page, false)).toEqual([]);
});
