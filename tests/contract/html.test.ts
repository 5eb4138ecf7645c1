// The HTML of every kind of page, in both languages, and of every screen of the desk, by other
// people's rules.
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { expect, onTestFinished, test } from 'vitest';
import { listDeskPages } from '../fixtures/desk-pages.ts';
import { serveDesk, startDesk } from '../fixtures/desk-server.ts';
import { MISSING_PAGES, PAGES, SERVICE_PAGES } from '../fixtures/pages.ts';

const desk = await serveDesk();

const validator = new HtmlValidate(
  new StaticConfigLoader({
    root: true,
    extends: ['html-validate:recommended'],
    rules: {
      // A list without bullets is no list to Safari's reader; the role says that it is one.
      'no-redundant-role': 'off',
      // A title names the day in words; what a search engine cuts off is the site's name.
      'long-title': 'off',
      // White space at the end of a line of a sample.
      'no-trailing-whitespace': 'off',
      // Boxes of one question share its name.
      'form-dup-name': ['error', { shared: ['radio', 'button', 'submit', 'checkbox'] }],
    },
  }),
);

/** What it finds on a page, with the place. */
async function findFaults(html: string, name: string): Promise<readonly string[]> {
  expect(html, name).toMatch(/^<!doctype html>/i);
  const { results } = await validator.validateString(html, name);
  return results.flatMap(({ messages }) =>
    messages.map(
      ({ ruleId, message, selector }) => `${name}: ${ruleId}: ${message} (${selector ?? ''})`,
    ),
  );
}

test.each([...PAGES, ...SERVICE_PAGES, ...MISSING_PAGES])(
  '%s (%s) is as it should be',
  async (_kind, ...paths) => {
    for (const path of paths) {
      const html = await (await desk.server.get(path, { accept: 'text/html' })).text();
      expect(await findFaults(html, path)).toEqual([]);
    }
  },
);

test.each(['es', 'en'] as const)(
  'every screen of the desk and every page of a sender is as it should be, in %s',
  async (lang) => {
    const own = await startDesk();
    onTestFinished(own.stop);
    const pages = await listDeskPages(own, lang);
    expect(pages.length).toBeGreaterThan(35);
    const faults = await Promise.all(pages.map(({ name, html }) => findFaults(html, name)));
    expect(faults.flat()).toEqual([]);
  },
);

test('a fault of ours would be found', async () => {
  const { valid } = await validator.validateString('<p><div>x</div></p>');
  expect(valid).toBe(false);
});
