// The agenda in a frame on another site, and the page that writes the snippet for it.
import { createServer } from 'node:http';
import { expect, inject, onTestFinished, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { newReader } from '../fixtures/reader.ts';
import { listenHere } from '../fixtures/folder.ts';
import { clickThrough } from '../fixtures/press.ts';

const browser = await getBrowser();

async function serve(body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>x</title>${body}`);
  });
  const port = await listenHere(server);
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

test('a choice gives a snippet that shows the list on another site, and its links open beside it', async () => {
  const { page, open } = await newReader(browser);
  await open('/incrustar');
  await page.getByLabel('Categoría').selectOption({ label: 'Mercados' });
  await clickThrough(page.getByRole('button', { name: 'Ver mi código' }));
  expect(await page.getByLabel('Categoría').inputValue()).toBe('mercados');
  const snippet = await page.getByLabel('Código HTML').inputValue();
  // The tests' server calls itself by its public name.
  const here = snippet.replace(/https?:\/\/[^/"]+/, inject('origin'));
  await page.goto(await serve(here));
  const link = page.frameLocator('iframe').getByRole('link', { name: 'Feria diaria' });
  const [beside] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await beside.waitForLoadState();
  expect(new URL(beside.url()).pathname).toBe('/eventos/feria-diaria');
});
