// Life of submissions: from a phone without scripts, through the desk, to every output.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { addEditor } from '../../src/desk/editor-accounts.ts';
import { openInbox, inboxLocation } from '../../src/inbox/open.ts';
import { connectBrowser } from '../fixtures/browser.ts';
import { copyBrowserRelease } from '../fixtures/browser-release.ts';
import { startServer } from '../fixtures/built-server.ts';
import { FORTY_EVENTS, icsCalendar } from '../fixtures/calendars.ts';
import { createFolder } from '../fixtures/folder.ts';
import { createPhoto } from '../fixtures/picture-server.ts';
import { createTestDatabase, type Postgres, startPostgres } from '../fixtures/postgres.ts';
import { clickThrough, press } from '../fixtures/press.ts';

async function fill(page: Page, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(values)) await page.getByLabel(label).fill(text);
}
const textOf = async (page: Page): Promise<string> =>
  (await page.getByRole('main').textContent()) ?? '';

/** Starts a server with its inbox in a database or in files, and browser pages for a sender and an editor. */
async function startLife(browser_endpoint: string, database_url: string | null = null) {
  const { folder, remove } = createFolder();
  const data_dir = join(folder, 'data');
  const SITE_URL = 'http://127.0.0.1:4398';
  const env = { SITE_URL, PICTURES: '0', DATABASE_URL: database_url ?? '' };
  const settings = { data_dir, content_dir: inject('content_dir'), env };
  await copyBrowserRelease(settings);
  const inbox = await openInbox(inboxLocation({ data_dir, database_url }));
  const password = await addEditor(inbox, 'ana', 0);
  await inbox.close();
  const server = await startServer(settings);
  const browser = await connectBrowser(browser_endpoint);
  const open = async (width: number, height: number): Promise<Page> => {
    const viewport = { width, height };
    const context = await browser.newContext({
      ...{ viewport, locale: 'es-MX', javaScriptEnabled: false, hasTouch: width < 500 },
    });
    // Without scripts nothing appears later: fail early.
    context.setDefaultTimeout(20_000);
    return context.newPage();
  };
  const [phone, desk] = [await open(390, 844), await open(1200, 900)];
  await desk.goto(`${server.origin}/revision`);
  await fill(desk, { Nombre: 'ana', Contraseña: password });
  await press(desk, 'Entrar');
  const read = async (path: string): Promise<string> => (await server.get(path)).text();
  return {
    /** `folder`: for uploads; `desk`: page of a signed-in editor; `read`: returns the text of a path. */
    ...{ server, folder, phone, desk, read },
    callTool: async (name: string, args: object) => (await server.callTool(name, args)).text(),
    openItem: async (title: string) => {
      await desk.goto(`${server.origin}/revision/pendientes`);
      await clickThrough(desk.getByRole('link', { name: title, exact: true }));
    },
    waitForRelease: async (path: string, isExpected: (text: string) => boolean) => {
      const check = async (): Promise<boolean> => isExpected(await read(path));
      await expect.poll(check, { timeout: 120_000, interval: 1_000 }).toBe(true);
    },
    stop: async () => {
      await browser.close();
      await server.stop();
      remove();
    },
  };
}
type Life = Awaited<ReturnType<typeof startLife>>;

