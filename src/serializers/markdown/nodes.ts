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
import { toLine, toParagraphs, toPiece } from '../plain-text.ts';

/** What stands in a line; null is nothing. */
export type Words = string | PhrasingContent | null | undefined | readonly Words[];
/** What stands in a document; a string is a paragraph, and what is not there is nothing, as is an empty list. */
export type Block = string | RootContent | false | null | undefined | readonly Block[];

export const text = (value: string): Text => ({ type: 'text', value });

/** A stranger's words on one line. */
export const plain = (value: string): Text => text(toLine(value));

/** An address or a name as it is to be typed. */
export const inlineCode = (value: string): InlineCode => ({ type: 'inlineCode', value });

export const code = (lang: string, value: string): Code => ({ type: 'code', lang, value });

export const strong = (value: string): Strong => ({ type: 'strong', children: [plain(value)] });

export const link = (url: string, label = url): Link => ({
  type: 'link',
  url,
  title: null,
  children: [plain(label)],
});

const isThere = (words: Words): boolean => words !== null && words !== undefined;

function listPieces(words: Words): PhrasingContent[] {
  if (words === null || words === undefined) return [];
  if (typeof words === 'string') return [text(toPiece(words))];
  return 'type' in words ? [words] : words.flatMap(listPieces);
}

/** Without white space at its ends. */
function toPhrase(words: Words): PhrasingContent[] {
  const pieces = listPieces(words);
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first?.type === 'text') pieces[0] = text(first.value.trimStart());
  if (last?.type === 'text' && pieces.length > 1)
    pieces[pieces.length - 1] = text(last.value.trimEnd());
  return pieces;
}

export const paragraph = (...words: readonly Words[]): Paragraph => ({
  type: 'paragraph',
  children: toPhrase(words),
});

export const heading = (depth: Heading['depth'], ...words: readonly Words[]): Heading => ({
  type: 'heading',
  depth,
  children: toPhrase(words),
});

export const quote = (...paragraphs: readonly Words[]): Blockquote => ({
  type: 'blockquote',
  children: paragraphs.map((words) => paragraph(words)),
});

/** A tight list, one line an item. */
export const list = (items: readonly Words[]): List => ({
  type: 'list',
  ordered: false,
  spread: false,
  children: items
    .filter(isThere)
    .map((item) => ({ type: 'listItem', spread: false, children: [paragraph(item)] })),
});

/** `[label](url): fact · fact`, an item of a list. */
export const linkItem = (url: string, label: string, ...facts: readonly string[]): Words => [
  link(url, label),
  facts.length === 0 ? null : `: ${facts.join(' · ')}`,
];

export const table = (rows: readonly (readonly Words[])[]): Table => ({
  type: 'table',
  children: rows.map((row) => ({
    type: 'tableRow',
    children: row.map((cell) => ({ type: 'tableCell', children: toPhrase(cell) })),
  })),
});

/** Those that are there, with a joint between them. */
export const joined = (parts: readonly Words[], joint = ' · '): Words =>
  parts.filter(isThere).flatMap((part, at) => (at === 0 ? [part] : [joint, part]));

/** `**Label:** value`. */
export const labelled = (label: string, ...value: readonly Words[]): PhrasingContent[] => [
  strong(`${label}:`),
  text(' '),
  ...listPieces(value),
];

/** Plain text of several paragraphs; line ends inside one become breaks. */
export const paragraphs = (words: string): Paragraph[] =>
  toParagraphs(words).map((lines) =>
    paragraph(
      ...lines.flatMap((line, at): Words[] => (at === 0 ? [line] : [{ type: 'break' }, line])),
    ),
  );

export function listNodes(block: Block): RootContent[] {
  if (block === null || block === undefined || block === false) return [];
  if (typeof block === 'string') return [paragraph(block)];
  if (!('type' in block)) return block.flatMap(listNodes);
  return block.type === 'list' && block.children.length === 0 ? [] : [block];
}

/** A heading and what stands under it; nothing where that is nothing. */
export function section(title: Words, ...blocks: readonly Block[]): RootContent[] {
  const nodes = listNodes(blocks);
  return nodes.length === 0 ? [] : [heading(2, title), ...nodes];
}
