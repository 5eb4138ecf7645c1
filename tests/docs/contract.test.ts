// docs/contract.md and whoever cites it: each rule has a number of its own, each citation has its rule.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['src', 'scripts', 'tools', 'tests', 'docs'];
const PAPERS = ['README.md', 'content/README.md', 'vitest.config.ts', 'astro.config.mjs'];
const CONTRACT = 'docs/contract.md';
/** Its examples of wrong citations are no citations. */
const THIS_FILE = relative(ROOT, import.meta.filename);

interface Chapters {
  /** The chapters' numbers in the order of their headings. */
  readonly chapters: readonly number[];
  /** The rules in the order of the page, each with the chapter it stands in. */
  readonly rules: readonly { readonly number: string; readonly stands_in: number }[];
}

function readChapters(text: string): Chapters {
  const chapters: number[] = [];
  const rules: Chapters['rules'][number][] = [];
  for (const line of text.split('\n')) {
    const heading = /^## (\d+) \S/.exec(line)?.[1];
    if (heading !== undefined) chapters.push(Number(heading));
    const number = /^(?:- )?\*\*(\d+\.\d+)\*\* \S/.exec(line)?.[1];
    if (number !== undefined) rules.push({ number, stands_in: chapters.at(-1) ?? 0 });
  }
  return { chapters, rules };
}

/** One line of words: without what begins a line of a comment, so that a citation may be wrapped. */
const unwrap = (text: string): string =>
  text.replace(/\s*\n[ \t]*(?:\/\/+|\*(?!\*|\/)|--|#)?[ \t]*/g, ' ');

/** What is written for people: all of a page, the comments of code. */
function toProse(path: string, text: string): string {
  if (path.endsWith('.md')) return unwrap(text);
  const marks = /\.(?:yml|py)$/.test(path)
    ? /#.*(?:\n[ \t]*#.*)*/g
    : path.endsWith('.sql')
      ? /--.*(?:\n[ \t]*--.*)*/g
      : /\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|(?<![:\w"'`])\/\/.*(?:\n[ \t]*\/\/.*)*/g;
  return unwrap((text.match(marks) ?? []).join('\n\n'));
}

/** The rules (`4.2`) and chapters (`4`) that a text cites: `contract 4.2`, `contract 3.1, 3.4 and 5`. */
function listCited(text: string): string[] {
  const one = String.raw`\d{1,2}(?:\.\d{1,2})?(?![\w.]*\d)`;
  const chain = new RegExp(`\\bcontract ${one}(?:(?:,| and|, and) ${one})*`, 'g');
  return [...unwrap(text).matchAll(chain)].flatMap(
    ([found]) => found.match(/\d+(?:\.\d+)?/g) ?? [],
  );
}

/** Papers that are not here, as they were cited once: by section, by chapter, by name. */
const ABSENT = [
  /\binterface(?:\.md)?,? (?:section )?\d/,
  /\bdecisions,? (?:Time|Knowledge|Filters|Resources|Errors|Limits|HTTP|iCalendar|MCP|Submissions)\b/,
  /\b(?:design|style), [A-Z]/,
  /\b(?:interface|design|style)\.md\b/,
];
const listAbsent = (prose: string): string[] =>
  ABSENT.flatMap((pattern) => pattern.exec(prose)?.[0] ?? []);

function listFiles(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|mjs|astro|css|md|sql|yml|py)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

const contract = readFileSync(join(ROOT, CONTRACT), 'utf8');
const { chapters, rules } = readChapters(contract);
const known = new Set([...chapters.map(String), ...rules.map(({ number }) => number)]);
const files = [...FOLDERS.flatMap(listFiles), ...PAPERS]
  .filter((path) => path !== THIS_FILE)
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

describe('the contract', () => {
  test('numbers its chapters from 1 and the rules of each in order, none twice', () => {
    expect(chapters.length).toBeGreaterThan(0);
    expect(contract.split('\n').filter((line) => /^- (?!\*\*\d+\.\d+\*\* )/.test(line))).toEqual(
      [],
    );
    expect(chapters).toEqual(chapters.map((_, at) => at + 1));
    for (const chapter of chapters) {
      const own = rules
        .filter(({ stands_in }) => stands_in === chapter)
        .map(({ number }) => number.split('.').map(Number));
      expect(own.length, `chapter ${chapter}`).toBeGreaterThan(0);
      expect(own.every(([first]) => first === chapter)).toBe(true);
      // A number that is missing belonged to a rule that was merged into another.
      const places = own.map(([, second = 0]) => second);
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
    }
  });

  test('refers only to rules and chapters that it has', () => {
    const prose = unwrap(contract).replace(/`[^`]*`|OpenAPI \d\.\d/g, '');
    const own = [...prose.matchAll(/(?<![\d.])\d{1,2}\.\d{1,2}(?![\d.]*\d)|\bchapters? (\d+)/g)];
    const named = own.map(([found, chapter]) => chapter ?? found);
    expect(named.filter((number) => !known.has(number))).toEqual([]);
  });
});

describe('whoever cites the contract', () => {
  test('cites rules that stand in it', () => {
    const wrong = files.flatMap(({ path, text }) =>
      listCited(text)
        .filter((number) => !known.has(number))
        .map((number) => `${path}: ${number}`),
    );
    expect(wrong).toEqual([]);
    expect(files.filter(({ text }) => listCited(text).length > 0).length).toBeGreaterThan(50);
  });

  test('cites no paper that is not here', () => {
    const stale = files.flatMap(({ path, text }) =>
      listAbsent(toProse(path, text)).map((found) => `${path}: ${found}`),
    );
    expect(stale).toEqual([]);
  });
});

describe('a citation is found', () => {
  test.each([
    ['// (contract 4.2).', ['4.2']],
    ['/** (RFC 8288; contract 3.1, 3.4 and 12) */', ['3.1', '3.4', '12']],
    ['// over the end of a line (contract\n// 7.13,\n// 7.14)', ['7.13', '7.14']],
    ['// (contract 9.4: 429 before 401), (contract 9.4, RFC 9110)', ['9.4', '9.4']],
    ['// tests/contract/limits.test.ts, the contract of 2026', []],
  ])('in %j', (text, cited) => {
    expect(listCited(text)).toEqual(cited);
  });

  test.each([
    ['a.ts', '// (interface 4, listEvents)', 1],
    ['a.ts', '/**\n * (decisions,\n * Filters 7; interface\n * 8)\n */', 2],
    ['a.astro', '<!-- (style, Text; design.md, Rooms) -->', 2],
    ['a.sql', '-- (design, Days)', 1],
    ['a.ts', 'interface Frame { design: A; style, Text } // docs/decisions.md, an interface', 0],
  ])('in a %s, where it is stale: %j', (path, text, count) => {
    expect(listAbsent(toProse(path, text))).toHaveLength(count);
  });
});
