// Markdown nodes: creates the mdast nodes (the syntax tree of Markdown) that our documents use.
// Strings are always text and never become markup.
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

/** Inline content; null and undefined are omitted. */
export type Inline = string | PhrasingContent | null | undefined | readonly Inline[];
/** Block content; a string is a paragraph, and empty lists and absent values are omitted. */
export type MarkdownBlock =
  | string
  | RootContent
  | false
  | null
  | undefined
  | readonly MarkdownBlock[];

/** Creates a text node; the text must be clean. */
export const textNode = (value: string): Text => ({ type: 'text', value });

/** Creates a text node from a sender's text, on one line. */
export const plainTextNode = (value: string): Text => textNode(cleanLineText(value));

export const inlineCode = (value: string): InlineCode => ({ type: 'inlineCode', value });

export const code = (lang: string, value: string): Code => ({ type: 'code', lang, value });

export const strong = (value: string): Strong => ({
  type: 'strong',
  children: [plainTextNode(value)],
});

/** Creates a link; without a label, the URL is its own label. */
export const link = (url: string, label = url): Link => ({
  type: 'link',
  url,
  title: null,
  children: [plainTextNode(label)],
});

const isPresent = (content: Inline): boolean => content !== null && content !== undefined;

/** Flattens nested inline content to nodes, with strings cleaned. */
function flattenInline(content: Inline): PhrasingContent[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [textNode(cleanInlineText(content))];
  return 'type' in content ? [content] : content.flatMap(flattenInline);
}

/** Flattens inline content without white space at its ends. */
function trimInline(content: Inline): PhrasingContent[] {
  const nodes = flattenInline(content);
  const [first_node, last_node] = [nodes[0], nodes.at(-1)];
  if (first_node?.type === 'text') nodes[0] = textNode(first_node.value.trimStart());
  if (last_node?.type === 'text' && nodes.length > 1)
    nodes[nodes.length - 1] = textNode(last_node.value.trimEnd());
  return nodes;
}

export const paragraph = (...content: readonly Inline[]): Paragraph => ({
  type: 'paragraph',
  children: trimInline(content),
});

export const heading = (depth: Heading['depth'], ...content: readonly Inline[]): Heading => ({
  type: 'heading',
  depth,
  children: trimInline(content),
});

/** Creates a block quote, with one paragraph per argument. */
export const quote = (...paragraphs: readonly Inline[]): Blockquote => ({
  type: 'blockquote',
  children: paragraphs.map((content) => paragraph(content)),
});

/** Creates a bullet list without blank lines between the items; null and undefined are omitted. */
export const list = (items: readonly Inline[]): List => ({
  type: 'list',
  ordered: false,
  spread: false,
  children: items
    .filter(isPresent)
    .map((item) => ({ type: 'listItem', spread: false, children: [paragraph(item)] })),
});

/** Creates a list item `[label](url): fact · fact`. */
export const linkItem = (url: string, label: string, ...facts: readonly string[]): Inline => [
  link(url, label),
  facts.length === 0 ? null : `: ${facts.join(' · ')}`,
];

/** Creates a table; the first row is its header. */
export const table = (rows: readonly (readonly Inline[])[]): Table => ({
  type: 'table',
  children: rows.map((row) => ({
    type: 'tableRow',
    children: row.map((cell) => ({ type: 'tableCell', children: trimInline(cell) })),
  })),
});

/** Joins the parts with a separator; null and undefined are omitted. */
export const joinInline = (parts: readonly Inline[], separator = ' · '): Inline =>
  parts.filter(isPresent).flatMap((part, index) => (index === 0 ? [part] : [separator, part]));

/** Creates `**Label:** value`. */
export const labeled = (label: string, ...value: readonly Inline[]): PhrasingContent[] => [
  strong(`${label}:`),
  textNode(' '),
  ...flattenInline(value),
];

/** Splits plain text into paragraphs; line ends inside one become breaks. */
export const paragraphs = (content: string): Paragraph[] =>
  splitParagraphs(content).map((lines) =>
    paragraph(
      ...lines.flatMap((line, index): Inline[] =>
        index === 0 ? [line] : [{ type: 'break' }, line],
      ),
    ),
  );

/** Flattens nested block content to nodes. */
export function flattenBlocks(block: MarkdownBlock): RootContent[] {
  if (block === null || block === undefined || block === false) return [];
  if (typeof block === 'string') return [paragraph(block)];
  if (!('type' in block)) return block.flatMap(flattenBlocks);
  return block.type === 'list' && block.children.length === 0 ? [] : [block];
}

/** Creates a heading of level 2 with its blocks; empty if there are no blocks. */
export function section(title: Inline, ...blocks: readonly MarkdownBlock[]): RootContent[] {
  const nodes = flattenBlocks(blocks);
  return nodes.length === 0 ? [] : [heading(2, title), ...nodes];
}
