// The description for people: every operation with its rules, how it is asked in curl, JavaScript and Python
// without any package, and what comes back; from the same tables as the document that programs get.
import { ERROR_CODES, HTTP_STATUS_BY_CODE } from '../../domain/app-error.ts';
import type { ApiExamples, DocsSection } from '../../domain/docs-pages.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { API_PATHS, OPENAPI_PATH, absoluteUrl, pagePath, withQuery } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { parseSentence, formatCompactJson } from '../docs-chapters.ts';
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

/** What the docs page explains, in one language; `chapters` are what a person wrote. */
export function buildApiGuide(
  site: Site,
  examples: ApiExamples,
  chapters: readonly DocsSection[],
  lang: Lang,
) {
  const known = buildParameterComponents(examples, lang);
  const list_example = buildListExample(examples, site, lang);
  const machine = t(lang, 'docs.start.machine', { url: absoluteUrl(site.url, OPENAPI_PATH) });
  return {
    about: t(lang, 'openapi.about'),
    base_url: site.url,
    machine: parseSentence(machine),
    operations: OPERATIONS.map((form) => {
      const { id, answer } = form;
      const address = toAddress(form, known, site, lang);
      return {
        id,
        path: API_PATHS[id],
        summary: t(lang, `openapi.${id}.summary`),
        description: parseSentence(t(lang, `openapi.${id}.description`)),
        parameters: form.parameters
          .flatMap((name) => known[name] ?? [])
          .map(({ name, in: place, required = false, description, schema, example }) => ({
            name,
            required,
            rule: parseSentence(description),
            example: example === undefined ? null : String(example),
            in_path: place === 'path',
            /** All that it may be; empty where that is no list. */
            choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
          })),
        address,
        samples: toSamples(address, answer),
        /** The media type of a success, and the fields of its data; of a calendar none. */
        type: answer ? 'application/json' : 'text/calendar',
        fields: answer ? listSchemaFields(answer.data) : [],
        /** A success as text; null where none is printed. */
        example: id === 'listEvents' && list_example ? formatCompactJson(list_example) : null,
        errors: listErrors(form).map((code) => ({ status: HTTP_STATUS_BY_CODE[code], code })),
      };
    }),
    sections: [toErrorSection(site, lang), ...chapters],
  };
}
export type GuideOperation = ReturnType<typeof buildApiGuide>['operations'][number];

/** Every code that the API may answer; what each means is on a page of its own. */
function toErrorSection(site: Site, lang: Lang): DocsSection {
  const url = absoluteUrl(site.url, pagePath('docs_errors', lang));
  const codes = ERROR_CODES.filter((code) => API_ERROR_CODES.includes(code));
  return {
    id: 'errors',
    title: t(lang, 'docs.errors'),
    body: [
      paragraph(parseSentence(t(lang, 'docs.errors.about'))),
      paragraph(parseSentence(t(lang, 'docs.errors.all', { url }))),
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

/** An address that answers as it stands: identifier and query are those of the examples; what has none stands as `{slug}`. */
function toAddress(
  { id, parameters, asked }: OperationDefinition,
  known: ReturnType<typeof buildParameterComponents>,
  site: Site,
  lang: Lang,
): string {
  const toPairs = (names: readonly string[]) =>
    names
      .flatMap((name) => known[name] ?? [])
      .filter(({ example }) => example !== undefined)
      .map((one) => [one.name, String(one.example)] as const);
  const path = toPairs(parameters).reduce<string>(
    (at, [name, example]) => at.replace(`{${name}}`, encodeURIComponent(example)),
    API_PATHS[id],
  );
  const own_lang = lang === DEFAULT_LANG ? {} : { lang };
  return site.url + withQuery(path, { ...Object.fromEntries(toPairs(asked)), ...own_lang });
}

/** `address` has no quote in it, for it is percent-encoded. */
function toSamples(address: string, answer: ResponseDefinition | null) {
  const [first, second] = answer?.prints ?? [];
  const [in_js, in_python] = answer?.is_list
    ? [
        `for (const item of data) console.log(item.${first}, item.${second});`,
        `for item in data:\n    print(item['${first}'], item['${second}'])`,
      ]
    : [`console.log(data.${first}, data.${second});`, `print(data['${first}'], data['${second}'])`];
  const fetch = `const answer = await fetch('${address}');`;
  const open = `with urllib.request.urlopen('${address}') as answer:`;
  const sources =
    answer === null
      ? {
          curl: `curl '${address}' -o agenda.ics`,
          JavaScript: `${fetch}\nif (!answer.ok) throw new Error((await answer.json()).error.message);\nconsole.log(await answer.text());`,
          Python: `import urllib.request\n\n${open}\n    print(answer.read().decode())`,
        }
      : {
          curl: `curl '${address}'`,
          JavaScript: `${fetch}\nconst { data, error } = await answer.json();\nif (error) throw new Error(error.message);\n${in_js}`,
          Python: `import json, urllib.request\n\n${open}\n    data = json.load(answer)['data']\n${in_python}`,
        };
  return (['curl', 'JavaScript', 'Python'] as const).map((label) => ({
    label,
    source: sources[label],
  }));
}
