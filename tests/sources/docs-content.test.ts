// content/docs: what its files may say, and that both languages have the same chapters.
import { expect, test } from 'vitest';
import { DocsSchema, buildDocs } from '../../src/sources/docs-content.ts';
import { type ContentIssue, formatIssue } from '../../src/yaml.ts';
import { parseContentFile } from '../../src/sources/load-content.ts';

test.each([
  ['## A {#a}\n\nEn <{{url}}/hoy>, {{event_slug}}.\n', []],
  ['## A {#a}\n\n{{nada}}\n', ['x.md:3 has the placeholder {{nada}}']],
  ['## A {#a}\n\n## B\n', ['x.md:3 must end in the address of its chapter']],
  ['Hola\n\n## A {#a}\n', ['x.md:1 must begin with a chapter']],
])('%j is told what is wrong, with its line', (text, issues) => {
  const told = parseContentFile('docs/es/x.md', text, DocsSchema).issues.map(formatIssue);
  expect(told).toEqual(issues.map((issue) => expect.stringContaining(issue)));
});

test('a file has the chapters of its other language', () => {
  const issues: ContentIssue[] = [];
  const spanish = { file: 'docs/es/api.md', value: ['## A {#a}', '## B {#b}'] };
  buildDocs([spanish, { file: 'docs/en/api.md', value: ['## A {#a}', '## C {#c}'] }], issues);
  expect(issues.map(formatIssue).join()).toContain(
    'docs/en/api.md:1 has the chapters a, c, where docs/es/api.md has a, b',
  );
});
