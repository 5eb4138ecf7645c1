// Motifs: tests the rules for drawings, and that our own content has all drawings.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CategoriesSchema } from '../../src/sources/content-schema.ts';
import { formatIssue } from '../../src/yaml.ts';
import { DrawingSchema, MotifsSchema } from '../../src/sources/motifs-content.ts';
import { parseContentFile } from '../../src/sources/load-content.ts';
import { useContentFolder } from '../fixtures/content-folder.ts';

const OURS = join(import.meta.dirname, '../../content');
const content = useContentFolder({ is_empty: true });

const ROOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 260">\n';
const drawing = (inside: string): string => `${ROOT}${inside}\n</svg>\n`;
const listIssues = (text: string): readonly string[] =>
  parseContentFile('motifs/sol.svg', text, DrawingSchema).issues.map(formatIssue);

test.each([
  [drawing('<path d="M0 0"/>').replace('260', '200'), '1 must begin with <svg xmlns='],
  [drawing('<script>alert(1)</script>'), '2 has <script>. A drawing may have only <svg>, <defs>'],
  [drawing('<SCRIPT>alert(1)</SCRIPT>'), '2 has <SCRIPT>.'],
  [drawing('<svg:script/>'), '2 has <svg:script>.'],
  [drawing('<set attributeName="href" to="//a.example"/>'), '2 has <set>.'],
  [drawing('<g>\n<text x="1">Sol</text></g>'), '3 has <text>.'],
  [
    drawing('<use href="https://a.example/x.svg#a"/>'),
    '2 has href="https://a.example/x.svg#a" in <use>. href may be only #ID',
  ],
  [drawing('<use href=" #a"/>'), '2 has href=" #a" in <use>'],
  [drawing('<use xlink:href="#a"/>'), '2 has xlink:href in <use>. Its attributes may be only'],
  [drawing('<g xml:base="//a.example/"><path d=""/></g>'), '2 has xml:base in <g>'],
  [
    drawing('<g xmlns="http://www.w3.org/1999/xhtml"/>'),
    '2 has xmlns="http://www.w3.org/1999/xhtml" in <g>',
  ],
  [drawing('<g xmlns:h="http://www.w3.org/1999/xhtml"/>'), '2 has xmlns:h in <g>'],
  [drawing('<path\nd="M0 0" onclick="alert(1)"/>'), '2 has onclick in <path>'],
  [drawing('<path ONLOAD="alert(1)" d="M0 0"/>'), '2 has ONLOAD in <path>'],
  [drawing('<path style="fill:red"/>'), '2 has style in <path>'],
  [drawing('<path filter="url(#f)"/>'), '2 has filter in <path>'],
  [
    drawing('<path fill="url(//a.example/x)"/>'),
    '2 has fill="url(//a.example/x)" in <path>. fill may be only',
  ],
  [drawing('<path fill="URL(http://a.example/x)"/>'), '2 has fill="URL(http://a.example/x)"'],
  [drawing('<path fill="u\\72l(http://a.example/x)"/>'), '2 has fill="u\\72l(http://a.example/x)"'],
  [drawing('<path fill="url(#a) url(//b)"/>'), '2 has fill="url(#a) url(//b)"'],
  [drawing('<path fill="image(//a.example)"/>'), '2 has fill="image(//a.example)"'],
  [drawing('<path clip-path="path(1)" d=""/>'), '2 has clip-path="path(1)"'],
  [drawing('<path fill="&#117;rl(//a.example)"/>'), '2 has text or invalid markup'],
  [drawing("<path fill='url(//a.example)'/>"), '2 has text or invalid markup'],
  [drawing('<path fill="#fff" fill="#000"/>'), '2 has fill twice in <path>'],
  [drawing('<style>@import "x.css"</style>'), '2 has a style that is not allowed'],
  [drawing('<style>.a{fill:url(x)}</style>'), '2 has a style that is not allowed'],
  [drawing('<style>.a{fill:URL(x)}</style>'), '2 has a style that is not allowed'],
  [drawing('<style>.a{f\\69ll:red}</style>'), '2 has a style that is not allowed'],
  [drawing('<style>.a{background:red}</style>'), '2 has a style that is not allowed'],
  [drawing('<style>@font-face{src:local(x)}</style>'), '2 has a style that is not allowed'],
  [
    drawing('<style>@media(min-width:1px){.a{fill:red}}</style>'),
    '2 has a style that is not allowed',
  ],
  [drawing('<![CDATA[x]]>'), '2 has text or invalid markup'],
  [drawing('<?xml-stylesheet href="//a.example/x.css"?>'), '2 has text or invalid markup'],
  [`<!DOCTYPE svg>${drawing('')}`, '1 must begin with <svg xmlns='],
  [drawing('<g>\n<path d="M0 0"/>'), '4 closes <svg>, which is not open'],
  [`${drawing('')}<g></g>`, '4 has <g> after </svg>'],
  [ROOT, 'does not close <svg>'],
  [drawing(`<path d="${'M0 0'.repeat(1536)}"/>`), '1 has more than 6144 bytes'],
])('%s is rejected', (text, message) => {
  expect(listIssues(text).join()).toContain(message);
});

