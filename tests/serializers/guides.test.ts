// The pages of the docs beside the reference: every code explained, the changelog the same in
// CHANGELOG.md, the status as it is.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ERROR_CODES, STATUS_OF } from '../../src/domain/app-error.ts';
import { API_CHANGES } from '../../src/domain/api-changes.ts';
import type { GuideSection } from '../../src/domain/api-guide.ts';
import type { Health } from '../../src/domain/health.ts';
import { LANGS } from '../../src/domain/lang.ts';
import en from '../../src/i18n/en.json' with { type: 'json' };
import { toErrorPath } from '../../src/i18n/paths.ts';
import {
  toAgentSections,
  toChangelogSections,
  toErrorSections,
  toStatusSections,
} from '../../src/serializers/guide.ts';
import { toGuideMarkdown } from '../../src/serializers/markdown/guide.ts';
import { toErrorBody } from '../../src/serializers/wire/error.ts';
import { FRIDAY_NOON_MS } from '../fixtures/fixture.ts';
import { SITE } from '../fixtures/site.ts';

const rowsOf = (sections: readonly GuideSection[]): Readonly<Record<string, string>> =>
  Object.fromEntries(sections.flatMap(({ rows }) => rows.map(({ label, text }) => [label, text])));

describe.each(LANGS)('errors in %s', (lang) => {
  const sections = toErrorSections(SITE, lang);
  test.each(ERROR_CODES)('%s has its meaning, when, what to do and an example', (code) => {
    const found = sections.filter(({ id }) => id === code);
    expect(found).toHaveLength(1);
    const [section] = found;
    expect(section?.title).toBe(`${STATUS_OF[code]} ${code}`);
    expect(section?.paragraphs.join('')).not.toBe('');
    expect(section?.rows).toHaveLength(2);
    expect(section?.blocks[0]?.text.length).toBeGreaterThan(10);
    expect(toErrorPath(code, lang)).toMatch(new RegExp(`#${section?.id}$`));
    expect(toGuideMarkdown('docs_errors', sections, lang, SITE)).toContain(
      `## ${STATUS_OF[code]} ${code}\n`,
    );
  });
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
  expect(written).toEqual(newest?.points);
  const told = API_CHANGES.flatMap(({ entries }) => entries);
  const known = Object.keys(en).flatMap((key) => /^changelog\.entry\.(\w+)$/.exec(key)?.[1] ?? []);
  expect(known.sort()).toEqual([...told].sort());
  for (const lang of LANGS)
    expect(toChangelogSections(SITE, lang).flatMap(({ points }) => points)).toHaveLength(
      told.length,
    );
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
  const [, clients] = toAgentSections(SITE, 'en');
  const settings = (clients?.blocks ?? []).filter(({ language }) => language === 'json');
  expect(settings.length).toBeGreaterThan(2);
  for (const { text } of settings) {
    expect(JSON.parse(text)).toBeTypeOf('object');
    expect(text).toContain(`"${SITE.url}/mcp"`);
  }
});
