// Other ways to read: by keyboard alone, without scripts, on paper.
import type { Page } from 'playwright';
import { describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { getBrowser } from '../fixtures/browser.ts';
import { PAGES } from '../fixtures/pages.ts';
import { newReader, readWords } from '../fixtures/reader.ts';
import { findViolations } from '../fixtures/violations.ts';

const browser = await getBrowser();

/** What has the focus: its words, how its outline looks, and whether it is in sight. */
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
  test('the first key leads past the menu', async () => {
    const { page, open } = await newReader(browser);
    await open('/hoy');
    await page.keyboard.press('Tab');
    expect(await readFocus(page)).toMatchObject({ text: 'Ir al contenido', in_sight: true });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await readFocus(page)).toMatchObject({ in_main: true, in_sight: true });
  });

  test('every stop is in sight and outlined, and all that can be pressed is a stop', async () => {
    const { page, open } = await newReader(browser);
    await open('/hoy');
    const things = await page
      .locator('a[href], summary, button, input:not([type=hidden])')
      .filter({ visible: true })
      .count();
    await page.evaluate('globalThis.stops = new Set()');
    // A date is one thing and a stop for each of its parts, so there are more stops than things.
    const isNew = `stops.size < stops.add(document.activeElement).size`;
    for (let i = 0, seen = 0; seen < things; i++) {
      expect(i, `only ${seen} of ${things} are stops`).toBeLessThan(things * 2);
      await page.keyboard.press('Tab');
      if (await page.evaluate(isNew)) seen += 1;
      const focus = await readFocus(page);
      const seen_well = { outline: 'solid 3px', in_sight: true };
      expect(focus, `stop ${i}: ${focus.text}`).toMatchObject(seen_well);
    }
  });
});

const LAYOUTS = PAGES.filter(([kind]) =>
  ['today', 'week', 'an event of many dates', 'a venue', 'a category'].includes(kind),
);

test('without scripts everything is the same', async () => {
  const [with_scripts, without] = [
    await newReader(browser),
    await newReader(browser, { javaScriptEnabled: false }),
  ];
  for (const [kind, path] of LAYOUTS) {
    await with_scripts.open(path);
    await without.open(path);
    // To share, to copy and to search nearby are all that a script adds.
    await with_scripts.page.locator('main button[type=button]').evaluateAll((added) => {
      for (const button of added) button.remove();
    });
    expect(await readWords(without.page.locator('body')), kind).toBe(
      await readWords(with_scripts.page.locator('body')),
    );
  }
});

test('on paper are the day and all its notices, without menus', async () => {
  const { page, open } = await newReader(browser);
  await open('/hoy');
  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
  for (const text of ['Evita nadar en mar abierto.', 'Busca otra ruta.', 'Feria diaria'])
    expect(await page.getByText(text).filter({ visible: true }).count(), text).toBeGreaterThan(0);
  expect(await findViolations(page, true)).toEqual([]);
});
