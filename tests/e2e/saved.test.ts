// Saved events in a browser: the list of a visitor without an account.
import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { openVisitor, readHeading } from '../fixtures/reader.ts';

const browser = await getBrowser();
const [FAIR, CONCERT] = ['/eventos/feria-diaria', '/eventos/concierto-unico-a-b'];

const listTitles = async (page: Page): Promise<string[]> =>
  (await page.locator('.row h3').allTextContents()).map((title) => title.trim());
const waitUntilCached = (page: Page): Promise<void> =>
  expect
    .poll(() => page.evaluate('caches.match(location.href).then(Boolean)'), { timeout: 20_000 })
    .toBe(true);

test('events are saved, listed, available offline, shared and removed', async () => {
  const { page, open, issues } = await openVisitor(browser, { serviceWorkers: 'allow' });
  for (const path of [FAIR, CONCERT]) {
    await open(path);
    await page.getByRole('button', { name: 'Guardar', exact: true }).click();
    await expect.poll(() => page.locator('.saver').getAttribute('aria-pressed')).toBe('true');
  }
  await open('/fin-de-semana');
  const weekend = page.getByRole('link', { name: 'Mi fin de semana' });
  await weekend.waitFor();
  expect(await weekend.getAttribute('href')).toMatch(/ids=ev_\w+,ev_\w+$/);
  await open(CONCERT);
  await page.getByRole('link', { name: 'Ver guardados' }).click();
  await page.waitForURL(/\/guardados\?ids=ev_\w+,ev_\w+$/);
  expect(await listTitles(page)).toEqual(['Feria diaria', 'Concierto único; "a", b']);
  await waitUntilCached(page);
  const shared_url = page.url();

  await page.context().setOffline(true);
  await page.goto('/guardados');
  await page.waitForURL(shared_url);
  expect(await page.getByRole('status').textContent()).toContain('puede haber cambios');
  expect(await listTitles(page)).toHaveLength(2);
  await page.getByRole('button', { name: 'Guardar Feria diaria', pressed: true }).click();
  expect(page.url()).not.toBe(shared_url);
  // An event removed offline stays removed, and can be saved again.
  await waitUntilCached(page);
  await page.reload();
  await page.getByRole('button', { name: 'Guardar Feria diaria', pressed: false }).waitFor();

  await page.context().setOffline(false);
  await open('/guardados');
  await page.waitForURL(/ids=ev_\w+$/);
  expect(await listTitles(page)).toEqual(['Concierto único; "a", b']);
  expect(issues.filter((issue) => !/ERR_INTERNET_DISCONNECTED|failed:/.test(issue))).toEqual([]);

  const friend = await openVisitor(browser);
  await friend.page.goto(shared_url);
  await friend.page.getByRole('button', { name: 'Guardar todo' }).click();
  await friend.open('/en/saved');
  await friend.page.waitForURL(/\/en\/saved\?ids=/);
  expect(await listTitles(friend.page)).toHaveLength(2);
  await friend.page.getByRole('button', { name: 'Remove all' }).click();
  await friend.open('/guardados');
  expect(await friend.page.getByText('Aún no hay nada aquí').isVisible()).toBe(true);
  expect(friend.issues).toEqual([]);
});

test('without scripts, the saved page explains itself, and no save button is visible', async () => {
  const { page, open } = await openVisitor(browser, { javaScriptEnabled: false });
  await open('/guardados');
  expect(await readHeading(page)).toBe('Guardados');
  expect(await page.locator('noscript p').isVisible()).toBe(true);
  await open('/fin-de-semana');
  expect(await page.getByText('Mi fin de semana').isVisible()).toBe(false);
  await open(FAIR);
  expect(await page.getByRole('button', { name: 'Guardar' }).count()).toBe(0);
});
