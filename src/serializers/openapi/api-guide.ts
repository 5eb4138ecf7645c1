// API guide: builds the data of the docs page from the tables of the OpenAPI document: every
// operation with its rules, fields, and samples in curl, JavaScript and Python without packages.
import { ERROR_CODES, HTTP_STATUS_BY_CODE } from '../../domain/app-error.ts';
import type { ApiExamples, DocsSection } from '../../domain/docs-pages.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { API_PATHS, OPENAPI_PATH, absoluteUrl, pagePath, withQuery } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { parseInlineMarkdown, formatCompactJson } from '../docs-chapters.ts';
import { inlineCode, joinInline, paragraph } from '../markdown/nodes.ts';
import { API_ERROR_CODES, buildListExample } from './build-document.ts';
import {
  type ResponseDefinition,
  listErrors,
  OPERATIONS,
  type OperationDefinition,
} from './operations.ts';
import { buildParameterComponents } from './parameters.ts';
import { listSchemaFields } from './schemas.ts';

/**
 * Builds the API guide in one language: the operations with their parameters, samples and errors.
 * @param chapters Sections from the Markdown files of the docs.
 */
export function buildApiGuide(
  site: Site,
  examples: ApiExamples,
  chapters: readonly DocsSection[],
  lang: Lang,
) {
  const components = buildParameterComponents(examples, lang);
  const list_example = buildListExample(examples, site, lang);
  const openapi_note = t(lang, 'docs.start.machine', { url: absoluteUrl(site.url, OPENAPI_PATH) });
  return {
    about: t(lang, 'openapi.about'),
    base_url: site.url,
    /** Sentence with the URL of the OpenAPI document. */
    machine: parseInlineMarkdown(openapi_note),
    operations: OPERATIONS.map((operation) => {
      const { id, answer } = operation;
      const address = buildExampleUrl(operation, components, site, lang);
      return {
        id,
        path: API_PATHS[id],
        summary: t(lang, `openapi.${id}.summary`),
        description: parseInlineMarkdown(t(lang, `openapi.${id}.description`)),
        parameters: operation.parameters
          .flatMap((name) => components[name] ?? [])
          .map(({ name, in: place, required = false, description, schema, example }) => ({
            name,
            required,
            /** The parameter's description. */
            rule: parseInlineMarkdown(description),
            example: example === undefined ? null : String(example),
            in_path: place === 'path',
            /** Allowed values; empty if they are not an enumeration. */
            choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
          })),
        /** URL of the example request. */
        address,
        /** None if the town has no record for the address. */
        samples: address.includes('{') ? [] : buildSamples(address, answer),
        /** Media type of a success, and the fields of its data; none for calendars. */
        type: answer ? 'application/json' : 'text/calendar',
        fields: answer ? listSchemaFields(answer.data) : [],
        /** Example response as text; null if the guide shows none. */
        example: id === 'listEvents' && list_example ? formatCompactJson(list_example) : null,
        errors: listErrors(operation).map((code) => ({ status: HTTP_STATUS_BY_CODE[code], code })),
      };
    }),
    sections: [buildErrorSection(site, lang), ...chapters],
  };
}
/** One operation of the guide. */
export type GuideOperation = ReturnType<typeof buildApiGuide>['operations'][number];

/** Builds the list of all error codes; another page explains them. */
function buildErrorSection(site: Site, lang: Lang): DocsSection {
  const url = absoluteUrl(site.url, pagePath('docs_errors', lang));
  const codes = ERROR_CODES.filter((code) => API_ERROR_CODES.includes(code));
  return {
    id: 'errors',
    title: t(lang, 'docs.errors'),
    body: [
      paragraph(parseInlineMarkdown(t(lang, 'docs.errors.about'))),
      paragraph(parseInlineMarkdown(t(lang, 'docs.errors.all', { url }))),
      paragraph(
        joinInline(
          codes.map((code) => [`${HTTP_STATUS_BY_CODE[code]} `, inlineCode(code)]),
          ', ',
        ),
        '.',
      ),
    ],
  };
}

/**
 * Builds a working request URL from the example values; parameters without an example stay as
 * `{slug}`.
 */
function buildExampleUrl(
  { id, parameters, sample_query }: OperationDefinition,
  components: ReturnType<typeof buildParameterComponents>,
  site: Site,
  lang: Lang,
): string {
  const listExamples = (names: readonly string[]) =>
    names
      .flatMap((name) => components[name] ?? [])
      .filter(({ example }) => example !== undefined)
      .map(({ name, example }) => [name, String(example)] as const);
  const example_path = listExamples(parameters).reduce<string>(
    (path, [name, example]) => path.replace(`{${name}}`, encodeURIComponent(example)),
    API_PATHS[id],
  );
  const lang_query = lang === DEFAULT_LANG ? {} : { lang };
  return (
    site.url +
    withQuery(example_path, { ...Object.fromEntries(listExamples(sample_query)), ...lang_query })
  );
}

/**
 * Builds the same request in curl, JavaScript and Python. JSON samples print two fields of each
 * record; a null `answer` is a calendar, which they print or save. `address` is percent-encoded, so
 * it needs no quoting.
 */
function buildSamples(address: string, answer: ResponseDefinition | null) {
  const [first_field, second_field] = answer?.printed_fields ?? [];
  const [print_in_js, print_in_python] = answer?.is_list
    ? [
        `for (const item of data) console.log(item.${first_field}, item.${second_field});`,
        `for item in data:\n    print(item['${first_field}'], item['${second_field}'])`,
      ]
    : [
        `console.log(data.${first_field}, data.${second_field});`,
        `print(data['${first_field}'], data['${second_field}'])`,
      ];
  const js_fetch = `const answer = await fetch('${address}');`;
  const python_open = `with urllib.request.urlopen('${address}') as answer:`;
  const sources =
    answer === null
      ? {
          curl: `curl '${address}' -o agenda.ics`,
          JavaScript: `${js_fetch}\nif (!answer.ok) throw new Error((await answer.json()).error.message);\nconsole.log(await answer.text());`,
          Python: `import urllib.request\n\n${python_open}\n    print(answer.read().decode())`,
        }
      : {
          curl: `curl '${address}'`,
          JavaScript: `${js_fetch}\nconst { data, error } = await answer.json();\nif (error) throw new Error(error.message);\n${print_in_js}`,
          Python: `import json, urllib.request\n\n${python_open}\n    data = json.load(answer)['data']\n${print_in_python}`,
        };
  return (['curl', 'JavaScript', 'Python'] as const).map((label) => ({
    label,
    source: sources[label],
  }));
}
