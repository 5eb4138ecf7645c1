// Architecture: checks the imports between layers, and forbidden code in the sources.
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
/** Layers that each layer may import besides itself; null if it may import any, and no layer may import it. */
const MAY_IMPORT = new Map(
  ROWS.flatMap(([, names = '', allowed = '']) =>
    Array.from(
      names.matchAll(/`(?:src\/)?(\w+)(?:\.ts)?\/?`/g),
      ([, layer = '']) =>
        [layer, /^any (?:room|layer)/.test(allowed) ? null : allowed.split(', ')] as const,
    ),
  ),
);
// Only the compiler reads src/env.d.ts.
MAY_IMPORT.set('env', null);

/** Packages with the only layers or files that may import them. */
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

/** Forbidden patterns, and the files that may contain them. */
const FORBIDDEN: readonly (readonly [
  name: string,
  pattern: RegExp,
  allowed_in: readonly string[],
])[] = [
  // Towns differ only by their content folder.
  ['a word of one town', /canc[uú]n|quintana|-05:00|mujeres|morelos/i, []],
  ['the environment', /process\.env/, ['src/config.ts']],
  // The server's clock and the browser's.
  [
    'a clock',
    /Date\.now\(|new Date\(\s*\)|Temporal\.Now/,
    ['src/clock.ts', 'src/browser/browser-clock.ts'],
  ],
  [
    'an escape from the type system',
    /\bas any\b|: any\b|@ts-ignore|@ts-expect-error|as unknown as/,
    [],
  ],
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

const layerOf = (path: string): string => {
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
        layer: layerOf(path),
        packages: names.filter((name) => !name.startsWith('.')),
        /** Paths of imported project files. */
        imports: names
          .filter((name) => name.startsWith('.'))
          .map((name) => relative(ROOT, resolve(ROOT, path, '..', name))),
      };
    }),
);
const isIn = (path: string, places: readonly string[]): boolean =>
  places.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)));

test('each layer imports only allowed layers', () => {
  expect(files.length).toBeGreaterThan(50);
  const wrong = files.flatMap(({ path, layer, imports }) => {
    const allowed = MAY_IMPORT.get(layer);
    if (allowed === undefined) return [`${path} is not in a layer of the README`];
    return imports
      .filter((name) => layerOf(name) !== layer)
      .filter((name) => allowed !== null && !allowed.includes(layerOf(name)))
      .map((name) => `${path} must not import ${name}`);
  });
  expect(wrong).toEqual([]);
});

test('restricted packages are imported only by their layers', () => {
  const wrong = files.flatMap(({ path, packages }) =>
    packages
      .filter((name) =>
        ONLY_IN.some(([pattern, places]) => pattern.test(name) && !isIn(path, places)),
      )
      .map((name) => `${path} must not import ${name}`),
  );
  expect(wrong).toEqual([]);
});

test.each(FORBIDDEN)('no file contains %s', (_, pattern, allowed_in) => {
  const wrong = files.filter((file) => pattern.test(file.text) && !isIn(file.path, allowed_in));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('there are no import cycles, not even of types', () => {
  const imports = new Map(files.map((file) => [file.path, file.imports]));
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) cycles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    else if (!done.has(path))
      for (const next of imports.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  // A recursive component is not a cycle.
  expect(cycles.filter((cycle) => new Set(cycle.split(' → ')).size > 1)).toEqual([]);
});

test('components import only types from the site layer', () => {
  const wrong = files.filter(
    ({ layer, text }) =>
      layer === 'components' && /^import (?!type )[^;]*?from '[^']*\/site\/[^']*'/m.test(text),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('pages have at most twenty lines, and one file serves all languages', () => {
  const pages = files.filter(({ layer }) => layer === 'pages');
  const wrong = pages.filter(
    ({ path, text }) => text.trimEnd().split('\n').length > 20 || /\/(_|en\/|es\/)/.test(path),
  );
  expect([pages.length > 0, wrong.map(({ path }) => path)]).toEqual([true, []]);
});

test('no file or folder is a grab bag, and every file begins with a header comment', () => {
  const grab_bag = /(^|\/)(utils?|helpers?|lib|services|common|misc|types)(\/|\.ts$)/;
  const wrong = files.filter(
    ({ path, text }) => grab_bag.test(path) || (path.endsWith('.ts') && !/^\/[/*]+ ?\S/.test(text)),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});
