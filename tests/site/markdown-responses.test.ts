// Markdown responses: every public page has a Markdown version, with strict parameters (contract 3.6, 3.7).
import { remark } from 'remark';
import { describe, expect, test } from 'vitest';
import { LANGS } from '../../src/domain/lang.ts';
import { parseSubmission } from '../../src/domain/submission/parse-submission.ts';
import { createReferenceData } from '../../src/desk/reference-data.ts';
import {
  DIRECTORY_SECTIONS,
  PAGE_PATHS,
  PAGES,
  directoryPath,
  langOfPath,
} from '../../src/i18n/paths.ts';
import { listSitemapEntries } from '../../src/site/resolve-path.ts';
import { createMarkdownResponse } from '../../src/site/markdown-responses.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { SITE, openPageContext } from '../fixtures/site.ts';

const state = openPageContext();
const { snapshot } = state;

const CHECKED_ELSEWHERE: readonly string[] = LANGS.flatMap((lang) =>
  (['docs', 'data'] as const).map((page) => PAGE_PATHS[page][lang]),
);
/** Every page in the sitemap, and the pages of all dates, which are not in it. */
const PUBLIC_PAGES = [
  ...listSitemapEntries(state).flatMap(({ paths }) => LANGS.map((lang) => paths[lang])),
  '/eventos/feria-diaria/fechas',
  '/en/events/everyday-fair/dates',
].filter((path) => !CHECKED_ELSEWHERE.includes(path));

const fetchMarkdown = async (path: string, query = ''): Promise<readonly [number, string]> => {
  const response = createMarkdownResponse(state, path, query);
  return [response.status, await response.text()];
};

describe('public pages', () => {
  test('include all static pages and directories', () => {
    for (const lang of LANGS) {
      const static_paths = [
        ...PAGES.map((page) => PAGE_PATHS[page][lang]),
        ...DIRECTORY_SECTIONS.map((section) => directoryPath(section, lang)),
      ];
      expect([...PUBLIC_PAGES, ...CHECKED_ELSEWHERE]).toEqual(expect.arrayContaining(static_paths));
    }
    expect(PUBLIC_PAGES.length).toBeGreaterThan(100);
  });

  test('have a Markdown version in their language with a footer, and reject unknown parameters', async () => {
    for (const path of PUBLIC_PAGES) {
      const [status, text] = await fetchMarkdown(path);
      expect([path, status]).toEqual([path, 200]);
      const footer = text.trimEnd().split('\n').at(-1);
      expect(footer).toContain(langOfPath(path) === 'es' ? '/fecha/AAAA' : '/en/date/YYYY');
      const [invalid_status, message] = await fetchMarkdown(path, 'sabor=limon');
      expect([path, invalid_status]).toEqual([path, 400]);
      expect(message).toContain('sabor: unknown parameter');
      expect(message).toContain(`${SITE.url}/llms.txt`);
    }
  });
});

describe('a parameter', () => {
  test.each([
    ['/hoy', 'date=week', 'date: is not for this address'],
    ['/hoy', 'zone=atlantis', "zone: 'atlantis' is unknown. Use one or more of hotel-zone"],
    ['/hoy', 'lang=en', "lang: this address is in 'es'"],
    ['/buscar', 'date=ayer', "date: 'ayer' is invalid"],
    ['/cambios', 'since=2027-01-01', 'since: must not be in the future'],
    ['/avisos', 'date=tomorrow', 'date: unknown parameter'],
    ['/incrustar', 'limit=31', "limit: '31' is invalid"],
    ['/lugares', 'near=norte', 'near: '],
    ['/zonas', 'q=centro', 'q: unknown parameter'],
    ['/docs', 'q=x', 'q: unknown parameter'],
  ])(
    'of %s?%s that is invalid gets a 400 with the accepted values',
    async (path, query, sentence) => {
      const [status, text] = await fetchMarkdown(path, query);
      expect(status).toBe(400);
      expect(text.replaceAll('\\', '')).toContain(sentence);
    },
  );

  test.each([
    ['/hoy', 'free=1', /\*\*Filtros:\*\* con entrada gratis/i],
    ['/hoy', 'lang=es', /^# Hoy/],
    ['/buscar', 'q=feria&limit=1', /Feria diaria/],
    ['/cambios', 'since=2026-11-19', /jueves 19 de noviembre/],
    ['/incrustar', 'theme=dark&limit=3', /limit=3&amp;theme=dark|theme=dark&amp;limit=3/],
    ['/lugares', 'q=malecon', /Malecón Inventado/],
  ])('of %s?%s is applied', async (path, query, pattern) => {
    expect(await fetchMarkdown(path, query)).toEqual([200, expect.stringMatching(pattern)]);
  });

  test('of a tracker is ignored', async () => {
    expect(await fetchMarkdown('/hoy', 'utm_source=x&fbclid=1')).toEqual(
      await fetchMarkdown('/hoy'),
    );
  });

  test('of a tracker is dropped in a redirect to the current slug', () => {
    const { status, headers } = createMarkdownResponse(
      state,
      '/eventos/concierto-viejo',
      'utm_source=x',
    );
    expect([status, headers.get('location')]).toEqual([301, '/eventos/concierto-unico-a-b.md']);
  });
});

describe('how to publish', () => {
  test('names every field with its limits, the form and the tool', async () => {
    const [, text] = await fetchMarkdown('/publicar');
    for (const part of ['(`title`; obligatorio; 160', '`enviar_evento`', `POST ${SITE.url}/mcp`])
      expect(text).toContain(part);
    for (const { key } of [...snapshot.taxonomy.categories, ...snapshot.taxonomy.zones])
      expect(text).toContain(`\`${key}\``);
  });

  test('has a valid example', async () => {
    const [, text] = await fetchMarkdown('/en/submit');
    const { children } = remark().parse(text);
    const code = children.flatMap((node) => (node.type === 'code' ? [node.value] : []));
    const { params } = JSON.parse(code[0] ?? '');
    expect(params.name).toBe('enviar_evento');
    const fields = Object.fromEntries(
      Object.entries(params.arguments).map(([name, value]) => [name, String(value)]),
    );
    const { issues } = parseSubmission(
      fields,
      createReferenceData(snapshot),
      FRIDAY_NOON_MS,
      false,
    );
    // The test town does not have the venue of the example.
    expect(issues.map(({ field }) => field).filter((field) => field !== 'venue')).toEqual([]);
  });
});
