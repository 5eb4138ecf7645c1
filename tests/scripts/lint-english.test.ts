// English lint: tests each rule with text that breaks it and similar text that does not.
import { describe, expect, test } from 'vitest';
import { lintEnglish } from '../../scripts/lint-english.ts';

const lint = (text: string, path = 'src/domain/example.ts') =>
  lintEnglish([{ path, text }]).map(({ line, rule }) => `${line} ${rule}`);

// The parts are joined here so that this file passes the lint itself.
const HEADER = '// Example: shows a rule.\n';
const comment = (...words: string[]): string => `${HEADER}\n// ${words.join(' ')}\n`;

describe('comments', () => {
  test.each([
    ['a question word as a noun', comment('Removes', 'what', 'is stored'), 'name the noun'],
    ['null with a place', comment('The name, null', 'where', 'it is missing'), '@returns null'],
    ['an unnamed person', comment('Shown to', 'somebody', 'else'), 'name the role'],
    ['a vague passive', comment('The name', 'is', 'told', 'twice'), 'say who does it'],
  ])('rejects %s', (_, text, rule) => {
    expect(lint(text)).toEqual([expect.stringContaining(`3 `)]);
    expect(lint(text)[0]).toContain(rule);
  });

  test('joins wrapped lines', () => {
    expect(lint(`${HEADER}\n// Removes what\n// is stored.\n`)).toHaveLength(1);
  });

  test.each([
    'Decides what to render.',
    'Returns null if the name is missing.',
    'The file is stored for a day.',
    'Where a venue has no location, the zone counts.',
  ])('accepts “%s”', (words) => {
    expect(lint(comment(words))).toEqual([]);
  });
});

describe('openings', () => {
  test.each([
    ['a header', '// Which file to open.\n'],
    ['a doc comment', `${HEADER}\n/** Whether the event is over. */\n`],
  ])('rejects %s that opens with a question word', (_, text) => {
    expect(lint(text)).toEqual([expect.stringContaining('open with the subject')]);
  });
});

describe('test titles', () => {
  const titled = (title: string): string => `${HEADER}\ntest('${title}', () => {});\n`;

  test('rejects a riddle in a test file only', () => {
    const text = titled(['keeps', 'what', 'was sent'].join(' '));
    expect(lint(text, 'tests/example.test.ts')).toHaveLength(1);
    expect(lint(text)).toEqual([]);
  });
});

describe('exported names', () => {
  test('rejects a conversion that is not listed as lossless', () => {
    expect(lint(`${HEADER}export const toWords = 1;\nexport const toMarkdown = 2;\n`)).toEqual([
      expect.stringContaining('toWords'),
    ]);
  });

  test('rejects a type name that two files export', () => {
    const files = ['a', 'b'].map((name) => ({
      path: `src/${name}.ts`,
      text: `${HEADER}export interface Outcome {}\n`,
    }));
    expect(lintEnglish(files)).toEqual([expect.objectContaining({ path: 'src/b.ts', line: 2 })]);
  });
});
