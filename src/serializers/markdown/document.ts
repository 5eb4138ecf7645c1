// A Markdown document: how mdast becomes text (GitHub-flavoured: what is text stays text, also for readers
// that know GFM), and what each document begins and ends with.
import { LRUCache } from 'lru-cache';
import type { Heading, Link, List, Nodes, Paragraph, Text } from 'mdast';
import { defaultHandlers, type Handle } from 'mdast-util-to-markdown';
import { remark } from 'remark';
import remarkGfm from 'remark-gfm';
import { TOWN } from '../../town.ts';
import { ERROR_PAGE_KEYWORDS } from '../../domain/date-keywords.ts';
import type { CorrectableKind } from '../../domain/correction.ts';
import { type Lang, LANGS, type LocalText } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { formatGeneratedLine } from '../../i18n/format-dates.ts';
import {
  LLMS_PATH,
  absoluteUrl,
  correctionFormPath,
  dayPath,
  markdownPath,
  pagePath,
} from '../../i18n/paths.ts';
import type { FactPart, RecordFact } from '../../i18n/record-facts.ts';
import { t } from '../../i18n/translate.ts';
import { escapeChatMarkers, escapeXml } from '../sanitize-text.ts';
import {
  type MarkdownBlock,
  heading,
  inlineCode,
  joinInline,
  labeled,
  link,
  list,
  flattenBlocks,
  paragraph,
  quote,
  type Inline,
} from './nodes.ts';

const OPTIONS = {
  bullet: '-',
  emphasis: '_',
  strong: '*',
  rule: '-',
  listItemIndent: 'one',
} as const;

export const toMarkdown = (blocks: readonly MarkdownBlock[]): string =>
  WRITER.stringify({ type: 'root', children: flattenBlocks(blocks) });

const TAGS: Readonly<Partial<Record<Nodes['type'], string>>> = {
  ...{ paragraph: 'p', list: 'ul', listItem: 'li', strong: 'strong' },
};

/** As simple HTML, for mail: no attributes but those of links. */
export const toHtml = (blocks: readonly MarkdownBlock[]): string =>
  flattenBlocks(blocks).map(toElement).join('\n');

function toElement(node: Nodes): string {
  if ('value' in node) return escapeXml(node.value);
  if (!('children' in node)) return node.type === 'break' ? '<br>' : '<hr>';
  const inner = node.children.map(toElement).join('');
  if (node.type === 'link') return `<a href="${escapeXml(node.url)}">${inner}</a>`;
  const tag = node.type === 'heading' ? `h${node.depth}` : TAGS[node.type];
  return tag === undefined ? inner : `<${tag}>${inner}</${tag}>`;
}

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
            : escapeChatMarkers(state.safe(node.value, info), true),
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

/** What a page says of itself (site/page.ts), and what only its document does. */
export interface DocumentHead {
  readonly lang: Lang;
  readonly site: Site;
  readonly title: string;
  readonly paths: LocalText | null;
  /** What stands behind it in each language, with its question mark. */
  readonly query?: LocalText;
  /** How to read it; else that times are the town's. */
  readonly about?: string;
  /** On what terms; else those of one thing. */
  readonly terms?: 'md.terms' | 'md.terms_notices' | 'openapi.license';
}

/** A document of ours: its opening, what it says, and how to go on from it. */
export const renderDocument = (head: DocumentHead, ...body: readonly MarkdownBlock[]): string =>
  toMarkdown([renderOpening(head), body, renderFoot(head)]);

/**
 * A level 1 heading and a quote with what, terms, how to publish, canonical page and this document in
 * the other languages.
 */
function renderOpening({
  lang,
  site,
  title,
  paths,
  query,
  about,
  terms,
}: DocumentHead): MarkdownBlock {
  const toUrl = (path: string, each: Lang): string =>
    absoluteUrl(site.url, path + (query?.[each] ?? ''));
  const form = absoluteUrl(site.url, pagePath('submit', lang));
  const places = [
    paths && labeled(t(lang, 'label.page'), link(toUrl(paths[lang], lang))),
    ...LANGS.filter((other) => other !== lang).map(
      (other) =>
        paths && link(toUrl(markdownPath(paths[other]), other), t(other, 'md.in_this_language')),
    ),
    link(absoluteUrl(site.url, LLMS_PATH), t(lang, 'md.index')),
  ];
  return [
    heading(1, title),
    quote(
      about ?? t(lang, 'md.about_thing', { zone: t(lang, 'time.zone') }),
      t(lang, terms ?? 'md.terms_thing', { name: site.name }),
      [`${t(lang, 'md.publish')} `, link(form)],
      joinInline(places),
    ),
  ];
}

