// Docs pages: build the API reference from the OpenAPI document, and the guides on errors,
// calendars, agents, changes and service status.
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
import {
  parseSections,
  parseInlineMarkdown,
  docsPlaceholders,
} from '../serializers/docs-chapters.ts';
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

/** Content file of each page. The reference adds the operations to its file's chapters. */
const FILES = {
  docs: 'api',
  docs_agents: 'agents',
  docs_calendars: 'calendars',
  docs_errors: 'errors',
  docs_changelog: 'changelog',
  docs_status: 'status',
} as const satisfies Record<DocsPage, DocsName>;

/**
 * Loads the chapters of a docs page from its content file, with its placeholders filled in: names
 * and limits of this site, and the health of the service.
 */
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

/** Loads a docs page. The page `docs` is the API reference; the others are guides. */
export function loadDocsPage(context: PageContext, { page, lang }: DocsRequest) {
  const { site, snapshot, now_ms } = context;
  const chapters = loadDocsSections(context, page, lang);
  const reference =
    page === 'docs' ? buildApiGuide(site, findApiExamples(snapshot, now_ms), chapters, lang) : null;
  const meta = buildPageMeta(
    context,
    lang,
    PAGE_PATHS[page],
    page === 'docs'
      ? { title: t(lang, 'docs.title'), description: t(lang, 'docs.description'), entry: page }
      : { title: t(lang, `guides.${page}`), description: t(lang, `guides.${page}.about`) },
  );
  const sections = reference?.sections ?? chapters;
  const operations = reference?.operations ?? [];
  const guides = buildGuidesNav(page, lang);
  const contents = buildContentsNavs(operations, sections, lang);
  return pageResult({
    meta,
    /** Line below the title. */
    tally: reference?.about ?? meta.description,
    /** First steps, on the reference only. `machine` says where programs find the documents. */
    start: reference && {
      base_url: reference.base_url,
      first_request: operations[0]?.samples[0]?.source,
      machine: reference.machine,
    },
    /**
     * Links before the sections: on the reference to the guides too, which other pages have at the
     * end.
     */
    navs: reference ? [guides, ...contents] : contents,
    operations: operations.map((operation) => buildOperationView(operation, lang)),
    sections: sections.map(buildSectionView),
    last_navs: reference ? [] : [guides],
    guides,
  });
}

export type DocsView = LoadedPage<typeof loadDocsPage>;

const buildGuidesNav = (page: DocsPage, lang: Lang) => ({
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
});

/** Pages with at most this many headings have no table of contents. */
const MAX_HEADINGS_WITHOUT_CONTENTS = 3;

/** Builds the table of contents, as a list of one block; empty for a short page. */
function buildContentsNavs(
  operations: readonly GuideOperation[],
  sections: readonly DocsSection[],
  lang: Lang,
): readonly (LinkNav & { readonly id: string })[] {
  const links = [
    ...operations.map(({ id }): NavLink => ({ label: id, path: `#${id}`, is_code: true })),
    ...sections.map(({ id, title }): NavLink => ({ label: title, path: `#${id}` })),
  ];
  return links.length > MAX_HEADINGS_WITHOUT_CONTENTS
    ? [{ id: 'contents', title: t(lang, 'docs.contents'), links }]
    : [];
}

/** An operation of the API in the reference. */
export type OperationView = ReturnType<typeof buildOperationView>;