test('a drawing may have gradients, internal references and dark mode colors', () => {
  const style =
    '<style>.b, .c { fill: #fff; opacity: .5 }\n@media (prefers-color-scheme: dark) {.a{stop-color:#ecd2ab;}}</style>';
  const stop =
    '<linearGradient id="g"><stop class="a" offset="50%" stop-color="#fff"/></linearGradient>';
  const clip =
    '<clipPath id="c"><path d="M0 0h-.5e1z" transform="rotate(45, 1 2) scale(.5)"/></clipPath>';
  const use = '<use href="#g" fill="url(#g)" stroke="none" color="red" clip-path="url(#c)"/>';
  const text = drawing(`${style}${stop}${clip}<!-- sun -->${use}`);
  expect(listIssues(text)).toEqual([]);
  expect(listIssues(text.replaceAll('\n', '\r\n'))).toEqual([]);
});

test.each([
  ['spaces in a tag', `<path${' '.repeat(6_000)}`],
  ['spaces in a style', `<style>${' '.repeat(6_000)}x</style>`],
  ['rules in a style', `<style>${'.a{fill:red}'.repeat(480)}!</style>`],
  ['transforms', `<g transform="${'scale(1) '.repeat(600)}!"/>`],
])('many %s are rejected without backtracking', { timeout: 5_000 }, (_, inside) => {
  expect(listIssues(drawing(inside))).not.toEqual([]);
});

test.each(['examples/merida/motifs', 'tests/fixtures/content/motifs'])(
  'each drawing of %s is valid',
  (folder) => {
    const path = join(OURS, '..', folder);
    for (const file of readdirSync(path))
      expect([file, ...listIssues(readFileSync(join(path, file), 'utf8'))]).toEqual([file]);
  },
);

test('a motif without a drawing or alt is rejected, and so is a duplicate', () => {
  const entry = (key: string, more = ''): string =>
    `- { key: ${key}, name: { es: El sol, en: The sun }${more} }\n`;
  const alt = ', alt: { es: Un sol, en: A sun }';
  content.write('motifs.yml', entry('sol', alt) + entry('luna', alt) + entry('sol', alt));
  const issues = content.readErrors();
  expect(issues).toContain('motifs/luna.svg is missing');
  expect(issues).toContain("motifs.yml:3 [2].key: 'sol' is a duplicate");
  content.write('motifs.yml', entry('sol'));
  expect(content.readErrors()).toContain('motifs.yml:1 [0].alt: is missing');
});

test('each drawing of content has an entry, and each category a drawing', () => {
  const read = (file: string): string => readFileSync(join(OURS, file), 'utf8');
  const keys = parseContentFile('motifs.yml', read('motifs.yml'), MotifsSchema).parsed?.value.map(
    ({ key }) => key,
  );
  const files = readdirSync(join(OURS, 'motifs'));
  expect(files.toSorted()).toEqual(keys?.map((key) => `${key}.svg`).sort());
  for (const file of files) expect([file, ...listIssues(read(`motifs/${file}`))]).toEqual([file]);
  const categories = parseContentFile('categories.yml', read('categories.yml'), CategoriesSchema);
  for (const { motif } of categories.parsed?.value ?? []) expect(keys).toContain(motif);
});
