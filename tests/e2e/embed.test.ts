// Embed in a browser: the page that builds the snippet, and the frame on another site.
import { createServer } from 'node:http';
import { expect, inject, onTestFinished, test } from 'vitest';
import { getBrowser } from '../fixtures/browser.ts';
import { openVisitor } from '../fixtures/reader.ts';
import { listenOnLocalhost } from '../fixtures/folder.ts';
import { clickThrough } from '../fixtures/press.ts';

const browser = await getBrowser();

async function serve(body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><title>x</title>${body}`);
  });
  const port = await listenOnLocalhost(server);
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

test('the snippet of a selection shows its events on another site, and links open in a new tab', async () => {
  const { page, open } = await openVisitor(browser);
  await open('/incrustar');
  await page.getByLabel('Categoría').selectOption({ label: 'Mercados' });
  await clickThrough(page.getByRole('button', { name: 'Ver mi código' }));
  expect(await page.getByLabel('Categoría').inputValue()).toBe('mercados');
  const snippet = await page.getByLabel('Código HTML').inputValue();
  // The snippet has the public URL of the site: replace it by the test server.
  const local_snippet = snippet.replace(/https?:\/\/[^/"]+/, inject('origin'));
  await page.goto(await serve(local_snippet));
  const link = page.frameLocator('iframe').getByRole('link', { name: 'Feria diaria' });
  const [new_tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
  await new_tab.waitForLoadState();
  expect(new URL(new_tab.url()).pathname).toBe('/eventos/feria-diaria');
});
