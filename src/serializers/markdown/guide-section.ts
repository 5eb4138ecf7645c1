// A chapter of the docs as Markdown: sentences, lists, labels with what is so, lines to copy, a table
// of what a filter accepts.
import type { BlockContent, List, PhrasingContent, RootContent, Table } from 'mdast';
import type { GuideSection } from '../../domain/api-guide.ts';
import { toInlineHref, toInlinePieces } from '../../domain/inline-text.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import { toTaxonHeads } from '../openapi/sections.ts';
import { heading, inlineCode, labelled, list, paragraph, plain, text } from './nodes.ts';

/** Lines as they are, in a language of programmers. */
export const block = (lang: string, value: string): BlockContent => ({ type: 'code', lang, value });

/** A sentence of ours with its code and addresses. */
export const inline = (sentence: string): PhrasingContent[] =>
  toInlinePieces(sentence).map((piece) => {
    if (piece.kind === 'link')
      return { type: 'link', url: toInlineHref(piece), title: null, children: [text(piece.text)] };
    return piece.kind === 'code' ? inlineCode(piece.text) : text(piece.text);
  });

const table = (rows: readonly (readonly PhrasingContent[])[]): Table => ({
  type: 'table',
  children: rows.map((row) => ({
    type: 'tableRow',
    children: row.map((cell) => ({ type: 'tableCell', children: [cell] })),
  })),
});

const numbered = (items: readonly string[]): List => ({
  type: 'list',
  ordered: true,
  start: 1,
  spread: false,
  children: items.map((item) => ({
    type: 'listItem',
    spread: false,
    children: [paragraph(...inline(item))],
  })),
});

function toTaxonTable(taxa: NonNullable<GuideSection['taxa']>, lang: Lang): Table {
  const rows = taxa.map(({ key, slug, name }) => [
    inlineCode(key),
    ...LANGS.map((each) => inlineCode(slug[each])),
    ...LANGS.map((each) => plain(name[each])),
  ]);
  return table([toTaxonHeads(lang).map(plain), ...rows]);
}

/** A chapter below a heading of level 2. */
export function toSectionMarkdown(section: GuideSection, lang: Lang): RootContent[] {
  const { title, paragraphs, items, points, rows, copies, blocks, taxa } = section;
  const lists = [
    points.map(inline),
    rows.map(({ label, text: told }) => labelled(label, ...inline(told))),
    copies.map(({ label, text: copied }) => [text(`${label}: `), inlineCode(copied)]),
  ];
  return [
    heading(2, plain(title)),
    ...paragraphs.map((sentence) => paragraph(...inline(sentence))),
    ...(items.length > 0 ? [numbered(items)] : []),
    ...lists.filter((entries) => entries.length > 0).map(list),
    ...blocks.flatMap(({ label, language, text: lines }) => [
      paragraph(...inline(label), text(':')),
      block(language, lines),
    ]),
    ...(taxa === null ? [] : [toTaxonTable(taxa, lang)]),
  ];
}
