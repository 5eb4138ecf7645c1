// How to ask an operation: curl, JavaScript and Python, without any package (`x-codeSamples`).
import type { Json } from './schemas.ts';

/** What an answer holds, and which of its fields a sample prints. */
export type Printed =
  | { readonly kind: 'list' | 'one'; readonly fields: readonly [string, string] }
  | { readonly kind: 'calendar' };

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

/** The samples for an address that answers; it has no quote in it, for it is percent-encoded. */
export const toCodeSamples = (address: string, printed: Printed): readonly Json[] => [
  { lang: 'Shell', label: 'curl', source: toCurl(address, printed) },
  { lang: 'JavaScript', label: 'JavaScript', source: toJavaScript(address, printed) },
  { lang: 'Python', label: 'Python', source: toPython(address, printed) },
];
