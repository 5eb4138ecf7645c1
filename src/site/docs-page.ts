// The pages of the docs in one language: the reference, made from the very description that programs read,
// and the guides beside it: errors, calendars, agents, what changed, how the service is.
import type { ListItem, PhrasingContent, RootContent } from 'mdast';
import { type DocsName, type DocsSection, fillPlaceholders } from '../domain/docs-pages.ts';
import type { Lang } from '../domain/lang.ts';
import {
  DOCS_PAGES,
  type DocsPage,
  PAGE_PATHS,
  absoluteUrl,
  errorDocsPath,
  markdownPath,
  pagePath,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { parseSections, parseSentence, docsPlaceholders } from '../serializers/docs-chapters.ts';
import { renderDocument } from '../serializers/markdown/document.ts';
import {
  type MarkdownBlock,
  code,
  heading,
  inlineCode,
  link,
  list,
  paragraph,
  section,
  type Inline,
} from '../serializers/markdown/nodes.ts';
import { type GuideOperation, buildApiGuide } from '../serializers/openapi/api-guide.ts';
import { findApiExamples } from '../snapshot/list-records.ts';
import type { LinkNav, NavLink } from './directory-page.ts';
import {
  definePage,
  listPagePaths,
  type LoadedPage,
  type PageRequest,
  routesOf,
} from './page-definition.ts';
import { buildPageMeta } from './page-meta.ts';
import type { PageContext } from './page-context.ts';
import { pageResult } from './visitor-request.ts';

interface DocsRequest extends PageRequest {
  readonly page: DocsPage;
}

/** The file that each page shows; that of the reference has its chapters. */
const FILES = {
  docs: 'api',
  docs_agents: 'agents',
  docs_calendars: 'calendars',
  docs_errors: 'errors',
  docs_changelog: 'changelog',
  docs_status: 'status',
} as const satisfies Record<DocsPage, DocsName>;

export function loadDocsSections(
  { snapshot, site, now_ms, readHealth }: PageContext,
  page: DocsPage,
  lang: Lang,
): readonly DocsSection[] {
  const { taxonomy, docs } = snapshot;
  const examples = findApiExamples(snapshot, now_ms);
  const facts = { taxonomy, site, examples, health: readHealth?.() ?? null, now_ms };
  const text = docs.get(FILES[page])?.[lang] ?? '';
  return parseSections(fillPlaceholders(text, docsPlaceholders(facts, lang)));
}

export function loadDocsPage(state: PageContext, { page, lang }: DocsRequest) {
  const { site, snapshot, now_ms } = state;
  const chapters = loadDocsSections(state, page, lang);
  const reference =
    page === 'docs' ? buildApiGuide(site, findApiExamples(snapshot, now_ms), chapters, lang) : null;
  const meta = buildPageMeta(
    state,
    lang,
    PAGE_PATHS[page],
    page === 'docs'
      ? { title: t(lang, 'docs.title'), description: t(lang, 'docs.description'), entry: page }
      : { title: t(lang, `guides.${page}`), description: t(lang, `guides.${page}.about`) },
  );
  const sections = reference?.sections ?? chapters;
  const operations = reference?.operations ?? [];
  const guides = {
    id: 'guides',
    title: t(lang, 'guides'),
    links: [
      ...DOCS_PAGES.filter((other) => other !== page).map((other) => ({
        label: t(lang, `guides.${other}`),
        path: pagePath(other, lang),
      })),
      ...(['data', 'embed'] as const).map((other) => ({
        label: t(lang, `footer.${other}`),
        path: pagePath(other, lang),
      })),
    ],
  };
  const headings = [
    ...operations.map(({ id }): NavLink => ({ label: id, path: `#${id}`, is_code: true })),
    ...sections.map(({ id, title }): NavLink => ({ label: title, path: `#${id}` })),
  ];
  const contents: readonly (LinkNav & { readonly id: string })[] =
    headings.length > 3
      ? [{ id: 'contents', title: t(lang, 'docs.contents'), links: headings }]
      : [];
  return pageResult({
    meta,
    tally: reference?.about ?? meta.description,
    start: reference && {
      base_url: reference.base_url,
      first: operations[0]?.samples[0]?.source,
      machine: reference.machine,
    },
    navs: reference ? [guides, ...contents] : contents,
    operations: operations.map((operation) => printOperation(operation, lang)),
    sections: sections.map(printSection),
    last_navs: reference ? [] : [guides],
    guides,
  });
}

export type DocsView = LoadedPage<typeof loadDocsPage>;

export type OperationView = ReturnType<typeof printOperation>;

function printOperation(operation: GuideOperation, lang: Lang) {
  const { id, parameters, samples, address, errors } = operation;
  const { pathname, search, searchParams } = new URL(address);
  const [first, ...others] = samples;
  return {
    ...operation,
    first,
    others,
    pathname,
    /** Null where there is nothing of its kind. */
    open_path: address.includes('{') ? null : pathname + search,
    /** The form that asks it; what stands in the path is asked as it is in the example. */
    asks: parameters
      .filter(({ in_path }) => !in_path)
      .map(({ name, example, choices }) => ({
        name,
        choices,
        field: `${id}-${name}`,
        value: searchParams.get(name),
        hint: searchParams.has(name) ? undefined : example,
      })),
    errors: errors.map((error) => ({ ...error, path: errorDocsPath(error.code, lang) })),
  };
}

export type DocsSectionView = ReturnType<typeof printSection>;

/** A chapter as blocks: sentences, lists, labels with what is so, lines to copy. */
const printSection = (section: DocsSection) => ({
  ...section,
  blocks: section.body.flatMap((node, at) => printBlock(node, section.body[at + 1])),
});

type Phrase = readonly PhrasingContent[];
type SectionBlock =
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'text'; readonly words: Phrase; readonly is_lead: boolean }
  | { readonly kind: 'rows'; readonly rows: readonly NonNullable<ReturnType<typeof printRow>>[] }
  | { readonly kind: 'list'; readonly is_ordered: boolean; readonly items: readonly Phrase[] };

