// Resources and their templates: each that is listed can be read, in both languages.
import { afterAll, expect, test } from 'vitest';
import { respondMarkdown } from '../../src/site/markdown.ts';
import { at, openFixture } from '../fixtures/fixture.ts';
import { askModern, bodyOf, contextOf } from './ask.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const context = contextOf(snapshot);
const ask = async (method: string, params: Record<string, unknown>, more = context) =>
  bodyOf(await askModern(method, params, more));

test('every resource that is listed can be read, as Markdown', async () => {
  const { resources } = (await ask('resources/list', {})).result;
  const { resourceTemplates } = (await ask('resources/templates/list', {})).result;
  expect(resourceTemplates.map((each: { uriTemplate: string }) => each.uriTemplate)).toEqual(
    [
      ...['eventos/{slug}', 'en/events/{slug}', 'lugares/{slug}', 'en/venues/{slug}'],
      ...['organizadores/{slug}', 'en/organizers/{slug}', 'fecha/{date}', 'en/date/{date}'],
    ].map((path) => `https://hoy.example/${path}.md`),
  );
  expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual([
    'https://hoy.example/hoy.md',
    'https://hoy.example/fin-de-semana.md',
    'https://hoy.example/avisos.md',
    'https://hoy.example/en/today.md',
    'https://hoy.example/en/weekend.md',
    'https://hoy.example/en/notices.md',
  ]);
  for (const { uri, mimeType } of resources) {
    const { contents } = (await ask('resources/read', { uri })).result;
    expect(contents).toEqual([{ uri, mimeType, text: expect.stringContaining('UTC−5') }]);
  }
});

test.each([
  ['2026-11-20T23:59:30', 'viernes 20 de noviembre', 30_000],
  ['2026-11-21T00:00:00', 'sábado 21 de noviembre', 300_000],
])('at %s today is %s, kept no longer than the day', async (moment, words, ttlMs) => {
  const { result } = await ask(
    'resources/read',
    { uri: 'https://hoy.example/hoy.md' },
    contextOf(snapshot, { now_ms: at(moment) }),
  );
  expect(result.contents[0].text).toContain(words);
  expect([result.ttlMs, result.cacheScope]).toEqual([ttlMs, 'public']);
});

test.each([
  ...['/fin-de-semana', '/lugares/malecon-inventado', '/mapa', '/cambios'],
  ...['/en/events/everyday-fair', '/en/organizers/colectivo-de-prueba', '/fecha/2026-11-21'],
])('the Markdown version of %s is what the site answers there', async (path) => {
  const { text } = (await ask('resources/read', { uri: `https://hoy.example${path}.md` })).result
    .contents[0];
  const { now_ms, site } = context;
  const [title = '', ...rest] = (
    await respondMarkdown({ snapshot, now_ms, site }, path).text()
  ).split('\n');
  expect(text).toContain(title);
  expect(text).toContain(rest.slice(4).join('\n').trimEnd());
});

test.each([
  ['https://hoy.example/lugares/{slug}.md', 'slug', 'Malecón', 'malecon-inventado'],
  ['https://hoy.example/en/events/{slug}.md', 'slug', 'fair', 'everyday-fair'],
  ['https://hoy.example/fecha/{date}.md', 'date', '2026-12', '2026-12-01'],
  ['https://hoy.example/organizadores/{slug}.md', 'slug', '', 'colectivo-de-prueba'],
])('of %s what begins a name is completed, and can be read', async (uri, name, value, first) => {
  const complete = async (asked: string) =>
    (
      await ask('completion/complete', {
        ref: { type: 'ref/resource', uri: asked },
        argument: { name, value },
      })
    ).result.completion;
  const { values, total, hasMore } = await complete(uri);
  expect(values).toContain(first);
  expect([total, hasMore]).toEqual([values.length, false]);
  const read = await ask('resources/read', { uri: uri.replace(`{${name}}`, values[0]) });
  expect(read.result.contents[0].text).toContain('<agenda>');
  expect((await complete('https://elsewhere.example/{slug}')).values).toEqual([]);
});

test.each([
  'https://hoy.example/eventos/nada.md',
  'https://hoy.example/fecha/2026-02-30.md',
  'https://hoy.example/eventos/evento-retirado.md',
  'https://hoy.example/eventos/../hoy.md',
  'https://evil.example/hoy.md',
  'file:///etc/passwd',
])('%s is not there', async (uri) => {
  const { error } = await ask('resources/read', { uri });
  if (error.code !== -32020) expect([error.code, error.data]).toEqual([-32602, { uri }]);
});
