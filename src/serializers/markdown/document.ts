// Markdown documents: serializes mdast (the syntax tree of Markdown) to text, escaped for
// GitHub-flavored Markdown, and adds the header and footer that all documents share. Each page has
// a document, at its address plus `.md`.
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

/** Style of the output (mdast-util-to-markdown). */
const STYLE_OPTIONS = {
  bullet: '-',
  emphasis: '_',
  strong: '*',
  rule: '-',
  listItemIndent: 'one',
} as const;

/** Serializes blocks to Markdown that ends with a line end. */
export const toMarkdown = (blocks: readonly MarkdownBlock[]): string =>
  SERIALIZER.stringify({ type: 'root', children: flattenBlocks(blocks) });

/** HTML elements by node type; headings and links have code of their own. */
const HTML_TAGS: Readonly<Partial<Record<Nodes['type'], string>>> = {
  ...{ paragraph: 'p', list: 'ul', listItem: 'li', strong: 'strong' },
};

/** Renders simple HTML for email, without attributes except link addresses. */
export const toHtml = (blocks: readonly MarkdownBlock[]): string =>
  flattenBlocks(blocks).map(renderElement).join('\n');

/** Renders a node with its children; a node of another type renders only its children. */
function renderElement(node: Nodes): string {
  if ('value' in node) return escapeXml(node.value);
  if (!('children' in node)) return node.type === 'break' ? '<br>' : '<hr>';
  const inner_html = node.children.map(renderElement).join('');
  if (node.type === 'link') return `<a href="${escapeXml(node.url)}">${inner_html}</a>`;
  const tag = node.type === 'heading' ? `h${node.depth}` : HTML_TAGS[node.type];
  return tag === undefined ? inner_html : `<${tag}>${inner_html}</${tag}>`;
}

/**
 * Cache of serialized paragraphs and headings. Lists of adjacent days and minutes share most of
 * them, and serializing is the main cost of a long document.
 */
const serialized_nodes = new LRUCache<string, string>({ max: 16_384 });

/** Caches a handler's output by its node, the type of the parent, and the adjacent characters. */
const cacheOutput =
  (serialize: Handle): Handle =>
  (node: Heading | Paragraph, parent, state, info) => {
    const surroundings = `${parent?.type} ${info.before}${info.after}`;
    const key = surroundings + JSON.stringify(node);
    const output = serialized_nodes.get(key) ?? serialize(node, parent, state, info);
    serialized_nodes.set(key, output);
    return output;
  };

const SERIALIZER = remark()
  .use(remarkGfm)
  .use({
    settings: {
      ...STYLE_OPTIONS,
      handlers: {
        paragraph: cacheOutput(defaultHandlers.paragraph),
        heading: cacheOutput(defaultHandlers.heading),
        text: (node: Text, _parent, state, info) =>
          PLAIN_TEXT_PATTERN.test(node.value)
            ? node.value
            : escapeChatMarkers(state.safe(node.value, info), true),
        // Our links have no titles.
        link(node: Link, _parent, state, info) {
          if (isAutolink(node)) return `<${node.url}>`;
          const exits = [state.enter('link'), state.enter('label')];
          const label = state.containerPhrasing(node, { ...info, before: '[', after: '](' });
          for (const exit of exits.reverse()) exit();
          return `[${label}](${escapeDestination(node.url)})`;
        },
      },
    },
  })
  .freeze();

/**
 * Matches text that cannot be read as markup in any context. Most texts match, and the full check
 * costs more than the rest of a document.
 */
