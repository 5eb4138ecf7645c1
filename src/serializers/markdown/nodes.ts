// The few kinds of Markdown that our documents are made of, as mdast; text is data and never
// becomes structure.
import type {
  BlockContent,
  Blockquote,
  Heading,
  InlineCode,
  Link,
  List,
  Paragraph,
  PhrasingContent,
  Strong,
  Text,
} from 'mdast';
import { toLine, toParagraphs } from '../plain-text.ts';

export const text = (value: string): Text => ({ type: 'text', value });

/** A stranger's words on one line. */
export const plain = (value: string): Text => text(toLine(value));

/** An address or a name as it is to be typed. */
export const inlineCode = (value: string): InlineCode => ({ type: 'inlineCode', value });

export const strong = (value: string): Strong => ({ type: 'strong', children: [plain(value)] });

export const link = (url: string, label: string): Link => ({
  type: 'link',
  url,
  title: null,
  children: [plain(label)],
});

export const paragraph = (...children: PhrasingContent[]): Paragraph => ({
  type: 'paragraph',
  children,
});

export const heading = (depth: Heading['depth'], ...children: PhrasingContent[]): Heading => ({
  type: 'heading',
  depth,
  children,
});

export const quote = (...children: BlockContent[]): Blockquote => ({
  type: 'blockquote',
  children,
});

/** A tight list, one line an item. */
export const list = (items: readonly (readonly PhrasingContent[])[]): List => ({
  type: 'list',
  ordered: false,
  spread: false,
  children: items.map((item) => ({
    type: 'listItem',
    spread: false,
    children: [paragraph(...item)],
  })),
});

/** `**Label:** value`. */
export const labelled = (label: string, ...value: PhrasingContent[]): PhrasingContent[] => [
  strong(`${label}:`),
  text(' '),
  ...value,
];

/** Plain text of several paragraphs; line ends inside one become breaks. */
export function paragraphs(plain: string): Paragraph[] {
  return toParagraphs(plain).map((lines) =>
    paragraph(
      ...lines.flatMap((line, at): PhrasingContent[] =>
        at === 0 ? [text(line)] : [{ type: 'break' }, text(line)],
      ),
    ),
  );
}
