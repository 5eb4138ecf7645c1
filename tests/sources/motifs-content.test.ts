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
  [drawing('<script>alert(1)</script>'), '2 has <script>, which is not allowed'],
  [drawing('<g>\n<text x="1">Sol</text></g>'), '3 has <text>, which is not allowed'],
  [drawing('<path onclick="alert(1)" d="M0 0"/>'), '2 has onclick, which'],
  [drawing('<use href="https://a.example/x.svg#a"/>'), '2 has an external reference'],
  [drawing('<path fill="url(//a.example/x)"/>'), '2 has an external reference'],
  [drawing('<style>@import "x.css"</style>'), '2 has text or invalid markup'],
  [drawing('<style>.a{fill:url(x)}</style>'), '2 has text or invalid markup'],
  [drawing('<![CDATA[x]]>'), '2 has text or invalid markup'],
  [drawing('<g>\n<path d="M0 0"/>'), '4 closes <svg>, which is not open'],
  [ROOT, 'does not close <svg>'],
  [drawing(`<path d="${'M0 0'.repeat(1536)}"/>`), '1 has more than 6144 bytes'],
])('%s is rejected', (text, message) => {
  expect(listIssues(text).join()).toContain(message);
});

test('a drawing may have gradients, internal references and dark mode colors', () => {
  const style = '<style>@media(prefers-color-scheme:dark){.a{stop-color:#ecd2ab}}</style>';
  const stop = '<linearGradient id="g"><stop class="a" stop-color="#fff"/></linearGradient>';
  const text = drawing(`${style}${stop}<!-- sun --><use href="#g" fill="url(#g)"/>`);
  expect(listIssues(text)).toEqual([]);
  expect(listIssues(text.replaceAll('\n', '\r\n'))).toEqual([]);
});

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
