// The page at an address: a file of the release, or what Astro renders, kept until the day or the
// release changes.
import { floorToMinute } from '../../domain/cancun-time.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { NO_STORE, PAGE } from '../../http/cache-control.ts';
import { OPEN_HEADERS } from '../../http/cors.ts';
import type { HttpResponse } from '../../http/message.ts';
import { type Representation, toRepresentation } from '../../http/representation.ts';
import { toSecurityHeaders } from '../../http/security-headers.ts';
import { findToday } from '../../domain/today.ts';
import { HTML_TYPE } from '../../site/alternates.ts';
import { toPagePath } from '../../i18n/paths.ts';
import type { RequestContext } from './request-context.ts';
import { toFileRepresentation } from './file-representation.ts';

/** What Astro says that goes on to the reader; the rest is ours to say. */
const PASSED_HEADERS = ['content-type', 'location', 'cache-control', 'x-robots-tag'] as const;
/** Answers that the same address gets again until something changes. */
const CACHED_STATUS: ReadonlySet<number> = new Set([200, 301, 404, 410]);
/** Pages that answer what is asked behind their address, and say what comes next. */
const VARIES_BY_QUERY: ReadonlySet<string> = new Set(
  LANGS.map((lang) => toPagePath('calendar', lang)),
);
/** A page that is not there may come with the next release. */
const MISSING = 'public, max-age=60';

/** What every page and file says, whatever it is. */
export const toCommonHeaders = (
  type: string,
  site_url: string,
): Readonly<Record<string, string>> => ({
  'content-type': type,
  ...OPEN_HEADERS,
  ...toSecurityHeaders(type, site_url),
});

/** The page or file at an address, decoded; a 404 page where there is none. */
export async function findPage(context: RequestContext, address: string): Promise<Representation> {
  const { state, service, request } = context;
  const entry = state.files.get(address);
  if (entry)
    return toFileRepresentation(state, entry, toCommonHeaders(entry.type, service.site.url));
  const key = toKey(context, address);
  const cached = key === null ? undefined : state.responses.get(key);
  if (cached) return cached;
  const page = await render(context, address + (request.query === '' ? '' : `?${request.query}`));
  if (key !== null && CACHED_STATUS.has(page.status)) state.responses.set(key, page);
  return page;
}

/**
 * Under what a rendered page is kept: its day and address, or its minute, address and query where
 * it answers those. Null for what is not kept. The store holds a number of bytes, so many queries
 * only push each other out.
 */
function toKey({ request, now_ms }: RequestContext, address: string): string | null {
  if (VARIES_BY_QUERY.has(address))
    return `page ${floorToMinute(now_ms)} ${address}?${request.query}`;
  return request.query === '' ? `page ${findToday(now_ms).day} ${address}` : null;
}

/** The 404 page, for an address that is nobody's business, whatever its query. */
export function findMissingPage(context: RequestContext, lang: Lang): Promise<Representation> {
  return findPage(
    { ...context, request: { ...context.request, query: '' } },
    lang === 'en' ? '/en/404' : '/404',
  );
}

async function render(
  { state, now_ms, service }: RequestContext,
  url: string,
): Promise<Representation> {
  const [address = '', query] = url.split(/\?(.*)/s);
  const encoded =
    address.split('/').map(encodeURIComponent).join('/') + (query === undefined ? '' : `?${query}`);
  const response = await state.render(encoded, {
    snapshot: state.snapshot,
    now_ms,
    site: service.site,
  });
  if (response.status >= 500)
    service.onError(new Error(`The page at ${address} answered ${response.status}`), address);
  return toRepresentation({ ...response, headers: toHeaders(response, service.site.url) });
}

function toHeaders(response: HttpResponse, site_url: string): Record<string, string> {
  const passed = Object.fromEntries(
    PASSED_HEADERS.flatMap((name) => {
      const value = response.headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const type =
    passed['content-type'] === undefined || passed['content-type'] === 'text/html'
      ? HTML_TYPE
      : passed['content-type'];
  const cache = response.status >= 500 ? NO_STORE : response.status >= 400 ? MISSING : PAGE;
  return { 'cache-control': cache, ...passed, ...toCommonHeaders(type, site_url) };
}
