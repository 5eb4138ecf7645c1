// The Markdown version of every public page, and what may be asked of it (contract 3.6, 3.7).
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
import { SITE, openState } from '../fixtures/site.ts';

const state = openState();
const { snapshot } = state;

const BUILT_APART: readonly string[] = LANGS.flatMap((lang) =>
  (['docs', 'data'] as const).map((page) => PAGE_PATHS[page][lang]),
);
/** Every page that a search engine is told of, and the dates of an event, which none is. */
const PUBLIC = [
  ...listSitemapEntries(state).flatMap(({ paths }) => LANGS.map((lang) => paths[lang])),
  '/eventos/feria-diaria/fechas',
  '/en/events/everyday-fair/dates',
].filter((path) => !BUILT_APART.includes(path));

const read = async (path: string, query = ''): Promise<readonly [number, string]> => {
  const response = createMarkdownResponse(state, path, query);
  return [response.status, await response.text()];
};

describe('every public page', () => {
  test('is all that has an address of its own', () => {
    for (const lang of LANGS) {
      const own = [
        ...PAGES.map((page) => PAGE_PATHS[page][lang]),
        ...DIRECTORY_SECTIONS.map((section) => directoryPath(section, lang)),
      ];
      expect([...PUBLIC, ...BUILT_APART]).toEqual(expect.arrayContaining(own));
    }
    expect(PUBLIC.length).toBeGreaterThan(100);
  });

  test('has a Markdown version in its language, with a foot; what means nothing is refused', async () => {
    for (const path of PUBLIC) {
      const [status, text] = await read(path);
      expect([path, status]).toEqual([path, 200]);
      const foot = text.trimEnd().split('\n').at(-1);
      expect(foot).toContain(langOfPath(path) === 'es' ? '/fecha/AAAA' : '/en/date/YYYY');
      const [refused, reason] = await read(path, 'sabor=limon');
      expect([path, refused]).toEqual([path, 400]);
      expect(reason).toContain('sabor: is not a parameter');
      expect(reason).toContain(`${SITE.url}/llms.txt`);
    }
  });
});

describe('a parameter', () => {
  test.each([
    ['/hoy', 'date=week', 'date: is not for this address'],
    ['/hoy', 'zone=atlantis', "zone: 'atlantis' is not known. Use one or several of hotel-zone"],
    ['/hoy', 'lang=en', 'lang: is not that of this address'],
    ['/buscar', 'date=ayer', "date: 'ayer' is not accepted"],
    ['/cambios', 'since=2027-01-01', 'since: is not a day that has been'],
    ['/avisos', 'date=tomorrow', 'date: is not a parameter of this address'],
    ['/incrustar', 'limit=31', "limit: '31' is not accepted"],
    ['/lugares', 'near=norte', 'near: '],
    ['/zonas', 'q=centro', 'q: is not a parameter of this address'],
    ['/docs', 'q=x', 'q: is not a parameter of this address'],
  ])('of %s?%s that is not accepted is refused with what is', async (path, query, sentence) => {
    const [status, text] = await read(path, query);
    expect(status).toBe(400);
    expect(text.replaceAll('\\', '')).toContain(sentence);
  });

  test.each([
    ['/hoy', 'free=1', /\*\*Filtros:\*\* gratis/i],
    ['/hoy', 'lang=es', /^# Hoy/],
    ['/buscar', 'q=feria&limit=1', /Feria diaria/],
    ['/cambios', 'since=2026-11-19', /jueves 19 de noviembre/],
    ['/incrustar', 'theme=dark&limit=3', /limit=3&amp;theme=dark|theme=dark&amp;limit=3/],
    ['/lugares', 'q=malecon', /Malecón Inventado/],
  ])('of %s?%s is honoured', async (path, query, found) => {
    expect(await read(path, query)).toEqual([200, expect.stringMatching(found)]);
  });

  test('that only says where a reader came from asks nothing', async () => {
    expect(await read('/hoy', 'utm_source=x&fbclid=1')).toEqual(await read('/hoy'));
  });

  test('goes along where a thing has another address now', () => {
    const { status, headers } = createMarkdownResponse(
      state,
      '/eventos/concierto-viejo',
      'utm_source=x',
    );
    expect([status, headers.get('location')]).toEqual([301, '/eventos/concierto-unico-a-b.md']);
  });
});

describe('how to publish', () => {
  test('names every field with its limits, and both ways', async () => {
    const [, text] = await read('/publicar');
    for (const part of ['(`title`; obligatorio; 160', '`enviar_evento`', `POST ${SITE.url}/mcp`])
      expect(text).toContain(part);
    for (const { key } of [...snapshot.taxonomy.categories, ...snapshot.taxonomy.zones])
      expect(text).toContain(`\`${key}\``);
  });

  test('has an example that would be taken in', async () => {
    const [, text] = await read('/en/submit');
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
    // The small town has not its square.
    expect(issues.map(({ field }) => field).filter((field) => field !== 'venue')).toEqual([]);
  });
});
