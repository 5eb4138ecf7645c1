// The papers against the code: every rule, file, name, command and test that they name is one.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { SETTING_NAMES } from '../../src/config.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const listFiles = (folder: string, kind: RegExp): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => kind.test(name))
    .map((name) => join(folder, name));
const code = listFiles('src', /\.(ts|mjs|json|astro)$/)
  .map(read)
  .join('\n');

const Names = v.record(v.string(), v.string());
const KINDS = ['scripts', 'dependencies', 'optionalDependencies', 'devDependencies'] as const;
const Package = v.object(v.entriesFromList(KINDS, Names));
const { scripts, ...packages } = v.parse(Package, JSON.parse(read('package.json')));

describe('docs/contract.md', () => {
  const contract = read('docs/contract.md');
  const numbers = Array.from(
    contract.matchAll(/^(?:## |(?:- )?\*\*)(\d+(?:\.\d+)?)(?:\*\*)? \S/gm),
    ([, number = '']) => number,
  );
  const known = new Set(numbers);

  /** One line of words: without what begins a line of a comment, so that a citation may be wrapped. */
  const unwrap = (text: string): string =>
    text.replace(/\s*\n[ \t]*(?:\/\/+|\*(?!\*|\/)|--|#)?[ \t]*/g, ' ');

  /** The rules (`4.2`) and chapters (`4`) that a text cites: `contract 4.2`, `contract 3.1, 3.4 and 5`. */
  function listCited(text: string): string[] {
    const one = String.raw`\d{1,2}(?:\.\d{1,2})?(?![\w.]*\d)`;
    const chain = new RegExp(`\\bcontract ${one}(?:(?:,| and|, and) ${one})*`, 'g');
    return [...unwrap(text).matchAll(chain)].flatMap(([found]) => found.match(/[\d.]+/g) ?? []);
  }

  test('numbers its chapters and rules, none twice', () => {
    expect(contract.match(/^- (?!\*\*\d+\.\d+\*\* ).*/gm)).toBeNull();
    expect(numbers).toEqual([...known]);
  });

  test('refers only to rules and chapters that it has', () => {
    const prose = unwrap(contract).replace(/`[^`]*`|OpenAPI \d\.\d/g, '');
    const own = prose.matchAll(/(?<![\d.])\d{1,2}\.\d{1,2}(?![\d.]*\d)|\bchapters? (\d+)/g);
    const named = Array.from(own, ([found, chapter]) => chapter ?? found);
    expect(named.filter((number) => !known.has(number))).toEqual([]);
  });

  test('has every rule that is cited', () => {
    const kinds = /\.(?:ts|mjs|astro|css|md|sql|yml|py)$/;
    const folders = ['src', 'scripts', 'tools', 'tests', 'docs'];
    const files = folders.flatMap((folder) => listFiles(folder, kinds));
    const cited = [...files, 'README.md', 'content/README.md', 'vitest.config.ts']
      .filter((path) => path !== relative(ROOT, import.meta.filename))
      .flatMap((path) => listCited(read(path)).map((number) => ({ path, number })));
    expect(cited.filter(({ number }) => !known.has(number))).toEqual([]);
    expect(cited.length).toBeGreaterThan(50);
  });
});

const papers = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'bench/README.md'],
  ...listFiles('docs', /^[^/]*\.md$/),
];
test.each(papers)('files that %s names exist', (paper) => {
  const text = read(paper);
  const quoted = text.matchAll(
    /`((?:src|scripts|tests|tools\/operate|docs|content)\/[\w./[\]-]+)`/g,
  );
  const linked = text.matchAll(/\]\((?!https?:)([^)#]+)/g);
  const named = [
    ...Array.from(quoted, ([, path = '']) => path),
    ...Array.from(linked, ([, path = '']) => join(dirname(paper), path)),
  ];
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('every package is pinned and stands in docs/decisions.md with what it is for, and no other does', () => {
  const all = Object.assign({}, ...Object.values(packages));
  const pinned = /^(npm:@[\w/-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/;
  const loose = Object.entries(v.parse(Names, all)).filter(([, version]) => !pinned.test(version));
  expect(loose).toEqual([]);
  const table = read('docs/decisions.md').split('## Dependencies')[1] ?? '';
  const named = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(', ').map((name) => name.replaceAll('`', '')),
  );
  expect(named.sort()).toEqual(Object.keys(all).sort());
});

test('README.md has every command and every setting that a person may make', () => {
  const text = read('README.md');
  const commands = Object.keys(scripts).filter((name) => name !== 'postinstall');
  expect(commands.filter((name) => !new RegExp(`npm (run )?${name}\\b`).test(text))).toEqual([]);
  const of_processes = ['SNAPSHOT_PATH', 'OUT_DIR', 'SERVER_INDEX'];
  const settings = SETTING_NAMES.filter((name) => !of_processes.includes(name));
  expect(settings.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

describe('docs/operations.md', () => {
  const paper = read('docs/operations.md');
  const quoted = [...new Set([...paper.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text))];

  test('tells commands that there are, with words and options that they take', () => {
    const told = [...paper.matchAll(/npm run ([a-z]+)(?: -- ([^`\n#]*))?/g)];
    expect(told.length).toBeGreaterThan(15);
    for (const [line, name = '', rest = ''] of told) {
      expect(Object.keys(scripts), line).toContain(name);
      const script = read(`scripts/${name}.ts`);
      for (const word of rest.match(/^[a-z-]+|--[a-z-]+/g) ?? [])
        expect(script, line).toMatch(new RegExp(`\\b${word.replace(/^--/, '')}\\b`));
    }
  });

  test('has in Spanish the same commands', () => {
    const spanish = read('docs/operacion.md');
    const lines = [...spanish.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
      block.split('\n').map((line) => line.replace(/ +#.*$/, '')),
    );
    const strange = lines
      .filter((line) => !/^(hoy-cancun|systemctl|journalctl|ls)\b/.test(line))
      .filter((line) => !paper.includes(line.replace('REPOSITORIO', 'REPOSITORY')));
    expect(strange).toEqual([]);
  });

  test('names settings that there are', () => {
    const others = ['NAME', 'SERVER_VERSION', 'ATTENTION', 'MALLOC_ARENA_MAX'];
    const named = quoted.flatMap((text) => /^([A-Z][A-Z_]{3,})(?:=|$)/.exec(text)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => ![...SETTING_NAMES, ...others].includes(name))).toEqual([]);
  });

  test('has every figure, and no other', () => {
    const names = (text: string) => [...new Set(text.match(/\bhoy_[a-z_]+\b/g))].sort();
    // Where several begin alike, the first is whole.
    const short = /`(hoy_release_)age_seconds`, `_(\w+)`, `_(\w+)`/;
    const told = paper.replace(short, '$1age_seconds $1$2 $1$3');
    expect(names(told)).toEqual(names(read('src/server/metrics.ts')));
  });

  test('quotes lines of the log that are written', () => {
    const lines = quoted.filter((text) => /^(?!npm |systemctl )[a-z]+( [a-z]+){2,}$/.test(text));
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => !code.includes(`'${line}'`))).toEqual([]);
  });

  test('names every file of the kit', () => {
    const kit = readdirSync(join(ROOT, 'tools/operate'));
    expect(kit.filter((name) => !paper.includes(`\`${name}\``))).toEqual([]);
  });
});

test('docs/security.md names for each threat a file of tests, and a test in it', () => {
  const [model = ''] = read('docs/security.md').split('## OWASP ASVS 5.0.0');
  const table = model.split('## Line by line')[1] ?? '';
  const lines = table.match(/^\| (?!threat|---).*\|$/gm) ?? [];
  expect(lines.length).toBeGreaterThan(30);
  const wrong = lines.filter((line) => {
    const [, path = '', title = ''] = /`(tests\/[\w./-]+)` “([^”]+)” \|$/.exec(line) ?? [];
    return title === '' || !existsSync(join(ROOT, path)) || !read(path).includes(title);
  });
  expect(wrong).toEqual([]);
});
