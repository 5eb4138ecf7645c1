// Reading a day on a phone, as a person does: by the words and roles that the page shows.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import ICAL from 'ical.js';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { clickThrough } from '../fixtures/press.ts';
import { follow, newReader, readHeading, readWords } from '../fixtures/reader.ts';
import { makeTestFolder } from '../fixtures/folder.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
});
afterAll(() => browser.close());

describe('today', () => {
  test('says its date, what to know, and what is on at which hour and where', async () => {
    const reader = await newReader(browser);
    const { page } = reader;
    expect(await reader.open('/hoy')).toBe(200);
    expect(await readHeading(page)).toBe('Hoy en Cancún, viernes 20 de noviembre de 2026');
    expect(await page.title()).toBe('Hoy en Cancún, viernes 20 de noviembre de 2026 · Hoy Cancún');
    const notices = page.getByRole('region', { name: 'Avisos' });
    expect(await notices.locator('summary').allTextContents()).toEqual([
      'Precaución: Oleaje alto · del viernes 20 al sábado 21 de noviembre de 2026',
      'Un aviso más',
      'Para saber: Calle cerrada',
    ]);
    expect(await notices.getByText('Calle cerrada').isVisible()).toBe(false);
    expect(await page.getByText('Evita nadar en mar abierto.').isVisible()).toBe(false);
    await page.getByText('Oleaje alto').click();
    expect(await page.getByText('Evita nadar en mar abierto.').isVisible()).toBe(true);

    const night = page.getByRole('region', { name: 'Antros de esta noche' });
    await night.locator('summary').click();
    const party = night.getByRole('listitem').filter({ hasText: '¡Fiesta de viernes!' });
    expect(await readWords(party)).toBe(
      '22:00 a 3:00 ¡Fiesta de viernes! Foro sin Punto · Isla Mujeres $350–900 MXN',
    );
    expect(
      await page
        .getByRole('region', { name: 'Ahora' })
        .getByRole('link', { name: 'Feria diaria' })
        .isVisible(),
    ).toBe(true);
    expect(
      await page
        .getByRole('region', { name: 'Ya empezaron' })
        .getByText('hasta el mié 30 dic')
        .isVisible(),
    ).toBe(true);
    expect(reader.issues).toEqual([]);
  });

  test('opens an alert by itself', async () => {
    const reader = await newReader(browser);
    await reader.open('/manana');
    expect(await reader.page.getByText('Solo una prueba.').isVisible()).toBe(true);
    const fair = reader.page.getByRole('listitem').filter({ hasText: 'Feria diaria' });
    expect(await fair.getByText('Cancelado').isVisible()).toBe(true);
    expect(await fair.getByText('Cancelada por lluvia').isVisible()).toBe(true);
  });

  test('leads to tomorrow, the weekend and the week, each marked in the menu', async () => {
    const reader = await newReader(browser);
    await reader.open('/hoy');
    for (const [name, path, heading] of [
      ['Mañana', '/manana', 'Mañana en Cancún, sábado 21 de noviembre de 2026'],
      [
        'Fin de semana',
        '/fin-de-semana',
        'Este fin de semana en Cancún, del viernes 20 al domingo 22 de noviembre de 2026',
      ],
      [
        'Semana',
        '/semana',
        'Los próximos siete días en Cancún, del viernes 20 al jueves 26 de noviembre de 2026',
      ],
      ['Hoy', '/hoy', 'Hoy en Cancún, viernes 20 de noviembre de 2026'],
    ] as const) {
      await reader.page
        .getByRole('navigation', { name: 'Días', exact: true })
        .getByRole('link', { name: new RegExp(`^${name}`) })
        .click();
      await reader.page.waitForURL(`**${path}`);
      expect(await readHeading(reader.page)).toContain(heading);
      const here = await reader.page.locator('[aria-current=page]').allTextContents();
      expect(here.map((words) => words.split(' 2')[0])).toEqual([name]);
    }
    expect(reader.issues).toEqual([]);
  });

  test('leads to the day before and the day after, and so to a day long past', async () => {
    const reader = await newReader(browser);
    await reader.open('/hoy');
    await follow(reader, /sáb 21 nov/);
    expect([reader.at(), await readHeading(reader.page)]).toEqual([
      '/fecha/2026-11-21',
      'Agenda de Cancún, sábado 21 de noviembre de 2026',
    ]);
    for (const name of [/vie 20 nov/, /jue 19 nov/, /mié 18 nov/]) await follow(reader, name);
    expect([reader.at(), await readHeading(reader.page)]).toEqual([
      '/fecha/2026-11-18',
      'Agenda de Cancún, miércoles 18 de noviembre de 2026',
    ]);
    expect(await reader.page.getByRole('link', { name: 'Feria diaria' }).isVisible()).toBe(true);
  });
});

