// What a drawing may hold, and that all of ours are drawn.
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
  [drawing('<script>alert(1)</script>'), '2 has <script>, which no'],
  [drawing('<g>\n<text x="1">Sol</text></g>'), '3 has <text>, which no'],
  [drawing('<path onclick="alert(1)" d="M0 0"/>'), '2 has onclick, which'],
  [drawing('<use href="https://a.example/x.svg#a"/>'), '2 refers to something outside'],
  [drawing('<path fill="url(//a.example/x)"/>'), '2 refers to something outside'],
  [drawing('<style>@import "x.css"</style>'), '2 is no drawing here'],
  [drawing('<style>.a{fill:url(x)}</style>'), '2 is no drawing here'],
  [drawing('<![CDATA[x]]>'), '2 is no drawing here'],
  [drawing('<g>\n<path d="M0 0"/>'), '4 ends <svg>, which is not open'],
  [ROOT, 'does not end <svg>'],
  [drawing(`<path d="${'M0 0'.repeat(1536)}"/>`), '1 has more than 6144 bytes'],
])('%s is refused', (text, message) => {
  expect(listIssues(text).join()).toContain(message);
});

test('gradients, references inside and colours of a dark screen are not', () => {
  const style = '<style>@media(prefers-color-scheme:dark){.a{stop-color:#ecd2ab}}</style>';
  const stop = '<linearGradient id="g"><stop class="a" stop-color="#fff"/></linearGradient>';
  const text = drawing(`${style}${stop}<!-- sun --><use href="#g" fill="url(#g)"/>`);
  expect(listIssues(text)).toEqual([]);
  expect(listIssues(text.replaceAll('\n', '\r\n'))).toEqual([]);
});

test('a motif without its drawing or without alt, and one that stands there twice', () => {
  const entry = (key: string, more = ''): string =>
    `- { key: ${key}, name: { es: El sol, en: The sun }${more} }\n`;
  const alt = ', alt: { es: Un sol, en: A sun }';
  content.write('motifs.yml', entry('sol', alt) + entry('luna', alt) + entry('sol', alt));
  const faults = content.listFaults();
  expect(faults).toContain('motifs/luna.svg is missing');
  expect(faults).toContain("motifs.yml:3 [2].key: 'sol' stands there before");
  content.write('motifs.yml', entry('sol'));
  expect(content.listFaults()).toContain('motifs.yml:1 [0].alt: is missing');
});

test('each of our drawings has its entry, and each category its drawing', () => {
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
