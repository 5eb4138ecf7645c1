// The page or file at an address: a file of the release, or what Astro renders, stored until the
// minute, the day or the release changes.
import { readFile } from 'node:fs/promises';
import { floorToMinute } from '../../domain/cancun-time.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { findToday } from '../../domain/today.ts';
import { toCanonicalPath } from '../../http/address.ts';
import type { HttpResponse } from '../../http/message.ts';
import { CODINGS, type Coding } from '../../http/negotiation.ts';
import { type Representation, toRepresentation } from '../../http/representation.ts';
import {
  type Framing,
  NO_STORE,
  OPEN_HEADERS,
  PAGE,
  toSecurityHeaders,
} from '../../http/response-headers.ts';
import {
  toDirectoryPath,
  toFramePath,
  toMarkdownPath,
  toMissingPath,
  toPagePath,
} from '../../i18n/paths.ts';
import { toStoredPath } from '../../releases/file-store.ts';
import { type FileEntry, isHeld } from '../../releases/manifest.ts';
import { HTML_TYPE } from '../../site/alternates.ts';
import { type AskedQuery, toAskedQuery } from '../../site/narrowing/asked-query.ts';
import { isMadeByMinute } from '../../site/page-request.ts';
import { listMapOrigins } from '../../site/street-map.ts';
import { admit } from './admit.ts';
import { readHealth } from './health.ts';
import { findMinutePage } from './minute-pages.ts';
import type { ReleaseState } from './release-state.ts';
import type { RequestContext } from './request-context.ts';

/** The headers of Astro's response that are passed on to the reader; the rest is ours to set. */
const PASSED_HEADERS = ['content-type', 'location', 'cache-control', 'x-robots-tag'] as const;
/** Statuses that the same address has again until something changes. */
const STORED_STATUS: ReadonlySet<number> = new Set([200, 301, 404, 410]);
/** Pages that say what comes next, so that they change from minute to minute. */
const VARIES_BY_QUERY: ReadonlySet<string> = new Set(
  LANGS.flatMap((lang) => [
    ...(['calendar', 'search', 'changes'] as const).flatMap((page) => {
      const path = toPagePath(page, lang);
      return [path, toMarkdownPath(path)];
    }),
    ...(['venue', 'organizer'] as const).map((section) => toDirectoryPath(section, lang)),
    toPagePath('embed', lang),
    toFramePath(lang),
  ]),
);
/** Pages that are framed, or show a frame. */
const FRAMINGS: ReadonlyMap<string, Framing> = new Map(
  LANGS.flatMap((lang): [string, Framing][] => [
    [toFramePath(lang), 'framed'],
    [toPagePath('embed', lang), 'framing'],
  ]),
);
/** A page that is not there may come with the next release. */
const MISSING = 'public, max-age=60';
/** Astro's own page for what failed: no address of anything. */
const BROKEN = /^(\/[a-z]{2})?\/500$/;

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
    BROKEN.test(path) ||
    toCanonicalPath(path) !== path ||
    /\/\.\.?(\/|$)/.test(path)
  );
}

/** The page or file at an address, decoded; a 404 page where there is none. */
export async function findPage(context: RequestContext, address: string): Promise<Representation> {
  const { state } = context;
  const query = toReadQuery(context, address);
  const entry = state.files.get(address);
  const has_turned = entry !== undefined && !isHeld(entry, context.now_ms);
  context.work.route = 'page_file';
  if (entry && !has_turned && (query.text === '' || !query.is_narrowed))
    return readPageFile(state, entry, toCommonHeaders(entry.type, context, address));
  if (isMadeByMinute(address) && query.is_understood)
    return findMinutePage(context, `${address}?${query.text}`, () =>
      renderPage(context, address, query.text),
    );
  const key = toKey(context, address, query, has_turned);
  const stored = key === null ? undefined : state.responses.get(key);
  if (stored) return stored;
  const page = await renderPage(context, address, query.text);
  if (key !== null && STORED_STATUS.has(page.status)) state.responses.set(key, page);
  return page;
}

/** The 404 page or document, for an address that is not public, whatever its query. */
export function findMissingPage(
  context: RequestContext,
  lang: Lang,
  is_markdown = false,
): Promise<Representation> {
  const path = toMissingPath(lang);
  return findPage(
    { ...context, request: { ...context.request, query: '' } },
    is_markdown ? toMarkdownPath(path) : path,
  );
}

/** What every page and file says, whatever it is. */
const toCommonHeaders = (
  type: string,
  { service, state }: RequestContext,
  address: string,
): Readonly<Record<string, string>> => ({
  'content-type': type,
  ...OPEN_HEADERS,
  ...toSecurityHeaders(type, service.site.url, {
    framing: FRAMINGS.get(address),
    style_hashes: state.style_hashes,
    map_origins: listMapOrigins(service.site, address, state.snapshot),
  }),
});

/** A file of a release: its compressed forms lie beside it, read once and cached in memory. */
function readPageFile(
  state: ReleaseState,
  entry: FileEntry,
  headers: Readonly<Record<string, string>>,
): Representation {
  const read = (coding: Coding | 'identity'): Buffer | Promise<Buffer> => {
    const path = toStoredPath(state.store_dir, entry.tag, coding);
    return state.bytes.get(path) ?? readAndCache(state, path);
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

async function readAndCache(state: ReleaseState, path: string): Promise<Buffer> {
  const bytes = await readFile(path);
  state.bytes.set(path, bytes);
  return bytes;
}

/** The query of a request as the page at an address reads it. */
interface ReadQuery extends AskedQuery {
  /** Whether the page takes the filters. */
  readonly is_narrowed: boolean;
}

/** In one spelling where the page takes the filters; any other page that is asked for more is unlike itself. */
function toReadQuery({ request, state, now_ms }: RequestContext, address: string): ReadQuery {
  const { query } = request;
  const asked = toAskedQuery(address, query, { snapshot: state.snapshot, now_ms });
  if (asked !== null) return { ...asked, is_narrowed: true };
  const is_understood = query === '' || VARIES_BY_QUERY.has(address);
  return { text: query, is_understood, is_narrowed: false };
}

/**
 * Under what a rendered page is stored: its day and address, or its minute, address and query where
 * it depends on those, or has turned once since it was made. Null for what is not stored. The store holds a number of bytes, so many
 * queries only push each other out.
 */
function toKey(
  { now_ms }: RequestContext,
  address: string,
  { text, is_understood }: ReadQuery,
  has_turned: boolean,
): string | null {
  if (!is_understood) return null;
  if (VARIES_BY_QUERY.has(address) || text !== '' || has_turned)
    return `page ${floorToMinute(now_ms)} ${address}?${text}`;
  return `page ${findToday(now_ms).day} ${address}`;
}

async function renderPage(
  context: RequestContext,
  address: string,
  query: string,
): Promise<Representation> {
  const { state, now_ms, service, work } = context;
  work.route = 'page_rendered';
  const path = address.split('/').map(encodeURIComponent).join('/');
  const response = await admit(context, 'page', () =>
    state.render(path + (query === '' ? '' : `?${query}`), {
      snapshot: state.snapshot,
      now_ms,
      site: service.site,
      readHealth: () => readHealth(context),
    }),
  );
  if (response.status >= 500)
    service.onError(new Error(`The page at ${address} answered ${response.status}`), address);
  return toRepresentation({ ...response, headers: toHeaders(response, context, address) });
}

function toHeaders(
  response: HttpResponse,
  context: RequestContext,
  address: string,
): Record<string, string> {
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
  return { 'cache-control': cache, ...passed, ...toCommonHeaders(type, context, address) };
}
