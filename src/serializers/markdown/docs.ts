// The docs page as Markdown: the same guide, for readers and models that write programs.
import type { List, RootContent } from 'mdast';
import type { ApiGuide, GuideError, GuideOperation } from '../../domain/api-guide.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { OPENAPI_PATH, PAGE_PATHS, toAbsolute, toMarkdownPath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { toGuideList } from './guide-list.ts';
import { block, inline, toSectionMarkdown } from './guide-section.ts';
import { heading, inlineCode, list, paragraph, plain, text } from './nodes.ts';

const toErrorList = (errors: readonly GuideError[]): List =>
  list(
    errors.map(({ status, code: name, meaning }) => [
      text(`${status} `),
      inlineCode(name),
      text(': '),
      ...inline(meaning),
    ]),
  );

/** curl, JavaScript and Python by the name that a fence knows. */
const FENCES: Readonly<Record<string, string>> = { curl: 'sh', JavaScript: 'js', Python: 'python' };

function toOperation(operation: GuideOperation, lang: Lang): RootContent[] {
  const { id, path, summary, description, parameters, samples, answer, errors } = operation;
  const rules = parameters.map(({ name, required, rule, example }) => [
    inlineCode(name),
    text(required ? ` (${t(lang, 'docs.parameter.required')}): ` : ': '),
    ...inline(rule),
    ...(example === null
      ? []
      : [text(` ${t(lang, 'docs.parameter.example')}: `), inlineCode(example)]),
  ]);
  return [
    heading(3, plain(summary)),
    paragraph(inlineCode(`GET ${path}`), text(` (${id})`)),
    paragraph(...inline(description)),
    heading(4, plain(t(lang, 'docs.parameters'))),
    list(rules),
    heading(4, plain(t(lang, 'docs.try'))),
    ...samples.map(({ label, source }) => block(FENCES[label] ?? '', source)),
    heading(4, plain(t(lang, 'docs.answer'))),
    answer.same_as === null
      ? block(answer.type === 'application/json' ? 'json' : 'ics', answer.text)
      : paragraph(plain(t(lang, 'docs.answer.same', { operation: answer.same_as }))),
    heading(4, plain(t(lang, 'docs.errors'))),
    paragraph(
      ...errors.flatMap((error, at) => [
        ...(at === 0 ? [] : [text(', ')]),
        text(`${error.status} `),
        inlineCode(error.code),
      ]),
    ),
  ];
}

export function toDocsMarkdown(guide: ApiGuide, lang: Lang, site: Site): string {
  const first = guide.operations[0];
  return toDocument(
    {
      title: `${site.name}: ${t(lang, 'docs.title')}`,
      about: t(lang, 'md.about_docs'),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: PAGE_PATHS.docs,
    },
    [
      paragraph(...inline(guide.about)),
      paragraph(text(`${t(lang, 'docs.start.base')}: `), inlineCode(guide.base_url)),
      ...(first ? first.samples.slice(0, 1).map(({ source }) => block('sh', source)) : []),
      paragraph(
        ...inline(t(lang, 'docs.start.machine', { url: toAbsolute(site.url, OPENAPI_PATH) })),
      ),
      heading(2, plain(t(lang, 'docs.operations'))),
      ...guide.operations.flatMap((operation) => toOperation(operation, lang)),
      heading(2, plain(t(lang, 'docs.errors'))),
      paragraph(...inline(t(lang, 'docs.errors.about'))),
      paragraph(
        ...inline(
          t(lang, 'docs.errors.all', {
            url: toAbsolute(site.url, toMarkdownPath(PAGE_PATHS.docs_errors[lang])),
          }),
        ),
      ),
      toErrorList(guide.errors),
      ...guide.sections.flatMap((section) => toSectionMarkdown(section, lang)),
      ...toGuideList('docs', lang, site),
    ],
    lang,
    site,
  );
}
