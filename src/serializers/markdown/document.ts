// A Markdown document: how each begins, and how an mdast tree is written (GitHub-flavoured: what is
// text stays text, also for readers that know GFM).
import { LRUCache } from 'lru-cache';
import type { Heading, Link, Paragraph, RootContent, Text } from 'mdast';
import { defaultHandlers, type Handle } from 'mdast-util-to-markdown';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { type Lang, LANGS, type LocalText } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { LLMS_PATH, toAbsolute, toMarkdownPath, toPagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { breakChatMarks } from '../chat-marks.ts';
import { toFoot } from './foot.ts';
import { heading, labelled, link, paragraph, plain, quote, text } from './nodes.ts';

const OPTIONS = {
  bullet: '-',
  emphasis: '_',
  strong: '*',
  rule: '-',
  listItemIndent: 'one',
} as const;

/** The document, with one line end at its end. */
export const toMarkdown = (children: readonly RootContent[]): string =>
  WRITER.stringify({ type: 'root', children: [...children] });

/**
 * Paragraphs and headings as they were written: lists of neighbouring days, and of one day by the minute,
 * say most of the same, and writing is what a long one costs.
 */
const written = new LRUCache<string, string>({ max: 16_384 });

/** Writes by what stands there and around it, the same only once. */
const remember =
  (write: Handle): Handle =>
  (node: Heading | Paragraph, parent, state, info) => {
    const around = `${parent?.type} ${info.before}${info.after}`;
    const key = around + JSON.stringify(node);
    const known = written.get(key) ?? write(node, parent, state, info);
    written.set(key, known);
    return known;
  };

const WRITER = remark()
  .use(remarkGfm)
  .use({
    settings: {
      ...OPTIONS,
      handlers: {
        paragraph: remember(defaultHandlers.paragraph),
        heading: remember(defaultHandlers.heading),
        text: (node: Text, _parent, state, info) =>
          HARMLESS.test(node.value)
            ? node.value
            : breakChatMarks(state.safe(node.value, info), true),
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
  .freeze();

/**
 * A text in which nothing can be read as markup, whatever stands around it: most are such, and
 * looking for all that could be costs more than the rest of a document.
 */
const HARMLESS =
  /^(?:\p{L}|\d+(?![\d.)]))(?:[\p{L}\p{N} ,;–—·’“”…¿¡?$%/"'()-]|(?<![wW])\.|(?<![pPsS]):|!(?!\[|$))*(?<! )$/u;

/** An absolute address that may stand between angle brackets (CommonMark 6.5). */
const AUTOLINK = /^[a-z][a-z\d+.-]{1,31}:[^\p{Cc} <>]*$/iu;

/** Whether the words of a link are its address, so that `<https://…>` says both. */
const isBare = ({ url, children: [first, second] }: Link): boolean =>
  second === undefined && first?.type === 'text' && first.value === url && AUTOLINK.test(url);

/**
 * A destination in round brackets (CommonMark 6.3): brackets and backslashes escaped, and of
 * ampersands only one that begins what reads as an entity. The serializer by itself escapes each
 * `&` before a letter: valid, but a broken address to plain readers.
 */
const toDestination = (url: string): string =>
  url.replace(/[\p{Cc} <>]/gu, encodeURIComponent).replace(/[\\()]|&(?=#?\w+;)/g, '\\$&');

export interface Opening {
  readonly title: string;
  readonly about: string;
  readonly terms: string;
  /** The page's path in each language. */
  readonly path: LocalText;
  /** What stands behind it in each language, with its question mark; nothing where left out. */
  readonly query?: LocalText;
}

/** A document of ours: its opening, what it says, and how to go on from it. */
export const toDocument = (
  opening: Opening,
  body: readonly RootContent[],
  lang: Lang,
  site: Site,
): string => toMarkdown([...toOpening(opening, lang, site), ...body, toFoot(lang, site)]);

/**
 * A level 1 heading and a quote with what, terms, how to publish, canonical page and this document in
 * the other languages.
 */
function toOpening(opening: Opening, lang: Lang, site: Site): RootContent[] {
  const page = toAbsolute(site.url, opening.path[lang] + (opening.query?.[lang] ?? ''));
  const places = paragraph(
    ...labelled(t(lang, 'label.page'), link(page, page)),
    ...LANGS.filter((other) => other !== lang).flatMap((other) => [
      text(' · '),
      link(
        toAbsolute(site.url, toMarkdownPath(opening.path[other]) + (opening.query?.[other] ?? '')),
        t(other, 'md.in_this_language'),
      ),
    ]),
    text(' · '),
    link(toAbsolute(site.url, LLMS_PATH), t(lang, 'md.index')),
  );
  const form = toAbsolute(site.url, toPagePath('submit', lang));
  const publish = paragraph(text(`${t(lang, 'md.publish')} `), link(form, form));
  return [
    heading(1, plain(opening.title)),
    quote(paragraph(plain(opening.about)), paragraph(plain(opening.terms)), publish, places),
  ];
}
