// Explained addresses: checks that an address follows from the documents read so far. A caller that starts at /llms.txt
// knows no other addresses.

/** Matches addresses in a document, with or without an origin. */
const ADDRESS_PATTERN = /(?:https?:\/\/[^\s/)>`"]+)?(\/[^\s)>`"'”»,;·]+)/g;
/** Matches the placeholders of a template. */
const PLACEHOLDER_PATTERN = /(\{[^}]+\}|YYYY-MM-DD|AAAA-MM-DD|YYYY-MM|AAAA-MM|…)/;
const DAY_PATTERN = /^\d{4}-\d{2}(-\d{2})?$/;
/** Matches values that a caller may use without reading them: numbers, days, coordinates. */
const FREE_VALUE_PATTERN = /^[\d.,:+-]+$/;
/** Parameters with any value. */
const FREE_PARAMETERS = new Set(['q', 'cursor']);

/** Removes the backslash escapes of Markdown. */
export const withoutEscapes = (markdown: string): string =>
  markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&');

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Returns true if a document contains a whole word. */
const containsWord = (word: string, documents: readonly string[]): boolean => {
  const pattern = new RegExp(`(?<![\\p{L}\\d-])${escapeRegExp(word)}(?![\\p{L}\\d-])`, 'iu');
  return documents.some((document) => pattern.test(document));
};

/** Returns the values of a template's placeholders in a path. @returns null if the path does not match. */
function matchTemplate(template: string, path: string): readonly string[] | null {
  const pattern = template
    .split(new RegExp(PLACEHOLDER_PATTERN, 'g'))
    .map((part) => (PLACEHOLDER_PATTERN.test(part) ? '([^/]+?)' : escapeRegExp(part)))
    .join('');
  const match = new RegExp(`^${pattern}$`).exec(path);
  return match === null ? null : match.slice(1);
}

/** Returns true if a path is a link in a document, optionally with `.md`, or a template with values from documents. */
function isPathExplained(path: string, documents: readonly string[]): boolean {
  const templates = new Set(
    documents.flatMap((document) =>
      [...document.matchAll(ADDRESS_PATTERN)].map(([, address = '']) =>
        address.replace(/[?#].*$|[.:]+$/g, ''),
      ),
    ),
  );
  return [...templates].some((template) => {
    if (template === path || `${template}.md` === path) return true;
    if (!PLACEHOLDER_PATTERN.test(template)) return false;
    const values = matchTemplate(template, path) ?? matchTemplate(`${template}.md`, path);
    return (
      values?.every((value) => DAY_PATTERN.test(value) || containsWord(value, documents)) ?? false
    );
  });
}

/** Returns why an address does not follow from the documents read so far. @returns null if it does. */
export function findUnexplained(address: string, documents: readonly string[]): string | null {
  const texts = documents.map(withoutEscapes);
  if (texts.some((text) => text.includes(`${address})`))) return null;
  const query_at = address.indexOf('?');
  const path = query_at < 0 ? address : address.slice(0, query_at);
  if (!isPathExplained(path, texts)) return `no link or template for ${path}`;
  if (query_at < 0) return null;
  for (const [name, value] of new URLSearchParams(address.slice(query_at))) {
    if (!containsWord(name, texts)) return `no document has the parameter ${name}`;
    if (FREE_PARAMETERS.has(name) || FREE_VALUE_PATTERN.test(value)) continue;
    const unexplained = value.split(',').find((word) => !containsWord(word, texts));
    if (unexplained !== undefined) return `no document has the value ${unexplained} of ${name}`;
  }
  return null;
}
