// A reader says what has changed, from a phone without a script, in either language; an editor finds
// it at the desk.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { addEditor } from '../../src/desk/editors.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { connectBrowser } from '../fixtures/browser.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { copyBrowserRelease } from '../fixtures/browser-release.ts';
import { clickThrough, press } from '../fixtures/press.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'hoy-changed-'));
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, javaScriptEnabled: false };
/** Nobody fills the form in faster. */
const PATIENCE_MS = 4_200;
let server: BuiltServer;
let browser: Browser;
let password = '';

beforeAll(async () => {
  const settings = {
    ...{ data_dir, content_dir: inject('content_dir') },
    env: { SITE_URL: 'http://127.0.0.1:4397' },
  };
  await copyBrowserRelease(settings);
  const inbox = await openInbox(join(data_dir, 'inbox.db'));
  password = await addEditor(inbox, 'ana', 0);
  await inbox.close();
  server = await startServer(settings);
  browser = await connectBrowser(inject('browser_endpoint'));
}, 300_000);
afterAll(async () => {
  await browser.close();
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

const openPhone = async (locale: string): Promise<Page> =>
  (await browser.newContext({ ...PHONE, locale })).newPage();
const readWidth = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth);

const READERS = [
  {
    locale: 'es-MX',
    from: '/eventos/concierto-unico-a-b',
    link: '¿Algo cambió?',
    labels: ['Qué cambió', 'Enlace donde se ve', 'Tu correo'],
    send: 'Enviar',
    short: 'Es muy corto: escribe al menos 10 caracteres.',
    change: 'Ahora empieza a las nueve de la noche.',
    thanks: 'Gracias por avisar',
  },
  {
    locale: 'en-US',
    from: '/en/today',
    link: 'Has something changed?',
    labels: ['What has changed', 'Link that shows it', 'Your email'],
    send: 'Send',
    short: 'at least 10 characters',
    change: 'The street is open again since this morning.',
    thanks: 'Thanks for telling us',
  },
] as const;

test.each(READERS)(
  'a reader finds the form, mends it, sends it and is thanked: $locale',
  async (words) => {
    const [change, source, mail] = words.labels;
    const page = await openPhone(words.locale);
    const answer = await page.goto(`${server.origin}${words.from}`);
    expect(answer?.status()).toBe(200);
    // A notice is folded: a reader opens it first.
    const folded = page.locator('details.notice:not([open]) > summary');
    if ((await folded.count()) > 0) await folded.first().click();
    await page.getByRole('link', { name: words.link }).first().click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(words.link);
    expect(await readWidth(page)).toBeLessThanOrEqual(390);
    await page.getByLabel(change).fill('corto');
    await page.getByLabel(mail).fill('lectora@ejemplo.example');
    await page.getByRole('button', { name: words.send, exact: true }).click();
    const alert = page.getByRole('alert');
    expect(await alert.textContent()).toContain(words.short);
    // Whoever reads by ear or by keyboard begins at what is wrong.
    expect(await page.evaluate('document.activeElement.id')).toBe('faults');
    await alert.getByRole('link', { name: change }).click();
    expect(await page.getByLabel(change).inputValue()).toBe('corto');
    expect(await page.getByLabel(mail).inputValue()).toBe('lectora@ejemplo.example');
    await page.getByLabel(change).fill(words.change);
    await page.getByLabel(source).fill('https://ejemplo.example/cartel');
    await page.waitForTimeout(PATIENCE_MS);
    await page.getByRole('button', { name: words.send, exact: true }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(words.thanks);
    expect(await page.getByRole('status').textContent()).toMatch(/HC-[2-9A-Z]{6}/);
    expect(await readWidth(page)).toBeLessThanOrEqual(390);
    await page.getByRole('main').getByRole('link').last().click();
    expect(page.url()).not.toContain('sent=');
  },
);

test('an editor finds what was reported, opens the page, marks it done and undoes that', async () => {
  const desk = await openPhone('es-MX');
  await desk.goto(`${server.origin}/revision`);
  await desk.getByLabel('Nombre').fill('ana');
  await desk.getByLabel('Contraseña').fill(password);
  await press(desk, 'Entrar');
  const queue = desk.getByRole('region', { name: 'Pendientes de revisión' });
  const line = queue.getByRole('listitem').filter({ hasText: READERS[0].change });
  expect(await queue.getByRole('listitem').count()).toBe(2);
  expect(await line.getByRole('link', { name: 'lectora@ejemplo.example' }).count()).toBe(1);
  expect(await line.getByRole('link', { name: 'https://ejemplo.example/cartel' }).count()).toBe(1);
  expect(await readWidth(desk)).toBeLessThanOrEqual(390);
  await clickThrough(line.getByRole('link').first());
  await press(desk, 'Descartar');
  expect(await desk.getByRole('alert').textContent()).toContain('Escribe el motivo.');
  await press(desk, 'Atendido');
  // The next one opens, with the way back to this one.
  expect(await desk.getByRole('main').textContent()).toContain(READERS[1].change);
  await clickThrough(desk.getByRole('button', { name: 'Deshacer' }));
  expect(await line.count()).toBe(1);
});
