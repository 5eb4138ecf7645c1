// The HTML of every kind of page, in both languages, by other people's rules.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltServer, startServer } from '../fixtures/built-server.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { MISSING_PAGES, PAGES, SERVICE_PAGES } from '../fixtures/pages.ts';

let server: BuiltServer;
const data_dir = mkdtempSync(join(tmpdir(), 'hoy-html-'));
beforeAll(async () => {
  server = await startServer({ data_dir, content_dir: FIXTURE_DIR });
});
afterAll(async () => {
  await server.stop();
  rmSync(data_dir, { recursive: true });
});

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
async function findFaults(path: string): Promise<readonly string[]> {
  const html = await (await server.get(path, { accept: 'text/html' })).text();
  expect(html, path).toMatch(/^<!doctype html>/i);
  const { results } = await validator.validateString(html, path);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector ?? ''})`),
  );
}

test.each([...PAGES, ...SERVICE_PAGES, ...MISSING_PAGES])(
  '%s (%s) is as it should be',
  async (_kind, es, en) => {
    expect(await findFaults(es)).toEqual([]);
    expect(await findFaults(en)).toEqual([]);
  },
);

test('a fault of ours would be found', async () => {
  const { valid } = await validator.validateString('<p><div>x</div></p>');
  expect(valid).toBe(false);
});
