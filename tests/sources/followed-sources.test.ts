// Followed sources: tests defaults and issues of source files (contract 14.36).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadFollowedSources } from '../../src/sources/followed-sources.ts';
import { formatIssue } from '../../src/yaml.ts';
import { FIXTURE_DIR } from '../fixtures/fixture.ts';
import { createTestFolder } from '../fixtures/folder.ts';

const SOURCE = `name: Foro
kind: icalendar
url: https://foro.example/a.ics
follow: true
lang: es
category: theater
zone: downtown
`;
function read(text: string) {
  const folder = createTestFolder();
  mkdirSync(join(folder, 'sources'));
  writeFileSync(join(folder, 'sources/foro.yml'), text);
  const { sources, issues } = loadFollowedSources(folder);
  return { sources, issues: issues.map(formatIssue) };
}

test('a source file with only the required fields gets the defaults', () => {
  const { sources, issues } = read(SOURCE);
  expect(issues).toEqual([]);
  expect(sources).toMatchObject([
    { key: 'foro', trust: 'ask', every_hours: 6, time_zone: 'America/Cancun', price: 'unknown' },
  ]);
});

test('a town without source files has no sources and no issues', () => {
  expect(loadFollowedSources(FIXTURE_DIR)).toEqual({ sources: [], issues: [] });
});

test.each([
  ['kind: icalendar', 'kind: rss', '2 kind: must be one of icalendar, json-ld'],
  ['url: https', 'url: ftp', '3 url: must be an address that begins with https:// or http://'],
  ['zone: downtown', 'zone: moon', '7 zone: must be one of'],
  ['lang: es', 'lang: es\ntime_zone: Nowhere', '6 time_zone: must be the name of a time zone'],
  [
    'lang: es',
    'lang: es\nvenue: nowhere',
    '6 venue: refers to venues/nowhere.yml, which is missing',
  ],
])('%s replaced by %s is reported with its line', (valid, invalid, issue) => {
  const { sources, issues } = read(SOURCE.replace(valid, invalid));
  expect([sources, issues.length]).toEqual([[], 1]);
  expect(issues[0]).toContain(`sources/foro.yml:${issue}`);
});
