// A reader says what has changed, from a phone without a script, in either language; an editor finds
// it at the desk.
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Life, openLife } from '../fixtures/life.ts';
import { clickThrough, press } from '../fixtures/press.ts';
import { PHONE } from '../fixtures/reader.ts';

/** Nobody fills the form in faster. */
const PATIENCE_MS = 4_200;
let life: Life;
beforeAll(async () => {
  life = await openLife(inject('browser_endpoint'));
}, 300_000);
afterAll(() => life.stop());

async function openPhone(locale: string): Promise<Page> {
  const browser = life.phone.context().browser();
  const options = { viewport: PHONE, hasTouch: true, javaScriptEnabled: false, locale };
  const context = await browser?.newContext(options);
  if (context === undefined) throw new Error('the browser is gone');
  return context.newPage();
}
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
    const answer = await page.goto(`${life.server.origin}${words.from}`);
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
  const { desk, server } = life;
  await desk.setViewportSize(PHONE);
  await desk.goto(`${server.origin}/revision`);
  const queue = desk.getByRole('region', { name: 'Pendientes de revisión' });
  const line = queue.getByRole('listitem').filter({ hasText: READERS[0].change });
  expect(await queue.getByRole('listitem').count()).toBe(2);
  expect(await readWidth(desk)).toBeLessThanOrEqual(390);
  await clickThrough(line.getByRole('link').first());
  for (const name of ['lectora@ejemplo.example', 'https://ejemplo.example/cartel'])
    expect(await desk.getByRole('link', { name }).count()).toBe(1);
  await press(desk, 'Descartar');
  expect(await desk.getByRole('alert').textContent()).toContain('Escribe el motivo.');
  await press(desk, 'Atendido');
  // The next one opens, with the way back to this one.
  expect(await desk.getByRole('main').textContent()).toContain(READERS[1].change);
  await clickThrough(desk.getByRole('button', { name: 'Deshacer' }));
  expect(await line.count()).toBe(1);
});
