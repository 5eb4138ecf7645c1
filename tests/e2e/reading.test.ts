// Reading a day on a phone, as a person does: by the words and roles that the page shows.
import { describe, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { clickThrough } from '../fixtures/press.ts';
import { follow, newReader, readHeading, readWords } from '../fixtures/reader.ts';

const browser = await getBrowser();

describe('today', () => {
  test('says its date, what to know, and what is on at which hour and where', async () => {
    const reader = await newReader(browser);
    const { page } = reader;
    expect(await reader.open('/hoy')).toBe(200);
    expect(await readHeading(page)).toBe('Hoy en Cancún, viernes 20 de noviembre de 2026');
    const folded = [page.getByText('Calle cerrada'), page.getByText('Evita nadar en mar')];
    for (const one of folded) expect(await one.isVisible()).toBe(false);
    await page.getByText('Oleaje alto').click();
    await page.getByText('Un aviso más').click();
    for (const one of folded) expect(await one.isVisible()).toBe(true);
    const night = page.getByRole('region', { name: 'Antros de esta noche' });
    await night.locator('summary').click();
    const party = night.getByRole('listitem').filter({ hasText: '¡Fiesta de viernes!' });
    expect(await readWords(party)).toBe(
      '22:00 a 3:00 ¡Fiesta de viernes! Foro sin Punto · Isla Mujeres $350–900 MXN',
    );
    expect(reader.issues).toEqual([]);
  });

  test('opens an alert by itself, and says what is called off', async () => {
    const { page, open } = await newReader(browser);
    await open('/manana');
    expect(await page.getByText('Solo una prueba.').isVisible()).toBe(true);
    const fair = page.getByRole('listitem').filter({ hasText: 'Feria diaria' });
    expect(await fair.getByText('Cancelada por lluvia').isVisible()).toBe(true);
  });

  test('leads to tomorrow, the weekend and the week, each marked in the menu', async () => {
    const reader = await newReader(browser);
    await reader.open('/hoy');
    const menu = reader.page.getByRole('banner').getByRole('navigation');
    for (const [name, path, heading] of [
      ['Mañana', '/manana', 'Mañana en Cancún, sábado 21'],
      ['Fin de semana', '/fin-de-semana', 'Este fin de semana en Cancún, del viernes 20'],
      ['Semana', '/semana', 'Los próximos siete días en Cancún, del viernes 20'],
    ] as const) {
      await menu
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .first()
        .click();
      await reader.page.waitForURL(`**${path}`);
      expect(await readHeading(reader.page)).toContain(heading);
      const here = await reader.page.locator('[aria-current=page]').allTextContents();
      expect(here.map((words) => words.split(' 2')[0])).toEqual([name]);
    }
  });
});

describe('an event', () => {
  test('says when, where and for how much, and leads to its place and who organizes', async () => {
    const reader = await newReader(browser);
    const { page } = reader;
    await reader.open('/hoy');
    await follow(reader, 'Concierto único; "a", b');
    expect(await readHeading(page)).toBe('Concierto único; "a", b');
    const main = await readWords(page.getByRole('main'));
    for (const said of [
      ...['Viernes 20 de noviembre de 2026', 'a las 19:00', 'Malecón Inventado'],
      ...['Av. de Mentiras 1, Cancún', 'Tajamar', '$95 MXN en 2024'],
    ])
      expect(main).toContain(said);
    const hrefOf = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect([await hrefOf('Boletos'), await hrefOf('Cómo llegar')]).toEqual([
      'https://boletos.example/concierto',
      'https://www.google.com/maps/dir/?api=1&destination=21.1266%2C-86.8161',
    ]);
    await follow(reader, 'Malecón Inventado');
    expect(await page.getByRole('img', { name: /Malecón Inventado/ }).count()).toBe(1);
    await follow(reader, 'Feria diaria');
    await follow(reader, 'Colectivo de Prueba');
    expect(await page.getByText('Colectivo · verificado').isVisible()).toBe(true);
  });

  test('that returns says its rule, its next dates, and all of them on another page', async () => {
    const reader = await newReader(browser);
    const { page } = reader;
    await reader.open('/eventos/feria-diaria');
    const rule = page.getByText('Todos los días de 10:00 a 14:00, menos el 21 y 22 de noviembre');
    expect(await rule.isVisible()).toBe(true);
    const dates = page.getByRole('region', { name: 'Más fechas' });
    const lines = dates.getByRole('list').first().getByRole('listitem');
    expect(await lines.count()).toBe(8);
    expect(await readWords(lines.first())).toBe('sáb 21 nov Cancelado Cancelada por lluvia');
    // What was called off offers nothing to save.
    expect(await dates.getByRole('link', { name: /^Guardar/ }).count()).toBe(7);
    await page.getByText('Calendario o compartir').click();
    expect(await page.getByRole('link', { name: 'Apple y otros' }).getAttribute('href')).toMatch(
      /^webcal:.*\/events\/feria-diaria\.ics$/,
    );
    await follow(reader, /^Ver las \d+ fechas$/);
    expect(await rule.isVisible()).toBe(true);
    const december = { level: 2, name: 'diciembre de 2026' } as const;
    expect(await page.getByRole('heading', december).isVisible()).toBe(true);
  });

  test.each([
    ['/eventos/obra-pospuesta', 'Pospuesto'],
    ['/eventos/taller-pasado', 'Este evento ya pasó.'],
  ])('%s says %s and offers no date to save', async (path, said) => {
    const { page, open } = await newReader(browser);
    expect(await open(path)).toBe(200);
    expect(await page.getByText(said).first().isVisible()).toBe(true);
    expect(
      await page
        .getByRole('main')
        .getByRole('link', { name: /Registrarse|Guardar|Google/ })
        .count(),
    ).toBe(0);
  });
});

test('the notices are read in full, by when they hold, in both languages', async () => {
  const reader = await newReader(browser);
  const { page } = reader;
  await reader.open('/hoy');
  await clickThrough(page.getByRole('contentinfo').getByRole('link', { name: 'Avisos' }));
  expect(await readHeading(page)).toContain('Avisos de Cancún');
  const headingsOf = (name: string) =>
    page.getByRole('region', { name }).getByRole('heading', { level: 3 }).allTextContents();
  expect([await headingsOf('Hoy'), await headingsOf('Mañana')]).toEqual([
    ['Precaución: Oleaje alto', 'Calle cerrada'],
    ['Alerta: Alerta de prueba'],
  ]);
  expect(await page.getByText('Evita nadar en mar abierto.').isVisible()).toBe(true);
  await follow(reader, 'English');
  expect(await readHeading(page)).toContain('Notices for Cancún');
});
