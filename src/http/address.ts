// What the address of a request means: its path decoded once and in one spelling, its query as known
// parameters, each given once (contract 7.5, 7.6, 7.7, 7.9).
import { findForeignAdvice, findNearName } from '../domain/filters/near-names.ts';
import { fold } from '../domain/folding.ts';

/** Longer paths with their query are refused (414). */
export const MAX_URL_LENGTH = 8192;

const tryDecode = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** A path decoded once, or null where it is malformed: `%zz`, `%ff`, a control character. */
export function decodePath(path: string): string | null {
  const decoded = tryDecode(path);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
  return decoded === null || /[\u0000-\u001f\u007f]/.test(decoded) ? null : decoded;
}

/** Without doubled slashes, backslashes or one at its end; never begins with two, which would name a host. */
export const toCanonicalPath = (path: string): string =>
  `/${path
    .split(/[/\\]+/)
    .filter((part) => part !== '')
    .join('/')}`;

/** What programs add to links to learn where a visitor came from: it asks nothing of a page. */
const TRACKERS: ReadonlySet<string> = new Set([
  ...['fbclid', 'gclid', 'gbraid', 'wbraid', 'dclid', 'msclkid', 'twclid', 'yclid', 'ttclid'],
  ...['igsh', 'igshid', 'mc_cid', 'mc_eid', 'srsltid', '_ga', '_gl', 'ref', 'ref_src'],
]);

/** A query as sent, without what only says where its reader came from. */
export const withoutTrackers = (query: string): string =>
  query
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('utm_'))
    .filter((pair) => !TRACKERS.has(pair.split('=', 1)[0] ?? ''))
    .join('&');

const NOT_ENCODED =
  'is not percent-encoded UTF-8. Percent-encode it as UTF-8, as encodeURIComponent does';

const NO_OTHERS: ReadonlySet<string> = new Set();

/**
 * The known parameters of a query string as sent, empty ones left out. Every issue is pushed as
 * `param: sentence`: one given twice, one that is not percent-encoded UTF-8, one whose name comes near a
 * known one, is a word of other APIs or one of `others`, which mean something elsewhere. The rest is
 * ignored: calendar clients and trackers add their own.
 */
export function parseParameters(
  query: string,
  known: readonly string[],
  issues: string[],
  others: ReadonlySet<string> = NO_OTHERS,
): Record<string, string> {
  const found: Record<string, string> = {};
  const seen = new Set<string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const cut = pair.indexOf('=');
    const [name, value] = [
      cut < 0 ? pair : pair.slice(0, cut),
      cut < 0 ? '' : pair.slice(cut + 1),
    ].map((text) => tryDecode(text.replaceAll('+', ' ')));
    if (name === null || name === undefined) issues.push(`query: a name in it ${NOT_ENCODED}`);
    else if (!known.includes(name)) {
      const meant = findNearName(name, known, others);
      const taken = others.has(fold(name)) ? `Those of this address are ${known.join(', ')}` : null;
      const advice = meant === null ? (findForeignAdvice(name, known) ?? taken) : `Use '${meant}'`;
      if (advice !== null) issues.push(`${name}: is not a parameter. ${advice}`);
    } else if (seen.has(name)) {
      const issue = `${name}: is given more than once. Give it once`;
      if (!issues.includes(issue)) issues.push(issue);
    } else {
      seen.add(name);
      if (value === null) issues.push(`${name}: ${NOT_ENCODED}`);
      else if (value) found[name] = value;
    }
  }
  return found;
}
