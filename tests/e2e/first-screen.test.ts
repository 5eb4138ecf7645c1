// The first screen: the way to what is on is short, the words may be large, and what is styled at
// once is let in by name alone.
import { createHash } from 'node:crypto';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { connectBrowser } from '../fixtures/browser.ts';
import { newReader, PHONE } from '../fixtures/reader.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await connectBrowser(inject('browser_endpoint'));
});
afterAll(() => browser.close());

const AGENDAS = ['/hoy', '/en/today', '/manana', '/en/tomorrow', '/fecha/2026-11-25'];

describe('on a phone', () => {
  test.each(AGENDAS)('%s has its filters within 220 px', async (path) => {
    const { page, open } = await newReader(browser);
    await open(path);
    const { y = 0, height = 0 } = (await page.locator('.narrowing').boundingBox()) ?? {};
    expect(y + height).toBeGreaterThan(100);
    expect(y + height).toBeLessThanOrEqual(220);
  });
  // The fixture's Friday has two notices: with one, the line of the other falls away.
  test.each(['/hoy', '/en/today'])('the first event of %s is seen at once', async (path) => {
    const { page, open } = await newReader(browser);
    await open(path);
    await page.evaluate(`document.querySelector('.others')?.remove()`);
    expect((await page.locator('.row').first().boundingBox())?.y).toBeLessThanOrEqual(480);
  });
  test('the wave of today marks the present minute, that of another day none', async () => {
    const { page, open } = await newReader(browser);
    await open('/hoy');
    expect(await page.locator('.sea .now').count()).toBe(1);
    await open('/fecha/2026-11-25');
    expect(await page.locator('.sea .now').count()).toBe(0);
  });
  test('the menu has the form for events, and goes away again', async () => {
    const { page, open, at } = await newReader(browser, { viewport: { width: 360, height: 740 } });
    await open('/hoy');
    const form = page.getByRole('banner').getByRole('link', { name: 'Publica tu evento' });
    expect(await form.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menú' }).click();
    expect(await form.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await form.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menú' }).press('Enter');
    await form.click();
    await page.waitForURL('**/publicar');
    expect(at()).toBe('/publicar');
  });
});

describe('text twice as large', () => {
  test.each([
    '/hoy?free=1',
    '/en/week',
    '/eventos/feria-diaria',
    '/publicar',
    '/buscar?q=feria&free=1',
    '/en/search?q=zzz',
    '/docs',
  ])('scrolls %s one way only on a phone of 360 px', async (path) => {
    const { page, open } = await newReader(browser, { viewport: { width: 360, height: 740 } });
    await open(path);
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    expect(await page.evaluate('document.scrollingElement.scrollWidth')).toBe(360);
  });
});

describe('with forced colours', () => {
  test('the words of the date stand beside the number, not behind it', async () => {
    const { page, open } = await newReader(browser, { forcedColors: 'active', viewport: PHONE });
    await open('/hoy');
    const number = await page.locator('.day-title .number').boundingBox();
    for (const words of ['.kicker', '.weekday', '.month']) {
      const box = await page.locator(`.day-title ${words}`).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual((number?.x ?? 0) + (number?.width ?? 0));
    }
  });
});

describe('the style in the page', () => {
  test.each(['/hoy', '/eventos/feria-diaria', '/publicar', '/nada'])(
    'of %s is the one that the policy names',
    async (path) => {
      const answer = await fetch(`${inject('origin')}${path}`);
      const styles = [...(await answer.text()).matchAll(/<style>(.*?)<\/style>/gs)];
      const hashes = styles.map(
        ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
      );
      expect(hashes).toHaveLength(1);
      const policy = answer.headers.get('content-security-policy') ?? '';
      const [, sources = ''] = /style-src ([^;]*);/.exec(policy) ?? [];
      // Of each look one, so that the policy is the same for all pages, and nothing but looks.
      expect(sources).toMatch(/^'self'( 'sha256-[\w+/]{43}='){7}$/);
      expect(sources.split(' ')).toContain(hashes[0]);
      expect(policy).not.toContain('unsafe');
      expect(policy).toContain("connect-src 'self';");
    },
  );
});
