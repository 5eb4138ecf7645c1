// Page responses: serves the page or file at a path. Each page is rendered once for all concurrent
// requests and cached until its inputs change.
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
  missingPagePath,
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
/** Responses with these statuses stay the same until their inputs change. */
const CACHEABLE_STATUSES: ReadonlySet<number> = new Set([200, 301, 404, 410]);
/** Paths of the embeddable list, which reads a query but has no page definition. */
const EMBED_FRAME_PATHS: readonly string[] = LANGS.map(embedFramePath);
const FRAME_POLICIES: ReadonlyMap<string, FramePolicy> = new Map(
  LANGS.flatMap((lang): [string, FramePolicy][] => [
    [embedFramePath(lang), 'framed'],
    [pagePath('embed', lang), 'framing'],
  ]),
);
/** Cache-Control of missing pages: the next release may add them. */
const MISSING_CACHE_CONTROL = 'public, max-age=60';

/**
 * Returns true if a decoded path is not public: an internal path of Astro (`/_image`), a file name,
 * a path with `..`, or a path that is not canonical once decoded (`/%2f` would name a host).
 */
export function isPrivatePath(path: string): boolean {
  return (
    (path.startsWith('/_') && !path.startsWith('/_astro/')) ||
    path.endsWith('.html') ||
    // Astro's error page.
    /^(\/[a-z]{2})?\/500$/.test(path) ||
    canonicalizePath(path) !== path ||
    /\/\.\.?(\/|$)/.test(path)
  );
}

/**
 * Resolves the file below DATA_DIR of a picture, or of an asset of another version's pages.
 * @returns null for any other path.
 */
function resolveDataFile({ pictures }: OpenRelease, path: string): string | null {
  if (!path.startsWith(`${PICTURES_PATH}/`)) return sharedAssetPath(path);
  const [digest = '', name = '', rest] = path.slice(PICTURES_PATH.length + 1).split('/');
  if (!pictures.has(digest) || rest !== undefined || !/^\d+\.[a-z]+$/.test(name)) return null;
  return `${PICTURES_FOLDER}/${digest}/${name}`;
}

/**
 * Finds the asset or picture at a path on this machine.
 * @returns null if the path is neither, or the file is not on this machine.
 */
export function findLocalFile(release: OpenRelease, data_dir: string, path: string): string | null {
  const asset = release.code.assets.get(path);
  if (asset !== undefined) return asset;
  const file = resolveDataFile(release, path);
  return file !== null && existsSync(join(data_dir, file)) ? join(data_dir, file) : null;
}

/** Finds the asset or picture at a path; fetches it from other machines if it is only there. */
export async function fetchFile(
  { release, service }: Pick<RequestContext, 'release' | 'service'>,
  path: string,
): Promise<string | null> {
  const local_file = findLocalFile(release, service.data_dir, path);
  if (local_file !== null) return local_file;
  const file = resolveDataFile(release, path);
  if (file === null || !(await service.fetchShared?.(file))) return null;
  return join(service.data_dir, file);
}

/**
 * Serves the page or file at a decoded path, or the 404 page.
 * @param matched The page definition that matches the path, if any.
 */
export async function getPageResponse(
  context: RequestContext,
  path: string,
  matched: MatchedPage | null,
): Promise<Representation> {
  const file_response = await getFileResponse(context, path);
  if (file_response !== null) return file_response;
  const { release, now_ms, work } = context;
  work.route = 'page_file';

  // Filterable pages are cached by their normalized query, embeds by the raw one; other pages
  // ignore it.
  const { query } = context.request;
  const page_request =
    matched && parsePageRequest(matched, path, query, { snapshot: release.snapshot, now_ms });
  const cache_query = page_request?.text ?? (EMBED_FRAME_PATHS.includes(path) ? query : '');
  const page_context = createPageContext(context);
  const render = (): Promise<Representation> =>
    renderPage(context, page_context, path, cache_query);
  // A page that names ignored parameters must not be cached under the normalized query.
  if (page_request?.is_understood === false)
    return withCommonHeaders(await render(), context, path);

  const cacheKey = (): string =>
    pageCacheKeyOf(page_context, release.code.renderer_digest, path, cache_query);
  return getMinuteResponse(context, { path, query: cache_query, matched }, () =>
    getCachedOrRender(context, path, cacheKey, render),
  );
}

/** Serves the file at a path. @returns null if there is none. */
async function getFileResponse(
  context: RequestContext,
  path: string,
): Promise<Representation | null> {
  const { release } = context;
  const file = await fetchFile(context, path);
  if (file === null) return null;
  const cacheKey = (): string => pageCacheKey(release.code.renderer_digest, 'file', path);
  return getCachedOrRender(context, path, cacheKey, () => readAsset(context, path, file));
}

/**
 * Serves a page from the response cache of the release, where each response lives for one minute.
 *
 * Stale-while-revalidate: a page that changes every minute serves the previous minute's response
 * while the new one renders, so that no visitor waits. Never across midnight: the previous response
 * is about another day.
 */
