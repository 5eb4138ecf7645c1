// The docs: the reference made from the tables that the description is made of, complete in both languages and short;
// every code explained, the changelog that of CHANGELOG.md, the status as it is.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import { ERROR_CODES, STATUS_OF } from '../../src/domain/app-error.ts';
import { API_CHANGES, DOCS_NAMES, type DocsSection, PLACEHOLDERS } from '../../src/domain/docs.ts';
import type { Health } from '../../src/domain/health.ts';
import { type Lang, LANGS } from '../../src/domain/lang.ts';
import en from '../../src/i18n/en.json' with { type: 'json' };
import { API_PATHS, toErrorPath } from '../../src/i18n/paths.ts';
import {
  readSections,
  toChangelogSections,
  toPlaceholders,
  toShortJson,
  toStatusSections,
} from '../../src/serializers/docs.ts';
import { toMarkdown } from '../../src/serializers/markdown/document.ts';
import { toOpenApi } from '../../src/serializers/openapi/document.ts';
import { OPERATIONS } from '../../src/serializers/openapi/operations.ts';
import { toErrorBody } from '../../src/serializers/wire/meta.ts';
import { loadDocs, readDocs, renderDocs } from '../../src/site/docs.ts';
import { findExamples } from '../../src/snapshot/list-things.ts';
import { countWords } from '../fixtures/count-tokens.ts';
import { SITE } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const state = { snapshot, site: SITE, now_ms: FRIDAY_NOON_MS };
const examples = findExamples(snapshot, FRIDAY_NOON_MS);
const docsIn = (lang: Lang, site = SITE) =>
  loadDocs({ ...state, site }, { page: 'docs', lang }).page;

const linesOf = (sections: readonly DocsSection[]): readonly string[] =>
  toMarkdown(sections.map(({ title, body }) => [title, body])).split('\n');
