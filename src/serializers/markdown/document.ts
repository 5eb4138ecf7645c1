// Writes an mdast tree as GitHub-flavoured Markdown: what is text stays text, also for readers that
// know GFM.
import type { Link, RootContent } from 'mdast';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { isBare, toDestination } from './destination.ts';

const OPTIONS = {
  bullet: '-',
  emphasis: '_',
  strong: '*',
  rule: '-',
  listItemIndent: 'one',
} as const;

/** The document, with one line end at its end. */
export function toMarkdown(children: readonly RootContent[]): string {
  return remark()
    .use(remarkGfm)
    .use({
      settings: {
        ...OPTIONS,
        handlers: {
          // We give no link a title.
          link(node: Link, _parent, state, info) {
            if (isBare(node)) return `<${node.url}>`;
            const leave = [state.enter('link'), state.enter('label')];
            const words = state.containerPhrasing(node, { ...info, before: '[', after: '](' });
            for (const step of leave.reverse()) step();
            return `[${words}](${toDestination(node.url)})`;
          },
        },
      },
    })
    .stringify({ type: 'root', children: [...children] });
}
