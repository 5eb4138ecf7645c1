// How each operation is asked in curl, JavaScript and Python without any package, for the pages of the
// docs: an address that answers as it stands.
import type { GuideSample } from '../../domain/api-guide.ts';
import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { API_PATHS } from '../../i18n/api-paths.ts';
import type { OperationForm, Printed } from './operations.ts';
import type { ParameterComponents } from './parameters.ts';

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
export const toSamples = (address: string, printed: Printed): readonly GuideSample[] => [
  { label: 'curl', source: toCurl(address, printed) },
  { label: 'JavaScript', source: toJavaScript(address, printed) },
  { label: 'Python', source: toPython(address, printed) },
];

/** An address that exists: the path's identifier and the query of the sample filled in. */
export function toAddress(
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
