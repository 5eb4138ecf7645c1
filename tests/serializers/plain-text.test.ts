// A text is written as the serializer by itself writes it, wherever it stands: what is taken for
// harmless is.
import fc from 'fast-check';
import type { PhrasingContent, RootContent } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { expect, test } from 'vitest';
import { breakChatMarks } from '../../src/serializers/plain-text.ts';
import { toMarkdown } from '../../src/serializers/markdown/document.ts';

const BY_ITSELF = {
  bullet: '-',
  emphasis: '_',
  strong: '*',
  rule: '-',
  listItemIndent: 'one',
} as const;
const writeByItself = (children: RootContent[]): string =>
  remark()
    .use(remarkGfm)
    .use({ settings: { ...BY_ITSELF } })
    .stringify({ type: 'root', children });

const PIECES = [
  ...' aéñWwpsÁ019.,;:!?¿¡…–—·’“”\'"()[]{}<>/\\-+*_~`#&|@=$%',
  'www.',
  'http',
  '1.',
  '://',
  '  ',
  '](',
  '&amp;',
];
const pieces = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 });
const value = pieces.map((some) => some.join(''));
const strong = (text: string): PhrasingContent => ({
  type: 'strong',
  children: [{ type: 'text', value: text }],
});

test('wherever it stands', () => {
  fc.assert(
    fc.property(value, value, value, (one, two, three) => {
      const content: PhrasingContent[] = [
        { type: 'text', value: one },
        strong(two),
        { type: 'text', value: three },
      ];
      const children: RootContent[] = [
        { type: 'heading', depth: 2, children: content },
        { type: 'paragraph', children: content },
        {
          type: 'list',
          spread: false,
          children: [
            {
              type: 'listItem',
              spread: false,
              children: [{ type: 'paragraph', children: content }],
            },
          ],
        },
      ];
      // But for the marks of chat templates, which are broken (contract 13.18).
      expect(toMarkdown(children)).toBe(breakChatMarks(writeByItself(children), true));
    }),
    { numRuns: 3_000 },
  );
});
