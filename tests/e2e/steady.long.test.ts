// Layout stability: late fonts, styles, scripts and pictures do not shift the page.
import { expect, test } from 'vitest';
import * as v from 'valibot';
import { getBrowser } from '../fixtures/browser.ts';
import { openVisitor } from '../fixtures/reader.ts';

const browser = await getBrowser();

const MAX_SHIFT = 0.01;
/** Files that are delayed. */
const DELAYED_FILES = /\.(woff2|css|js|avif|webp|jpg|png)(\?|$)/;
const DELAY_MS = 400;
/** Time for delayed files to be painted. */
const SETTLE_MS = 400;

// Layout Instability, 2.2: excludes shifts within half a second of input, which the visitor caused.
const OBSERVE = `globalThis.shifts = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    if (entry.hadRecentInput) continue;
    const nodes = entry.sources.map(({ node }) => node?.nodeType === 1 ? node.tagName + '.' + node.getAttribute('class') : node?.parentNode?.nodeName);
    shifts.push({ value: entry.value, nodes: nodes.join(' ') });
  }
}).observe({ type: 'layout-shift', buffered: true });`;
const ShiftsSchema = v.array(v.object({ value: v.number(), nodes: v.string() }));

const PATHS = [
  ...['/hoy', '/fecha/2026-11-25', '/en/week', '/buscar?q=de&date=week', '/eventos/feria-diaria'],
  ...['/lugares/malecon-inventado', '/mapa', '/calendario', '/publicar', '/en/docs', '/avisos'],
];

const VIEWS = PATHS.flatMap((path) => [390, 1280].map((width) => ({ path, width })));
test.each(VIEWS)('$path at $width px has no layout shift', async ({ path, width }) => {
  const viewport = { width, height: width < 700 ? 844 : 900 };
  const { page, open } = await openVisitor(browser, { viewport, bypassCSP: true });
  await page.addInitScript(OBSERVE);
  await page.route(DELAYED_FILES, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS));
    await route.continue();
  });
  await open(path);
  await page.evaluate('document.fonts.ready.then(() => 0)');
  await page.waitForTimeout(DELAY_MS + SETTLE_MS);
  const shifts = v.parse(ShiftsSchema, await page.evaluate('globalThis.shifts'));
  const score = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(score, shifts.map(({ nodes }) => nodes).join(', ')).toBeLessThanOrEqual(MAX_SHIFT);
});