/** Builds an operation: samples, the example's address, the form to try it, and its errors. */
function buildOperationView(operation: GuideOperation, lang: Lang) {
  const { id, parameters, samples, address, errors } = operation;
  const { pathname, search, searchParams } = new URL(address);
  const [first_sample, ...other_samples] = samples;
  return {
    ...operation,
    first_sample,
    other_samples,
    pathname,
    /** Null if the example address still has a placeholder. */
    open_path: address.includes('{') ? null : pathname + search,
    /** Fields of the form to try the operation. Path parameters are fixed to the example. */
    try_fields: parameters
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

/** A chapter of a docs page. */
export type DocsSectionView = ReturnType<typeof buildSectionView>;

/** Builds a chapter as blocks: paragraphs, lists, labeled rows and code. */
const buildSectionView = (section: DocsSection) => ({
  ...section,
  blocks: section.body.flatMap((node, index) => buildBlocks(node, section.body[index + 1])),
});

/** Inline Markdown. */
type Phrase = readonly PhrasingContent[];
/** A block of a chapter. `is_lead`: the paragraph introduces the code after it. */
type SectionBlock =
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'text'; readonly words: Phrase; readonly is_lead: boolean }
  | { readonly kind: 'rows'; readonly rows: readonly NonNullable<ReturnType<typeof parseRow>>[] }
  | { readonly kind: 'list'; readonly is_ordered: boolean; readonly items: readonly Phrase[] };

/** Builds the blocks of a Markdown node; a list whose items all have a label becomes rows. */
function buildBlocks(
  node: RootContent,
  next_node: RootContent | undefined,
): readonly SectionBlock[] {
  if (node.type === 'code') return [{ kind: 'code', text: node.value }];
  if (node.type === 'paragraph')
    return [{ kind: 'text', words: node.children, is_lead: next_node?.type === 'code' }];
  if (node.type !== 'list') return [];
  const parsed_rows = node.children.map(parseRow);
  const rows = parsed_rows.filter((row) => row !== null);
  if (rows.length > 0 && rows.length === parsed_rows.length) return [{ kind: 'rows', rows }];
  const items = node.children.map(phraseOf);
  return [{ kind: 'list', is_ordered: node.ordered === true, items }];
}

/** Returns the inline content of a list item; empty if it does not begin with a paragraph. */
const phraseOf = ({ children: [block] }: ListItem): Phrase =>
  block?.type === 'paragraph' ? block.children : [];

/**
 * Parses a list item of the form `**Label:** words`. `copy` is text to copy, if the words are only
 * that.
 * @returns null for any other item.
 */
function parseRow(item: ListItem) {
  const [strong, gap, ...rest] = phraseOf(item);
  const [label] = strong?.type === 'strong' ? strong.children : [];
  if (label?.type !== 'text' || !label.value.endsWith(':')) return null;
  if (gap?.type !== 'text') return null;
  const words: Phrase = [{ ...gap, value: gap.value.trimStart() }, ...rest];
  const [code_node] = rest;
  const is_code = gap.value === ' ' && rest.length === 1 && code_node?.type === 'inlineCode';
  // A URL or an HTML element alone is shown as text to copy.
  const copy = is_code && /^(https?:|<)/.test(code_node.value) ? code_node.value : null;
  return { label: label.value.slice(0, -1), words, copy };
}

// The Markdown version has a length limit (contract 8.35): it explains each parameter once, and has
// sample requests of one operation only.

/** Language of the code blocks, by label of the sample. */
const FENCES = { curl: 'sh', JavaScript: 'js', Python: 'python' } as const;

/** Renders a label with names, as one sentence; null if there are no names. */
const renderNames = (label: string, names: readonly string[]): Inline =>
  names.length === 0 ? null : [` ${label}: `, inlineCode(names.join(', ')), '.'];

/**
 * An operation that lacks at most this many fields of an earlier one names only its other fields.
 */
const MAX_MISSING_FIELDS = 2;

/**
 * Renders the names of an operation's response fields, relative to one of the earlier operations if
 * most are the same.
 */
function renderFields(
  { fields }: GuideOperation,
  earlier: readonly GuideOperation[],
  lang: Lang,
): Inline {
  for (const { id, fields: earlier_fields } of earlier) {
    const missing = earlier_fields.filter((field) => !fields.includes(field));
    if (earlier_fields.length === 0 || missing.length === 0 || missing.length > MAX_MISSING_FIELDS)
      continue;
    const others = fields.filter((field) => !earlier_fields.includes(field));
    const parts = { operation: id, missing: missing.join(', '), others: others.join(', ') };
    return [' ', parseInlineMarkdown(t(lang, 'docs.fields.more', parts))];
  }
  return renderNames(t(lang, 'docs.fields'), fields);
}

/** Renders an operation with the names of its parameters and fields. */
function renderOperation(
  operation: GuideOperation,
  earlier: readonly GuideOperation[],
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
      renderNames(t(lang, 'docs.parameters'), names),
      renderFields(operation, earlier, lang),
    ),
  ];
}

/**
 * Renders each parameter with its rule, and with its operations if they have different rules for
 * it.
 */
function renderParameters(operations: readonly GuideOperation[]): MarkdownBlock {
  const parameters = operations.flatMap(({ id, parameters: operation_parameters }) =>
    operation_parameters.map(({ name, rule }) => ({ id, name, rule, text: JSON.stringify(rule) })),
  );
  const rules = Map.groupBy(parameters, ({ name, text }) => `${name} ${text}`);
  const names = Map.groupBy(rules.values(), ([first]) => first?.name ?? '');
  return list(
    [...rules.values()].map((parameters_of_rule) => {
      const [first] = parameters_of_rule;
      if (first === undefined) return null;
      const is_only_rule = names.get(first.name)?.length === 1;
      const operation_ids = is_only_rule
        ? ''
        : ` (${parameters_of_rule.map(({ id }) => id).join(', ')})`;
      return [inlineCode(first.name), `${operation_ids}: `, first.rule];
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
      paragraph(parseInlineMarkdown(tally)),
      paragraph(`${t(lang, 'docs.start.base')}: `, inlineCode(start.base_url)),
      operations[0]?.samples.map(({ label, source }) => code(FENCES[label], source)),
      paragraph(start.machine),
      section(
        t(lang, 'docs.operations'),
        operations.map((operation, index) =>
          renderOperation(operation, operations.slice(0, index), lang),
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
  changesEveryMinute: ({ page }) => page === 'docs_status',
  // The status page needs a running server.
  listWarmPaths: () => DOCS_PAGES.filter((page) => page !== 'docs_status').flatMap(listPagePaths),
});
