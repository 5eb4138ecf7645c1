// The page or file at an address: rendered once for all who wait, kept until what it is made of changes.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { getToday, floorToMinute, toLocalDay } from '../../domain/local-time.ts';
import { PICTURES_FOLDER } from '../../domain/pictures.ts';
import { LANGS, type Lang } from '../../domain/lang.ts';
import { type HttpResponse, canonicalizePath, contentTypeOf } from '../../http/message.ts';
import { type Representation, createRepresentation } from '../../http/representation.ts';
import {
  type FramePolicy,
  CACHE_NO_STORE,
  PUBLIC_HEADERS,
  CACHE_PAGE,
  securityHeaders,
} from '../../http/response-headers.ts';
import {
  PICTURES_PATH,
  embedFramePath,
  markdownPath,
  notFoundPath,
  pagePath,
} from '../../i18n/paths.ts';
import { HTML_TYPE } from '../../site/markdown-responses.ts';
import { digestPageInputs } from '../../site/page-digest.ts';
import { getDataFileAt } from '../../site/data-files.ts';
import { parsePageRequest } from '../../site/page-query.ts';
import type { MatchedPage } from '../../site/page-definition.ts';
import { isDocumentPath } from '../../site/resolve-path.ts';
import type { PageContext } from '../../site/page-context.ts';
import { sharedAssetPath } from '../../releases/shared-files.ts';
import { pageCacheKey } from '../page-cache.ts';
import { runWithAdmission, busyResponse } from './admission.ts';
import { computeHealth } from './health-responses.ts';
import { type OpenRelease, type RequestContext, withOpenRelease } from './request-context.ts';

const MINUTE_MS = 60_000;
/** Statuses that the same address has again until something changes. */
const KEPT_STATUS: ReadonlySet<number> = new Set([200, 301, 404, 410]);
/** The list that stands in a frame: no page of ours, though it reads a query. */
const FRAMES: readonly string[] = LANGS.map(embedFramePath);
const FRAMINGS: ReadonlyMap<string, FramePolicy> = new Map(
  LANGS.flatMap((lang): [string, FramePolicy][] => [
    [embedFramePath(lang), 'framed'],
    [pagePath('embed', lang), 'framing'],
  ]),
);
/** A page that is not there may come with the next release. */
const MISSING = 'public, max-age=60';

/**
 * Whether a decoded path is no public address: Astro's own (`/_image`), a file name, a way round through `..`, or one
 * that an encoded slash makes another: `/%2f` would name a host.
 */
export function isPrivatePath(path: string): boolean {
  return (
    (path.startsWith('/_') && !path.startsWith('/_astro/')) ||
    path.endsWith('.html') ||
    // Astro's own page for what failed.
    /^(\/[a-z]{2})?\/500$/.test(path) ||
    canonicalizePath(path) !== path ||
    /\/\.\.?(\/|$)/.test(path)
  );
}

/** Where below DATA_DIR the picture at an address lies, or the file of another version's pages; null of any other. */
function toDataPath({ pictures }: OpenRelease, address: string): string | null {
  if (!address.startsWith(`${PICTURES_PATH}/`)) return sharedAssetPath(address);
  const [digest = '', name = '', more] = address.slice(PICTURES_PATH.length + 1).split('/');
  if (!pictures.has(digest) || more !== undefined || !/^\d+\.[a-z]+$/.test(name)) return null;
  return `${PICTURES_FOLDER}/${digest}/${name}`;
}

/** The file of a page's code, or the picture, at an address; null where it is neither, or not here. */
export function findLocalFile(
  state: OpenRelease,
  data_dir: string,
  address: string,
): string | null {
  const asset = state.code.assets.get(address);
  if (asset !== undefined) return asset;
  const path = toDataPath(state, address);
  return path !== null && existsSync(join(data_dir, path)) ? join(data_dir, path) : null;
}

/** The same, brought from other machines where they have it. */
export async function fetchFile(
  { state, service }: Pick<RequestContext, 'state' | 'service'>,
  address: string,
): Promise<string | null> {
  const found = findLocalFile(state, service.data_dir, address);
  const path = found === null ? toDataPath(state, address) : null;
  if (path === null || !(await service.bring?.(path))) return found;
  return join(service.data_dir, path);
}

