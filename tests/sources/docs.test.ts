// content/docs: what its files may say, and that both languages have the same chapters.
import { describe, expect, test } from 'vitest';
import { DocsSchema, toDocs } from '../../src/sources/docs.ts';
import { type ContentIssue, formatIssue } from '../../src/sources/issues.ts';
import { parseContentFile } from '../../src/sources/read-content.ts';

const FILE = 'docs/es/api.md';
const read = (text: string) => parseContentFile(FILE, text, DocsSchema);

describe('a file of the docs', () => {
  test.each([
    ['## A {#a}\n\nEn <{{url}}/hoy>, {{event_slug}}.\n', []],
    ['## A {#a}\n\n{{nada}}\n', ['docs/es/api.md:3 has the placeholder {{nada}}']],
    ['## A {#a}\n\n## B\n', ['docs/es/api.md:3 must end in the address of its chapter']],
    ['Hola\n\n## A {#a}\n', ['docs/es/api.md:1 must begin with a chapter']],
  ])('%j is told what is wrong, with its line', (text, issues) => {
    const told = read(text).issues.map(formatIssue);
    expect(told).toEqual(issues.map((issue) => expect.stringContaining(issue)));
  });

  test('has the chapters of its other language', () => {
    const issues: ContentIssue[] = [];
    const toFile = (file: string, text: string) => ({ file, value: text.split('\n') });
    toDocs(
      [toFile(FILE, '## A {#a}\n## B {#b}'), toFile('docs/en/api.md', '## A {#a}\n## C {#c}')],
      issues,
    );
    expect(issues.map(formatIssue)).toEqual([
      'docs/en/api.md:1 has the chapters a, c, where docs/es/api.md has a, b. Both need the same',
    ]);
  });
});
