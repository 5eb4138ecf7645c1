// Links of a copy of plain files: what the copy has is linked as it was, all else at the live service.
import { foldLine } from '../serializers/calendar/content-line.ts';

/** Where the copy and the live service are, and what the copy has. */
interface Copy {
  /** What absolute addresses of the agenda begin with. */
  readonly site_url: string;
  readonly live_url: string;
  /** Whether it has a path, percent-encoded. */
  readonly has: (path: string) => boolean;
}

const ATTRIBUTE = /(\s([a-z-]+)=")(\/(?!\/)[^"\s]*)(?=")/g;
/** Attributes whose address is asked with what a reader types. */
const ASKING: ReadonlySet<string> = new Set(['action', 'formaction', 'data-near', 'data-path']);
const PATH = /^[^\s"'<>()[\]{}`\\|&?#]*/;

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const toHost = (url: string): string => url.replace(/^https?:/, '');

/** The path that a text begins with, and whether a query or a template follows. */
function readPath(text: string): { readonly path: string; readonly is_plain: boolean } {
  const [found = ''] = PATH.exec(text) ?? [];
  return {
    path: found.replace(/[.,;:!]+$/, ''),
    is_plain: !/^[?{]/.test(text.slice(found.length)),
  };
}

/** What follows the address of the site wherever it stands in a text, as far as a path may reach. */
const toAbsolute = (site_url: string): RegExp =>
  new RegExp(
    `((?:https?|webcal):)?${escapeRegExp(toHost(site_url))}(?![\\w.:-])(?=([^\\s"'<>]*))`,
    'g',
  );

/** Lines of a calendar as they were before they were folded. */
const unfold = (text: string): string => text.replaceAll('\r\n ', '');

/** The paths of the site that a text leads to without a query: relative ones of HTML, absolute ones of any. */
export function listPaths(text: string, is_html: boolean, site_url: string): readonly string[] {
  const relative = is_html
    ? [...text.matchAll(ATTRIBUTE)].map(([, , , address = '']) => address)
    : [];
  const absolute = [...unfold(text).matchAll(toAbsolute(site_url))].map(([, , rest = '']) => rest);
  return [...new Set([...relative, ...absolute])].flatMap((address) => {
    const { path, is_plain } = readPath(address);
    return is_plain && path.startsWith('/') ? [path] : [];
  });
}

/** A text of the site as the copy has it. */
export function toStaticText(text: string, is_html: boolean, copy: Copy): string {
  const { site_url, live_url } = copy;
  const isThere = (address: string): boolean => {
    const { path, is_plain } = readPath(address);
    return is_plain && (path === '' || copy.has(path));
  };
  const linked = is_html
    ? text.replace(ATTRIBUTE, (whole, start: string, name: string, address: string) =>
        isThere(address) && !ASKING.has(name) ? whole : `${start}${live_url}${address}`,
      )
    : text;
  if (site_url === live_url) return linked;
  return (
    linked
      .replace(toAbsolute(site_url), (whole, scheme: string | undefined, rest: string) => {
        if (isThere(rest)) return whole;
        return scheme === 'webcal:' ? `webcal:${toHost(live_url)}` : live_url;
      })
      // What other services are given to fetch, as `cid=webcal%3A%2F%2F…`, has a query.
      .replaceAll(
        encodeURIComponent(`${toHost(site_url)}/`),
        encodeURIComponent(`${toHost(live_url)}/`),
      )
  );
}

/** A calendar of the site as the copy has it. */
export const toStaticCalendar = (text: string, copy: Copy): string =>
  unfold(text)
    .split('\r\n')
    .flatMap((line) => (line === '' ? [] : foldLine(toStaticText(line, false, copy))))
    .join('');