/**
 * How to get another day, a filter, a search and all the rest, so that a reader of one document can ask for any
 * other (contract 3.6). It stands under each, so it is at most 80 tokens.
 */
const renderFoot = ({ lang, site }: Pick<DocumentHead, 'lang' | 'site'>): Paragraph =>
  paragraph(
    `${t(lang, 'md.foot.day')} `,
    inlineCode(markdownPath(dayPath(t(lang, 'md.foot.date'), lang))),
    ` · ${t(lang, 'md.foot.filters')} `,
    inlineCode(`?zone=${TOWN.examples.zone}&category=…&free=1&family=1`),
    ' · ',
    link(absoluteUrl(site.url, markdownPath(pagePath('search', lang))), t(lang, 'md.foot.search')),
    ' ',
    inlineCode('?q=…&date=tonight'),
  );

export const correctionLink = (
  kind: CorrectableKind,
  id: string,
  { lang, site }: DocumentHead,
): Paragraph =>
  paragraph(
    link(absoluteUrl(site.url, correctionFormPath(kind, id, lang)), t(lang, 'correct.link')),
  );

export const renderFacts = (facts: readonly RecordFact[]): List =>
  list(
    facts.flatMap(({ label, lines }) => lines.map((line) => labeled(label, renderFactLine(line)))),
  );

/** The words of a line, as links where they lead to a page. */
export const renderFactLine = (line: readonly FactPart[]): Inline =>
  joinInline(
    line.map(({ text, url }) =>
      url === undefined || url.startsWith('tel:') ? text : link(url, text),
    ),
  );

/** In place of the document of a page that is not there: the same as the page of the failure. */
export const renderFailure = (
  failure: 'not_found' | 'gone' | 'broken' | 'offline',
  lang: Lang,
  site: Site,
): string =>
  toMarkdown([
    heading(1, t(lang, `failure.${failure}.title`)),
    t(lang, `failure.${failure}.text`),
    list(
      ERROR_PAGE_KEYWORDS.map((word) =>
        link(absoluteUrl(site.url, markdownPath(pagePath(word, lang))), t(lang, `failure.${word}`)),
      ),
    ),
  ]);

/**
 * To a query with a parameter that is not taken: the `problem` in the API's words, the `names` that are
 * (contract 3.7).
 */
export const renderInvalidQuery = (
  problem: string,
  names: readonly string[],
  lang: Lang,
  site: Site,
): string =>
  toMarkdown([
    heading(1, t(lang, 'md.refused.title')),
    problem,
    names.length === 0
      ? t(lang, 'md.refused.none')
      : paragraph(`${t(lang, 'md.refused.taken')} `, joinInline(names.map(inlineCode), ', ')),
    paragraph(`${t(lang, 'md.refused.more')} `, link(absoluteUrl(site.url, LLMS_PATH))),
    renderFoot({ lang, site }),
  ]);

/** The title that a document begins with, and the quote below it that says what it is. */
const TITLE = /^# .*\n\n/;
const QUOTE = '> ';

/**
 * The document with when it is given and of when its data is as the first line of its quote, below its title where
 * it has none. Put into the finished text, so that what a release holds says the same from one to the next.
 */
export function withGeneratedLine(
  document: string,
  now_ms: number,
  generated_at: string,
  lang: Lang,
): string {
  const text = formatGeneratedLine(now_ms, generated_at, lang);
  // The name of a town may be anything.
  const line = /[\\`*_[\]<>&~|]/.test(text) ? toMarkdown([paragraph(text)]).trimEnd() : text;
  const [title = ''] = TITLE.exec(document) ?? [];
  const rest = document.slice(title.length);
  return rest.startsWith(QUOTE)
    ? `${title}${QUOTE}${line}\n>\n${rest}`
    : `${title}${line}\n\n${rest}`;
}
