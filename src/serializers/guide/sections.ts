// Markdown read as the docs show it: chapters with anchors of their own, and single sentences.
import type { PhrasingContent, RootContent } from 'mdast';
import { remark } from 'remark';
import type { DocsSection } from '../../domain/api-guide.ts';
import { heading, labelled, list, plain } from '../markdown/nodes.ts';

const reader = remark().freeze();

/** `## Limits {#limits}`. */
const TITLE = /^(.*) \{#([\w-]+)\}$/;

/** The chapters of a text; each begins with a heading of level 2 and its anchor (sources/docs.ts). */
export function readSections(text: string): readonly DocsSection[] {
  const sections: { id: string; title: string; body: RootContent[] }[] = [];
  for (const node of reader.parse(text).children) {
    const [words] = node.type === 'heading' && node.depth === 2 ? node.children : [];
    const [, title, id] = words?.type === 'text' ? (TITLE.exec(words.value) ?? []) : [];
    if (title !== undefined && id !== undefined) sections.push({ id, title, body: [] });
    else sections.at(-1)?.body.push(node);
  }
  return sections;
}

/** One of our own sentences, its code and addresses set as such. */
export function readSentence(text: string): readonly PhrasingContent[] {
  const [paragraph] = reader.parse(text).children;
  return paragraph?.type === 'paragraph' ? paragraph.children : [plain(text)];
}

/** `- **Label:** words`, a line each. */
export const toRows = (
  rows: readonly (readonly [label: string, words: readonly PhrasingContent[]])[],
): RootContent => list(rows.map(([label, words]) => labelled(label, ...words)));

/** The chapters as Markdown. */
export const toSectionNodes = (sections: readonly DocsSection[]): RootContent[] =>
  sections.flatMap(({ title, body }) => [heading(2, plain(title)), ...body]);
