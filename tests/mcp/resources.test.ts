// Resources: tests that each listed resource and template can be read, in both languages.
import { expect, test } from 'vitest';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { useFixture } from '../fixtures/fixture.ts';
import { askModern, bodyOf, contextOf } from './ask.ts';

const { snapshot } = useFixture();
const context = contextOf(snapshot);
const ask = async (method: string, params: Record<string, unknown>, more = context) =>
  bodyOf(await askModern(method, params, more));
const read = async (uri: string, more = context) =>
  (await ask('resources/read', { uri }, more)).result;
const toUri = (path: string): string => `https://hoy.example/${path}.md`;

test('every listed resource can be read as Markdown', async () => {
  const { resources } = (await ask('resources/list', {})).result;
  const { resourceTemplates } = (await ask('resources/templates/list', {})).result;
  expect(resourceTemplates.map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate)).toEqual(
    [
      ...['eventos/{slug}', 'en/events/{slug}', 'lugares/{slug}', 'en/venues/{slug}'],
      ...['organizadores/{slug}', 'en/organizers/{slug}', 'fecha/{date}', 'en/date/{date}'],
    ].map(toUri),
  );
  expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual(
    ['hoy', 'fin-de-semana', 'avisos', 'en/today', 'en/weekend', 'en/notices'].map(toUri),
  );
  const text = expect.stringContaining('UTC−5');
  for (const { uri, mimeType } of resources)
    expect((await read(uri)).contents).toEqual([{ uri, mimeType, text }]);
});

const PAGES = ['/mapa', '/en/events/everyday-fair', '/fecha/2026-11-21'];
test.each(PAGES)(
  'the resource of %s is the same as its Markdown version on the site',
  async (path) => {
    const { now_ms, site } = context;
    const page_text = await createMarkdownResponse({ snapshot, now_ms, site }, path).text();
    const [title = '', ...rest] = page_text.split('\n');
    const { text } = (await read(toUri(path.slice(1)))).contents[0];
    expect(text).toContain(title);
    expect(text).toContain(rest.slice(4).join('\n').trimEnd());
  },
);

test.each([
  'https://hoy.example/fecha/2026-02-30.md',
  'https://hoy.example/eventos/evento-retirado.md',
  'https://hoy.example/eventos/../hoy.md',
  'https://evil.example/hoy.md',
  'file:///etc/passwd',
])('%s is not found', async (uri) => {
  const { error } = await ask('resources/read', { uri });
  expect([error.code, error.data]).toEqual([-32602, { uri }]);
});
