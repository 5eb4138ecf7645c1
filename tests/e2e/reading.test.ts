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
    const days = reader.page.getByRole('navigation', { name: 'Días', exact: true });
    for (const [name, path, heading] of [
      ['Mañana', '/manana', 'Mañana en Cancún, sábado 21'],
      ['Fin de semana', '/fin-de-semana', 'Este fin de semana en Cancún, del viernes 20'],
      ['Semana', '/semana', 'Los próximos siete días en Cancún, del viernes 20'],
    ] as const) {
      await days.getByRole('link', { name: new RegExp(`^${name}`) }).click();
      await reader.page.waitForURL(`**${path}`);
      expect(await readHeading(reader.page)).toContain(heading);
      const here = await reader.page.locator('[aria-current=page]').allTextContents();
      expect(here.map((words) => words.split(' 2')[0])).toEqual([name]);
    }
    expect(reader.issues).toEqual([]);
  });

  test('leads to the day after and the day before, and so to a day long past', async () => {
    const reader = await newReader(browser);
    await reader.open('/hoy');
    for (const name of [/sáb 21 nov/, /vie 20 nov/, /jue 19 nov/]) await follow(reader, name);
    expect([reader.at(), await readHeading(reader.page)]).toEqual([
      '/fecha/2026-11-19',
      'Agenda de Cancún, jueves 19 de noviembre de 2026',
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
    expect(reader.at()).toBe('/lugares/malecon-inventado');
    expect(await page.getByRole('img', { name: /Malecón Inventado/ }).count()).toBe(1);
    await follow(reader, 'Feria diaria');
    await follow(reader, 'Colectivo de Prueba');
    expect(reader.at()).toBe('/organizadores/colectivo-de-prueba');
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

  test.each([
    ['/eventos/obra-pospuesta', 'Pospuesto'],
    ['/eventos/taller-pasado', 'Este evento ya pasó.'],
  ])('%s says %s and offers no date to save', async (path, said) => {
    const { page, open } = await newReader(browser);
    expect(await open(path)).toBe(200);
    expect(await page.getByText(said).first().isVisible()).toBe(true);
    expect(await page.getByRole('link', { name: /Registrarse|Guardar|Google/ }).count()).toBe(0);
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
