// The house's rules, held by a test: which room may import what, what may not be written.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const SRC = join(ROOT, 'src');
/** The table of rooms: the names in a row's first cell, what they may import, their lines at most. */
const ROWS = [
  ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(
    /^\| (`(?:src|scripts)[^|]*) \|[^|]*\| ([^|]+) \| (\d+) \|$/gm,
  ),
];

/**
 * What each room may import of ours besides itself: a cell lists rooms, or says "nothing of ours" or
 * "any room; nothing imports them".
 */
function readTable(): Readonly<Record<string, readonly string[] | 'any'>> {
  return Object.fromEntries(
    ROWS.flatMap(([, names = '', allowed = '']) =>
      [...names.matchAll(/`(?:src\/)?(\w+)(?:\.ts)?\/?`/g)].map(([, room = '']) => [
        room,
        allowed.startsWith('any room')
          ? 'any'
          : allowed === 'nothing of ours'
            ? []
            : allowed.split(', '),
      ]),
    ),
  );
}

/** What only the compiler reads. */
const MAY_IMPORT: Readonly<Record<string, readonly string[] | 'any'>> = {
  ...readTable(),
  env: 'any',
};

/** Packages that only some rooms may know. */
const ONLY_IN: readonly { readonly names: RegExp; readonly rooms: readonly string[] }[] = [
  { names: /^better-sqlite3$/, rooms: ['snapshot', 'inbox', 'releases'] },
  { names: /^astro(:|\/|$)/, rooms: ['pages', 'components', 'middleware', 'render', 'env'] },
  { names: /^@modelcontextprotocol\//, rooms: ['mcp'] },
  { names: /^(sharp|opentype\.js)$/, rooms: ['pictures'] },
  { names: /^ical\.js$/, rooms: ['sources', 'domain'] },
];

interface SourceFile {
  readonly path: string;
  readonly room: string;
  readonly text: string;
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|astro|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

function readSources(): SourceFile[] {
  return [...listSources(SRC), ...listSources(join(ROOT, 'scripts'))].map((file) => {
    const path = relative(ROOT, file);
    const [top = '', second = ''] = path.split('/');
    return {
      path,
      room: top === 'scripts' ? 'scripts' : second.replace(/\.(d\.)?ts$/, ''),
      text: readFileSync(file, 'utf8'),
    };
  });
}

const listImports = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:^|\n|;)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? '');

/** The room an import leads to, or null for a package. */
function roomOfImport(file: SourceFile, name: string): string | null {
  if (!name.startsWith('.')) return null;
  const [top = '', second = ''] = relative(ROOT, resolve(ROOT, file.path, '..', name)).split('/');
  if (top === 'scripts') return 'scripts';
  return top === 'src' ? second.replace(/\.ts$/, '') : top;
}

/** Comments may name anything. */
const withoutComments = (text: string): string => text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');

describe('the house', () => {
  const files = readSources();

  test('is found by this test', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(Object.keys(MAY_IMPORT).length).toBeGreaterThan(18);
    expect(MAY_IMPORT).toMatchObject({
      domain: [],
      i18n: ['domain'],
      pages: 'any',
      scripts: 'any',
    });
    expect(
      listImports(
        "import a from './a.ts';\nimport './b.css';\nexport { c } from '../c.ts';\nconst d = await import('./d.ts');",
      ),
    ).toEqual(['./a.ts', './b.css', '../c.ts', './d.ts']);
  });

  test.each(files.map((file) => [file.path, file] as const))(
    '%s imports only what its room may',
    (_path, file) => {
      const allowed = MAY_IMPORT[file.room];
      expect(allowed, `src/${file.room} is not a room of the house`).toBeDefined();
      for (const name of listImports(file.text)) {
        const room = roomOfImport(file, name);
        if (room === null) {
          for (const rule of ONLY_IN)
            if (rule.names.test(name))
              expect(rule.rooms, `${name} is only for ${rule.rooms.join(', ')}`).toContain(
                file.room,
              );
        } else if (room !== file.room && allowed !== 'any')
          expect(allowed, `${file.room} must not import ${room} (${name})`).toContain(room);
        // What stands at the top is imported by nothing below it.
        if (allowed !== 'any')
          expect(['pages', 'middleware', 'render', 'scripts', 'env']).not.toContain(room);
      }
    },
  );

  test.each(ROWS.map(([, names = '', , lines]) => [names, Number(lines)] as const))(
    '%s: no more than %i lines',
    (names, most) => {
      const rooms = Array.from(names.matchAll(/`([^`]+?)\/?`/g), ([, path = '']) => path);
      const lines = files
        .filter(({ path }) => rooms.some((room) => path === room || path.startsWith(`${room}/`)))
        .reduce((sum, { text }) => sum + text.split('\n').length - 1, 0);
      expect(lines).toBeLessThanOrEqual(most);
      expect(lines, 'far less: lower the number').toBeGreaterThan(most - 500);
    },
  );

  test('goes round in no circle of imports, of types neither', () => {
    const imports = new Map(
      files.map(({ path, text }) => [
        path,
        listImports(text)
          .filter((name) => name.startsWith('.'))
          .map((name) => relative(ROOT, resolve(ROOT, path, '..', name))),
      ]),
    );
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '));
      else if (!done.has(path))
        for (const next of imports.get(path) ?? []) visit(next, [...way, path]);
      done.add(path);
    };
    for (const path of imports.keys()) visit(path, []);
    // A component that prints itself within itself is none.
    expect(circles.filter((circle) => new Set(circle.split(' → ')).size > 1)).toEqual([]);
  });

  test('gives components nothing of the site but types', () => {
    const users = files
      .filter(({ room }) => room === 'components')
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^import (?!type )[^;]*?from '[^']*\/site\/[^']*'/gm)].map(() => path),
      );
    expect(users).toEqual([]);
  });

  test('keeps pages to shells of twenty lines, one for each kind whatever its language', () => {
    const pages = files.filter(({ room }) => room === 'pages');
    const long = pages.filter(({ text }) => text.trimEnd().split('\n').length > 20);
    expect(long.map(({ path }) => path)).toEqual([]);
    const named = pages.filter(({ path }) => /\/(_|en\/|es\/)/.test(path));
    expect(named.map(({ path }) => path)).toEqual([]);
  });

  test('does not reach from src into scripts or tools, by path neither', () => {
    const reaching = files.filter(
      ({ room, text }) =>
        room !== 'scripts' &&
        /['"`/]scripts\/|'scripts'|\/tools\/town|'tools'/.test(withoutComments(text)),
    );
    expect(reaching.map(({ path }) => path)).toEqual([]);
  });

  test('keeps ical.js in the domain to the expansion of rules', () => {
    const users = files
      .filter((file) => file.room === 'domain' && listImports(file.text).includes('ical.js'))
      .map((file) => file.path);
    expect(users).toEqual(['src/domain/event/occurrences.ts']);
  });

  test('keeps better-sqlite3 in releases to the lock', () => {
    const users = files
      .filter(
        (file) => file.room === 'releases' && listImports(file.text).includes('better-sqlite3'),
      )
      .map((file) => file.path);
    expect(users).toEqual(['src/releases/lock.ts']);
  });

  test('reads the environment in config and the time in clock, nowhere else', () => {
    const env = files
      .filter((file) => file.path !== 'src/config.ts' && /process\.env/.test(file.text))
      .map((file) => file.path);
    const time = files
      .filter(
        (file) =>
          // Ours, and that of the reader's own machine.
          !['src/clock.ts', 'src/reader/clock.ts'].includes(file.path) &&
          /Date\.now\(|new Date\(\s*\)|Temporal\.Now/.test(file.text),
      )
      .map((file) => file.path);
    expect({ env, time }).toEqual({ env: [], time: [] });
  });

  test('has no grab-bag and no way round the type checker', () => {
    const bags = files
      .filter((file) =>
        /(^|\/)(utils?|helpers?|lib|services|common|misc|types)(\/|\.ts$)/.test(file.path),
      )
      .map((file) => file.path);
    const escapes = files
      .filter((file) =>
        /\bas any\b|: any\b|@ts-ignore|@ts-expect-error|as unknown as/.test(file.text),
      )
      .map((file) => file.path);
    expect({ bags, escapes }).toEqual({ bags: [], escapes: [] });
  });

  test('says in the first line of every file what it knows', () => {
    const silent = files
      .filter((file) => file.path.endsWith('.ts') && !/^(\/\/|\/\*\*|\/\/\/) ?\S/.test(file.text))
      .map((file) => file.path);
    expect(silent).toEqual([]);
  });
});
