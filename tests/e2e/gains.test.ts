// Page enhancements in a browser, and the same pages without scripts.
import { expect, inject, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { openVisitor } from '../fixtures/reader.ts';

const browser = await getBrowser();

const EVENT = '/eventos/concierto-unico-a-b';

test('without scripts, the WhatsApp link has title, day and address, and no button is visible', async () => {
  const { page, open } = await openVisitor(browser, { javaScriptEnabled: false });
  await open(EVENT);
  await page.getByText('Calendario o compartir').click();
  const href = await page.getByRole('link', { name: 'Enviar por WhatsApp' }).getAttribute('href');
  expect(new URL(href ?? '').searchParams.get('text')).toMatch(
    /^Concierto único; "a", b\. viernes 20 de noviembre de 2026, a las 19:00\nhttp.*\/eventos\/concierto-unico-a-b$/,
  );
  const buttons = page
    .locator('main')
    .getByRole('button')
    .filter({ hasNotText: /Buscar|Aplicar/ });
  for (const path of [EVENT, '/mapa', '/buscar']) {
    await open(path);
    expect(await buttons.allTextContents(), path).toEqual([]);
  }
});

test('the nearby button searches with three decimals, and makes no requests to other hosts', async () => {
  const { page, open, issues } = await openVisitor(browser, {
    permissions: ['geolocation'],
    geolocation: { latitude: 21.126649, longitude: -86.816149 },
  });
  await open('/mapa');
  await page.getByRole('button', { name: 'Cerca de mí' }).click();
  await page.waitForURL(/buscar/);
  expect(new URL(page.url()).search).toBe('?near=21.127,-86.816');
  expect(await page.getByText('No incluye').isVisible()).toBe(true);
  expect(issues).toEqual([]);
});

test('rows are labeled if their event started or ended since the page was rendered', async () => {
  const { page, open } = await openVisitor(browser);
  await page.clock.install();
  await open('/hoy');
  expect(await page.locator('b.state').count()).toBe(0);
  const row = page.getByRole('listitem').filter({ hasText: 'Concierto único' });
  // It starts at 19:00 without a known end: the label disappears after the assumed three hours (contract 2.6).
  await page.clock.fastForward(8 * 3_600_000);
  expect(await row.locator('b.state').allTextContents()).toEqual(['Ahora']);
  const fair = page.getByRole('listitem').filter({ hasText: 'Feria diaria' });
  expect(await fair.locator('b.state').allTextContents()).toEqual(['Ya terminó']);
  await page.clock.fastForward(3 * 3_600_000);
  expect(await row.locator('b.state').allTextContents()).toEqual([]);
});

// Contract 8.35.
test.each([true, false])(
  'an API operation can be tried from the docs; scripts enabled: %s',
  async (javaScriptEnabled) => {
    const { page, open } = await openVisitor(browser, { javaScriptEnabled });
    await open('/docs');
    const part = page.locator('section[aria-labelledby="listEvents"]');
    await part.getByText('Probar aquí', { exact: true }).press('Enter');
    await part.getByLabel('date', { exact: true }).fill('2026-11-21');
    await part.getByLabel('lang', { exact: true }).selectOption('en');
    await part.getByLabel('limit', { exact: true }).fill('2');
    await part.getByLabel('limit', { exact: true }).press('Enter');
    await page.waitForURL(/\/api\/v1\/events\?/);
    const response = await fetch(
      `${inject('origin')}/api/v1/events?date=2026-11-21&limit=2&lang=en`,
    );
    expect(await page.textContent('body')).toContain(JSON.stringify(await response.json()));
  },
);