async function getMinuteResponse(
  context: RequestContext,
  page: {
    readonly path: string;
    readonly query: string;
    readonly matched: MatchedPage | null;
  },
  refresh: () => Promise<Representation>,
): Promise<Representation> {
  const { release, now_ms } = context;
  const { response_cache } = release;
  const minute_ms = floorToMinute(now_ms);
  const responseKey = (ms: number): string => `page ${ms} ${page.path}?${page.query}`;
  const cached = response_cache.get(responseKey(minute_ms));
  if (cached) return cached;
  const storeIfCacheable = (response: Representation): Representation => {
    if (CACHEABLE_STATUSES.has(response.status))
      response_cache.set(responseKey(minute_ms), response);
    return response;
  };

  const stale =
    page.matched?.changesEveryMinute(now_ms) &&
    response_cache.get(responseKey(minute_ms - MINUTE_MS));
  if (!stale || minute_ms === getToday(now_ms).start_ms) return storeIfCacheable(await refresh());
  response_cache.set(responseKey(minute_ms), stale);
  refresh().then(storeIfCacheable, (error: unknown) => {
    response_cache.delete(responseKey(minute_ms));
    if (busyResponse(error, context) === null) context.onError(error, page.path);
  });
  return stale;
}

/** Serves the 404 page, as HTML or Markdown; ignores the query. */
export function getMissingPage(
  context: RequestContext,
  lang: Lang,
  is_markdown = false,
): Promise<Representation> {
  const path = missingPagePath(lang);
  const without_query = { ...context, request: { ...context.request, query: '' } };
  return getPageResponse(without_query, is_markdown ? markdownPath(path) : path, null);
}

export const createPageContext = (context: RequestContext): PageContext => ({
  snapshot: context.release.snapshot,
  now_ms: context.now_ms,
  site: context.service.site,
  readHealth: () => computeHealth(context),
});

/**
 * Computes the cache key of a page: renderer, path, query, day and the digest of its inputs.
 * Without such a digest, the whole snapshot counts as input, and for embeds also the minute.
 */
export function pageCacheKeyOf(
  page_context: PageContext,
  renderer_digest: string,
  path: string,
  query: string,
): string {
  const { snapshot, now_ms } = page_context;
  const minute = EMBED_FRAME_PATHS.includes(path) ? floorToMinute(now_ms) : '';
  const inputs = digestPageInputs(page_context, path, query) ?? `${snapshot.version} ${minute}`;
  return pageCacheKey(renderer_digest, path, query, toLocalDay(now_ms).toString(), inputs);
}

/**
 * Gets a response from the page cache, or renders it once for all concurrent requests. Keeps the
 * release open, because rendering may outlast the request.
 */
async function getCachedOrRender(
  context: RequestContext,
  path: string,
  cacheKey: () => string,
  render: () => Promise<Representation>,
): Promise<Representation> {
  const { service, release } = context;
  const page = await service.getCachedPage(cacheKey, () => withOpenRelease(release, render));
  return withCommonHeaders(page, context, path);
}

function withCommonHeaders(
  page: Representation,
  { service, release }: RequestContext,
  path: string,
): Representation {
  const type = page.headers['content-type'] ?? '';
  const security = securityHeaders(type, service.site.url, {
    framing: FRAME_POLICIES.get(path),
    style_hashes: release.code.style_hashes,
  });
  return { ...page, headers: { ...page.headers, ...PUBLIC_HEADERS, ...security } };
}

/** Reads a file; it is dated like the data of the release. */
async function readAsset(
  { release }: RequestContext,
  path: string,
  file: string,
): Promise<Representation> {
  const headers = { 'content-type': contentTypeOf(path) };
  const asset = createRepresentation({ status: 200, headers, body: await readFile(file) });
  return { ...asset, last_modified_ms: release.snapshot.generated_ms };
}

/** Headers that are forwarded from Astro's response; we set all others. */
const FORWARDED_HEADERS = ['content-type', 'location', 'cache-control', 'x-robots-tag'] as const;

/** Returns only the named headers. */
export const pickHeaders = (
  headers: HttpResponse['headers'],
  names: readonly string[],
): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));

/**
 * Renders the page, document or data file at a path, with only the headers that are specific to it.
 */
export async function renderWithoutCommonHeaders(
  page_context: PageContext,
  { render }: OpenRelease['code'],
  path: string,
  query: string,
): Promise<HttpResponse> {
  const data_file = getDataFileAt(page_context, path);
  if (data_file !== null)
    return { status: 200, headers: { 'content-type': contentTypeOf(path) }, body: data_file };
  const encoded_path = path.split('/').map(encodeURIComponent).join('/');
  const url = encoded_path + (query === '' ? '' : `?${query}`);
  const { status, headers, body } = await render(url, page_context);
  const forwarded = pickHeaders(headers, FORWARDED_HEADERS);
  const type = isDocumentPath(path)
    ? contentTypeOf(path)
    : (forwarded['content-type'] ?? 'text/html');
  const cache_if_missing = status >= 500 ? CACHE_NO_STORE : MISSING_CACHE_CONTROL;
  return {
    status,
    headers: {
      'cache-control': status >= 400 ? cache_if_missing : CACHE_PAGE,
      ...forwarded,
      'content-type': type === 'text/html' ? HTML_TYPE : type,
    },
    body,
  };
}

/**
 * Renders a page in the sender's turn (work-queues.ts); counts filtered pages against the sender's
 * rate limit.
 */
async function renderPage(
  context: RequestContext,
  page_context: PageContext,
  path: string,
  query: string,
): Promise<Representation> {
  const { release, work } = context;
  work.route = 'page_rendered';
  const response = await runWithAdmission(context, query === '' ? 'page' : 'filtered_page', () =>
    renderWithoutCommonHeaders(page_context, release.code, path, query),
  );
  if (response.status >= 500)
    context.onError(new Error(`The page at ${path} responded with ${response.status}`), path);
  return createRepresentation(response);
}
