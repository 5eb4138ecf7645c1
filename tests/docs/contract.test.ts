// docs/contract.md and whoever cites it: each rule has a number of its own, each citation has its rule.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const FOLDERS = ['src', 'scripts', 'tools', 'tests', 'docs'];
const PAPERS = ['README.md', 'content/README.md', 'vitest.config.ts', 'astro.config.mjs'];
/** Its examples are no citations. */
const THIS_FILE = relative(ROOT, import.meta.filename);

const contract = read('docs/contract.md');
/** Chapters in the order of their headings, each with its rules. */
const chapters = contract
  .split(/^(?=## \d+ \S)/m)
  .slice(1)
  .map((text) => ({
    number: Number(/^## (\d+)/.exec(text)?.[1]),
    rules: Array.from(text.matchAll(/^(?:- )?\*\*(\d+\.\d+)\*\* \S/gm), ([, rule = '']) => rule),
  }));
const known = new Set(chapters.flatMap(({ number, rules }) => [String(number), ...rules]));

/** One line of words: without what begins a line of a comment, so that a citation may be wrapped. */
const unwrap = (text: string): string =>
  text.replace(/\s*\n[ \t]*(?:\/\/+|\*(?!\*|\/)|--|#)?[ \t]*/g, ' ');

/** The rules (`4.2`) and chapters (`4`) that a text cites: `contract 4.2`, `contract 3.1, 3.4 and 5`. */
function listCited(text: string): string[] {
  const one = String.raw`\d{1,2}(?:\.\d{1,2})?(?![\w.]*\d)`;
  const chain = new RegExp(`\\bcontract ${one}(?:(?:,| and|, and) ${one})*`, 'g');
  return [...unwrap(text).matchAll(chain)].flatMap(
    ([found]) => found.match(/\d+(?:\.\d+)?/g) ?? [],
  );
}

const listFiles = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|mjs|astro|css|md|sql|yml|py)$/.test(name))
    .map((name) => join(folder, name));

test('the contract numbers its chapters from 1 and the rules of each in order, none twice', () => {
  expect(contract.split('\n').filter((line) => /^- (?!\*\*\d+\.\d+\*\* )/.test(line))).toEqual([]);
  expect(chapters.length).toBeGreaterThan(0);
  for (const [at, { number, rules }] of chapters.entries()) {
    expect(number).toBe(at + 1);
    expect(rules.length, `chapter ${number}`).toBeGreaterThan(0);
    expect(rules.filter((rule) => !rule.startsWith(`${number}.`))).toEqual([]);
    // A number that is missing belonged to a rule that was merged into another.
    const places = rules.map((rule) => Number(rule.split('.')[1]));
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  }
});

test('it refers only to rules and chapters that it has', () => {
  const prose = unwrap(contract).replace(/`[^`]*`|OpenAPI \d\.\d/g, '');
  const own = [...prose.matchAll(/(?<![\d.])\d{1,2}\.\d{1,2}(?![\d.]*\d)|\bchapters? (\d+)/g)];
  const named = own.map(([found, chapter]) => chapter ?? found);
  expect(named.filter((number) => !known.has(number))).toEqual([]);
});

test('whoever cites the contract cites rules that stand in it', () => {
  const files = [...FOLDERS.flatMap(listFiles), ...PAPERS].filter((path) => path !== THIS_FILE);
  const cited = files.flatMap((path) =>
    listCited(read(path)).map((number) => ({ path, number, is_known: known.has(number) })),
  );
  expect(cited.filter(({ is_known }) => !is_known)).toEqual([]);
  expect(new Set(cited.map(({ path }) => path)).size).toBeGreaterThan(50);
});

test.each([
  ['// (contract 4.2).', ['4.2']],
  ['/** (RFC 8288; contract 3.1, 3.4 and 12) */', ['3.1', '3.4', '12']],
  ['// over the end of a line (contract\n// 7.13,\n// 7.14)', ['7.13', '7.14']],
  ['// (contract 9.4: 429 before 401), (contract 9.4, RFC 9110)', ['9.4', '9.4']],
  ['// tests/contract/limits.test.ts, the contract of 2026', []],
])('a citation is found in %j', (text, cited) => {
  expect(listCited(text)).toEqual(cited);
});
