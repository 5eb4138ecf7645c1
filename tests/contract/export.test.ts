// Static export: a release as plain files, served by a static host (contract 17.5).
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minCount } from '../fixtures/least.ts';
import { runCommand, SITE_URL } from '../fixtures/built-server.ts';
import { copySharedRelease } from '../fixtures/shared-release.ts';
import { listenOnLocalhost, useFolder } from '../fixtures/folder.ts';

const folder = useFolder();
const data_dir = join(folder, 'data');
const dir = join(folder, 'copy');
const runExport = (to: string) => runCommand('export', [to], { data_dir });

/** Finds the file of a path like a static host: the file itself, or the page of this name. */
const findFile = (path: string): string | undefined =>
  [path === '/' ? '/index.html' : path, `${path}.html`].find((file) =>
    statSync(join(dir, file), { throwIfNoEntry: false })?.isFile(),
  );
const host = createServer((request, response) => {
  const path = decodeURIComponent(new URL(request.url ?? '/', SITE_URL).pathname);
  const file = findFile(path);
  response.writeHead(file === undefined ? 404 : 200);
  response.end(readFileSync(join(dir, file ?? '404.html')));
});
let origin = '';

beforeAll(async () => {
  await copySharedRelease({ data_dir });
  mkdirSync(dir);
  writeFileSync(join(dir, '_headers'), '# Made by npm run export at another time');
  writeFileSync(join(dir, 'left.html'), 'of an older export');
  const { code, output } = await runExport(dir);
  expect(code, output).toBe(0);
  origin = `http://127.0.0.1:${await listenOnLocalhost(host)}`;
});
afterAll(() => host.close());

const read = (file: string): string => readFileSync(join(dir, file), 'utf8');
const listFiles = (ending: string) =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));

const addressOf = ([, address = '']: RegExpExecArray): string => address;
function listLinks(file: string): readonly string[] {
  const text = read(file);
  const addresses = [
    ...[...text.matchAll(/\s(?:[a-z-]+)="(\/[^"]*)"/g)].flatMap(([, value = '']) =>
      value.split(', ').map((address) => address.replace(/ \d+w$/, '')),
    ),
    ...[...text.matchAll(/url\(["']?(\/[^)"']+)/g)].map(addressOf),
    ...[...text.matchAll(/"(?:src|url|start_url)":"(\/[^"]*)"/g)].map(addressOf),
  ];
  return [...new Set(addresses)];
}

test('contains every page, document and calendar that its pages link to, in every format', async () => {
  const files = ['.html', '.css', '.webmanifest'].flatMap(listFiles);
  expect(files.length).toBeGreaterThan(minCount(500, 400));
  const from = new Map(files.flatMap((file) => listLinks(file).map((link) => [link, file])));
  expect(from.size).toBeGreaterThan(1000);
  const broken: string[] = [];
  for (const [link, file] of from) {
    const { status } = await fetch(`${origin}${link.split('#')[0]}`);
    // A static host ignores queries.
    if (status !== 200 || link.includes('?')) broken.push(`${status} ${link} in ${file}`);
  }
  expect(broken).toEqual([]);
  const other_paths = ['/hoy.md', '/feeds/avisos.atom', '/api/v1/events.ics', '/data/events.csv'];
  expect(other_paths.filter((path) => findFile(path) === undefined)).toEqual([]);
});

test('links forms and filters to the live service, and has no API', () => {
  const page = read('hoy.html');
  expect(page).toContain(`action="${SITE_URL}/buscar"`);
  expect(page).toContain(`href="${SITE_URL}/hoy?`);
  expect(findFile('/api/v1/events')).toBeUndefined();
});

test('starts with today, and has a 404 page', async () => {
  expect(read('index.html')).toBe(read('hoy.html'));
  const missing = await fetch(`${origin}/nada`);
  expect([missing.status, await missing.text()]).toEqual([404, read('404.html')]);
});

test('gives a host the headers of each file in few rules, no header twice', () => {
  /** Rules with a path pattern, in which `*` matches anything, and header fields. */
  const rules = read('_headers')
    .split(/\n(?=\/)/)
    .slice(1)
    .map((rule) => {
      const [pattern = '', ...lines] = rule.trimEnd().split('\n');
      const of = new RegExp(`^${pattern.replaceAll('.', '\\.').replace('*', '.*')}$`);
      return { of, fields: lines.map((line) => line.trim().split(': ')) };
    });
  expect(rules.length).toBeLessThan(50);
  const listFields = (path: string) =>
    rules.filter(({ of }) => of.test(path)).flatMap(({ fields }) => fields);
  for (const [path, type] of [
    ['/hoy.md', 'text/markdown; charset=utf-8'],
    ['/feeds/avisos.atom', 'application/atom+xml; charset=utf-8'],
    ['/api/v1/events.ics', 'text/calendar; charset=utf-8'],
  ])
    expect(listFields(path ?? ''), path).toContainEqual(['content-type', type]);
  const { 'content-security-policy': policy } = Object.fromEntries(listFields('/hoy'));
  expect(policy).toContain(`form-action 'self' ${SITE_URL}`);
  for (const file of listFiles('')) {
    const names = listFields(`/${file}`).map(([name]) => name);
    expect(new Set(names).size, file).toBe(names.length);
  }
});

test('replaces only a folder that holds an export', async () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'mine.txt'), 'mine');
  const rejected = await runExport(other);
  expect([rejected.code, readdirSync(other)]).toEqual([1, ['mine.txt']]);
  expect(existsSync(join(dir, 'left.html'))).toBe(false);
  expect(readdirSync(folder).sort()).toEqual(['copy', 'data', 'other']);
});
