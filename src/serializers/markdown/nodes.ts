// The few kinds of Markdown that our documents are made of, as mdast. A string is words: it is data and never
// becomes markup.
import type {
  Blockquote,
  Code,
  Heading,
  InlineCode,
  Link,
  List,
  Paragraph,
  PhrasingContent,
  RootContent,
  Strong,
  Table,
  Text,
} from 'mdast';
import { cleanLineText, splitParagraphs, cleanInlineText } from '../sanitize-text.ts';

/** What stands in a line; null is nothing. */
export type Inline = string | PhrasingContent | null | undefined | readonly Inline[];
/** What stands in a document; a string is a paragraph, and what is not there is nothing, as is an empty list. */
export type MarkdownBlock =
  | string
  | RootContent
  | false
  | null
  | undefined
  | readonly MarkdownBlock[];

export const textNode = (value: string): Text => ({ type: 'text', value });

/** A stranger's words on one line. */
export const plainTextNode = (value: string): Text => textNode(cleanLineText(value));

/** An address or a name as it is to be typed. */
export const inlineCode = (value: string): InlineCode => ({ type: 'inlineCode', value });

export const code = (lang: string, value: string): Code => ({ type: 'code', lang, value });

export const strong = (value: string): Strong => ({
  type: 'strong',
  children: [plainTextNode(value)],
});

export const link = (url: string, label = url): Link => ({
  type: 'link',
  url,
  title: null,
  children: [plainTextNode(label)],
});

const isThere = (words: Inline): boolean => words !== null && words !== undefined;

function listPieces(words: Inline): PhrasingContent[] {
  if (words === null || words === undefined) return [];
  if (typeof words === 'string') return [textNode(cleanInlineText(words))];
  return 'type' in words ? [words] : words.flatMap(listPieces);
}

/** Without white space at its ends. */
function toPhrase(words: Inline): PhrasingContent[] {
  const pieces = listPieces(words);
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first?.type === 'text') pieces[0] = textNode(first.value.trimStart());
  if (last?.type === 'text' && pieces.length > 1)
    pieces[pieces.length - 1] = textNode(last.value.trimEnd());
  return pieces;
}

export const paragraph = (...words: readonly Inline[]): Paragraph => ({
  type: 'paragraph',
  children: toPhrase(words),
});

export const heading = (depth: Heading['depth'], ...words: readonly Inline[]): Heading => ({
  type: 'heading',
  depth,
  children: toPhrase(words),
});

export const quote = (...paragraphs: readonly Inline[]): Blockquote => ({
  type: 'blockquote',
  children: paragraphs.map((words) => paragraph(words)),
});

/** A tight list, one line an item. */
export const list = (items: readonly Inline[]): List => ({
  type: 'list',
  ordered: false,
  spread: false,
  children: items
    .filter(isThere)
    .map((item) => ({ type: 'listItem', spread: false, children: [paragraph(item)] })),
});

/** `[label](url): fact · fact`, an item of a list. */
export const linkItem = (url: string, label: string, ...facts: readonly string[]): Inline => [
  link(url, label),
  facts.length === 0 ? null : `: ${facts.join(' · ')}`,
];

export const table = (rows: readonly (readonly Inline[])[]): Table => ({
  type: 'table',
  children: rows.map((row) => ({
    type: 'tableRow',
    children: row.map((cell) => ({ type: 'tableCell', children: toPhrase(cell) })),
  })),
});

/** Those that are there, with a joint between them. */
export const joinInline = (parts: readonly Inline[], joint = ' · '): Inline =>
  parts.filter(isThere).flatMap((part, at) => (at === 0 ? [part] : [joint, part]));

/** `**Label:** value`. */
export const labeled = (label: string, ...value: readonly Inline[]): PhrasingContent[] => [
  strong(`${label}:`),
  textNode(' '),
  ...listPieces(value),
];

/** Plain text of several paragraphs; line ends inside one become breaks. */
export const paragraphs = (words: string): Paragraph[] =>
  splitParagraphs(words).map((lines) =>
    paragraph(
      ...lines.flatMap((line, at): Inline[] => (at === 0 ? [line] : [{ type: 'break' }, line])),
    ),
  );

export function flattenBlocks(block: MarkdownBlock): RootContent[] {
  if (block === null || block === undefined || block === false) return [];
  if (typeof block === 'string') return [paragraph(block)];
  if (!('type' in block)) return block.flatMap(flattenBlocks);
  return block.type === 'list' && block.children.length === 0 ? [] : [block];
}

/** A heading and what stands under it; nothing where that is nothing. */
export function section(title: Inline, ...blocks: readonly MarkdownBlock[]): RootContent[] {
  const nodes = flattenBlocks(blocks);
  return nodes.length === 0 ? [] : [heading(2, title), ...nodes];
}
