// The docs as Markdown: the reference of the API, and the pages beside it. Its length is bounded (contract 8.35):
// each parameter is explained once, and one operation shows how all are asked.
import type { ApiGuide, DocsSection, GuideOperation } from '../../domain/docs.ts';
import type { Lang } from '../../domain/lang.ts';
import {
  DOCS_PAGES,
  type DocsPage,
  type GuideName,
  toAbsolute,
  toMarkdownPath,
  toPagePath,
} from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { readSentence } from '../docs.ts';
import { type Head, renderDocument } from './document.ts';
import {
  type Block,
  code,
  heading,
  inlineCode,
  link,
  list,
  paragraph,
  section,
  type Words,
} from './nodes.ts';

/** The name by which a fence knows what a sample is written in. */
const FENCES = { curl: 'sh', JavaScript: 'js', Python: 'python' } as const;

const toNames = (label: string, names: readonly string[]): Words =>
  names.length === 0 ? null : [` ${label}: `, inlineCode(names.join(', ')), '.'];

/** What has all fields of another operation but so many names only the others. */
const FEW = 2;

/** `told`: the operations before it. */
function toFields({ fields }: GuideOperation, told: readonly GuideOperation[], lang: Lang): Words {
  for (const { id, fields: known } of told) {
    const missing = known.filter((field) => !fields.includes(field));
    if (known.length === 0 || missing.length === 0 || missing.length > FEW) continue;
    const others = fields.filter((field) => !known.includes(field));
    const parts = { operation: id, missing: missing.join(', '), others: others.join(', ') };
    return [' ', readSentence(t(lang, 'docs.fields.more', parts))];
  }
  return toNames(t(lang, 'docs.fields'), fields);
}

function renderOperation(
  operation: GuideOperation,
  told: readonly GuideOperation[],
  lang: Lang,
): Block {
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
function renderParameters(operations: readonly GuideOperation[]): Block {
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

export const renderSections = (sections: readonly DocsSection[]): Block =>
  sections.map(({ title, body }) => [heading(2, title), body]);

const renderOthers = (current: DocsPage, { lang, site }: Head): Block =>
  section(
    t(lang, 'guides'),
    list(
      DOCS_PAGES.filter((page) => page !== current).map((page) => {
        const path = toMarkdownPath(toPagePath(page, lang));
        return link(toAbsolute(site.url, path), t(lang, `guides.${page}`));
      }),
    ),
  );

export function renderDocs({ meta, guide }: { readonly meta: Head; readonly guide: ApiGuide }) {
  const { lang, site } = meta;
  const { about, base_url, machine, operations, sections } = guide;
  return renderDocument(
    { ...meta, title: `${site.name}: ${meta.title}`, about: t(lang, 'md.about_docs') },
    paragraph(readSentence(about)),
    paragraph(`${t(lang, 'docs.start.base')}: `, inlineCode(base_url)),
    operations[0]?.samples.map(({ label, source }) => code(FENCES[label], source)) ?? null,
    paragraph(machine),
    section(
      t(lang, 'docs.operations'),
      operations.map((operation, at) => renderOperation(operation, operations.slice(0, at), lang)),
    ),
    section(t(lang, 'docs.parameters'), renderParameters(operations)),
    renderSections(sections),
    renderOthers('docs', meta),
  );
}

interface GuideOfDocs {
  readonly meta: Head;
  readonly guide: GuideName;
  readonly sections: readonly DocsSection[];
}

export function renderGuide({ meta, guide, sections }: GuideOfDocs): string {
  const { lang, site, title } = meta;
  return renderDocument(
    { ...meta, title: `${site.name}: ${title}`, about: t(lang, `guides.${guide}.about`) },
    renderSections(sections),
    renderOthers(guide, meta),
  );
}
