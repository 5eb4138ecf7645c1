// mdast as text: addresses as they are for plain readers and the same for a parser; every text as the serializer by
// itself writes it, wherever it stands.
import fc from 'fast-check';
import type { Link, Nodes, PhrasingContent, RootContent } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { describe, expect, test } from 'vitest';
import { toMarkdown } from '../../src/serializers/markdown/document.ts';
import { link, paragraph } from '../../src/serializers/markdown/nodes.ts';
import { breakChatMarks } from '../../src/serializers/plain-text.ts';

describe('a link', () => {
  const findLinks = (node: Nodes): Link[] =>
    node.type === 'link' ? [node] : 'children' in node ? node.children.flatMap(findLinks) : [];
  const write = (url: string, words: string): string =>
    toMarkdown([paragraph('a ', link(url, words), ' (b)')]);

  test.each(['https://maps.example/?api=1&destination=21.1%2C-86.8', 'https://x.example/a_b*c~d'])(
    'to %s stands as it is',
    (url) => {
      expect(write(url, 'cómo llegar')).toBe(`a [cómo llegar](${url}) (b)\n`);
    },
  );

  test.each([
    'https://x.example/?a=1&copy;=2',
    'https://x.example/?a=&#65;',
    'https://x.example/(a)(b',
    'https://x.example/\\(a',
    'https://x.example/[a](b)',
    'mailto:hola@agenda.example',
  ])('to %s is read back as it was, with words and without', (url) => {
    for (const words of ['cómo [llegar](x) & *más*', url]) {
      const [found, ...others] = findLinks(remark().parse(write(url, words)));
      expect([found?.url, others]).toEqual([url, []]);
    }
  });

  test('has what may stand in no address encoded', () => {
    const [found] = findLinks(remark().parse(write('https://x.example/a b<c>\nd', 'x')));
    expect(found?.url).toBe('https://x.example/a%20b%3Cc%3E%0Ad');
  });
});

describe('a text', () => {
  const OPTIONS = { bullet: '-', emphasis: '_', strong: '*', rule: '-', listItemIndent: 'one' };
  const by_itself = remark()
    .use(remarkGfm)
    .use({ settings: Object(OPTIONS) });
  const value = fc
    .array(
      fc.constantFrom(
        ...' aéñWwpsÁ019.,;:!?¿¡…–—·’“”\'"()[]{}<>/\\-+*_~`#&|@=$%',
        ...['www.', 'http', '1.', '://', '  ', '](', '&amp;'],
      ),
      { minLength: 1, maxLength: 8 },
    )
    .map((some) => some.join(''));

  test('is written as the serializer by itself writes it, wherever it stands', () => {
    fc.assert(
      fc.property(value, value, value, (one, two, three) => {
        const content: PhrasingContent[] = [
          { type: 'text', value: one },
          { type: 'strong', children: [{ type: 'text', value: two }] },
          { type: 'text', value: three },
        ];
        const item: RootContent = { type: 'paragraph', children: content };
        const children: RootContent[] = [
          { type: 'heading', depth: 2, children: content },
          { type: 'paragraph', children: content },
          {
            type: 'list',
            spread: false,
            children: [{ type: 'listItem', spread: false, children: [item] }],
          },
        ];
        // But for the marks of chat templates, which are broken (contract 13.18).
        const expected = breakChatMarks(by_itself.stringify({ type: 'root', children }), true);
        expect(toMarkdown(children)).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});
