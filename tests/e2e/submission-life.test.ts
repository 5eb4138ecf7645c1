// The whole life of a submission, as people live it: the form on a phone, the desk, a release,
// every surface; then its cancellation.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { addEditor } from '../../src/desk/editors.ts';
import { openInbox } from '../../src/inbox/open.ts';
import { connectBrowser } from '../fixtures/browser.ts';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';

const data_dir = mkdtempSync(join(tmpdir(), 'hoy-life-'));
const PHONE = {
  viewport: { width: 390, height: 844 },
  locale: 'es-MX',
  hasTouch: true,
  javaScriptEnabled: false,
};
const TITLE = 'Noche de huapango en la plaza';
const AGENTS_TITLE = 'Taller de jarana';
let server: BuiltServer;
let browser: Browser;
let phone: Page;
let desk: Page;
let status_url = '';
let event_path = '';

beforeAll(async () => {
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  const password = await addEditor(inbox, 'ana', 0);
  inbox.close();
  server = await startServer({
    data_dir,
    content_dir: FIXTURE_DIR,
    env: { SITE_URL: 'http://127.0.0.1:4398' },
  });
  browser = await connectBrowser(inject('browser_endpoint'));
  phone = await (await browser.newContext(PHONE)).newPage();
  desk = await (
    await browser.newContext({
      viewport: { width: 1200, height: 900 },
      locale: 'es-MX',
      javaScriptEnabled: false,
    })
  ).newPage();
  await desk.goto(`${server.origin}/revision`);
  await desk.getByLabel('Nombre').fill('ana');
  await desk.getByLabel('Contraseña').fill(password);
  await desk.getByRole('button', { name: 'Entrar' }).click();
}, 300_000);
afterAll(async () => {
  await browser.close();
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

const send = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).first().click();
/** What a tool says, and gives, as one text. */
const callTool = async (name: string, args: Readonly<Record<string, unknown>>): Promise<string> =>
  (await server.callTool(name, args)).text();
const json = async (path: string): Promise<string> => (await server.get(path)).text();

/** Presses "publish now" and waits for what it brings. */
async function release(path: string, expected: (text: string) => boolean): Promise<void> {
  await desk.goto(`${server.origin}/revision`);
  await send(desk, 'Publicar ahora');
  await expect
    .poll(async () => expected(await json(path)), { timeout: 120_000, interval: 500 })
    .toBe(true);
}

describe('an event', () => {
  test('is sent from a phone, without a script, after a look at how it will be', async () => {
    await phone.goto(`${server.origin}/hoy`);
    await phone.getByRole('link', { name: 'Envíanos tu evento' }).first().click();
    await send(phone, 'Enviar a revisión');
    expect(await phone.getByRole('alert').getByRole('link').allTextContents()).toContain(
      'Nombre del evento',
    );
    await phone.getByLabel('Nombre del evento').fill(TITLE);
    await phone
      .getByLabel('De qué se trata')
      .fill('Tres tríos huastecos tocan al aire libre. Hay tarima para bailar.');
    await phone.getByLabel('Categoría').selectOption({ label: 'Música en vivo' });
    await phone.getByLabel('¿Qué día?').fill('2026-12-05');
    await phone.getByLabel('¿A qué hora?').fill('20:00');
    await phone.getByLabel('¿En qué lugar es?').fill('Plaza del Huapango');
    await phone.getByLabel('Desde, en pesos').fill('$150');
    await phone.getByText('Hasta cuándo y otras fechas').click();
    await phone.getByLabel('Hora en que termina').fill('01:00');
    await phone.getByLabel('¿Se repite?').selectOption({ label: 'Todas las semanas' });
    await phone.getByLabel('Hasta qué día').fill('2026-12-12');
    await phone.getByText('Quién lo organiza', { exact: true }).click();
    await phone.getByLabel('Tu correo').fill('privado@huasteca.example');
    await send(phone, 'Ver cómo queda');
    expect(await phone.getByRole('status').textContent()).toContain(
      'Empieza a las 20:00 y termina a la 1:00: ¿es la del día siguiente, domingo 6 de diciembre? Son 5 horas.',
    );
    await send(phone, 'Sí, termina el domingo 6 de diciembre');
    expect(await phone.getByRole('status').textContent()).toContain('es un lugar nuevo');
    await phone.getByLabel('Zona').selectOption({ label: 'Centro' });
    await send(phone, 'Ver cómo queda');
    expect(await phone.getByRole('status').textContent()).toContain(
      'sábado 5 de diciembre de 2026, de 20:00 a 1:00',
    );
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    await phone.waitForTimeout(4_200);
    await send(phone, 'Enviar a revisión');
    status_url = phone.url();
    expect(status_url).toMatch(/\/publicar\/estado\/[\w-]{32}$/);
    expect(await phone.getByRole('main').textContent()).toContain('Está en espera de revisión');
    expect(await json('/api/v1/events?q=huapango')).not.toContain(TITLE);
  });

  test('is approved at the desk, by a person who adds the other language', async () => {
    await desk.goto(`${server.origin}/revision`);
    await desk.getByRole('link', { name: TITLE, exact: true }).click();
    await send(desk, 'Aprobar');
    expect(await desk.getByRole('alert').first().textContent()).toContain(
      'falta lo que se marca abajo',
    );
    await desk.getByLabel('Nombre en inglés').fill('Huapango night in the square');
    await desk.getByLabel('Resumen en inglés').fill('Three huasteco trios play in the open air.');
    await desk.getByLabel('Latitud').fill('21.1619');
    await desk.getByLabel('Longitud').fill('-86.8515');
    await send(desk, 'Aprobar');
    await desk
      .getByRole('button', { name: /^Deshacer/ })
      .first()
      .click();
    expect(await desk.getByRole('status').textContent()).toContain('Deshecho');
    await desk.getByRole('link', { name: TITLE, exact: true }).click();
    await send(desk, 'Aprobar');
    expect(await desk.getByRole('status').textContent()).toContain('Listo');
    await phone.goto(status_url);
    expect(await phone.getByRole('main').textContent()).toContain('Está aprobado');
    expect(await callTool('seguir_envio', { token: status_url })).toContain('Está aprobado');
  });

  test('sent by an agent comes to the same desk, and is approved there', async () => {
    const sent = await callTool('enviar_evento', {
      title: AGENTS_TITLE,
      description: 'Un taller para aprender a tocar la jarana, con instrumentos prestados.',
      category: 'culture',
      start: '2026-12-06',
      hour: 'unknown',
      venue_name: 'Casa de Cultura',
      free: true,
    });
    expect(sent).toContain('pending_review');
    await desk.goto(`${server.origin}/revision`);
    expect(
      await desk.getByRole('listitem').filter({ hasText: AGENTS_TITLE }).textContent(),
    ).toContain('asistente');
    await desk.getByRole('link', { name: AGENTS_TITLE }).click();
    expect(await desk.getByLabel('Todavía no sé la hora').isChecked()).toBe(true);
    const looks = desk.getByRole('article');
    for (const words of ['hora por confirmar', 'time to be confirmed'])
      expect((await looks.allTextContents()).join()).toContain(words);
    await desk.getByLabel('Nombre en inglés').fill('Jarana workshop');
    await desk
      .getByLabel('Resumen en inglés')
      .fill('Learn to play the jarana; instruments are lent.');
    await send(desk, 'Aprobar');
    expect(await desk.getByRole('status').textContent()).toContain('Listo');
  });

  test('is on every surface after the release, and nothing private is', async () => {
    await release('/api/v1/events?q=huapango', (text) => text.includes(TITLE));
    await phone.goto(status_url);
    await phone.getByRole('link', { name: 'Ver en la agenda' }).click();
    event_path = new URL(phone.url()).pathname;
    expect([event_path, await phone.getByRole('heading', { level: 1 }).textContent()]).toEqual([
      '/eventos/noche-de-huapango-en-la-plaza',
      TITLE,
    ]);
    const surfaces = [
      event_path,
      `${event_path}.md`,
      '/en/events/huapango-night-in-the-square',
      '/api/v1/events/noche-de-huapango-en-la-plaza',
      '/api/v1/events.ics?q=huapango',
      '/fecha/2026-12-05.md',
      '/lugares/plaza-del-huapango',
    ];
    for (const path of surfaces) {
      const text = await json(path);
      expect(/huapango/i.test(text), path).toBe(true);
      expect(text).not.toContain('privado@huasteca.example');
    }
    expect((await json('/api/v1/events.ics?q=huapango')).match(/BEGIN:VEVENT/g)).toHaveLength(2);
    expect(await callTool('buscar_eventos', { q: 'huapango' })).toContain(TITLE);
    for (const text of [
      await callTool('buscar_eventos', { q: 'jarana' }),
      await json('/api/v1/events?q=jarana'),
      await json('/api/v1/events.ics?q=jarana'),
      await json('/fecha/2026-12-06'),
      await json('/eventos/taller-de-jarana.md'),
    ]) {
      expect(text).toContain(AGENTS_TITLE);
    }
    const told = await json('/api/v1/events?q=jarana');
    expect(told).toMatch(/"all_day":true,"time_known":false,"end_known":false/);
    const calendar = await json('/api/v1/events.ics?q=jarana');
    expect([
      calendar.includes('DTSTART;VALUE=DATE:20261206'),
      calendar.replaceAll('\r\n ', '').includes('Hora por confirmar'),
    ]).toEqual([true, true]);
    for (const path of [
      '/fecha/2026-12-06',
      '/eventos/taller-de-jarana',
      '/eventos/taller-de-jarana.md',
    ])
      expect(await json(path), path).toMatch(/hora por confirmar/i);
    expect(await json('/api/v1/events?near=21.16,-86.85&radius_km=1')).toContain(TITLE);
  }, 180_000);
});

describe('its cancellation', () => {
  test('is asked for by its sender, decided at the desk, and on every surface after the release', async () => {
    await phone.goto(status_url);
    await phone.getByLabel('Si se cancela').fill('Lloverá todo el fin de semana.');
    await send(phone, 'Pedir que se marque como cancelado');
    const waits = 'aviso de cancelación está en espera';
    expect(await phone.getByRole('main').textContent()).toContain(waits);
    expect(await callTool('seguir_envio', { token: status_url })).toContain(waits);
    await desk.goto(`${server.origin}/revision`);
    await desk.getByRole('link', { name: TITLE, exact: true }).click();
    expect(await desk.getByRole('main').textContent()).toContain('Lloverá todo el fin de semana.');
    await send(desk, 'Marcar como cancelado');
    await release('/api/v1/events/noche-de-huapango-en-la-plaza', (text) =>
      text.includes('"status":"cancelled"'),
    );
    await phone.goto(`${server.origin}${event_path}`);
    expect(await phone.getByRole('main').textContent()).toMatch(/Cancelado/i);
    expect(await json(`${event_path}.md`)).toMatch(/cancelado/i);
    expect(await callTool('detalle_evento', { id: 'noche-de-huapango-en-la-plaza' })).toMatch(
      /"status":\s*"cancelled"/,
    );
    expect((await json('/api/v1/events.ics?q=huapango')).match(/STATUS:CANCELLED/g)).toHaveLength(
      2,
    );
  }, 180_000);
});
