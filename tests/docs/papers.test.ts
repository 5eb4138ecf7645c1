// Documentation checks: rules, files, settings, commands and tests that the documents name exist in the code.
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
  const known_numbers = new Set(numbers);

  /** Joins lines and removes comment prefixes, so that a wrapped citation is found. */
  const unwrap = (text: string): string =>
    text.replace(/\s*\n[ \t]*(?:\/\/+|\*(?!\*|\/)|--|#)?[ \t]*/g, ' ');

  /** Lists the rules (`4.2`) and chapters (`4`) that a text cites: `contract 4.2`, `contract 3.1, 3.4 and 5`. */
  function listCitations(text: string): string[] {
    const number = String.raw`\d{1,2}(?:\.\d{1,2})?(?![\w.]*\d)`;
    const citation = new RegExp(`\\bcontract ${number}(?:(?:,| and|, and) ${number})*`, 'g');
    return [...unwrap(text).matchAll(citation)].flatMap(([match]) => match.match(/[\d.]+/g) ?? []);
  }

  test('has unique numbers for chapters and rules', () => {
    expect(contract.match(/^- (?!\*\*\d+\.\d+\*\* ).*/gm)).toBeNull();
    expect(numbers).toEqual([...known_numbers]);
  });

  test('refers only to its own rules and chapters', () => {
    const prose = unwrap(contract).replace(/`[^`]*`|OpenAPI \d\.\d/g, '');
    const matches = prose.matchAll(/(?<![\d.])\d{1,2}\.\d{1,2}(?![\d.]*\d)|\bchapters? (\d+)/g);
    const references = Array.from(matches, ([match, chapter]) => chapter ?? match);
    expect(references.filter((number) => !known_numbers.has(number))).toEqual([]);
  });

  test('contains every cited rule', () => {
    const kinds = /\.(?:ts|mjs|astro|css|md|sql|yml|py)$/;
    const folders = ['src', 'scripts', 'tools', 'tests', 'docs'];
    const files = folders.flatMap((folder) => listFiles(folder, kinds));
    const cited = [...files, 'README.md', 'content/README.md', 'vitest.config.ts']
      .filter((path) => path !== relative(ROOT, import.meta.filename))
      .flatMap((path) => listCitations(read(path)).map((number) => ({ path, number })));
    expect(cited.filter(({ number }) => !known_numbers.has(number))).toEqual([]);
    expect(cited.length).toBeGreaterThan(50);
  });
});

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'bench/README.md'],
  ...listFiles('docs', /^[^/]*\.md$/),
];
test.each(documents)('files that %s names exist', (document) => {
  const text = read(document);
  const quoted = text.matchAll(
    /`((?:src|scripts|tests|tools\/operate|docs|content)\/[\w./[\]-]+)`/g,
  );
  const linked = text.matchAll(/\]\((?!https?:)([^)#]+)/g);
  const named = [
    ...Array.from(quoted, ([, path = '']) => path),
    ...Array.from(linked, ([, path = '']) => join(dirname(document), path)),
  ];
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('CONTRIBUTING.md names only identifiers that its files have', () => {
  const entries = read('CONTRIBUTING.md').matchAll(/`((?:src|tests)\/[\w./-]+\.ts)` \(([^)]+)\)/g);
  const named = [...entries].flatMap(([, path = '', list = '']) =>
    Array.from(list.matchAll(/`(\w+)`/g), ([, name = '']) => ({ path, name })),
  );
  expect(named.length).toBeGreaterThan(40);
  const is_missing = ({ path, name }: (typeof named)[number]): boolean =>
    !new RegExp(`\\b${name}\\b`).test(read(path));
  expect(named.filter(is_missing)).toEqual([]);
});

test('comments name only files that exist', () => {
  const sources = ['src', 'scripts', 'tests', 'bench'].flatMap((folder) =>
    listFiles(folder, /\.(?:ts|mjs|astro|css)$/),
  );
  const missing = sources.flatMap((source) =>
    (read(source).match(/^\s*(?:\/\/|\/?\*).*$/gm) ?? [])
      .flatMap((line) => line.match(/\b(?:src|scripts|tests|docs|bench)\/[\w./[\]-]+\.\w+/g) ?? [])
      .filter((path) => !existsSync(join(ROOT, path)))
      .map((path) => `${source}: ${path}`),
  );
  expect(missing).toEqual([]);
});

test('all packages are pinned, and docs/decisions.md lists exactly these with their purpose', () => {
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

test('README.md lists all commands and all settings for operators', () => {
  const text = read('README.md');
  const commands = Object.keys(scripts).filter((name) => name !== 'postinstall');
  expect(commands.filter((name) => !new RegExp(`npm (run )?${name}\\b`).test(text))).toEqual([]);
  const internal_names = ['SNAPSHOT_PATH', 'OUT_DIR', 'SERVER_INDEX'];
  const settings = SETTING_NAMES.filter((name) => !internal_names.includes(name));
  expect(settings.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
});

describe('docs/operations.md', () => {
  const manual = read('docs/operations.md');
  const quoted = [...new Set([...manual.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text))];

  test('names existing commands with existing arguments and options', () => {
    const commands = [...manual.matchAll(/npm run ([a-z]+)(?: -- ([^`\n#]*))?/g)];
    expect(commands.length).toBeGreaterThan(15);
    for (const [line, name = '', rest = ''] of commands) {
      expect(Object.keys(scripts), line).toContain(name);
      const script = read(`scripts/${name}.ts`);
      for (const word of rest.match(/^[a-z-]+|--[a-z-]+/g) ?? [])
        expect(script, line).toMatch(new RegExp(`\\b${word.replace(/^--/, '')}\\b`));
    }
  });

  test('has the same commands in Spanish', () => {
    const spanish = read('docs/operacion.md');
    const lines = [...spanish.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
      block.split('\n').map((line) => line.replace(/ +#.*$/, '')),
    );
    const unknown_lines = lines
      .filter((line) => !/^(hoy-cancun|systemctl|journalctl|ls)\b/.test(line))
      .filter((line) => !manual.includes(line.replace('REPOSITORIO', 'REPOSITORY')));
    expect(unknown_lines).toEqual([]);
  });

  test('names existing settings', () => {
    const others = ['NAME', 'SERVER_VERSION', 'ATTENTION', 'MALLOC_ARENA_MAX'];
    const named = quoted.flatMap((text) => /^([A-Z][A-Z_]{3,})(?:=|$)/.exec(text)?.[1] ?? []);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => ![...SETTING_NAMES, ...others].includes(name))).toEqual([]);
  });

  test('lists exactly the exported metrics', () => {
    const names = (text: string) => [...new Set(text.match(/\bhoy_[a-z_]+\b/g))].sort();
    // Metrics with a common prefix are abbreviated after the first one.
    const abbreviated = /`(hoy_release_)age_seconds`, `_(\w+)`, `_(\w+)`/;
    const expanded = manual.replace(abbreviated, '$1age_seconds $1$2 $1$3');
    expect(names(expanded)).toEqual(names(read('src/server/metrics.ts')));
  });

  test('quotes existing log lines', () => {
    const lines = quoted.filter((text) => /^(?!npm |systemctl )[a-z]+( [a-z]+){2,}$/.test(text));
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.filter((line) => !code.includes(`'${line}'`))).toEqual([]);
  });

  test('names every file of the kit', () => {
    const kit = readdirSync(join(ROOT, 'tools/operate'));
    expect(kit.filter((name) => !manual.includes(`\`${name}\``))).toEqual([]);
  });
});

test('docs/security.md names an existing test for each threat', () => {
  const [model = ''] = read('docs/security.md').split('## OWASP ASVS 5.0.0');
  const table = model.split('## Threats')[1] ?? '';
  const rows = table.match(/^\| (?!threat|---).*\|$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(30);
  const invalid_rows = rows.filter((row) => {
    const [, path = '', title = ''] = /`(tests\/[\w./-]+)` “([^”]+)” \|$/.exec(row) ?? [];
    return title === '' || !existsSync(join(ROOT, path)) || !read(path).includes(title);
  });
  expect(invalid_rows).toEqual([]);
});
