// The pages of the docs beside the reference: every code explained, the changelog the same in
// CHANGELOG.md, the status as it is.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ERROR_CODES, STATUS_OF } from '../../src/domain/app-error.ts';
import { API_CHANGES } from '../../src/domain/api-changes.ts';
import type { DocsSection } from '../../src/domain/api-guide.ts';
import { DOCS_NAMES, PLACEHOLDERS } from '../../src/domain/docs.ts';
import type { Health } from '../../src/domain/health.ts';
import { LANGS } from '../../src/domain/lang.ts';
import en from '../../src/i18n/en.json' with { type: 'json' };
import { toErrorPath } from '../../src/i18n/paths.ts';
import {
  readSections,
  toChangelogSections,
  toPlaceholders,
  toStatusSections,
} from '../../src/serializers/docs.ts';
import { renderSections } from '../../src/serializers/markdown/docs.ts';
import { toMarkdown } from '../../src/serializers/markdown/document.ts';
import { toErrorBody } from '../../src/serializers/wire/meta.ts';
import { readDocs } from '../../src/site/guide.ts';
import { findExamples } from '../../src/snapshot/list-things.ts';
import { FRIDAY_NOON_MS, openFixture } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot, close } = openFixture();
afterAll(close);
const state = { snapshot, site: SITE, now_ms: FRIDAY_NOON_MS };

const linesOf = (sections: readonly DocsSection[]): readonly string[] =>
  toMarkdown([renderSections(sections)]).split('\n');
/** Rows by their labels. */
const rowsOf = (sections: readonly DocsSection[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    linesOf(sections).flatMap((line) => {
      const [, label = '', text = ''] = /^- \*\*(.+):\*\* (.*)$/.exec(line) ?? [];
      return label === '' ? [] : [[label, text]];
    }),
  );

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

test.each(DOCS_NAMES)(
  '%s has the same chapters in every language, and nothing left to fill in',
  (name) => {
    const [es, en] = LANGS.map((lang) => readDocs(state, name, lang));
    expect(es?.map(({ id }) => id)).toEqual(en?.map(({ id }) => id));
    for (const lang of LANGS) {
      const text = linesOf(readDocs(state, name, lang)).join('\n');
      expect(text).not.toMatch(/\{\{|\{#/);
      expect(text).toContain('agenda.example');
    }
  },
);

test('every placeholder has a text', () => {
  const examples = findExamples(snapshot, FRIDAY_NOON_MS);
  const values = toPlaceholders(snapshot.taxonomy, SITE, examples, '2026-11-20', 'es');
  expect([...values.keys()].sort()).toEqual([...PLACEHOLDERS].sort());
  expect([...values.values()]).not.toContain('');
});

test('a page shows what its file says: chapters, code, addresses', () => {
  const [first, second] = readSections(
    '## Límites {#limits}\n\nUsa `q` en <https://a.example/>.\n\n```json\n{"a": 1}\n```\n\n## B {#b}\n',
  );
  expect([first?.id, first?.title, second?.id]).toEqual(['limits', 'Límites', 'b']);
  expect(first?.body).toMatchObject([
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

test('an error leads to its code on the page of its language', () => {
  expect(toErrorBody('gone', 'x: y', SITE).error.help_url).toBe(`${SITE.url}/en/docs/errors#gone`);
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
