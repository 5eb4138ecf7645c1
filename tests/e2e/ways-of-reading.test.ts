// Reading by keyboard, without scripts, and in print.
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { getBrowser } from '../fixtures/browser.ts';
import { PAGES } from '../fixtures/pages.ts';
import { openVisitor, readVisibleText } from '../fixtures/reader.ts';
import { findViolations } from '../fixtures/violations.ts';

const browser = await getBrowser();

/** The focused element: its text and outline, and if it is visible and inside the main content. */
const FocusSchema = v.object({
  text: v.string(),
  outline: v.string(),
  in_sight: v.boolean(),
  in_main: v.boolean(),
});
const readFocus = async (page: Page): Promise<v.InferOutput<typeof FocusSchema>> =>
  v.parse(
    FocusSchema,
    await page.evaluate(`(() => {
  const at = document.activeElement, box = at.getBoundingClientRect(), style = getComputedStyle(at);
  return { text: at.textContent.trim(), outline: style.outlineStyle + ' ' + style.outlineWidth,
    in_sight: box.top > -1 && box.bottom < innerHeight + 1 && box.width > 0, in_main: at.closest('main') !== null };
})()`),
  );

describe('by keyboard', () => {
  test('the first stop skips the menu', async () => {
    const { page, open } = await openVisitor(browser);
    await open('/hoy');
    await page.keyboard.press('Tab');
    expect(await readFocus(page)).toMatchObject({ text: 'Ir al contenido', in_sight: true });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await readFocus(page)).toMatchObject({ in_main: true, in_sight: true });
  });

  test('every control is a stop, visible and outlined', async () => {
    const { page, open } = await openVisitor(browser);
    await open('/hoy');
    const control_count = await page
      .locator('a[href], summary, button, input:not([type=hidden])')
      .filter({ visible: true })
      .count();
    await page.evaluate('globalThis.stops = new Set()');
    // A date control has a stop for each of its parts, so there are more stops than controls.
    const isNew = `stops.size < stops.add(document.activeElement).size`;
    for (let stop = 0, reached = 0; reached < control_count; stop++) {
      expect(stop, `only ${reached} of ${control_count} are stops`).toBeLessThan(control_count * 2);
      await page.keyboard.press('Tab');
      if (await page.evaluate(isNew)) reached += 1;
      const focus = await readFocus(page);
      const visible_focus = { outline: 'solid 3px', in_sight: true };
      expect(focus, `stop ${stop}: ${focus.text}`).toMatchObject(visible_focus);
    }
  });
});

const LAYOUTS = PAGES.filter(([kind]) =>
  ['today', 'week', 'an event of many dates', 'a venue', 'a category'].includes(kind),
);

test('the text is the same without scripts', async () => {
  const [with_scripts, without] = [
    await openVisitor(browser),
    await openVisitor(browser, { javaScriptEnabled: false }),
  ];
  for (const [kind, path] of LAYOUTS) {
    await with_scripts.open(path);
    await without.open(path);
    // Scripts only add the buttons to share, to copy and to search nearby.
    await with_scripts.page.locator('main button[type=button]').evaluateAll((buttons) => {
      for (const button of buttons) button.remove();
    });
    expect(await readVisibleText(without.page.locator('body')), kind).toBe(
      await readVisibleText(with_scripts.page.locator('body')),
    );
  }
});

test('print has the day and all its notices, without menus', async () => {
  const { page, open } = await openVisitor(browser);
  await open('/hoy');
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
  for (const text of ['Evita nadar en mar abierto.', 'Busca otra ruta.', 'Feria diaria'])
    expect(await page.getByText(text).filter({ visible: true }).count(), text).toBeGreaterThan(0);
  expect(await findViolations(page, true)).toEqual([]);
});
