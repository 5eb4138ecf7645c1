// Whether an address follows from what was read: a caller that starts from /llms.txt knows no other.

/** An address in a document, with or without its origin. */
const ADDRESS = /(?:https?:\/\/[^\s/)>`"]+)?(\/[^\s)>`"'”»,;·]+)/g;
/** What stands in a template for what the caller puts there. */
const BLANKS = /(\{[^}]+\}|YYYY-MM-DD|AAAA-MM-DD|YYYY-MM|AAAA-MM|…)/;
const DAY = /^\d{4}-\d{2}(-\d{2})?$/;
/** What a caller may say without having read it: numbers, days, points on the map. */
const OWN_VALUE = /^[\d.,:+-]+$/;
/** What takes the asker's own words. */
const OWN_WORDS = new Set(['q', 'cursor']);

/** Markdown without the backslashes that escape its signs. */
export const withoutEscapes = (markdown: string): string =>
  markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1').replaceAll('&amp;', '&');

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a word stands in any of the documents, not as a part of another. */
const isSaid = (word: string, seen: readonly string[]): boolean => {
  const whole = new RegExp(`(?<![\\p{L}\\d-])${escapeRegExp(word)}(?![\\p{L}\\d-])`, 'iu');
  return seen.some((document) => whole.test(document));
};

/** What a template leaves to the caller in a path; null where the path is not of it. */
function fillBlanks(template: string, path: string): readonly string[] | null {
  const pattern = template
    .split(new RegExp(BLANKS, 'g'))
    .map((part) => (BLANKS.test(part) ? '([^/]+?)' : escapeRegExp(part)))
    .join('');
  const filled = new RegExp(`^${pattern}$`).exec(path);
  return filled === null ? null : filled.slice(1);
}

/** Whether a path is a link that was read, such a link with `.md`, or fills in a template with what was read. */
function isPathExplained(path: string, seen: readonly string[]): boolean {
  const known = new Set(
    seen.flatMap((document) =>
      [...document.matchAll(ADDRESS)].map(([, found = '']) => found.replace(/[?#].*$|[.:]+$/g, '')),
    ),
  );
  return [...known].some((template) => {
    if (template === path || `${template}.md` === path) return true;
    if (!BLANKS.test(template)) return false;
    const filled = fillBlanks(template, path) ?? fillBlanks(`${template}.md`, path);
    return filled?.every((value) => DAY.test(value) || isSaid(value, seen)) ?? false;
  });
}

/** Why an address does not follow from what was read so far; null where it does. */
export function findUnexplained(address: string, documents: readonly string[]): string | null {
  const seen = documents.map(withoutEscapes);
  if (seen.some((document) => document.includes(`${address})`))) return null;
  const cut = address.indexOf('?');
  const path = cut < 0 ? address : address.slice(0, cut);
  if (!isPathExplained(path, seen)) return `no link or template leads to ${path}`;
  if (cut < 0) return null;
  for (const [name, value] of new URLSearchParams(address.slice(cut))) {
    if (!isSaid(name, seen)) return `nothing says that there is a parameter ${name}`;
    if (OWN_WORDS.has(name) || OWN_VALUE.test(value)) continue;
    const unsaid = value.split(',').find((word) => !isSaid(word, seen));
    if (unsaid !== undefined) return `nothing says that ${name} may be ${unsaid}`;
  }
  return null;
}
