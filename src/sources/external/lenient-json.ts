// Lenient JSON: parses the JSON-LD of pages that programs and people wrote, with comments, CDATA
// sections, raw line breaks, trailing commas and semicolons.

/** Strings, and the marks around or within JSON that are not JSON. Every alternative ends somewhere. */
const TOKEN_PATTERN =
  /"(?:[^"\\]|\\[\s\S]?)*"?|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n\r]*|<!--|-->|<!\[CDATA\[|\]\]>/g;
/** Strings, and commas before a closing bracket. */
const COMMA_PATTERN = /"(?:[^"\\]|\\[\s\S]?)*"?|,(?=\s*[\]}])/g;
/** Control characters, and backslashes that begin no escape sequence. */
const INVALID_IN_STRING = /\p{Cc}|\\(?:(["\\/bfnrt]|u[0-9a-f]{4})|([\s\S]?))/giu;

/** Parses JSON. @returns `{ value }`, or null if it cannot be repaired. */
export function parseLenientJson(text: string): { readonly value: unknown } | null {
  return tryParse(text) ?? tryParse(repair(text));
}

function tryParse(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

function repair(text: string): string {
  const without_marks = text.replace(TOKEN_PATTERN, (token) =>
    token.startsWith('"') ? repairString(token) : ' ',
  );
  const json = without_marks.replace(COMMA_PATTERN, (token) => (token === ',' ? '' : token));
  let end = json.length;
  while (end > 0 && /[;\s\u00a0]/.test(json.charAt(end - 1))) end -= 1;
  return json.slice(0, end).replace(/^\ufeff/, '');
}

/** Escapes control characters, and removes backslashes that escape nothing. */
const repairString = (string: string): string =>
  string.replace(INVALID_IN_STRING, (match, valid: string | undefined, other?: string) => {
    if (valid !== undefined) return match;
    if (match.startsWith('\\')) return JSON.stringify(other ?? '').slice(1, -1);
    return JSON.stringify(match).slice(1, -1);
  });
