// The house's rules, held by a test: which room may import what, what may not be written.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
/** The table of layers in the README: the paths in a row's first cell, and the layers they may import. */
const ROWS = [
  ...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(
    /^\| (`(?:src|scripts)[^|]*) \|[^|]*\| ([^|]+) \|$/gm,
  ),
];
/** What each room may import of ours besides itself; null where it may import any room, and nobody it. */
const MAY_IMPORT = new Map(
  ROWS.flatMap(([, names = '', allowed = '']) =>
    Array.from(
      names.matchAll(/`(?:src\/)?(\w+)(?:\.ts)?\/?`/g),
      ([, room = '']) =>
        [room, allowed.startsWith('any room') ? null : allowed.split(', ')] as const,
    ),
  ),
);
// What only the compiler reads.
MAY_IMPORT.set('env', null);

/** Packages that only some rooms may know, and some of those in one file. */
const ONLY_IN: readonly (readonly [names: RegExp, places: readonly string[]])[] = [
  [/^better-sqlite3$/, ['src/snapshot/', 'src/inbox/', 'src/releases/file-lock.ts']],
  [
    /^astro(:|\/|$)/,
    ['src/pages/', 'src/components/', 'src/middleware.ts', 'src/render.ts', 'src/env.d.ts'],
  ],
  [/^@modelcontextprotocol\//, ['src/mcp/']],
  [/^(sharp|opentype\.js)$/, ['src/pictures/']],
  [/^ical\.js$/, ['src/sources/', 'src/domain/event/occurrences.ts']],
];

/** What may not be written, but in some files. */
const NOT_WRITTEN: readonly (readonly [what: string, text: RegExp, but_in: readonly string[]])[] = [
  // A town is a folder of content.
  ['a word of one town', /canc[uú]n|quintana|-05:00|mujeres|morelos/i, []],
  ['the environment', /process\.env/, ['src/config.ts']],
  // Ours, and that of the reader's own machine.
  [
    'a clock',
    /Date\.now\(|new Date\(\s*\)|Temporal\.Now/,
    ['src/clock.ts', 'src/browser/browser-clock.ts'],
  ],
  ['a way round the types', /\bas any\b|: any\b|@ts-ignore|@ts-expect-error|as unknown as/, []],
  [
    'scripts or tools by path',
    /^(?!\s*(\/\/|\*|\/\*)).*(['"`/]scripts\/|'scripts'|\/tools\/town|'tools')/m,
    ['scripts/'],
  ],
];

const listImports = (text: string): string[] =>
  [
    ...text.matchAll(
      /(?:^|\n|;)\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? '');

const toRoom = (path: string): string => {
  const [top = '', second = ''] = path.split('/');
  return top === 'src' ? second.replace(/\.(d\.)?ts$/, '') : top;
};
const files = ['src', 'scripts'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|astro|mjs)$/.test(entry.name))
    .map((entry) => {
      const path = relative(ROOT, join(entry.parentPath, entry.name));
      const text = readFileSync(join(ROOT, path), 'utf8');
      const names = listImports(text);
      return {
        path,
        text,
        room: toRoom(path),
        packages: names.filter((name) => !name.startsWith('.')),
        /** Paths of ours. */
        imports: names
          .filter((name) => name.startsWith('.'))
          .map((name) => relative(ROOT, resolve(ROOT, path, '..', name))),
      };
    }),
);
const isIn = (path: string, places: readonly string[]): boolean =>
  places.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)));

test('the house lets each room import what it may', () => {
  expect(files.length).toBeGreaterThan(50);
  const wrong = files.flatMap(({ path, room, imports }) => {
    const allowed = MAY_IMPORT.get(room);
    if (allowed === undefined) return [`${path} is in no room of the README`];
    return imports
      .filter((name) => toRoom(name) !== room)
      .filter((name) => allowed !== null && !allowed.includes(toRoom(name)))
      .map((name) => `${path} must not import ${name}`);
  });
  expect(wrong).toEqual([]);
});

test('the house keeps packages in their rooms', () => {
  const wrong = files.flatMap(({ path, packages }) =>
    packages
      .filter((name) => ONLY_IN.some(([names, at]) => names.test(name) && !isIn(path, at)))
      .map((name) => `${path} must not import ${name}`),
  );
  expect(wrong).toEqual([]);
});

test.each(NOT_WRITTEN)('the house does not write %s', (_, text, but_in) => {
  const wrong = files.filter((file) => text.test(file.text) && !isIn(file.path, but_in));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('the house goes round in no circle of imports, of types neither', () => {
  const imports = new Map(files.map((file) => [file.path, file.imports]));
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

test('the house gives components nothing of the site but types', () => {
  const wrong = files.filter(
    ({ room, text }) =>
      room === 'components' && /^import (?!type )[^;]*?from '[^']*\/site\/[^']*'/m.test(text),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('the house keeps pages to shells of twenty lines, one for each kind whatever its language', () => {
  const pages = files.filter(({ room }) => room === 'pages');
  const wrong = pages.filter(
    ({ path, text }) => text.trimEnd().split('\n').length > 20 || /\/(_|en\/|es\/)/.test(path),
  );
  expect([pages.length > 0, wrong.map(({ path }) => path)]).toEqual([true, []]);
});

test('the house has no grab-bag, and says in the first line of every file what it knows', () => {
  const bag = /(^|\/)(utils?|helpers?|lib|services|common|misc|types)(\/|\.ts$)/;
  const wrong = files.filter(
    ({ path, text }) => bag.test(path) || (path.endsWith('.ts') && !/^\/[/*]+ ?\S/.test(text)),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
