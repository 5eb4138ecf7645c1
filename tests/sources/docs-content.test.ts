// Docs content: tests the rules for docs files, and that both languages must have the same chapters.
import { expect, test } from 'vitest';
import { DocsSchema, buildDocs } from '../../src/sources/docs-content.ts';
import { type ContentIssue, formatIssue } from '../../src/yaml.ts';
import { parseContentFile } from '../../src/sources/load-content.ts';

test.each([
  ['## A {#a}\n\nEn <{{url}}/hoy>, {{event_slug}}.\n', []],
  ['## A {#a}\n\n{{nada}}\n', ['x.md:3 has the unknown placeholder {{nada}}']],
  ['## A {#a}\n\n## B\n', ['x.md:3 must end with the id of its chapter']],
  ['Hola\n\n## A {#a}\n', ['x.md:1 must begin with a chapter']],
])('%j has its issues reported with their line', (text, expected) => {
  const issues = parseContentFile('docs/es/x.md', text, DocsSchema).issues.map(formatIssue);
  expect(issues).toEqual(expected.map((issue) => expect.stringContaining(issue)));
});

test('a file is rejected if its chapters differ from its other language', () => {
  const issues: ContentIssue[] = [];
  const spanish = { file: 'docs/es/api.md', value: ['## A {#a}', '## B {#b}'] };
  buildDocs([spanish, { file: 'docs/en/api.md', value: ['## A {#a}', '## C {#c}'] }], issues);
  expect(issues.map(formatIssue).join()).toContain(
    'docs/en/api.md:1 has the chapters a, c, but docs/es/api.md has a, b',
  );
});
