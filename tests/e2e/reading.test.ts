// Reading a day on a phone, as a person does: by the words and roles that the page shows.
import { describe, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { newReader, readHeading, readWords } from '../fixtures/reader.ts';

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
});

test.each([
  ['/eventos/obra-pospuesta', 'Pospuesto'],
  ['/eventos/taller-pasado', 'Este evento ya pasó.'],
])('an event: %s says %s and offers no date to save', async (path, said) => {
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