describe('an event', () => {
  test('says when, where and for how much, and leads to its place and back', async () => {
    const reader = await newReader(browser);
    const { page } = reader;
    await reader.open('/hoy');
    await follow(reader, 'Concierto único; "a", b');
    expect(await readHeading(page)).toBe('Concierto único; "a", b');
    const main = await readWords(page.getByRole('main'));
    for (const said of [
      'Viernes 20 de noviembre de 2026',
      'a las 19:00',
      'Malecón Inventado',
      'Av. de Mentiras 1, Cancún',
      'Tajamar',
      '$95 MXN en 2024',
    ])
      expect(main).toContain(said);
    expect(await page.getByRole('link', { name: 'Boletos' }).getAttribute('href')).toBe(
      'https://boletos.example/concierto',
    );
    expect(await page.getByRole('link', { name: 'Cómo llegar' }).getAttribute('href')).toBe(
      'https://www.google.com/maps/dir/?api=1&destination=21.1266%2C-86.8161',
    );
    await follow(reader, 'Malecón Inventado');
    expect([reader.at(), await readHeading(page)]).toEqual([
      '/lugares/malecon-inventado',
      'Malecón Inventado',
    ]);
    await follow(reader, 'Feria diaria');
    await follow(reader, 'Colectivo de Prueba');
    expect([reader.at(), await readHeading(page)]).toEqual([
      '/organizadores/colectivo-de-prueba',
      'Colectivo de Prueba',
    ]);
    expect(await page.getByText('Colectivo · verificado').isVisible()).toBe(true);
    await follow(reader, 'Feria diaria');
    expect(
      await readWords(
        page.getByRole('region', { name: 'Próximas fechas' }).getByRole('listitem').nth(1),
      ),
    ).toBe('sáb 21 nov de 10:00 a 14:00 Cancelado Cancelada por lluvia');
    expect(
      new URL(
        (await page.getByRole('link', { name: /^Guardar en Google/ }).getAttribute('href')) ?? '',
      ).searchParams.get('dates'),
    ).toBe('20261120T100000/20261120T140000');
  });

  test('that returns says its rule, its next four dates, and all of them on another page', async () => {
    const reader = await newReader(browser);
    const { page } = reader;
    await reader.open('/eventos/feria-diaria');
    const rule = 'Todos los días de 10:00 a 14:00, menos el 21 y 22 de noviembre';
    expect(await page.getByText(rule).isVisible()).toBe(true);
    const dates = page.getByRole('region', { name: 'Próximas fechas' });
    expect(await dates.getByRole('list').first().getByRole('listitem').count()).toBe(4);
    // What was called off offers nothing to save.
    const saves = dates.getByRole('link', { name: /^Guardar/ });
    expect(await saves.count()).toBe(3);
    expect(await saves.first().getAttribute('href')).toMatch(/\.ics\?date=2026-11-20$/);
    await dates.getByText('Seguir todas las fechas').click();
    expect(await page.getByLabel('Enlace para copiar').inputValue()).toMatch(
      /^http.*\/events\/feria-diaria\.ics$/,
    );
    expect(await page.getByRole('link', { name: 'Apple y otros' }).getAttribute('href')).toMatch(
      /^webcal:.*\/events\/feria-diaria\.ics$/,
    );
    await follow(reader, /^Ver las \d+ fechas$/);
    expect(reader.at()).toBe('/eventos/feria-diaria/fechas');
    expect(await page.getByText(rule).isVisible()).toBe(true);
    expect(
      await page.getByRole('heading', { level: 2, name: 'diciembre de 2026' }).isVisible(),
    ).toBe(true);
    await follow(reader, 'Feria diaria');
    expect(reader.at()).toBe('/eventos/feria-diaria');
  });

  test('that was put off offers no date to save', async () => {
    const reader = await newReader(browser);
    await reader.open('/eventos/obra-pospuesta');
    expect(await reader.page.getByRole('link', { name: /Guardar|Google/ }).count()).toBe(0);
    expect(await reader.page.getByText('Pospuesto').first().isVisible()).toBe(true);
  });

  test('is kept in a calendar', async () => {
    const reader = await newReader(browser);
    await reader.open('/eventos/concierto-unico-a-b');
    const folder = makeTestFolder();
    const [download] = await Promise.all([
      reader.page.waitForEvent('download'),
      reader.page.getByRole('link', { name: 'Guardar esta fecha' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.ics$/);
    await download.saveAs(join(folder, 'event.ics'));
    const calendar = new ICAL.Component(
      ICAL.parse(await readFile(join(folder, 'event.ics'), 'utf8')),
    );
    const events = calendar.getAllSubcomponents('vevent').map((item) => new ICAL.Event(item));
    expect(
      events.map((event) => [event.summary, event.startDate.toString(), event.location]),
    ).toEqual([
      [
        'Concierto único; "a", b',
        '2026-11-20T19:00:00',
        'Malecón Inventado, Av. de Mentiras 1, Cancún, Quintana Roo',
      ],
    ]);
  });

  test('that is over says so, and offers nothing to do', async () => {
    const reader = await newReader(browser);
    expect(await reader.open('/eventos/taller-pasado')).toBe(200);
    expect(await reader.page.getByText('Este evento ya pasó.').isVisible()).toBe(true);
    expect(await reader.page.getByRole('link', { name: /Registrarse|Guardar/ }).count()).toBe(0);
  });
});

describe('the notices', () => {
  test('are read in full, by when they hold, and lead back to the day', async () => {
    const reader = await newReader(browser);
    const { page } = reader;
    expect(await reader.open('/hoy')).toBe(200);
    await clickThrough(page.getByRole('contentinfo').getByRole('link', { name: 'Avisos' }));
    expect(await readHeading(page)).toBe('Avisos de Cancún, viernes 20 de noviembre de 2026');
    const today = page.getByRole('region', { name: 'Hoy' });
    expect(await today.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Precaución: Oleaje alto',
      'Calle cerrada',
    ]);
    expect(await today.getByText('Evita nadar en mar abierto.').isVisible()).toBe(true);
    const tomorrow = page.getByRole('region', { name: 'Mañana' });
    expect(await tomorrow.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Alerta: Alerta de prueba',
    ]);
    await follow(reader, 'English');
    expect(await readHeading(page)).toBe('Notices for Cancún, Friday, November 20, 2026');
  });
});