function printBlock(node: RootContent, next: RootContent | undefined): readonly SectionBlock[] {
  if (node.type === 'code') return [{ kind: 'code', text: node.value }];
  if (node.type === 'paragraph')
    return [{ kind: 'text', words: node.children, is_lead: next?.type === 'code' }];
  if (node.type !== 'list') return [];
  const rows = node.children.map(printRow);
  const found = rows.filter((row) => row !== null);
  if (found.length > 0 && found.length === rows.length) return [{ kind: 'rows', rows: found }];
  const items = node.children.map(wordsOf);
  return [{ kind: 'list', is_ordered: node.ordered === true, items }];
}

const wordsOf = ({ children: [first] }: ListItem): Phrase =>
  first?.type === 'paragraph' ? first.children : [];

/** `**Label:** words`; null for any other item. */
function printRow(item: ListItem) {
  const [label, gap, ...rest] = wordsOf(item);
  const [text] = label?.type === 'strong' ? label.children : [];
  if (text?.type !== 'text' || !text.value.endsWith(':') || gap?.type !== 'text') return null;
  const words: Phrase = [{ ...gap, value: gap.value.trimStart() }, ...rest];
  const [only] = rest;
  const is_code = gap.value === ' ' && rest.length === 1 && only?.type === 'inlineCode';
  // What is to be copied whole: an address, or an element.
  const copy = is_code && /^(https?:|<)/.test(only.value) ? only.value : null;
  return { label: text.value.slice(0, -1), words, copy };
}

// As Markdown its length is bounded (contract 8.35): each parameter is explained once, and one operation shows how
// all are asked.

const FENCES = { curl: 'sh', JavaScript: 'js', Python: 'python' } as const;

const toNames = (label: string, names: readonly string[]): Inline =>
  names.length === 0 ? null : [` ${label}: `, inlineCode(names.join(', ')), '.'];

/** What has all fields of another operation but so many names only the others. */
const FEW = 2;

/** `told`: the operations before it. */
function toFields({ fields }: GuideOperation, told: readonly GuideOperation[], lang: Lang): Inline {
  for (const { id, fields: known } of told) {
    const missing = known.filter((field) => !fields.includes(field));
    if (known.length === 0 || missing.length === 0 || missing.length > FEW) continue;
    const others = fields.filter((field) => !known.includes(field));
    const parts = { operation: id, missing: missing.join(', '), others: others.join(', ') };
    return [' ', parseSentence(t(lang, 'docs.fields.more', parts))];
  }
  return toNames(t(lang, 'docs.fields'), fields);
}

function renderOperation(
  operation: GuideOperation,
  told: readonly GuideOperation[],
  lang: Lang,
): MarkdownBlock {
  const { id, path, summary, description, parameters } = operation;
  const names = parameters.map(({ name }) => name);
  return [
    heading(3, summary),
    paragraph(
      inlineCode(`GET ${path}`),
      ` (${id}). `,
      description,
      toNames(t(lang, 'docs.parameters'), names),
      toFields(operation, told, lang),
    ),
  ];
}

/** Every rule with its name; with the operations that it is of where they do not all say the same. */
function renderParameters(operations: readonly GuideOperation[]): MarkdownBlock {
  const all = operations.flatMap(({ id, parameters }) =>
    parameters.map(({ name, rule }) => ({ id, name, rule, text: JSON.stringify(rule) })),
  );
  const rules = Map.groupBy(all, ({ name, text }) => `${name} ${text}`);
  const names = Map.groupBy(rules.values(), ([first]) => first?.name ?? '');
  return list(
    [...rules.values()].map((same) => {
      const [first] = same;
      if (first === undefined) return null;
      const is_one = names.get(first.name)?.length === 1;
      const of = is_one ? '' : ` (${same.map(({ id }) => id).join(', ')})`;
      return [inlineCode(first.name), `${of}: `, first.rule];
    }),
  );
}

export function renderDocsMarkdown({
  meta,
  tally,
  start,
  operations,
  sections,
  guides,
}: DocsView): string {
  const { lang, site, title, description } = meta;
  const about = start ? t(lang, 'md.about_docs') : description;
  const others = guides.links.map(({ path, label }) =>
    link(absoluteUrl(site.url, markdownPath(path)), label),
  );
  return renderDocument(
    { ...meta, title: `${site.name}: ${title}`, about },
    start && [
      paragraph(parseSentence(tally)),
      paragraph(`${t(lang, 'docs.start.base')}: `, inlineCode(start.base_url)),
      operations[0]?.samples.map(({ label, source }) => code(FENCES[label], source)),
      paragraph(start.machine),
      section(
        t(lang, 'docs.operations'),
        operations.map((operation, at) =>
          renderOperation(operation, operations.slice(0, at), lang),
        ),
      ),
      section(t(lang, 'docs.parameters'), renderParameters(operations)),
    ],
    sections.map(({ title: chapter, body }) => [heading(2, chapter), body]),
    section(guides.title, list(others)),
  );
}

export const docsPage = definePage({
  name: 'docs',
  routes: DOCS_PAGES.flatMap((page) => routesOf(PAGE_PATHS[page], (lang) => ({ lang, page }))),
  load: loadDocsPage,
  toMarkdown: renderDocsMarkdown,
  isOfMinute: ({ page }) => page === 'docs_status',
  // How the service is only a server knows.
  listBuilt: () => DOCS_PAGES.filter((page) => page !== 'docs_status').flatMap(listPagePaths),
});
