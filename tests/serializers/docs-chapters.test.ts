// Docs chapters: reference, errors, guides and changelog in both languages.
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, HTTP_STATUS_BY_CODE } from '../../src/domain/app-error.ts';
import type { DocsSection } from '../../src/domain/docs-pages.ts';
import { LANGS } from '../../src/domain/lang.ts';
import { API_PATHS, DOCS_PAGES } from '../../src/i18n/paths.ts';
import { toMarkdown } from '../../src/serializers/markdown/document.ts';
import { buildOpenApi } from '../../src/serializers/openapi/build-document.ts';
import { OPERATIONS } from '../../src/serializers/openapi/operations.ts';
import { loadDocsPage, loadDocsSections, renderDocsMarkdown } from '../../src/site/docs-page.ts';
import { findApiExamples } from '../../src/snapshot/list-records.ts';
import { countTextTokens, TOKEN_LIMITS } from '../fixtures/count-tokens.ts';
import { SITE } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';

const { snapshot } = useFixture();
const state = { snapshot, site: SITE, now_ms: FRIDAY_NOON_MS };
const examples = findApiExamples(snapshot, FRIDAY_NOON_MS);

const linesOf = (sections: readonly DocsSection[]): readonly string[] =>
  toMarkdown(sections.map(({ title, body }) => [title, body])).split('\n');
const rowsOf = (sections: readonly DocsSection[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    linesOf(sections).flatMap((line) => {
      const [, label = '', text = ''] = /^- \*\*(.+):\*\* (.*)$/.exec(line) ?? [];
      return label === '' ? [] : [[label, text]];
    }),
  );

describe.each(LANGS)('the reference in %s', (lang) => {
  const docs = loadDocsPage(state, { page: 'docs', lang }).page;
  const markdown = renderDocsMarkdown(docs);

  test('explains every operation with parameters, three request samples, fields and errors', () => {
    expect(
      docs.operations.map(({ id, path, parameters }) => [id, path, parameters.length]),
    ).toEqual(OPERATIONS.map(({ id, parameters }) => [id, API_PATHS[id], parameters.length]));
    for (const { samples, type, fields, errors, address } of docs.operations) {
      expect(samples).toHaveLength(3);
      for (const { source } of samples) expect(source).toContain(`'${address}'`);
      expect(fields.length > 3 || type === 'text/calendar').toBe(true);
      expect(errors.map(({ code }) => code)).toContain('invalid_parameter');
    }
    expect(docs.operations[0]?.example).toContain(`"id": "${examples.card?.event.id}"`);
  });
  test('names every category and zone and the terms', () => {
    const taxa = [...snapshot.taxonomy.categories, ...snapshot.taxonomy.zones];
    const words = taxa.flatMap(({ key, slug }) => [key, slug.es, slug.en]);
    const others = ['ai-train=no', 'https://agenda.example/mcp', SITE.contact_email ?? ''];
    for (const word of [...words.map((each) => `\`${each}\``), ...others])
      expect(markdown).toContain(word);
  });
  test('is short', () => {
    expect(countTextTokens(markdown)).toBeLessThanOrEqual({ es: 6_500, en: 6_000 }[lang]);
  });
});

test('the OpenAPI description is within its limit', () => {
  const description = buildOpenApi(snapshot.taxonomy, SITE, examples, 'en');
  expect(countTextTokens(JSON.stringify(description))).toBeLessThanOrEqual(TOKEN_LIMITS.openapi);
});

describe.each(LANGS)('errors in %s', (lang) => {
  const sections = loadDocsSections(state, 'docs_errors', lang);
  test.each(ERROR_CODES)('%s has its meaning, its cause, a remedy and an example', (code) => {
    const matches = sections.filter(({ id }) => id === code);
    expect(matches.map(({ title }) => title)).toEqual([`${HTTP_STATUS_BY_CODE[code]} ${code}`]);
    expect(Object.keys(rowsOf(matches))).toHaveLength(2);
    expect(matches[0]?.body.map(({ type }) => type)).toContain('code');
  });
});

test.each(DOCS_PAGES)(
  '%s has the same chapters in all languages, and no open placeholders',
  (name) => {
    const [es, english] = LANGS.map((lang) =>
      loadDocsSections(state, name, lang).map(({ id }) => id),
    );
    expect(es).toEqual(english);
    for (const lang of LANGS) {
      const text = linesOf(loadDocsSections(state, name, lang)).join('\n');
      expect(text).not.toMatch(/\{\{|\{#/);
      expect(text).toContain('agenda.example');
    }
  },
);

test('settings to paste for assistants are JSON with the address of the server', () => {
  const settings = loadDocsSections(state, 'docs_agents', 'en')
    .flatMap(({ body }) => body)
    .flatMap((node) => (node.type === 'code' && node.lang === 'json' ? node.value : []));
  expect(settings.length).toBeGreaterThan(2);
  for (const text of settings) {
    expect(JSON.parse(text)).toBeTypeOf('object');
    expect(text).toContain(`"${SITE.url}/mcp"`);
  }
});

test('the changelog has as many entries in both languages', () => {
  const [es = 0, en = 0] = LANGS.map(
    (lang) =>
      linesOf(loadDocsSections(state, 'docs_changelog', lang).slice(0, 1)).filter((line) =>
        /^- /.test(line),
      ).length,
  );
  expect(en).toBeGreaterThan(30);
  expect(es).toBe(en);
});