const PLAIN_TEXT_PATTERN =
  /^(?:\p{L}|\d+(?![\d.)]))(?:[\p{L}\p{N} ,;–—·’“”…¿¡?$%/"'()-]|(?<![wW])\.|(?<![pPsS]):|!(?!\[|$))*(?<! )$/u;

/** An absolute URL that is valid between angle brackets (CommonMark 6.5). */
const AUTOLINK_PATTERN = /^[a-z][a-z\d+.-]{1,31}:[^\p{Cc} <>]*$/iu;

/** Returns true if the label of a link is its URL, so that `<https://…>` is enough. */
const isAutolink = ({ url, children: [label, second_child] }: Link): boolean =>
  second_child === undefined &&
  label?.type === 'text' &&
  label.value === url &&
  AUTOLINK_PATTERN.test(url);

/**
 * Escapes a link destination (CommonMark 6.3): parentheses, backslashes, and only those ampersands
 * that start an entity. The default serializer escapes each `&` before a letter, which is valid but
 * breaks the URL for simple parsers.
 */
const escapeDestination = (url: string): string =>
  url.replace(/[\p{Cc} <>]/gu, encodeURIComponent).replace(/[\\()]|&(?=#?\w+;)/g, '\\$&');

/** The header of a document, from the page's definition and for the document alone. */
export interface DocumentHead {
  readonly lang: Lang;
  readonly site: Site;
  readonly title: string;
  /** Page paths by language; null if the document has no page. */
  readonly paths: LocalText | null;
  /** Query string of the page in each language, with its question mark; omitted without filters. */
  readonly query?: LocalText;
  /** Introduction; by default, it says that times are local. */
  readonly about?: string;
  /** Terms of use; by default, the terms for a single record. */
  readonly terms?: 'md.terms' | 'md.terms_notices' | 'openapi.license';
}

/** Renders a document with its header and footer. */
export const renderDocument = (head: DocumentHead, ...body: readonly MarkdownBlock[]): string =>
  toMarkdown([renderHeader(head), body, renderFooter(head)]);

/**
 * Renders the title and a quote with the introduction, the terms, how to publish, the canonical
 * page and the document in other languages.
 */
function renderHeader({
  lang,
  site,
  title,
  paths,
  query,
  about,
  terms,
}: DocumentHead): MarkdownBlock {
  const urlInLang = (path: string, url_lang: Lang): string =>
    absoluteUrl(site.url, path + (query?.[url_lang] ?? ''));
  const submission_form_url = absoluteUrl(site.url, pagePath('submit', lang));
  const links = [
    paths && labeled(t(lang, 'label.page'), link(urlInLang(paths[lang], lang))),
    ...LANGS.filter((other_lang) => other_lang !== lang).map(
      (other_lang) =>
        paths &&
        link(
          urlInLang(markdownPath(paths[other_lang]), other_lang),
          t(other_lang, 'md.in_this_language'),
        ),
    ),
    link(absoluteUrl(site.url, LLMS_PATH), t(lang, 'md.index')),
  ];
  return [
    heading(1, title),
    quote(
      about ?? t(lang, 'md.about_thing', { zone: t(lang, 'time.zone') }),
      t(lang, terms ?? 'md.terms_thing', { name: site.name }),
      [`${t(lang, 'md.publish')} `, link(submission_form_url)],
      joinInline(links),
    ),
  ];
}

/**
 * Renders how to get other days, filters and a search, so that an agent can reach any document from
 * this one (contract 3.6). At most 80 tokens, because every document has it.
 */
const renderFooter = ({ lang, site }: Pick<DocumentHead, 'lang' | 'site'>): Paragraph =>
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

/** Renders the link to the form that corrects a record. */
export const correctionLink = (
  kind: CorrectableKind,
  id: string,
  { lang, site }: DocumentHead,
): Paragraph =>
  paragraph(
    link(absoluteUrl(site.url, correctionFormPath(kind, id, lang)), t(lang, 'correct.link')),
  );

/** Renders the facts of a record as a list, one item per line of a fact. */
export const renderFacts = (facts: readonly RecordFact[]): List =>
  list(
    facts.flatMap(({ label, lines }) => lines.map((line) => labeled(label, renderFactLine(line)))),
  );

/** Renders a fact line, with links for parts that have a URL, except phone numbers. */
export const renderFactLine = (line: readonly FactPart[]): Inline =>
  joinInline(
    line.map(({ text, url }) =>
      url === undefined || url.startsWith('tel:') ? text : link(url, text),
    ),
  );

/** Renders the document of an error page; `offline` is shown by the service worker. */
export const renderFailure = (
  failure: 'not_found' | 'gone' | 'broken' | 'offline',
  lang: Lang,
  site: Site,
): string =>
  toMarkdown([
    heading(1, t(lang, `failure.${failure}.title`)),
    t(lang, `failure.${failure}.text`),
    list(
      ERROR_PAGE_KEYWORDS.map((page) =>
        link(absoluteUrl(site.url, markdownPath(pagePath(page, lang))), t(lang, `failure.${page}`)),
      ),
    ),
  ]);

/**
 * Renders the error for a query with an invalid parameter (contract 3.7).
 * @param problem The API's error message.
 * @param names The valid parameters.
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
    renderFooter({ lang, site }),
  ]);

/** The title of a document, and the start of the quote below it. */
const TITLE_PATTERN = /^# .*\n\n/;
const QUOTE_PREFIX = '> ';

/**
 * Adds the times of the response and of the data as the first line of the quote, or below the
 * title. It is added to the finished text, so that the rendered document does not change from one
 * release to the next.
 */
export function withGeneratedLine(
  document: string,
  now_ms: number,
  generated_at: string,
  lang: Lang,
): string {
  const times_text = formatGeneratedLine(now_ms, generated_at, lang);
  // The town's name may have Markdown characters.
  const line = /[\\`*_[\]<>&~|]/.test(times_text)
    ? toMarkdown([paragraph(times_text)]).trimEnd()
    : times_text;
  const [title = ''] = TITLE_PATTERN.exec(document) ?? [];
  const rest = document.slice(title.length);
  return rest.startsWith(QUOTE_PREFIX)
    ? `${title}${QUOTE_PREFIX}${line}\n>\n${rest}`
    : `${title}${line}\n\n${rest}`;
}
