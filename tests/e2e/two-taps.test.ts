// What visitors ask, answered on a telephone without script in at most two taps after the first page.
// A touch counts one, and so does the keyboard's key that sends; typing and picking a day do not.
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ICAL from 'ical.js';
import type { Browser, Locator } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { newReader, type Reader, readHeading, readWords } from '../fixtures/reader.ts';
import { makeFolder } from '../fixtures/folder.ts';

const folder = makeFolder();
const content_dir = join(folder, 'content');
const EVENING = '2026-11-20T19:30:05-05:00';
const NIGHT = '2026-11-21T00:40:05-05:00';
let browser: Browser;
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
  browser = await connectBrowser(inject('browser_endpoint'));
}, 300_000);
afterAll(() => Promise.all([evening.stop(), night.stop(), browser.close()]));

/** A visitor who counts. */
interface Visitor extends Reader {
  readonly tap: (part: Locator) => Promise<void>;
  /** The same, to another page. */
  readonly follow: (part: Locator) => Promise<void>;
  /** Sends what is typed, with the keyboard's own key. */
  readonly send: () => Promise<void>;
  readonly taps: () => number;
}

async function visit(server = evening, path = '/hoy'): Promise<Visitor> {
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
const readMain = ({ page }: Reader): Promise<string> => readWords(page.getByRole('main'));

interface Question {
  readonly asked: string;
  readonly taps: number;
  readonly answer: () => Promise<Visitor>;
}

const QUESTIONS: readonly Question[] = [
  {
    asked: 'free tonight on Isla with kids',
    taps: 2,
    answer: async () => {
      const visitor = await visit();
      await visitor.follow(link(visitor, /^Gratis y en familia/));
      await visitor.follow(link(visitor, /^Isla Mujeres/));
      expect(await readTitles(visitor)).toEqual(['Títeres en la isla']);
      return visitor;
    },
  },
  {
    asked: 'is anything on right now, at 00:40',
    taps: 0,
    answer: async () => {
      const visitor = await visit(night);
      const first = visitor.page.locator('main section.group').first();
      expect(await readWords(first)).toMatch(/^Antros abiertos ahora .*hasta 3:00 ¡Fiesta de/);
      return visitor;
    },
  },
  {
    asked: 'what is on right now, at half past seven',
    taps: 1,
    answer: async () => {
      const visitor = await visit();
      await visitor.follow(link(visitor, /^Ahora \d/));
      expect(await readTitles(visitor)).toContain('Títeres en la isla');
      expect(await readTitles(visitor)).not.toContain('Feria diaria');
      return visitor;
    },
  },
  {
    asked: 'what does Tuesday have',
    taps: 1,
    answer: async () => {
      const visitor = await visit();
      const days = visitor.page.getByRole('navigation', { name: 'Días', exact: true });
      await visitor.follow(days.getByRole('link', { name: /^mar 24/ }));
      expect(await readHeading(visitor.page)).toContain('martes 24 de noviembre');
      expect(await readTitles(visitor)).toContain('Feria diaria');
      return visitor;
    },
  },
  {
    asked: 'save only this Saturday',
    taps: 2,
    answer: async () => {
      const visitor = await visit();
      await visitor.follow(link(visitor, 'Taller de barro'));
      const saturday = visitor.page.getByRole('listitem').filter({ hasText: 'sáb 21 nov' });
      const save = saturday.getByRole('link', { name: /^Guardar/ }).first();
      const path = (await save.getAttribute('href')) ?? '';
      const [download] = await Promise.all([
        visitor.page.waitForEvent('download'),
        visitor.tap(save),
      ]);
      expect(download.suggestedFilename()).toMatch(/\.ics$/);
      const calendar = new ICAL.Component(ICAL.parse(await (await evening.get(path)).text()));
      const starts = calendar
        .getAllSubcomponents('vevent')
        .map((event) => new ICAL.Event(event).startDate.toString());
      expect(starts).toEqual(['2026-11-21T19:00:00']);
      return visitor;
    },
  },
  {
    asked: 'is something closed or dangerous at the beach today',
    taps: 1,
    answer: async () => {
      const visitor = await visit();
      const notices = visitor.page.getByRole('region', { name: 'Avisos' });
      expect(await readWords(notices)).toContain('Oleaje alto');
      await visitor.tap(notices.getByText('Oleaje alto'));
      expect(await readWords(notices)).toContain('Evita nadar en mar abierto.');
      return visitor;
    },
  },
  {
    asked: 'where is that place',
    taps: 2,
    answer: async () => {
      const visitor = await visit();
      await visitor.follow(link(visitor, 'Taller de barro'));
      expect(await readMain(visitor)).toContain('Av. de Mentiras 1');
      expect(await link(visitor, 'Cómo llegar').getAttribute('href')).toContain('21.1266');
      await visitor.follow(link(visitor, 'Malecón Inventado'));
      expect(await visitor.page.getByRole('img', { name: /Malecón Inventado/ }).count()).toBe(1);
      return visitor;
    },
  },
  {
    asked: 'what is on at the Malecón this week',
    taps: 2,
    answer: async () => {
      const visitor = await visit(evening, '/semana');
      await visitor.tap(visitor.page.getByRole('searchbox', { name: 'Buscar eventos' }));
      await visitor.page.keyboard.type('malecon');
      await visitor.send();
      expect(await readTitles(visitor)).toEqual(
        expect.arrayContaining(['Taller de barro', 'Feria diaria']),
      );
      return visitor;
    },
  },
  {
    asked: 'what is on on the 20th of next month',
    taps: 2,
    answer: async () => {
      const visitor = await visit();
      const field = visitor.page.getByLabel('Ir a otra fecha');
      await visitor.tap(field);
      await field.fill('2026-12-20');
      await visitor.follow(visitor.page.getByRole('button', { name: 'Ir', exact: true }));
      expect(visitor.at()).toBe('/fecha/2026-12-20');
      expect(await readTitles(visitor)).toContain('Posada del barrio');
      return visitor;
    },
  },
  {
    asked: 'where do I publish my event',
    taps: 2,
    answer: async () => {
      const visitor = await visit();
      await visitor.tap(visitor.page.getByRole('button', { name: 'Menú' }));
      await visitor.follow(visitor.page.getByRole('link', { name: 'Publica tu evento' }));
      expect(visitor.at()).toBe('/publicar');
      expect(await visitor.page.getByLabel('Nombre del evento').isVisible()).toBe(true);
      return visitor;
    },
  },
  {
    asked: 'live music this weekend in the hotel zone',
    taps: 2,
    answer: async () => {
      const visitor = await visit();
      await visitor.tap(visitor.page.getByRole('searchbox', { name: 'Buscar eventos' }));
      await visitor.page.keyboard.type('musica zona hotelera');
      await visitor.send();
      expect(await readTitles(visitor)).toEqual(['Trova frente al mar', 'Trova de después']);
      expect(await readWords(visitor.page.locator('.row').first())).toMatch(/sáb 21/);
      return visitor;
    },
  },
  {
    asked: 'what is free this weekend',
    taps: 2,
    answer: async () => {
      const visitor = await visit();
      const days = visitor.page.getByRole('navigation', { name: 'Días', exact: true });
      await visitor.follow(days.getByRole('link', { name: /^Fin de/ }));
      await visitor.follow(link(visitor, /^Gratis \d/));
      expect(await readTitles(visitor)).toContain('Taller de barro');
      expect(await readTitles(visitor)).not.toContain('Trova frente al mar');
      return visitor;
    },
  },
];

test.each(QUESTIONS)('$asked: $taps', async ({ taps, answer }) => {
  const visitor = await answer();
  expect(visitor.taps()).toBe(taps);
  expect(taps).toBeLessThanOrEqual(2);
  expect(visitor.issues).toEqual([]);
});
