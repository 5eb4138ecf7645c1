// The docs: made from the description that programs get, complete in both languages, readable.
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';
import { findExamples } from '../../src/snapshot/list-things.ts';
import { type Lang, LANGS } from '../../src/domain/lang.ts';
import { API_PATHS } from '../../src/i18n/api-paths.ts';
import { renderDocs } from '../../src/serializers/markdown/docs.ts';
import { toOpenApi } from '../../src/serializers/openapi/document.ts';
import { OPERATIONS } from '../../src/serializers/openapi/operations.ts';
import { toShortJson } from '../../src/serializers/docs.ts';
import { resolveDocs } from '../../src/site/docs.ts';
import { countWords } from '../fixtures/count-tokens.ts';
import { SITE } from '../fixtures/site.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const examples = findExamples(snapshot, FRIDAY_NOON_MS);
const Parameters = v.object({
  components: v.object({
    parameters: v.record(
      v.string(),
      v.object({
        name: v.string(),
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
const docsIn = (lang: Lang, site = SITE) =>
  resolveDocs({ snapshot, site, now_ms: FRIDAY_NOON_MS }, lang);

describe.each(LANGS)('the guide in %s', (lang) => {
  const docs = docsIn(lang);
  const { guide } = docs;
  const markdown = renderDocs(docs);

  test('explains every operation with parameters, three ways to ask, and what comes back', () => {
    expect(
      guide.operations.map(({ id, path, parameters }) => [id, path, parameters.length]),
    ).toEqual(OPERATIONS.map(({ id, parameters }) => [id, API_PATHS[id], parameters.length]));
    for (const { samples, type, fields, errors, address } of guide.operations) {
      expect(samples.map(({ label }) => label)).toEqual(['curl', 'JavaScript', 'Python']);
      for (const { source } of samples) expect(source).toContain(`'${address}'`);
      expect(fields.length > 3 || type === 'text/calendar').toBe(true);
      expect(errors.map(({ code }) => code)).toContain('invalid_parameter');
    }
  });
  test('says the limits and the default of every bounded parameter, which programs read in its schema', () => {
    const bounded = v.parse(Parameters, toOpenApi(snapshot.taxonomy, SITE, examples, lang))
      .components.parameters;
    const limited = Object.values(bounded).filter(({ schema }) => Object.keys(schema).length > 0);
    expect(limited.map(({ name }) => name)).toEqual([
      'radius_km',
      'lang',
      'q',
      'price_max',
      'limit',
      'q',
      'limit',
      'limit',
      'limit',
      'date',
    ]);
    for (const {
      description,
      schema: { default: fallback, maximum, maxLength },
    } of limited) {
      for (const number of [
        maximum,
        maxLength,
        typeof fallback === 'number' ? fallback : undefined,
      ])
        if (number !== undefined) expect(description).toMatch(new RegExp(`\\b${number}\\b`));
      if (fallback !== undefined)
        expect(description).toMatch(lang === 'es' ? /si no se dice/i : /default/i);
    }
  });
  test('has words of its own language for every rule', () => {
    const other = docsIn(lang === 'es' ? 'en' : 'es').guide;
    for (const [at, { summary, description, parameters }] of guide.operations.entries()) {
      const twin = other.operations[at];
      expect([summary, description]).not.toEqual([twin?.summary, twin?.description]);
      const rules = twin?.parameters.map(({ rule }) => JSON.stringify(rule));
      expect(parameters.filter(({ rule }, p) => JSON.stringify(rule) === rules?.[p])).toEqual([]);
    }
  });
  test('names every category and zone, the terms, and how things are retired', () => {
    for (const { key, slug } of [...snapshot.taxonomy.categories, ...snapshot.taxonomy.zones])
      for (const word of [key, slug.es, slug.en]) expect(markdown).toContain(`\`${word}\``);
    for (const word of [
      'ai-train=no',
      'Deprecation',
      'Sunset',
      'RFC 9745',
      'RFC 8594',
      'https://agenda.example/mcp',
      SITE.contact_email ?? '',
    ])
      expect(markdown).toContain(word);
  });
  test('leaves no part of a sentence unfilled', () => {
    expect(
      markdown
        .replace(/```[\s\S]*?```/g, '')
        .replace(/`[^`]*`/g, '')
        .match(/\{\w+\}/g),
    ).toBeNull();
  });
  test('is short, and so is the description', () => {
    expect(countWords(markdown)).toBeLessThanOrEqual({ es: 6_500, en: 6_000 }[lang]);
    const description = toOpenApi(snapshot.taxonomy, SITE, examples, lang);
    expect(countWords(JSON.stringify(description))).toBeLessThanOrEqual(15_000);
  });
  test('prints what an event of the agenda is answered with', () => {
    const [list] = guide.operations;
    expect(list?.example).toContain(`"id": "${examples.card?.event.id}"`);
  });
});

test('where no address is published, the docs say so', () => {
  const tell = (email: string | null) =>
    renderDocs(docsIn('en', { ...SITE, contact_email: email }));
  expect(tell('a@b.example')).toContain('a@b.example');
  expect(tell(null)).toMatch(/has not published an address/);
});

test('every heading of the guide has an anchor of its own', () => {
  const { guide } = docsIn('es');
  const ids = [
    'start',
    'contents',
    ...guide.operations.map(({ id }) => id),
    ...guide.sections.map(({ id }) => id),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

describe('short JSON', () => {
  test('puts on one line what fits', () => {
    expect(toShortJson({ a: 1, b: ['x'], c: null, d: {} })).toBe(
      '{ "a": 1, "b": ["x"], "c": null, "d": {} }',
    );
  });
  test.each([
    [58, 1],
    [59, 3],
  ])('of %i letters takes %i lines', (letters, lines) => {
    expect(toShortJson({ name: 'n'.repeat(letters) }).split('\n')).toHaveLength(lines);
  });
  test('leaves out whole things in a list, and nothing else', () => {
    expect(toShortJson({ upcoming_events: [{ id: 1 }], id: 'x' })).toBe(
      '{\n  "upcoming_events": […],\n  "id": "x"\n}',
    );
    const value = { a: [{ b: 'x'.repeat(80) }], c: 'y'.repeat(80) };
    expect(JSON.parse(toShortJson(value))).toEqual(value);
  });
});
