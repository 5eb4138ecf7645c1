// Submission docs: renders the Markdown documents of two pages, for agents that submit events: the
// submission form, field by field, and the calendar import.
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import {
  type FormControl,
  type FormField,
  REQUIRED_SUBMISSION_FIELDS,
  SECTION_NAMES,
  SUBMISSION_FIELD_DOCS,
  listSectionControls,
} from '../../domain/submission/fields.ts';
import type { Taxonomy, TaxonRecord } from '../../domain/taxon.ts';
import { optionLabel, controlHint, fieldLabel } from '../../i18n/format-forms.ts';
import {
  MCP_PATH,
  PAGE_PATHS,
  absoluteUrl,
  directoryPath,
  markdownPath,
} from '../../i18n/paths.ts';
import { t, type ToolName } from '../../i18n/translate.ts';
import { renderDocument } from './document.ts';
import {
  code,
  heading,
  inlineCode,
  joinInline,
  link,
  list,
  paragraph,
  section,
  strong,
  type Inline,
} from './nodes.ts';

/** Texts of the list of accepted files and properties; `batch` is an imported calendar. */
const IMPORT_POINT_KEYS = ['batch.what.files', 'batch.what.dates', 'batch.what.again'] as const;

/**
 * Renders the document of the calendar import: accepted files, supported properties and the next
 * steps.
 */
export function renderImportDocs(lang: Lang, site: Site): string {
  const submit = absoluteUrl(site.url, markdownPath(PAGE_PATHS.submit[lang]));
  return renderDocument(
    {
      lang,
      site,
      paths: PAGE_PATHS.import,
      title: t(lang, 'batch.title'),
      about: t(lang, 'batch.text'),
    },
    t(lang, 'batch.url.hint'),
    section(t(lang, 'batch.what'), list(IMPORT_POINT_KEYS.map((key) => t(lang, key)))),
    t(lang, 'batch.after'),
    paragraph(link(submit, t(lang, 'submit.title')), '.'),
  );
}

/** The MCP tool that submits an event. */
const SUBMIT_TOOL: ToolName = 'enviar_evento';
/** Fields in the example of the tool, besides the required ones. */
const EXAMPLE_FIELDS: readonly string[] = ['venue', 'free'];

/** Formats the body of an MCP request with the example value of each field. */
function formatToolExample(): string {
  const args = Object.fromEntries(
    SUBMISSION_FIELD_DOCS.filter(
      ({ name }) => REQUIRED_SUBMISSION_FIELDS.includes(name) || EXAMPLE_FIELDS.includes(name),
    ).map(({ name, example }) => [name, example]),
  );
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  return JSON.stringify({ ...call, params: { name: SUBMIT_TOOL, arguments: args } }, null, 2);
}

/** Renders a control with its limits and choices; keys as `code`. */
function renderControl(control: FormControl<FormField>, taxonomy: Taxonomy, lang: Lang): Inline {
  const { name, kind, is_required, choices } = control;
  const max_length = kind === 'select' ? undefined : control.max;
  const taxa_by_field: Readonly<Record<string, readonly TaxonRecord[]>> = {
    category: taxonomy.categories,
    zone: taxonomy.zones,
  };
  const fixed_options = (choices ?? [])
    .filter((choice) => choice !== '')
    .map((choice) => [choice, optionLabel(name, choice, lang)] as const);
  const options =
    taxa_by_field[name]?.map((taxon) => [taxon.key, taxon.name[lang]] as const) ?? fixed_options;
  const limits = [
    ...(is_required ? [t(lang, 'submit.needed')] : []),
    ...(max_length === undefined ? [] : [t(lang, 'md.submit.max', { limit: max_length })]),
  ];
  const rules = [
    options.length === 0
      ? null
      : joinInline(
          options.map(([key, label]) => [inlineCode(key), ` ${label}`]),
          ', ',
        ),
    controlHint(control, lang),
  ].filter((rule) => rule !== null);
  return [
    strong(fieldLabel(name, lang)),
    ' (',
    inlineCode(name),
    `${limits.map((limit) => `; ${limit}`).join('')})${rules.length > 0 ? ': ' : ''}`,
    joinInline(rules, '. '),
  ];
}

/** Renders the ways to submit an event, and the form's fields with their limits. */
export function renderSubmitDocs(taxonomy: Taxonomy, lang: Lang, site: Site): string {
  const mcp_request = inlineCode(`POST ${absoluteUrl(site.url, MCP_PATH)}`);
  const venue_list_url = absoluteUrl(site.url, markdownPath(directoryPath('venue', lang)));
  const submission_ways = [
    [`${t(lang, 'md.submit.form')} `, link(absoluteUrl(site.url, PAGE_PATHS.submit[lang]))],
    [`${t(lang, 'batch.link_text')} `, link(absoluteUrl(site.url, PAGE_PATHS.import[lang]))],
    [
      `${t(lang, 'md.submit.tool')} `,
      [inlineCode(SUBMIT_TOOL), ' (MCP, ', mcp_request, `). ${t(lang, 'md.submit.tool_fields')}`],
    ],
  ];
  return renderDocument(
    {
      lang,
      site,
      paths: PAGE_PATHS.submit,
      title: t(lang, 'submit.title'),
      about: t(lang, 'submit.text'),
    },
    section(
      t(lang, 'md.submit.ways'),
      list(submission_ways),
      code('json', formatToolExample()),
      t(lang, 'submit.after'),
    ),
    section(
      t(lang, 'md.submit.fields'),
      t(lang, 'submit.needed_text'),
      SECTION_NAMES.map((name) => [
        heading(3, t(lang, `submit.section.${name}`)),
        list(
          listSectionControls(name)
            .filter(({ kind }) => kind !== 'hidden')
            .map((control) => renderControl(control, taxonomy, lang)),
        ),
      ]),
      paragraph(`${t(lang, 'md.submit.venues')} `, link(venue_list_url)),
    ),
  );
}
