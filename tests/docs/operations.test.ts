// docs/operations.md against the code: every command, option, setting, figure, kind of refusal, line of the log
// and file that it names is one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { SETTING_NAMES } from '../../src/config.ts';
import { toRefusalKind } from '../../src/server/http/refusals.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const paper = read('docs/operations.md');

/** All of a folder's text. */
const readFolder = (path: string): string =>
  readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs|json|astro)$/.test(name))
    .map((name) => read(join(path, name)))
    .join('\n');
const code = readFolder('src');
const kit = readdirSync(join(ROOT, 'tools', 'operate')).map((name) =>
  read(`tools/operate/${name}`),
);

/** What stands between backticks, once each. */
const quoted = [...new Set([...paper.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text))];

test('every command that it tells somebody to run is one, and takes those words and options', () => {
  const { scripts } = v.parse(
    v.object({ scripts: v.record(v.string(), v.string()) }),
    JSON.parse(read('package.json')),
  );
  const files = readdirSync(join(ROOT, 'scripts'));
  const told = [...paper.matchAll(/npm run ([a-z]+)(?: -- ([^`\n#]*))?/g)];
  expect(told.length).toBeGreaterThan(20);
  for (const [line, name = '', rest = ''] of told) {
    expect(Object.keys(scripts), line).toContain(name);
    const own = files.filter((file) => new RegExp(`^${name}(-\\w+)?\\.ts$`).test(file));
    const script = own.map((file) => read(`scripts/${file}`)).join('\n');
    for (const word of rest.match(/^[a-z-]+|--[a-z-]+/g) ?? [])
      expect(script, line).toMatch(new RegExp(`\\b${word.replace(/^--/, '')}\\b`));
  }
});

test('the one in Spanish has its commands', () => {
  const spanish = read('docs/operacion.md');
  const lines = [...spanish.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
    block
      .split('\n')
      .map((line) => line.replace(/ +#.*$/, '').replace('REPOSITORIO', 'REPOSITORY')),
  );
  const [own, shared] = [
    /^(hoy-cancun|systemctl|journalctl|ls)\b/,
    (line: string) => paper.includes(line),
  ];
  expect(lines.filter((line) => !own.test(line) && !shared(line))).toEqual([]);
  const named = [...spanish.matchAll(/(?:^|`)hoy-cancun ([a-z]+)/gm)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !read('package.json').includes(`run.mjs ${name}"`))).toEqual([]);
});

test('every setting that it names is one', () => {
  const others = ['NAME', 'SERVER_VERSION', 'ATTENTION', 'MALLOC_ARENA_MAX'];
  const named = quoted.flatMap((text) => /^([A-Z][A-Z_]{3,})(?:=|$)/.exec(text)?.[1] ?? []);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => ![...SETTING_NAMES, ...others].includes(name))).toEqual([]);
});

test('it has every figure, and no other', () => {
  const names = (text: string) => new Set(text.match(/\bhoy_[a-z_]+\b/g));
  const measured = names(read('src/server/metrics.ts'));
  // Where several begin alike, the first is whole.
  const told = paper.replace(
    /`(hoy_release_)age_seconds`, `_(\w+)`, `_(\w+)`/,
    '$1age_seconds $1$2 $1$3',
  );
  expect([...names(told)].sort()).toEqual([...measured].sort());
});

test('it has every kind of refusal, with its status', () => {
  for (let status = 400; status < 600; status++) {
    const kind = toRefusalKind(status);
    if (kind !== undefined) expect(quoted).toContain(kind);
  }
  const pairs = [...paper.matchAll(/`([a-z_]+)` \((4\d\d|503)\b/g)];
  expect(pairs.length).toBeGreaterThan(3);
  for (const [line, kind, status] of pairs) expect(toRefusalKind(Number(status)), line).toBe(kind);
});

test('every line of the log that it quotes is written, and every message of a build that failed', () => {
  const lines = quoted.filter((text) => /^(?!npm |systemctl )[a-z]+( [a-z]+){2,}$/.test(text));
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.filter((line) => !code.includes(`'${line}'`))).toEqual([]);
  const table = paper.split('| what it says |')[1]?.split('\n\n')[0] ?? '';
  const said = [...table.matchAll(/^\| (?!-|what)([^|]+) \|/gm)].map(([, cell = '']) => cell);
  expect(said.length).toBeGreaterThan(5);
  // What is between numbers and names of its own.
  const parts = said.flatMap((cell) =>
    cell.split(/\bN(?: faults)?\b|…|\brelease did\b|\bSIGKILL\b/),
  );
  expect(parts.filter((part) => !code.includes(part.trim()))).toEqual([]);
});

test('every file that it names is there, or is made', () => {
  const paths = quoted.filter((text) => /^(src|tools|docs)\/[\w./-]+$/.test(text));
  for (const path of paths) expect(() => readdirSync(join(ROOT, path, '..')), path).not.toThrow();
  const made = quoted.flatMap(
    (text) => /^(?:data\/)?([\w@-]+\.(?:json|db|lock))$/.exec(text)?.[1] ?? [],
  );
  expect(made.length).toBeGreaterThan(5);
  const all = [code, ...kit].join('\n');
  for (const name of made) expect(all, name).toContain(name);
});
