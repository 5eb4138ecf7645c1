// The page or file at an address: a file of the release, or what Astro renders, stored until the
// day or the release changes.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { floorToMinute } from '../../domain/cancun-time.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { findToday } from '../../domain/today.ts';
import { toCanonicalPath } from '../../http/address.ts';
import type { HttpResponse } from '../../http/message.ts';
import { CODINGS, type Coding } from '../../http/negotiation.ts';
import { type Representation, toRepresentation } from '../../http/representation.ts';
import { NO_STORE, OPEN_HEADERS, PAGE, toSecurityHeaders } from '../../http/response-headers.ts';
import { toMissingPath, toPagePath } from '../../i18n/paths.ts';
import { CODING_ENDINGS, type FileEntry } from '../../releases/manifest.ts';
import { HTML_TYPE } from '../../site/alternates.ts';
import type { ReleaseState } from './release-state.ts';
import type { RequestContext } from './request-context.ts';

/** The headers of Astro's response that are passed on to the reader; the rest is ours to set. */
const PASSED_HEADERS = ['content-type', 'location', 'cache-control', 'x-robots-tag'] as const;
/** Statuses that the same address has again until something changes. */
const STORED_STATUS: ReadonlySet<number> = new Set([200, 301, 404, 410]);
/** Pages that depend on the query behind their address, and say what comes next. */
const VARIES_BY_QUERY: ReadonlySet<string> = new Set(
  LANGS.map((lang) => toPagePath('calendar', lang)),
);
/** A page that is not there may come with the next release. */
const MISSING = 'public, max-age=60';

/**
 * Whether a decoded path is no public address: a prebuilt variant (`/_hoy/2026-11-21`) or one of
 * Astro's own endpoints (`/_image`), a page's file name, or a way round through `..`, which Astro
 * would follow to a page under a false name. So is one that an encoded slash (`/%2f`) makes another
 * than it was: two slashes in front would name a host.
 */
export function isHiddenPath(path: string): boolean {
  return (
    (path.startsWith('/_') && !path.startsWith('/_astro/')) ||
    path.endsWith('.html') ||
    toCanonicalPath(path) !== path ||
    /\/\.\.?(\/|$)/.test(path)
  );
}

/** The page or file at an address, decoded; a 404 page where there is none. */
export async function findPage(context: RequestContext, address: string): Promise<Representation> {
  const { state, service } = context;
  const entry = state.files.get(address);
  if (entry) return readPageFile(state, entry, toCommonHeaders(entry.type, service.site.url));
  const key = toKey(context, address);
  const stored = key === null ? undefined : state.responses.get(key);
  if (stored) return stored;
  const page = await renderPage(context, address);
  if (key !== null && STORED_STATUS.has(page.status)) state.responses.set(key, page);
  return page;
}

/** The 404 page, for an address that is not public, whatever its query. */
export function findMissingPage(context: RequestContext, lang: Lang): Promise<Representation> {
  return findPage({ ...context, request: { ...context.request, query: '' } }, toMissingPath(lang));
}

/** What every page and file says, whatever it is. */
const toCommonHeaders = (type: string, site_url: string): Readonly<Record<string, string>> => ({
  'content-type': type,
  ...OPEN_HEADERS,
  ...toSecurityHeaders(type, site_url),
});

/** A file of a release: its compressed forms lie beside it, read once and cached in memory. */
function readPageFile(
  state: ReleaseState,
  entry: FileEntry,
  headers: Readonly<Record<string, string>>,
): Representation {
  const read = (coding: Coding | 'identity'): Buffer | Promise<Buffer> => {
    const name = coding === 'identity' ? entry.file : `${entry.file}${CODING_ENDINGS[coding]}`;
    return state.bytes.get(name) ?? readAndCache(state, name);
  };
  return {
    status: 200,
    headers,
    tag: entry.tag,
    last_modified_ms: entry.last_modified_ms,
    size: entry.size,
    read,
    codings: CODINGS.filter((coding) => entry.encodings[coding] !== undefined),
  };
}

async function readAndCache(state: ReleaseState, name: string): Promise<Buffer> {
  const bytes = await readFile(join(state.client_dir, name));
  state.bytes.set(name, bytes);
  return bytes;
}

/**
 * Under what a rendered page is stored: its day and address, or its minute, address and query where
 * it depends on those. Null for what is not stored. The store holds a number of bytes, so many
 * queries only push each other out.
 */
function toKey({ request, now_ms }: RequestContext, address: string): string | null {
  if (VARIES_BY_QUERY.has(address))
    return `page ${floorToMinute(now_ms)} ${address}?${request.query}`;
  return request.query === '' ? `page ${findToday(now_ms).day} ${address}` : null;
}

async function renderPage(context: RequestContext, address: string): Promise<Representation> {
  const { state, now_ms, service, request } = context;
  const path = address.split('/').map(encodeURIComponent).join('/');
  const response = await state.render(path + (request.query === '' ? '' : `?${request.query}`), {
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