/** Forms submitted earlier are rejected as automated. */
const MIN_FORM_AGE_MS = 4_200;
const TITLE = 'Noche de huapango en la plaza';
const PATH = '/eventos/noche-de-huapango-en-la-plaza';
const JSON_PATH = PATH.replace('/eventos', '/api/v1/events');
const AGENTS_TITLE = 'Taller de jarana';
const BROKEN = 'BEGIN:VEVENT\nUID:x\nSUMMARY:Sin fecha\nEND:VEVENT\n';
const CORRECTION = 'The street is open again since this morning.';
const EMAIL = 'privado@huasteca.example';
describe.each(['files', 'PostgreSQL'])('in %s', (store) => {
  let life: Life;
  let status_url = '';
  let batch_url = '';
  let postgres: Postgres | null = null;

  beforeAll(async () => {
    postgres = store === 'files' ? null : await startPostgres();
    const database = postgres && (await createTestDatabase(postgres.url));
    life = await startLife(inject('browser_endpoint'), database?.url);
  }, 300_000);
  afterAll(async () => {
    await life.stop();
    await postgres?.stop();
  });

  const APPROVED = /Está aprobado|Está en la agenda/;

  describe('on a phone', () => {
    test('an event is submitted with its poster and excluded dates, after a preview', async () => {
      const { phone, folder, server, read } = life;
      const poster = join(folder, 'cartel.jpg');
      writeFileSync(poster, await createPhoto('jpeg', 600, 800));
      await phone.goto(`${server.origin}/hoy`);
      await clickThrough(phone.getByRole('link', { name: 'Publica tu evento' }).first());
      await fill(phone, {
        'Nombre del evento': TITLE,
        'De qué se trata': 'Tres tríos huastecos tocan al aire libre. Hay tarima para bailar.',
        '¿Qué día?': '2026-12-05',
        '¿A qué hora?': '20:00',
        '¿En qué lugar es?': 'Malecón',
        'Precio, en pesos': '$150',
      });
      await phone.getByLabel('Categoría').selectOption({ label: 'Música en vivo' });
      await phone.getByText('Hasta cuándo y otras fechas').click();
      await phone.getByLabel('¿Se repite?').selectOption({ label: 'Todas las semanas' });
      await fill(phone, { 'Hora en que termina': '01:00', 'Hasta qué día': '2026-12-19' });
      const excluded_days = phone.getByRole('group', { name: 'Menos estos días' });
      await excluded_days.getByLabel('Día 1').first().fill('2026-12-12');
      await phone.getByText('Una imagen', { exact: true }).click();
      await phone.getByLabel('Sube una imagen').setInputFiles(poster);
      await fill(phone, { 'Qué se ve en la imagen': 'El cartel con tres tríos' });
      await phone.getByText('Quién lo organiza', { exact: true }).click();
      await fill(phone, { 'Tu correo': EMAIL });
      await press(phone, 'Ver cómo queda');
      const preview = phone.getByRole('status');
      await press(phone, 'Sí, termina el domingo 6 de diciembre');
      await clickThrough(phone.getByRole('button', { name: /^Es Malecón Inventado/ }));
      expect(await preview.textContent()).toContain(
        'sábado 5 de diciembre de 2026, de 20:00 a 1:00',
      );
      await phone.waitForTimeout(MIN_FORM_AGE_MS);
      await press(phone, 'Enviar a revisión');
      status_url = phone.url();
      expect(await textOf(phone)).toContain('Está en espera de revisión');
      expect(await read('/api/v1/events?q=huapango')).not.toContain(TITLE);
    });

    test('a calendar of forty events is imported with one location, and submitted at once', async () => {
      const { phone, folder } = life;
      const calendar = join(folder, 'ciclo.ics');
      writeFileSync(
        calendar,
        icsCalendar(...FORTY_EVENTS.slice(0, 20), BROKEN, ...FORTY_EVENTS.slice(20)),
      );
      await phone.goto(`${life.server.origin}/publicar`);
      await clickThrough(phone.getByRole('link', { name: '¿Tienes muchos?' }));
      // No waiting: importing a file has no minimum form age.
      await phone.getByLabel('Archivo .ics').setInputFiles(calendar);
      await press(phone, 'Ver qué trae');
      expect(await textOf(phone)).toMatch(/40 nuevos[\s\S]*1 no se puede leer/);
      await phone.getByLabel('Zona, si es nuevo').selectOption({ label: 'Centro' });
      await phone.getByLabel('Categoría para todos').selectOption({ label: 'Música en vivo' });
      await phone.getByLabel('Nada, es gratis').check();
      await fill(phone, {
        'Texto para los que no traen': 'Una función del ciclo, para todos.',
        'Tu correo': EMAIL,
      });
      await press(phone, 'Enviar los marcados');
      batch_url = phone.url();
      expect(await textOf(phone)).toContain('Función 40');
    });

    test('a visitor submits a correction, after an issue with a confirmation', async () => {
      const { phone, server } = life;
      await phone.goto(`${server.origin}/en/today`);
      await phone.locator('details.notice:not([open]) > summary').first().click();
      await clickThrough(phone.getByRole('link', { name: 'Has something changed?' }).first());
      await fill(phone, { 'What has changed': 'short' });
      await press(phone, 'Send');
      // The issue summary has the focus.
      expect(await phone.evaluate('document.activeElement.id')).toBe('faults');
      await fill(phone, { 'What has changed': CORRECTION });
      await phone.waitForTimeout(MIN_FORM_AGE_MS);
      await press(phone, 'Send');
      expect(await phone.getByRole('status').textContent()).toMatch(/HC-[2-9A-Z]{6}/);
    });
  });

  describe('at the desk', () => {
    test('a correction is marked as done, and the decision is undone', async () => {
      const { desk, server } = life;
      const queue = `${server.origin}/revision/pendientes`;
      await desk.goto(queue);
      const correction = desk.getByRole('listitem').filter({ hasText: CORRECTION });
      await clickThrough(correction.getByRole('link').first());
      await press(desk, 'Atendido');
      await clickThrough(desk.getByRole('button', { name: 'Deshacer' }).first());
      await desk.goto(queue);
      expect(await correction.count()).toBe(1);
    });

    test('an editor adds the other language and approves the event', async () => {
      const { phone, desk, openItem, callTool } = life;
      await openItem(TITLE);
      await fill(desk, {
        'Nombre en inglés': 'Huapango night in the square',
        'Resumen en inglés': 'Three huasteco trios play in the open air.',
        'Qué se ve en la imagen en inglés': 'The poster with three trios',
      });
      await press(desk, 'Aprobar');
      expect(await desk.getByRole('status').first().textContent()).toContain('Listo');
      await phone.goto(status_url);
      expect(await textOf(phone)).toMatch(APPROVED);
      expect(await callTool('seguir_envio', { token: status_url })).toMatch(APPROVED);
    });

    test('some imported events are approved at once, the others rejected with a preset reason', async () => {
      const { phone, desk, openItem } = life;
      await openItem('Calendario de Ciclo (40)');
      for (const name of ['Función 1', 'Función 2'])
        await desk.getByRole('checkbox', { name, exact: true }).uncheck();
      await press(desk, 'Aprobar los seleccionados');
      await press(desk, 'No es público');
      await phone.goto(batch_url);
      const lines = phone.getByRole('listitem').filter({ hasText: 'Función' });
      expect(await lines.filter({ hasText: APPROVED }).count()).toBe(38);
      expect(await lines.filter({ hasText: 'No se va a publicar' }).count()).toBe(2);
    });

    test('a submission by an agent is approved at the same desk', async () => {
      const { desk, callTool, openItem } = life;
      const answer = await callTool('enviar_evento', {
        title: AGENTS_TITLE,
        description: 'Un taller para aprender a tocar la jarana, con instrumentos prestados.',
        category: 'culture',
        start: '2026-12-06',
        hour: 'unknown',
        venue_name: 'Casa de Cultura',
        free: true,
      });
      expect(answer).toContain('pending_review');
      await openItem(AGENTS_TITLE);
      await fill(desk, {
        'Nombre en inglés': 'Jarana workshop',
        'Resumen en inglés': 'Learn to play the jarana; instruments are lent.',
        Latitud: '21.1619',
        Longitud: '-86.8515',
      });
      await desk.getByLabel('Zona').selectOption({ label: 'Centro' });
      await press(desk, 'Aprobar');
      expect(await desk.getByRole('status').first().textContent()).toContain('Listo');
    });

    test('an earlier decision is undone, and its events are approved', async () => {
      const { phone, desk, openItem, server } = life;
      await desk.goto(`${server.origin}/revision/registro`);
      const log_lines = desk.getByRole('listitem').filter({ hasText: 'Ciclo' });
      await clickThrough(log_lines.filter({ hasText: 'Rechazado' }).getByRole('button'));
      await openItem('Calendario de Ciclo (2)');
      await press(desk, 'Aprobar los seleccionados');
      await phone.goto(batch_url);
      expect((await textOf(phone)).match(new RegExp(APPROVED, 'g'))).toHaveLength(40);
    });
  });

  describe('after a release', () => {
    test('every output has the events without private data', async () => {
      const { phone, read, waitForRelease, callTool } = life;
      await waitForRelease(`${PATH}.md`, (text) => text.includes(TITLE));
      await waitForRelease('/eventos/taller-de-jarana.md', (text) => text.includes(AGENTS_TITLE));
      await phone.goto(status_url);
      await clickThrough(phone.getByRole('link', { name: 'Ver en la agenda' }));
      expect(await phone.getByRole('heading', { level: 1 }).textContent()).toBe(TITLE);
      const { image } = JSON.parse(await read(JSON_PATH)).data;
      expect((await life.server.get(new URL(image.url).pathname)).status).toBe(200);
      for (const path of [
        PATH,
        `${PATH}.md`,
        '/en/events/huapango-night-in-the-square',
        '/api/v1/events.ics?q=huapango',
        '/fecha/2026-12-05.md',
        '/lugares/malecon-inventado',
      ]) {
        const text = await read(path);
        expect(text, path).toMatch(/huapango/i);
        expect(text, path).not.toContain(EMAIL);
      }
      const calendar = await read('/api/v1/events.ics?q=huapango');
      expect(calendar.match(/(?<=DTSTART;.*:)\d{8}/g)).toEqual(['20261205', '20261219']);
      expect(await callTool('buscar_eventos', { q: 'huapango' })).toContain(TITLE);
      expect(await callTool('buscar_eventos', { q: 'jarana' })).toContain(AGENTS_TITLE);
      expect(await read('/eventos/taller-de-jarana.md')).toMatch(/hora por confirmar/i);
      expect(await read('/api/v1/events?near=21.16,-86.85&radius_km=1')).toContain(AGENTS_TITLE);
    }, 180_000);

    test('the forty imported events are published, each linked from the import page', async () => {
      const { phone, read, waitForRelease, callTool } = life;
      const list = '/api/v1/events?q=funcion&from=2026-12-01&limit=100';
      await waitForRelease(list, (text) => JSON.parse(text).data.length === 40);
      expect((await read('/venues/foro-nuevo.ics')).match(/BEGIN:VEVENT/g)).toHaveLength(40);
      expect(await callTool('detalle_evento', { id: 'funcion-7' })).toContain('Foro Nuevo');
      await phone.goto(batch_url);
      await clickThrough(phone.getByRole('link', { name: 'Función 7', exact: true }));
      expect(await textOf(phone)).toContain('Está en la agenda');
    });
  });

  describe('a later change', () => {
    test('by the sender is approved, and a cancellation is granted with a public note', async () => {
      const { phone, desk, openItem, read, callTool } = life;
      // The page of an imported event is still open: change its hour.
      await press(phone, 'Corregirlo');
      await fill(phone, { '¿A qué hora?': '19:00' });
      await press(phone, 'Ver cómo queda');
      await phone.waitForTimeout(MIN_FORM_AGE_MS);
      await press(phone, 'Enviar a revisión');
      await openItem('Función 7');
      await press(desk, 'Aprobar');
      await phone.goto(status_url);
      await phone.getByLabel('Si se cancela').fill('Lloverá todo el fin de semana.');
      await phone.getByLabel('Todas').check();
      await press(phone, 'Pedir que se marque como cancelado');
      const pending_text = 'aviso de cancelación está en espera';
      expect(await textOf(phone)).toContain(pending_text);
      expect(await callTool('seguir_envio', { token: status_url })).toContain(pending_text);
      await openItem(TITLE);
      expect(await textOf(desk)).toContain('Lloverá todo el fin de semana.');
      await fill(desk, {
        'Nota pública en español': 'Se cancela por lluvia.',
        'Nota pública en inglés': 'Canceled because of rain.',
      });
      await press(desk, 'Marcar como cancelado');
      await expect.poll(() => read(`${PATH}.md`), { timeout: 120_000 }).toContain('por lluvia');
    });

    test('merges two venues', async () => {
      const { desk, server } = life;
      await desk.goto(`${server.origin}/revision/eventos?q=casa+de+cultura`);
      await clickThrough(desk.getByRole('link', { name: 'Casa de Cultura', exact: true }).first());
      await desk.locator('[name="same_as"]').selectOption({ label: 'Foro Nuevo' });
      await desk.locator('#edit-reason').fill('Es el mismo lugar.');
      await press(desk, 'Guardar los cambios');
    });

    test('is in every output after the next release', async () => {
      const { phone, server, read, callTool } = life;
      const readMergedVenue = async () => {
        const { status, headers } = await server.get('/lugares/casa-de-cultura');
        return [status, headers.get('location')];
      };
      await expect
        .poll(readMergedVenue, { timeout: 120_000 })
        .toEqual([301, '/lugares/foro-nuevo']);
      expect(await read('/eventos/taller-de-jarana.md')).toContain('Foro Nuevo');
      // The amendment selected its venue from the list, so the venue remains.
      expect(await callTool('detalle_evento', { id: 'funcion-7' })).toMatch(/19:00.*Foro Nuevo/s);
      expect(await read(PATH)).toContain('por lluvia');
      expect(await read('/en/events/huapango-night-in-the-square')).toContain('because of rain');
      expect(await read(JSON_PATH)).toContain('"status":"cancelled"');
      const calendar = await read('/api/v1/events.ics?q=huapango');
      expect(calendar.match(/STATUS:CANCELLED/g)).toHaveLength(2);
      await phone.goto(status_url);
      expect(await textOf(phone)).toContain('marcado como cancelado');
    }, 180_000);
  });
});
