// The docs page as Markdown: the same guide, for readers and models that write programs. Its length is
// bounded (contract 8.35): each parameter is explained once, and one operation shows how all are asked.
import type { PhrasingContent, RootContent } from 'mdast';
import type { ApiGuide, GuideOperation } from '../../domain/api-guide.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { PAGE_PATHS } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { readSentence, toSectionNodes } from '../guide/sections.ts';
import { toDocument } from './document.ts';
import { toGuideList } from './guide-list.ts';
import { heading, inlineCode, list, paragraph, plain, text } from './nodes.ts';

const code = (lang: string, value: string): RootContent => ({ type: 'code', lang, value });

/** The name by which a fence knows what a sample is written in. */
const FENCES = { curl: 'sh', JavaScript: 'js', Python: 'python' } as const;

const toNames = (label: string, names: readonly string[]): PhrasingContent[] =>
  names.length === 0 ? [] : [text(` ${label}: `), inlineCode(names.join(', ')), text('.')];

/** `told`: operations before it. What has all fields of one of them but a few names only the others. */
function toFields({ fields }: GuideOperation, told: readonly GuideOperation[], lang: Lang) {
  for (const { id, fields: known } of told) {
    const missing = known.filter((field) => !fields.includes(field));
    if (known.length === 0 || missing.length === 0 || missing.length > FEW) continue;
    const others = fields.filter((field) => !known.includes(field));
    const parts = { operation: id, missing: missing.join(', '), others: others.join(', ') };
    return [text(' '), ...readSentence(t(lang, 'docs.fields.more', parts))];
  }
  return toNames(t(lang, 'docs.fields'), fields);
}
const FEW = 2;

function toOperation(
  operation: GuideOperation,
  told: readonly GuideOperation[],
  lang: Lang,
): RootContent[] {
  const { id, path, summary, description, parameters } = operation;
  const names = parameters.map(({ name }) => name);
  return [
    heading(3, plain(summary)),
    paragraph(
      inlineCode(`GET ${path}`),
      text(` (${id}). `),
      ...description,
      ...toNames(t(lang, 'docs.parameters'), names),
      ...toFields(operation, told, lang),
    ),
  ];
}

/** Every rule with its name; with the operations that it is of where they do not all say the same. */
function toParameterList(operations: readonly GuideOperation[]): RootContent {
  const all = operations.flatMap(({ id, parameters }) =>
    parameters.map(({ name, rule }) => ({ id, name, rule, text: JSON.stringify(rule) })),
  );
  const rules = Map.groupBy(all, ({ name, text: words }) => `${name} ${words}`);
  const names = Map.groupBy(rules.values(), ([first]) => first?.name ?? '');
  return list(
    [...rules.values()].flatMap((same) => {
      const [first] = same;
      if (first === undefined) return [];
      const is_one = (names.get(first.name)?.length ?? 0) === 1;
      const of = is_one ? '' : ` (${same.map(({ id }) => id).join(', ')})`;
      return [[inlineCode(first.name), text(`${of}: `), ...first.rule]];
    }),
  );
}

/** The whole document. */
export function toDocsMarkdown(guide: ApiGuide, lang: Lang, site: Site): string {
  const { operations, sections } = guide;
  const [first] = operations;
  return toDocument(
    {
      title: `${site.name}: ${t(lang, 'docs.title')}`,
      about: t(lang, 'md.about_docs'),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: PAGE_PATHS.docs,
    },
    [
      paragraph(...readSentence(guide.about)),
      paragraph(text(`${t(lang, 'docs.start.base')}: `), inlineCode(guide.base_url)),
      ...(first?.samples ?? []).map(({ label, source }) => code(FENCES[label], source)),
      paragraph(...guide.machine),
      heading(2, plain(t(lang, 'docs.operations'))),
      ...operations.flatMap((operation, at) =>
        toOperation(operation, operations.slice(0, at), lang),
      ),
      heading(2, plain(t(lang, 'docs.parameters'))),
      toParameterList(operations),
      ...toSectionNodes(sections),
      ...toGuideList('docs', lang, site),
    ],
    lang,
    site,
  );
}
