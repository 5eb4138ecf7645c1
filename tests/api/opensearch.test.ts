// The description by which a browser offers our search in its address bar (contract 8.22).
import { afterAll, expect, test } from 'vitest';
import { ask } from '../fixtures/ask.ts';
import { openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);

test.each([
  ['es', '/buscar'],
  ['en', '/en/search'],
])('%s leads to the search of its language with the words that were typed', (lang, search) => {
  const { status, headers, body } = ask(snapshot, `/opensearch/${lang}.xml`);
  expect([status, headers['content-type']]).toEqual([
    200,
    'application/opensearchdescription+xml; charset=utf-8',
  ]);
  const name = /<ShortName>(.*)<\/ShortName>/.exec(String(body))?.[1] ?? '';
  expect(name).toBe(SITE.name);
  expect(name.length).toBeLessThanOrEqual(16);
  expect(String(body)).toContain(
    `<Url type="text/html" template="${SITE.url}${search}?q={searchTerms}"/>`,
  );
});

test('another language is 404 and names those there are', () => {
  const { status, body } = ask(snapshot, '/opensearch/fr.xml');
  expect(status).toBe(404);
  expect(String(body)).toContain('Use es or en');
});
