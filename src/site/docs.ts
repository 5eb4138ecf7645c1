// The pages of the docs in one language: the reference, made from the very description that programs read,
// and the guides beside it: errors, calendars, agents, what changed, how the service is.
import type { ListItem, PhrasingContent, RootContent } from 'mdast';
import { toCancunDay } from '../domain/cancun-time.ts';
import {
  type DocsName,
  type DocsSection,
  fillPlaceholders,
  type GuideOperation,
} from '../domain/docs.ts';
import type { Lang } from '../domain/lang.ts';
import {
  DOCS_PAGES,
  type DocsPage,
  type GuideName,
  PAGE_PATHS,
  toErrorPath,
  toPagePath,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import {
  readSections,
  toChangelogSections,
  toPlaceholders,
  toStatusSections,
} from '../serializers/docs.ts';
import { renderDocs, renderGuide } from '../serializers/markdown/docs.ts';
import { toApiGuide } from '../serializers/openapi/guide.ts';
import { findExamples } from '../snapshot/list-things.ts';
import type { LinkNav, NavLink } from './browse.ts';
import { definePage, listPagePaths, type PageRequest, toRoutes } from './page-kind.ts';
import { buildMeta } from './page.ts';
import type { SiteState } from './state.ts';
import { show } from './visit.ts';

interface DocsRequest extends PageRequest {
  readonly page: DocsPage;
}

/** The chapters that a person wrote, their placeholders filled in. */
export function readDocs(
  { snapshot, site, now_ms }: SiteState,
  name: DocsName,
  lang: Lang,
): readonly DocsSection[] {
  const examples = findExamples(snapshot, now_ms);
  const today = toCancunDay(now_ms).toString();
  const values = toPlaceholders(snapshot.taxonomy, site, examples, today, lang);
  return readSections(fillPlaceholders(snapshot.docs.get(name)?.[lang] ?? '', values));
}

function readGuide(state: SiteState, guide: GuideName, lang: Lang): readonly DocsSection[] {
  const { site, now_ms, readHealth } = state;
  switch (guide) {
    case 'docs_errors':
      return readDocs(state, 'errors', lang);
    case 'docs_calendars':
      return readDocs(state, 'calendars', lang);
    case 'docs_agents':
      return readDocs(state, 'agents', lang);
    case 'docs_changelog':
      return toChangelogSections(site, lang);
    case 'docs_status':
      return toStatusSections(readHealth?.() ?? null, now_ms, site, lang);
  }
}

export function loadReference(state: SiteState, lang: Lang) {
  const { site, snapshot, now_ms } = state;
  const examples = findExamples(snapshot, now_ms);
  return {
    meta: buildMeta(state, lang, PAGE_PATHS.docs, {
      title: t(lang, 'docs.title'),
      description: t(lang, 'docs.description'),
      entry: 'docs',
    }),
    guide: toApiGuide(site, examples, readDocs(state, 'api', lang), lang),
  };
}

const loadGuide = (state: SiteState, guide: GuideName, lang: Lang) => ({
  meta: buildMeta(state, lang, PAGE_PATHS[guide], {
    title: t(lang, `guides.${guide}`),
    description: t(lang, `guides.${guide}.about`),
  }),
  guide,
  sections: readGuide(state, guide, lang),
});

type Loaded = ReturnType<typeof loadReference> | ReturnType<typeof loadGuide>;

export type DocsView = ReturnType<typeof printDocs>;

function printDocs(view: Loaded) {
  const { meta } = view;
  const { lang } = meta;
  const [reference, page] = 'sections' in view ? [null, view.guide] : [view.guide, 'docs'];
  const { sections } = 'sections' in view ? view : view.guide;
  const others = DOCS_PAGES.filter((other) => other !== page);
  const guides = {
    id: 'guides',
    title: t(lang, 'guides'),
    links: others.map((other) => ({
      label: t(lang, `guides.${other}`),
      path: toPagePath(other, lang),
    })),
  };
  const operations = reference?.operations ?? [];
  const chapters = [
    ...operations.map(({ id }): NavLink => ({ label: id, path: `#${id}`, is_code: true })),
    ...sections.map(({ id, title }): NavLink => ({ label: title, path: `#${id}` })),
  ];
  const contents: readonly (LinkNav & { readonly id: string })[] =
    chapters.length > 3
      ? [{ id: 'contents', title: t(lang, 'docs.contents'), links: chapters }]
      : [];
  return {
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
  };
}

export type PrintedOperation = ReturnType<typeof printOperation>;

function printOperation(operation: GuideOperation, lang: Lang) {
  const { id, parameters, samples, address, errors } = operation;
  const { pathname, search, searchParams } = new URL(address);
  const [first, ...others] = samples;
  return {
    ...operation,
    first,
    others,
    pathname,
    open_path: pathname + search,
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
    errors: errors.map((error) => ({ ...error, path: toErrorPath(error.code, lang) })),
  };
}

export type PrintedSection = ReturnType<typeof printSection>;

/** A chapter as blocks: sentences, lists, labels with what is so, lines to copy. */
const printSection = ({ id, title, body }: DocsSection) => ({
  id,
  title,
  blocks: body.flatMap((node, at) => printBlock(node, body[at + 1])),
});

type Words = readonly PhrasingContent[];
type Block =
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'text'; readonly words: Words; readonly is_lead: boolean }
  | { readonly kind: 'rows'; readonly rows: readonly NonNullable<ReturnType<typeof printRow>>[] }
  | { readonly kind: 'list'; readonly is_ordered: boolean; readonly items: readonly Words[] };

function printBlock(node: RootContent, next: RootContent | undefined): readonly Block[] {
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

const wordsOf = ({ children: [first] }: ListItem): Words =>
  first?.type === 'paragraph' ? first.children : [];

/** `**Label:** words`; null for any other item. */
function printRow(item: ListItem) {
  const [label, gap, ...rest] = wordsOf(item);
  const [text] = label?.type === 'strong' ? label.children : [];
  if (text?.type !== 'text' || !text.value.endsWith(':') || gap?.type !== 'text') return null;
  const words: Words = [{ ...gap, value: gap.value.trimStart() }, ...rest];
  const [only] = rest;
  const is_code = gap.value === ' ' && rest.length === 1 && only?.type === 'inlineCode';
  // What is to be copied whole: an address, or an element.
  const copy = is_code && /^(https?:|<)/.test(only.value) ? only.value : null;
  return { label: text.value.slice(0, -1), words, copy };
}

export const docsPage = definePage<DocsRequest, Loaded>({
  name: 'docs',
  routes: DOCS_PAGES.flatMap((page) => toRoutes(PAGE_PATHS[page], (lang) => ({ lang, page }))),
  load: (state, { page, lang }) =>
    show(page === 'docs' ? loadReference(state, lang) : loadGuide(state, page, lang)),
  print: printDocs,
  toMarkdown: (view) => ('sections' in view ? renderGuide(view) : renderDocs(view)),
  isOfMinute: ({ page }) => page === 'docs_status',
  // How the service is only a server knows.
  listBuilt: () => DOCS_PAGES.filter((page) => page !== 'docs_status').flatMap(listPagePaths),
});
