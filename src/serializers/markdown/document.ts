// Writes an mdast tree as GitHub-flavoured Markdown: what is text stays text, also for readers that know GFM.
import type { RootContent } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';

const OPTIONS = { bullet: '-', emphasis: '_', strong: '*', rule: '-', listItemIndent: 'one' } as const;

/** The document, with one line end at its end. */
export function toMarkdown(children: readonly RootContent[]): string {
  return remark().use(remarkGfm).use({ settings: OPTIONS }).stringify({ type: 'root', children: [...children] });
}
