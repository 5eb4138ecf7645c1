// Reading the agenda on a phone, by the texts and roles of the page.
import { describe, expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { openVisitor, readHeading, readVisibleText } from '../fixtures/reader.ts';

const browser = await getBrowser();

describe('today', () => {
  test('shows its date, its notices, and events with time and venue', async () => {
    const visitor = await openVisitor(browser);
    const { page } = visitor;
    expect(await visitor.open('/hoy')).toBe(200);
    expect(await readHeading(page)).toBe('Hoy en Cancún, viernes 20 de noviembre de 2026');
    const folded = [page.getByText('Calle cerrada'), page.getByText('Evita nadar en mar')];
    for (const text of folded) expect(await text.isVisible()).toBe(false);
    await page.getByText('Oleaje alto').click();
    await page.getByText('Un aviso más').click();
    for (const text of folded) expect(await text.isVisible()).toBe(true);
    const night = page.getByRole('region', { name: 'Antros de esta noche' });
    await night.locator('summary').click();
    const party = night.getByRole('listitem').filter({ hasText: '¡Fiesta de viernes!' });
    expect(await readVisibleText(party)).toBe(
      '22:00 a 3:00 ¡Fiesta de viernes! Foro sin Punto · Isla Mujeres $350–900 MXN',
    );
    expect(visitor.issues).toEqual([]);
  });

  test('unfolds severe notices, and marks cancelled events', async () => {
    const { page, open } = await openVisitor(browser);
    await open('/manana');
    expect(await page.getByText('Solo una prueba.').isVisible()).toBe(true);
    const fair = page.getByRole('listitem').filter({ hasText: 'Feria diaria' });
    expect(await fair.getByText('Cancelada por lluvia').isVisible()).toBe(true);
  });
});

test.each([
  ['/eventos/obra-pospuesta', 'Pospuesto'],
  ['/eventos/taller-pasado', 'Este evento ya pasó.'],
])('the event %s shows %s and no date to save', async (path, text) => {
  const { page, open } = await openVisitor(browser);
  expect(await open(path)).toBe(200);
  expect(await page.getByText(text).first().isVisible()).toBe(true);
  expect(
    await page
      .getByRole('main')
      .getByRole('link', { name: /Registrarse|Guardar|Google/ })
      .count(),
  ).toBe(0);
});
