// Each operation as OpenAPI writes it: words, parameters, responses, and samples in curl, JavaScript
// and Python without any package (`x-codeSamples`).
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { API_PATHS } from '../../i18n/api-paths.ts';
import { t } from '../../i18n/translate.ts';
import type { Examples } from './examples.ts';
import { type DescribedError, RATE_HEADERS, toErrorRefs, toHeaderRefs } from './responses.ts';
import { OPERATIONS, type OperationForm, type Printed } from './operations.ts';
import { type ParameterComponents, parameterRef } from './parameters.ts';
import { type Json, refTo } from './schemas.ts';

const COUNTED: readonly DescribedError[] = [
  'invalid_parameter',
  'invalid_api_key',
  'method_not_allowed',
  'rate_limited',
  'internal_error',
  'unavailable',
];
const UNCOUNTED: readonly DescribedError[] = [
  'invalid_parameter',
  'method_not_allowed',
  'internal_error',
  'unavailable',
];
/** The response that succeeds; only lists lead on to a next page. */
function toOk(
  { parameters, ok, body, example }: OperationForm,
  examples: Examples,
  lang: Lang,
): Json {
  const description = t(lang, ok);
  if (body === null)
    return {
      description,
      headers: toHeaderRefs('ETag'),
      content: { 'text/calendar': { schema: { type: 'string' }, example: examples[example] } },
    };
  const schema = {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: body.data, meta: refTo(body.meta) },
  };
  const headers = toHeaderRefs(
    'ETag',
    ...RATE_HEADERS,
    ...(parameters.includes('cursor') ? ['Link'] : []),
  );
  return {
    description,
    headers,
    content: { 'application/json': { schema, example: examples[example] } },
  };
}

const toCurl = (address: string, printed: Printed): string =>
  printed.kind === 'calendar' ? `curl '${address}' -o agenda.ics` : `curl '${address}'`;

function toJavaScript(address: string, printed: Printed): string {
  const ask = `const answer = await fetch('${address}');`;
  if (printed.kind === 'calendar')
    return `${ask}\nif (!answer.ok) throw new Error((await answer.json()).error.message);\nconsole.log(await answer.text());`;
  const [first, second] = printed.fields;
  const print =
    printed.kind === 'list'
      ? `for (const item of data) console.log(item.${first}, item.${second});`
      : `console.log(data.${first}, data.${second});`;
  return `${ask}\nconst { data, error } = await answer.json();\nif (error) throw new Error(error.message);\n${print}`;
}

function toPython(address: string, printed: Printed): string {
  const open = `with urllib.request.urlopen('${address}') as answer:`;
  if (printed.kind === 'calendar')
    return `import urllib.request\n\n${open}\n    print(answer.read().decode())`;
  const [first, second] = printed.fields;
  const print =
    printed.kind === 'list'
      ? `for item in data:\n    print(item['${first}'], item['${second}'])`
      : `print(data['${first}'], data['${second}'])`;
  return `import json, urllib.request\n\n${open}\n    data = json.load(answer)['data']\n${print}`;
}

/** The samples for an address that exists; it has no quote in it, for it is percent-encoded. */
const toCodeSamples = (address: string, printed: Printed): readonly Json[] => [
  { lang: 'Shell', label: 'curl', source: toCurl(address, printed) },
  { lang: 'JavaScript', label: 'JavaScript', source: toJavaScript(address, printed) },
  { lang: 'Python', label: 'Python', source: toPython(address, printed) },
];

/** An address that exists: the path's identifier and the query of the sample filled in. */
function toAddress(
  { id, parameters: names, asked }: OperationForm,
  parameters: ParameterComponents,
  site: Site,
  lang: Lang,
): string {
  const found = names.flatMap((name) => parameters[name] ?? []);
  const filled = found
    .filter((p) => p.in === 'path')
    .reduce<string>(
      (at, p) => at.replace(`{${p.name}}`, encodeURIComponent(String(p.example))),
      API_PATHS[id],
    );
  const params = asked
    .flatMap((name) => parameters[name] ?? [])
    .map((p): [string, string] => [p.name, String(p.example)]);
  const query = new URLSearchParams(
    lang === DEFAULT_LANG ? params : [...params, ['lang', lang]],
  ).toString();
  return `${site.url}${filled}${query === '' ? '' : `?${query}`}`;
}

export function toPaths(
  examples: Examples,
  parameters: ParameterComponents,
  site: Site,
  lang: Lang,
): Json {
  return Object.fromEntries(
    OPERATIONS.map((form) => [
      API_PATHS[form.id],
      {
        get: {
          operationId: form.id,
          tags: [t(lang, `openapi.tag.${form.tag}`)],
          summary: t(lang, `openapi.${form.id}.summary`),
          description: t(lang, `openapi.${form.id}.description`),
          parameters: form.parameters.map(parameterRef),
          ...(form.is_uncounted ? { security: [{}] } : {}),
          responses: {
            200: toOk(form, examples, lang),
            304: { description: t(lang, 'openapi.not_modified') },
            ...toErrorRefs([...(form.is_uncounted ? UNCOUNTED : COUNTED), ...form.errors]),
          },
          'x-codeSamples': toCodeSamples(toAddress(form, parameters, site, lang), form.printed),
        },
      },
    ]),
  );
}
