// How an event is published, as Markdown: the two ways to send one, and what the form asks for, field
// by field with its limits.
import type { PhrasingContent, RootContent } from 'mdast';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { type FormSection, SECTION_NAMES } from '../../domain/submission/control-form.ts';
import { type Control, listSection } from '../../domain/submission/controls.ts';
import {
  REQUIRED_SUBMISSION_FIELDS,
  SUBMISSION_FIELDS,
} from '../../domain/submission/submission.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import { toChoiceLabel, toHint, toLabel } from '../../i18n/form-words.ts';
import {
  MCP_PATH,
  PAGE_PATHS,
  toAbsolute,
  toDirectoryPath,
  toMarkdownPath,
} from '../../i18n/paths.ts';
import type { ToolName } from '../../i18n/tool-names.ts';
import { t } from '../../i18n/translate.ts';
import { toDocument } from './document.ts';
import { heading, inlineCode, link, list, paragraph, plain, strong, text } from './nodes.ts';

const TOOL: ToolName = 'enviar_evento';
/** What the example of the tool sends beside what must be there. */
const EXAMPLE_FIELDS: readonly string[] = ['venue', 'free'];

/** The body of a request to the MCP server that sends the examples of the fields. */
function toExample(): string {
  const args = Object.fromEntries(
    SUBMISSION_FIELDS.filter(
      ({ name }) => REQUIRED_SUBMISSION_FIELDS.includes(name) || EXAMPLE_FIELDS.includes(name),
    ).map(({ name, example }) => [name, example]),
  );
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  return JSON.stringify({ ...call, params: { name: TOOL, arguments: args } }, null, 2);
}

/** What may stand in a control, in words; keys as `code`. */
function toRule(control: Control, taxonomy: Taxonomy, lang: Lang): PhrasingContent[] {
  const { name, kind, is_required, choices } = control;
  const max = kind === 'select' ? undefined : control.max;
  const taxa = name === 'category' ? taxonomy.categories : name === 'zone' ? taxonomy.zones : null;
  const codes = (choices ?? [])
    .filter((choice) => choice !== '')
    .map((choice) => [choice, toChoiceLabel(name, choice, lang)] as const);
  const offered = taxa?.map((taxon) => [taxon.key, taxon.name[lang]] as const) ?? codes;
  const facts = [
    ...(is_required ? [t(lang, 'submit.needed')] : []),
    ...(max === undefined ? [] : [t(lang, 'md.submit.max', { limit: max })]),
  ];
  const hint = toHint(control, lang);
  return [
    strong(toLabel(name, lang)),
    text(' ('),
    inlineCode(name),
    text(`${facts.map((fact) => `; ${fact}`).join('')})${offered.length > 0 || hint ? ': ' : ''}`),
    ...offered.flatMap(([code, words], at): PhrasingContent[] => [
      ...(at === 0 ? [] : [text(', ')]),
      inlineCode(code),
      text(` ${words}`),
    ]),
    ...(hint === null ? [] : [text(`${offered.length > 0 ? '. ' : ''}${hint}`)]),
  ];
}

const toSection = (section: FormSection, taxonomy: Taxonomy, lang: Lang): RootContent[] => [
  heading(3, plain(t(lang, `submit.section.${section}`))),
  list(
    listSection(section)
      .filter(({ kind }) => kind !== 'hidden')
      .map((control) => toRule(control, taxonomy, lang)),
  ),
];

export function toSubmitMarkdown(taxonomy: Taxonomy, lang: Lang, site: Site): string {
  const form = toAbsolute(site.url, PAGE_PATHS.submit[lang]);
  const calendar = toAbsolute(site.url, PAGE_PATHS.import[lang]);
  const mcp = toAbsolute(site.url, MCP_PATH);
  const venues = toAbsolute(site.url, toMarkdownPath(toDirectoryPath('venue', lang)));
  return toDocument(
    {
      title: t(lang, 'submit.title'),
      about: t(lang, 'submit.text'),
      terms: t(lang, 'md.terms_thing', { name: site.name }),
      path: PAGE_PATHS.submit,
    },
    [
      heading(2, plain(t(lang, 'md.submit.ways'))),
      list([
        [text(`${t(lang, 'md.submit.form')} `), link(form, form)],
        [text(`${t(lang, 'batch.link_text')} `), link(calendar, calendar)],
        [
          text(`${t(lang, 'md.submit.tool')} `),
          inlineCode(TOOL),
          text(' (MCP, '),
          inlineCode(`POST ${mcp}`),
          text(`). ${t(lang, 'md.submit.tool_fields')}`),
        ],
      ]),
      { type: 'code', lang: 'json', value: toExample() },
      paragraph(plain(t(lang, 'submit.after'))),
      heading(2, plain(t(lang, 'md.submit.fields'))),
      paragraph(plain(t(lang, 'submit.needed_text'))),
      ...SECTION_NAMES.flatMap((section) => toSection(section, taxonomy, lang)),
      paragraph(text(`${t(lang, 'md.submit.venues')} `), link(venues, venues)),
    ],
    lang,
    site,
  );
}
