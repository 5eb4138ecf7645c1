// The query string as a record of known parameters, each given once (contract 7.5, 7.6, 7.7, 7.9).
import { findForeignAdvice, findNearName } from '../domain/filters/near-names.ts';

/**
 * A form's text, percent-decoded with `+` as a space; null where it is not UTF-8 or not
 * percent-encoding.
 */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}

/**
 * The known parameters of a query string (what follows `?`, as sent), empty ones left out. Every
 * issue is pushed as `param: sentence`: one given twice, one that is not percent-encoded UTF-8, one
 * whose name comes near a known one or is a word of other APIs. Other unknown ones are ignored, for
 * calendar clients and trackers add their own.
 */
export function parseParameters(
  query: string,
  known: readonly string[],
  issues: string[],
): Record<string, string> {
  const found: Record<string, string> = {};
  const seen = new Set<string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const name = decode(cut < 0 ? pair : pair.slice(0, cut));
    if (name === null) {
      issues.push(
        'query: a name in it is not percent-encoded UTF-8. Percent-encode it as UTF-8, as encodeURIComponent does',
      );
    } else if (known.includes(name)) {
      takeKnown(name, cut < 0 ? '' : pair.slice(cut + 1), seen, found, issues);
    } else {
      const meant = findNearName(name, known);
      const advice = meant === null ? findForeignAdvice(name, known) : `Use '${meant}'`;
      if (advice !== null) issues.push(`${name}: is not a parameter. ${advice}`);
    }
  }
  return found;
}

function takeKnown(
  name: string,
  raw: string,
  seen: Set<string>,
  found: Record<string, string>,
  issues: string[],
): void {
  if (seen.has(name)) {
    const issue = `${name}: is given more than once. Give it once`;
    if (!issues.includes(issue)) issues.push(issue);
    return;
  }
  seen.add(name);
  const value = decode(raw);
  if (value === null)
    issues.push(
      `${name}: is not percent-encoded UTF-8. Percent-encode it as UTF-8, as encodeURIComponent does`,
    );
  else if (value !== '') found[name] = value;
}
