// A day of eighty and a week of four hundred events: light pages, rows of two lines.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { newReader } from '../fixtures/reader.ts';
import { makeFolder } from '../fixtures/folder.ts';

const MAX_BYTES = 60_000;
const MAX_HEIGHT = 12_000;
const MAX_ROW_HEIGHT = 110;
/** By day from Friday, 20 November: four hundred in the week, eighty on Tuesday. */
const COUNTS = [60, 60, 55, 45, 80, 50, 50];

const folder = makeFolder();
const browser = await getBrowser();
let server: BuiltServer;

function writeEvent(out: string, day: number, at: number): void {
  const date = `2026-11-${20 + day}`;
  const name = `${day}-${at}`;
  const hour = String(8 + (at % 15)).padStart(2, '0');
  const text = `title: { es: "Concierto de la orquesta número ${name}", en: "The orchestra's concert number ${name}" }
summary: { es: Una noche con música de cámara., en: An evening of chamber music. }
category: live-music
venue: malecon-inventado
price: { min: ${100 + at}, max: ${900 + at} }
when:
  - { dates: [${date}], start: "${hour}:30", end: "${hour}:59" }
sources: [{ name: Inventado para las pruebas, checked: 2026-11-20 }]
confidence: high
`;
  writeFileSync(join(out, `concierto-${name}.yml`), text);
}

beforeAll(async () => {
  const content_dir = join(folder, 'content');
  cpSync(FIXTURE_DIR, content_dir, { recursive: true });
  const events = join(content_dir, 'events');
  mkdirSync(events, { recursive: true });
  COUNTS.forEach((count, day) => {
    for (let at = 0; at < count; at += 1) writeEvent(events, day, at);
  });
  server = await startServer({ data_dir: join(folder, 'data'), content_dir });
}, 400_000);
afterAll(() => server.stop());

test.each(['/hoy', '/fecha/2026-11-24', '/semana', '/en/week', '/fin-de-semana'])(
  '%s is light and not endless',
  async (path) => {
    const html = await (await server.get(path, { accept: 'text/html' })).text();
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(MAX_BYTES);
    const { page, open } = await newReader(browser, { baseURL: server.origin });
    await open(path);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeLessThanOrEqual(MAX_HEIGHT);
    const rows = page.locator('.row:visible');
    const heights = await rows.evaluateAll((all) =>
      all.map((row) => row.getBoundingClientRect().height),
    );
    expect(Math.max(...heights)).toBeLessThanOrEqual(MAX_ROW_HEIGHT);
    for (const day of await page.locator('section.group[class*="d2026-11-"]').all()) {
      const shown = await day.locator('.row').count();
      expect(shown).toBeGreaterThanOrEqual(10);
      expect(shown).toBeLessThanOrEqual(20);
    }
  },
);