/** The page or file at an address, decoded; a 404 page where there is none. `found`: the kind that it names. */
export async function getPageResponse(
  context: RequestContext,
  address: string,
  found: MatchedPage | null,
): Promise<Representation> {
  const { state, now_ms } = context;
  const file = await fetchFile(context, address);
  if (file !== null) {
    const toKey = (): string => pageCacheKey(state.code.maker, 'file', address);
    return findOrMake(context, address, toKey, () => readAsset(context, address, file));
  }
  context.work.route = 'page_file';
  // In one spelling where the page takes the filters; any other that is asked for more is unlike itself.
  const { query } = context.request;
  const asked =
    found && parsePageRequest(found, address, query, { snapshot: state.snapshot, now_ms });
  const text = asked?.text ?? (FRAMES.includes(address) ? query : '');
  const of = createPageContext(context);
  const render = (): Promise<Representation> => renderPage(context, of, address, text);
  if (asked?.is_understood === false) return withCommonHeaders(await render(), context, address);
  const minute_ms = floorToMinute(now_ms);
  const toMinuteKey = (ms: number): string => `page ${ms} ${address}?${text}`;
  const answered = state.answers.get(toMinuteKey(minute_ms));
  if (answered) return answered;
  const keep = (page: Representation): Representation => {
    if (KEPT_STATUS.has(page.status)) state.answers.set(toMinuteKey(minute_ms), page);
    return page;
  };
  const before = found?.changesEveryMinute(now_ms) && state.answers.get(toMinuteKey(minute_ms - MINUTE_MS));
  const toKey = (): string => pageCacheKeyOf(of, state.code.maker, address, text);
  const make = (): Promise<Representation> => findOrMake(context, address, toKey, render);
  // Not past midnight: it is of another day then.
  if (!before || minute_ms === getToday(now_ms).start_ms) return keep(await make());
  // No reader waits for the next minute's.
  state.answers.set(toMinuteKey(minute_ms), before);
  make().then(keep, (thrown: unknown) => {
    state.answers.delete(toMinuteKey(minute_ms));
    if (busyResponse(thrown, context) === null) context.onError(thrown, address);
  });
  return before;
}

/** The 404 page or document, for an address that is not public, whatever its query. */
export function getNotFoundPage(
  context: RequestContext,
  lang: Lang,
  is_markdown = false,
): Promise<Representation> {
  const path = notFoundPath(lang);
  const plain = { ...context, request: { ...context.request, query: '' } };
  return getPageResponse(plain, is_markdown ? markdownPath(path) : path, null);
}

export const createPageContext = (context: RequestContext): PageContext => ({
  snapshot: context.state.snapshot,
  now_ms: context.now_ms,
  site: context.service.site,
  readHealth: () => computeHealth(context),
});

/**
 * What a page is kept under: the code, its address, its day, and the digest of what it is given; of a document the
 * whole snapshot, and of one that reads a query the minute, too.
 */
export function pageCacheKeyOf(
  state: PageContext,
  maker: string,
  address: string,
  query: string,
): string {
  const { snapshot, now_ms } = state;
  const document = `${snapshot.version} ${FRAMES.includes(address) ? floorToMinute(now_ms) : ''}`;
  const made_of = digestPageInputs(state, address, query) ?? document;
  return pageCacheKey(maker, address, query, toLocalDay(now_ms).toString(), made_of);
}

/** Kept, or made once for all who wait for it; what they wait for may outlast the request. */
async function findOrMake(
  context: RequestContext,
  address: string,
  toKey: () => string,
  make: () => Promise<Representation>,
): Promise<Representation> {
  const page = await context.service.pages(toKey, () => withOpenRelease(context.state, make));
  return withCommonHeaders(page, context, address);
}

function withCommonHeaders(
  page: Representation,
  { service, state }: RequestContext,
  address: string,
): Representation {
  const type = page.headers['content-type'] ?? '';
  const security = securityHeaders(type, service.site.url, {
    framing: FRAMINGS.get(address),
    style_hashes: state.code.style_hashes,
  });
  return { ...page, headers: { ...page.headers, ...PUBLIC_HEADERS, ...security } };
}

async function readAsset(
  { state }: RequestContext,
  address: string,
  path: string,
): Promise<Representation> {
  const headers = { 'content-type': contentTypeOf(address) };
  const asset = createRepresentation({ status: 200, headers, body: await readFile(path) });
  return { ...asset, last_modified_ms: state.snapshot.generated_ms };
}

const PASSED = ['content-type', 'location', 'cache-control', 'x-robots-tag'] as const;
/** Those that are passed on of Astro's; the rest is ours to set. */
export const pickHeaders = (
  headers: HttpResponse['headers'],
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));

/** What the page at an address renders to: its headers of its own, and its bytes. */
export async function renderWithoutCommonHeaders(
  state: PageContext,
  { render }: OpenRelease['code'],
  address: string,
  query: string,
): Promise<HttpResponse> {
  const data = getDataFileAt(state, address);
  if (data !== null)
    return { status: 200, headers: { 'content-type': contentTypeOf(address) }, body: data };
  const path = address.split('/').map(encodeURIComponent).join('/');
  const { status, headers, body } = await render(path + (query === '' ? '' : `?${query}`), state);
  const passed = pickHeaders(headers, PASSED);
  const type = isDocumentPath(address)
    ? contentTypeOf(address)
    : (passed['content-type'] ?? 'text/html');
  const cache = status >= 500 ? CACHE_NO_STORE : status >= 400 ? MISSING : CACHE_PAGE;
  const own = { 'content-type': type === 'text/html' ? HTML_TYPE : type };
  return { status, headers: { 'cache-control': cache, ...passed, ...own }, body };
}

async function renderPage(
  context: RequestContext,
  of: PageContext,
  address: string,
  query: string,
): Promise<Representation> {
  const { state, work } = context;
  work.route = 'page_rendered';
  const response = await runWithAdmission(context, query === '' ? 'page' : 'narrowed', () =>
    renderWithoutCommonHeaders(of, state.code, address, query),
  );
  if (response.status >= 500)
    context.onError(new Error(`The page at ${address} answered ${response.status}`), address);
  return createRepresentation(response);
}
