// Markdown links: destinations are escaped and parse back unchanged.
import type { Link, Nodes } from 'mdast';
import { remark } from 'remark';
import { expect, test } from 'vitest';
import { toMarkdown } from '../../src/serializers/markdown/document.ts';
import { link, paragraph } from '../../src/serializers/markdown/nodes.ts';

const findLinks = (node: Nodes): Link[] =>
  node.type === 'link' ? [node] : 'children' in node ? node.children.flatMap(findLinks) : [];
const write = (url: string, label: string): string =>
  toMarkdown([paragraph('a ', link(url, label), ' (b)')]);

const PLAIN = ['https://maps.example/?api=1&destination=21.1%2C-86.8', 'https://x.example/a_b*c~d'];
test.each(PLAIN)('a link to %s is not escaped', (url) => {
  expect(write(url, 'cómo llegar')).toBe(`a [cómo llegar](${url}) (b)\n`);
});

test.each([
  'https://x.example/?a=1&copy;=2',
  'https://x.example/?a=&#65;',
  'https://x.example/(a)(b',
  'https://x.example/\\(a',
  'https://x.example/[a](b)',
  'mailto:hola@agenda.example',
])('a link to %s parses back unchanged, with and without a label', (url) => {
  for (const label of ['cómo [llegar](x) & *más*', url]) {
    const [parsed, ...others] = findLinks(remark().parse(write(url, label)));
    expect([parsed?.url, others]).toEqual([url, []]);
  }
});

test('percent-encodes characters that are invalid in a URL', () => {
  const [parsed] = findLinks(remark().parse(write('https://x.example/a b<c>\nd', 'x')));
  expect(parsed?.url).toBe('https://x.example/a%20b%3Cc%3E%0Ad');
});