/** Rows by their labels. */
const rowsOf = (sections: readonly DocsSection[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    linesOf(sections).flatMap((line) => {
      const [, label = '', text = ''] = /^- \*\*(.+):\*\* (.*)$/.exec(line) ?? [];
      return label === '' ? [] : [[label, text]];
    }),
  );

const Parameters = v.object({
  components: v.object({
    parameters: v.record(
      v.string(),
      v.object({
        description: v.string(),
        schema: v.object({
          default: v.optional(v.union([v.string(), v.number()])),
          maximum: v.optional(v.number()),
          maxLength: v.optional(v.number()),
        }),
      }),
    ),
  }),
});

describe.each(LANGS)('the reference in %s', (lang) => {
  const docs = docsIn(lang);
  const markdown = renderDocs(docs);
  const description = toOpenApi(snapshot.taxonomy, SITE, examples, lang);

  test('explains every operation with parameters, three ways to ask, and what comes back', () => {
    expect(
      docs.operations.map(({ id, path, parameters }) => [id, path, parameters.length]),
    ).toEqual(OPERATIONS.map(({ id, parameters }) => [id, API_PATHS[id], parameters.length]));
    for (const { samples, type, fields, errors, address } of docs.operations) {
      expect(samples.map(({ label }) => label)).toEqual(['curl', 'JavaScript', 'Python']);
      for (const { source } of samples) expect(source).toContain(`'${address}'`);
      expect(fields.length > 3 || type === 'text/calendar').toBe(true);
      expect(errors.map(({ code }) => code)).toContain('invalid_parameter');
    }
    expect(docs.operations[0]?.example).toContain(`"id": "${examples.card?.event.id}"`);
  });
  test('says the limits and the default of every bounded parameter, which programs read in its schema', () => {
    const { parameters } = v.parse(Parameters, description).components;
    let bounded = 0;
    for (const { description: rule, schema } of Object.values(parameters)) {
      const { default: fallback, maximum, maxLength } = schema;
      const limits = [maximum, maxLength, ...(typeof fallback === 'number' ? [fallback] : [])];
      const numbers = limits.filter((limit) => limit !== undefined);
      for (const number of numbers) expect(rule).toMatch(new RegExp(`\\b${number}\\b`));
      if (fallback !== undefined)
        expect(rule).toMatch(lang === 'es' ? /si no se dice/i : /default/i);
      bounded += numbers.length > 0 || fallback !== undefined ? 1 : 0;
    }
    expect(bounded).toBe(10);
  });
  test('has words of its own language for every rule', () => {
    const other = docsIn(lang === 'es' ? 'en' : 'es');
    for (const [at, { summary, description: words, parameters }] of docs.operations.entries()) {
      const twin = other.operations[at];
      expect([summary, words]).not.toEqual([twin?.summary, twin?.description]);
      const rules = twin?.parameters.map(({ rule }) => JSON.stringify(rule));
      expect(parameters.filter(({ rule }, p) => JSON.stringify(rule) === rules?.[p])).toEqual([]);
    }
  });
  test('names every category and zone, the terms, and how things are retired', () => {
    const taxa = [...snapshot.taxonomy.categories, ...snapshot.taxonomy.zones];
    const words = taxa.flatMap(({ key, slug }) => [key, slug.es, slug.en]);
    const terms = ['ai-train=no', 'Deprecation', 'Sunset', 'RFC 9745', 'RFC 8594'];
    const addresses = ['https://agenda.example/mcp', SITE.contact_email ?? ''];
    for (const word of [...words.map((each) => `\`${each}\``), ...terms, ...addresses])
      expect(markdown).toContain(word);
    // No part of a sentence is left unfilled.
    const prose = markdown.replace(/```[\s\S]*?```/g, '').replace(/`[^`]*`/g, '');
    expect(prose.match(/\{\w+\}/g)).toBeNull();
  });
  test('is short, and so is the description', () => {
    expect(countWords(markdown)).toBeLessThanOrEqual({ es: 6_500, en: 6_000 }[lang]);
    expect(countWords(JSON.stringify(description))).toBeLessThanOrEqual(15_000);
  });
  test('has an anchor of its own for every heading', () => {
    const parts = [...docs.operations, ...docs.sections];
    const ids = ['start', 'contents', ...parts.map(({ id }) => id)];
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('where no address is published, the docs say so', () => {
  const tell = (email: string | null) =>
    renderDocs(docsIn('en', { ...SITE, contact_email: email }));
  expect(tell('a@b.example')).toContain('a@b.example');
  expect(tell(null)).toMatch(/has not published an address/);
});

describe('short JSON', () => {
  test.each([
    [58, 1],
    [59, 3],
  ])('of %i letters takes %i lines', (letters, lines) => {
    expect(toShortJson({ name: 'n'.repeat(letters) }).split('\n')).toHaveLength(lines);
  });
  test('puts on one line what fits, and leaves out nothing but whole things in a list', () => {
    expect(toShortJson({ a: 1, b: ['x'], c: null, d: {} })).toBe(
      '{ "a": 1, "b": ["x"], "c": null, "d": {} }',
    );
    expect(toShortJson({ upcoming_events: [{ id: 1 }], id: 'x' })).toBe(
      '{\n  "upcoming_events": […],\n  "id": "x"\n}',
    );
    const value = { a: [{ b: 'x'.repeat(80) }], c: 'y'.repeat(80) };
    expect(JSON.parse(toShortJson(value))).toEqual(value);
  });
});

describe.each(LANGS)('errors in %s', (lang) => {
  const sections = readDocs(state, 'errors', lang);
  test.each(ERROR_CODES)('%s has its meaning, when, what to do and an example', (code) => {
    const found = sections.filter(({ id }) => id === code);
    expect(found.map(({ title }) => title)).toEqual([`${STATUS_OF[code]} ${code}`]);
    expect(Object.keys(rowsOf(found))).toHaveLength(2);
    const example = found[0]?.body.find((node) => node.type === 'code')?.value ?? '';
    expect(example.length).toBeGreaterThan(10);
    if (code !== 'not_acceptable') expect(JSON.parse(example)).toBeTypeOf('object');
    expect(toErrorPath(code, lang)).toMatch(new RegExp(`#${code}$`));
  });
});

test('an error leads to its code on the page of its language', () => {
  expect(toErrorBody('gone', 'x: y', SITE).error.help_url).toBe(`${SITE.url}/en/docs/errors#gone`);
});

test.each(DOCS_NAMES)(
  '%s has the same chapters in every language, and nothing left to fill in',
  (name) => {
    const [es, english] = LANGS.map((lang) => readDocs(state, name, lang).map(({ id }) => id));
    expect(es).toEqual(english);
    for (const lang of LANGS) {
      const text = linesOf(readDocs(state, name, lang)).join('\n');
      expect(text).not.toMatch(/\{\{|\{#/);
      expect(text).toContain('agenda.example');
    }
  },
);

test('every placeholder has a text', () => {
  const values = toPlaceholders(snapshot.taxonomy, SITE, examples, '2026-11-20', 'es');
  expect([...values.keys()].sort()).toEqual([...PLACEHOLDERS].sort());
  expect([...values.values()]).not.toContain('');
});

test('a page shows what its file says: chapters, code, addresses', () => {
  const sections = readSections(
    '## Límites {#limits}\n\nUsa `q` en <https://a.example/>.\n\n```json\n{"a": 1}\n```\n\n## B {#b}\n',
  );
  expect(sections.map(({ id, title }) => [id, title])).toEqual([
    ['limits', 'Límites'],
    ['b', 'B'],
  ]);
  expect(sections[0]?.body).toMatchObject([
    {
      type: 'paragraph',
      children: [
        { type: 'text', value: 'Usa ' },
        { type: 'inlineCode', value: 'q' },
        { type: 'text', value: ' en ' },
        { type: 'link', url: 'https://a.example/' },
        { type: 'text', value: '.' },
      ],
    },
    { type: 'code', lang: 'json', value: '{"a": 1}' },
  ]);
});

test('settings to paste for assistants are JSON with the address of the server', () => {
  const settings = readDocs(state, 'agents', 'en')
    .flatMap(({ body }) => body)
    .flatMap((node) => (node.type === 'code' && node.lang === 'json' ? node.value : []));
  expect(settings.length).toBeGreaterThan(2);
  for (const text of settings) {
    expect(JSON.parse(text)).toBeTypeOf('object');
    expect(text).toContain(`"${SITE.url}/mcp"`);
  }
});

test('the changelog has the entries of CHANGELOG.md for programs, in order, and each in both languages', () => {
  const text = readFileSync(resolve(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');
  const [, part = ''] = /### For programs\n(.*?)\n### /s.exec(text) ?? [];
  const written = part
    .split(/^- /m)
    .slice(1)
    .map((entry) => entry.replace(/\s+/g, ' ').trim());
  const [newest] = toChangelogSections(SITE, 'en');
  const told_now = linesOf(newest ? [newest] : []).flatMap(
    (line) => /^- (.*)$/.exec(line)?.[1] ?? [],
  );
  expect(told_now).toEqual(written);
  const told = API_CHANGES.flatMap(({ entries }) => entries);
  const known = Object.keys(en).flatMap((key) => /^changelog\.entry\.(\w+)$/.exec(key)?.[1] ?? []);
  expect(known.sort()).toEqual([...told].sort());
  for (const lang of LANGS)
    expect(
      linesOf(toChangelogSections(SITE, lang)).filter((line) => line.startsWith('- ')),
    ).toHaveLength(told.length);
});
describe('the status', () => {
  const health: Health = {
    release: '20261120T120000Z-abcdef',
    generated_at: '2026-11-20T10:25:00-05:00',
    generated_ms: FRIDAY_NOON_MS - 95 * 60_000,
    next_ms: FRIDAY_NOON_MS + 6 * 3_600_000,
    success: null,
    failure: null,
    faults: [],
    refusal: null,
    is_stale: false,
  };
  const tell = (more: Partial<Health>) =>
    rowsOf(toStatusSections({ ...health, ...more }, FRIDAY_NOON_MS, SITE, 'en'));
  test('says release, moment, age and the next one, in Cancún', () => {
    expect(tell({})).toEqual({
      Status: 'All is well',
      Release: '`20261120T120000Z-abcdef`',
      Made: 'Friday, November 20, 2026, 10:25 a.m.',
      Age: '1 h 35 min',
      'Next one due': 'Friday, November 20, 2026, 6 p.m.',
    });
    expect(tell({ generated_ms: FRIDAY_NOON_MS - 60_000 }).Age).toBe('1 minute');
    expect(tell({ next_ms: null })['Next one due']).toBe('When somebody asks for it');
  });
  test('says what is wrong', () => {
    const failure = { at: '2026-11-20T11:00:00-05:00', reason: 'x' };
    expect(tell({ failure })).toMatchObject({
      Status: expect.stringContaining('the last update failed'),
      Failed: 'Friday, November 20, 2026, 11 a.m.',
    });
    expect(tell({ refusal: { release: 'a', reason: 'b' } }).Status).toContain('failed');
    const faults = [
      { file: 'events/a.yml', line: 1 },
      { file: 'events/a.yml', line: 2 },
    ];
    expect(tell({ faults })['Content with faults']).toBe('1 file; what was last good still stands');
    expect(tell({ is_stale: true, failure }).Status).toContain('older than it should be');
  });
});
