// The description for people: every operation with its rules, how it is asked in curl, JavaScript and Python
// without any package, and what comes back; from the same tables as the document that programs get.
import type {
  ApiExamples,
  ApiGuide,
  DocsSection,
  GuideOperation,
  GuideParameter,
  GuideSample,
} from '../../domain/docs.ts';
import { ERROR_CODES, STATUS_OF } from '../../domain/app-error.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { API_PATHS, OPENAPI_PATH, toAbsolute, toPagePath, withQuery } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { readSentence, toShortJson } from '../docs.ts';
import { inlineCode, joined, paragraph } from '../markdown/nodes.ts';
import { API_CODES, toListExample } from './document.ts';
import { type Answer, listErrors, OPERATIONS, type OperationForm } from './operations.ts';
import { listParameters, type ParameterComponent } from './parameters.ts';
import { listFields } from './schemas.ts';

/** What the docs page explains, in one language; `chapters` are what a person wrote. */
export function toApiGuide(
  site: Site,
  examples: ApiExamples,
  chapters: readonly DocsSection[],
  lang: Lang,
): ApiGuide {
  const known = listParameters(examples, lang);
  const find = (names: readonly string[]) => names.flatMap((name) => known[name] ?? []);
  const example = toListExample(examples, site, lang);
  const operations = OPERATIONS.map((form): GuideOperation => {
    const { id, answer } = form;
    const parameters = find(form.parameters);
    const address = toAddress(form, parameters, find(form.asked), site, lang);
    return {
      id,
      path: API_PATHS[id],
      summary: t(lang, `openapi.${id}.summary`),
      description: readSentence(t(lang, `openapi.${id}.description`)),
      parameters: parameters.map(toGuideParameter),
      address,
      samples: toSamples(address, answer),
      type: answer ? 'application/json' : 'text/calendar',
      fields: answer ? listFields(answer.data) : [],
      example: id === 'listEvents' && example ? toShortJson(example) : null,
      errors: listErrors(form).map((code) => ({ status: STATUS_OF[code], code })),
    };
  });
  const machine = t(lang, 'docs.start.machine', { url: toAbsolute(site.url, OPENAPI_PATH) });
  return {
    about: t(lang, 'openapi.about'),
    base_url: site.url,
    machine: readSentence(machine),
    operations,
    sections: [toErrorSection(site, lang), ...chapters],
  };
}

const toGuideParameter = (parameter: ParameterComponent): GuideParameter => {
  const { name, required = false, description, schema, example } = parameter;
  return {
    name,
    required,
    rule: readSentence(description),
    example: example === undefined ? null : String(example),
    in_path: parameter.in === 'path',
    choices: Array.isArray(schema.enum) ? schema.enum.map(String) : [],
  };
};

/** Every code that the API may answer; what each means is on a page of its own. */
function toErrorSection(site: Site, lang: Lang): DocsSection {
  const url = toAbsolute(site.url, toPagePath('docs_errors', lang));
  const codes = ERROR_CODES.filter((code) => API_CODES.includes(code));
  return {
    id: 'errors',
    title: t(lang, 'docs.errors'),
    body: [
      paragraph(readSentence(t(lang, 'docs.errors.about'))),
      paragraph(readSentence(t(lang, 'docs.errors.all', { url }))),
      paragraph(
        joined(
          codes.map((code) => [`${STATUS_OF[code]} `, inlineCode(code)]),
          ', ',
        ),
        '.',
      ),
    ],
  };
}

/** An address that answers as it stands: identifier and query are those of the examples. */
function toAddress(
  { id }: OperationForm,
  parameters: readonly ParameterComponent[],
  asked: readonly ParameterComponent[],
  site: Site,
  lang: Lang,
): string {
  const path = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce<string>(
      (at, { name, example }) => at.replace(`{${name}}`, encodeURIComponent(String(example))),
      API_PATHS[id],
    );
  const query = Object.fromEntries([
    ...asked.map(({ name, example }) => [name, String(example)]),
    ...(lang === DEFAULT_LANG ? [] : [['lang', lang]]),
  ]);
  return site.url + withQuery(path, query);
}

/** `address` has no quote in it, for it is percent-encoded. */
function toSamples(address: string, answer: Answer | null): readonly GuideSample[] {
  const curl = `curl '${address}'`;
  const fetch = `const answer = await fetch('${address}');`;
  const open = `with urllib.request.urlopen('${address}') as answer:`;
  if (answer === null)
    return [
      { label: 'curl', source: `${curl} -o agenda.ics` },
      {
        label: 'JavaScript',
        source: `${fetch}\nif (!answer.ok) throw new Error((await answer.json()).error.message);\nconsole.log(await answer.text());`,
      },
      {
        label: 'Python',
        source: `import urllib.request\n\n${open}\n    print(answer.read().decode())`,
      },
    ];
  const [first, second] = answer.prints;
  const print_js = answer.is_list
    ? `for (const item of data) console.log(item.${first}, item.${second});`
    : `console.log(data.${first}, data.${second});`;
  const print_py = answer.is_list
    ? `for item in data:\n    print(item['${first}'], item['${second}'])`
    : `print(data['${first}'], data['${second}'])`;
  return [
    { label: 'curl', source: curl },
    {
      label: 'JavaScript',
      source: `${fetch}\nconst { data, error } = await answer.json();\nif (error) throw new Error(error.message);\n${print_js}`,
    },
    {
      label: 'Python',
      source: `import json, urllib.request\n\n${open}\n    data = json.load(answer)['data']\n${print_py}`,
    },
  ];
}
