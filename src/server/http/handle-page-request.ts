// Page requests: redirects to the canonical path, negotiates HTML or Markdown (contract 11.6), sets
// caching, and serves posters.
import { readFile } from 'node:fs/promises';
import { getToday, floorToMinute } from '../../domain/local-time.ts';
import { largestWidth } from '../../domain/pictures.ts';
import { loadDrawing } from '../../snapshot/open-snapshot.ts';
import { decodePath, canonicalizePath } from '../../http/message.ts';
import { negotiateMediaType } from '../../http/negotiation.ts';
import {
  encodeResponse,
  type EncodedResponse,
  type Representation,
  createRepresentation,
} from '../../http/representation.ts';
import {
  CACHE_ASSET,
  capCacheControl,
  CACHE_IMMUTABLE,
  CACHE_MINUTE_PAGE,
  CACHE_NO_STORE,
  PUBLIC_HEADERS,
  CACHE_PAGE,
} from '../../http/response-headers.ts';
import {
  findHomeLang,
  MOTIFS_PATH,
  PICTURES_PATH,
  picturePath,
  markdownPath,
  pagePath,
  langOfPath,
  WORKER_PATH,
} from '../../i18n/paths.ts';
import { renderPng, type ReadCardSource } from '../../pictures/render-poster.ts';
import {
  DISCOVERY_LINKS,
  HTML_TYPE,
  MARKDOWN_TYPE,
  PAGE_TYPES,
  markdownHeaders,
  pageAlternateHeaders,
} from '../../site/markdown-responses.ts';
import { withGeneratedLine } from '../../serializers/markdown/document.ts';
import { parsePageRequest } from '../../site/page-query.ts';
import { type MatchedPage, pagePathOf } from '../../site/page-definition.ts';
import { isDocumentPath } from '../../site/resolve-path.ts';
import { digestPoster } from '../../site/page-meta.ts';
import { matchPage, resolveDrawing } from '../../site/page-registry.ts';
import { pageCacheKey } from '../page-cache.ts';
import {
  findLocalFile,
  getMissingPage,
  fetchFile,
  getPageResponse,
  isPrivatePath,
} from './page-response.ts';
import { isFormPath } from './handle-form-request.ts';
import { redirectResponse, plainTextResponse } from './error-pages.ts';
import { encodeForRequest, type RequestContext, withOpenRelease } from './request-context.ts';

/** Files in these folders get a new name when their content changes. */
const IMMUTABLE_FOLDERS = ['/_astro/', `${PICTURES_PATH}/`, `${MOTIFS_PATH}/`];
/** Headers of a redirect to a secret path: its Location must not be cached or sent as referrer. */
const SECRET_REDIRECT_HEADERS = {
  'cache-control': CACHE_NO_STORE,
  'referrer-policy': 'same-origin',
} as const;

/** Handles GET and HEAD on a path of a page or file. */
export async function handlePageRequest(context: RequestContext): Promise<EncodedResponse> {
  const { request, service } = context;
  const { path } = request;
  const { site } = service;
  const decoded = decodePath(path);
  if (decoded === null)
    return encodeForRequest(context, plainTextResponse(400, 'error.bad_request', path));
  const canonical = canonicalizePath(path);
  if (canonical !== path) return redirectTo(context, canonical);
  const home = findHomeLang(path);
  if (home !== null) {
    // The home page redirects to the page of today.
    const extra = { link: DISCOVERY_LINKS };
    return encodeForRequest(context, redirectResponse(302, pagePath('today', home), site, extra));
  }
  if (isPrivatePath(decoded)) return serveMissingPage(context);
  const matched = matchPage(pagePathOf(decoded));
  if (decoded.endsWith('.md')) {
    const page = await getPageResponse(context, decoded, matched);
    const is_markdown = page.status === 200 && page.headers['content-type'] === MARKDOWN_TYPE;
    const alternates = markdownHeaders(path.slice(0, -'.md'.length), site.url, false);
    return sendPage(context, decoded, matched, page, is_markdown ? alternates : {});
  }
  if (matched?.has_markdown) return serveNegotiated(context, decoded, matched);
  const page = await getPageResponse(context, decoded, matched);
  return page.status === 404
    ? serveMissingPage(context)
    : sendPage(context, decoded, matched, page, {});
}

/**
 * Redirects to the canonical path. A status path is secret: the redirect is not cached and sends no
 * referrer.
 */
function redirectTo(context: RequestContext, canonical: string): Promise<EncodedResponse> {
  const { query } = context.request;
  // Also for other encodings of the secret path: `TOKEN%2f/`.
  const is_secret = isFormPath(canonicalizePath(decodePath(canonical) ?? canonical));
  const location = canonical + (query === '' ? '' : `?${query}`);
  const headers = is_secret ? SECRET_REDIRECT_HEADERS : {};
  return encodeForRequest(context, redirectResponse(301, location, context.service.site, headers));
}

/** Serves the 404 page as HTML or Markdown by Accept; as HTML if neither is acceptable. */
async function serveMissingPage(context: RequestContext): Promise<EncodedResponse> {
  const { path, headers } = context.request;
  const is_markdown = negotiateMediaType(headers.accept, PAGE_TYPES) === MARKDOWN_TYPE;
  const page = await getMissingPage(context, langOfPath(path), is_markdown);
  return encodeResponse(context.request, page, { vary: 'Accept' });
}

/** Serves a page as HTML or Markdown by Accept, with `Vary: Accept` for every status. */
async function serveNegotiated(
  context: RequestContext,
  decoded_path: string,
  matched: MatchedPage,
): Promise<EncodedResponse> {
  const { request, service, release, now_ms } = context;
  const { path } = request;
  const markdown_path = markdownPath(decoded_path);
  // Only the Markdown version of a page without filters normalizes its query.
  const query_path = matched.filterable === null ? markdown_path : decoded_path;
  const page_request = parsePageRequest(matched, query_path, request.query, {
    snapshot: release.snapshot,
    now_ms,
  });
  const query = page_request.is_understood ? page_request.text : '';
  const type = negotiateMediaType(request.headers.accept, PAGE_TYPES);
  const page = await getPageResponse(
    context,
    type === MARKDOWN_TYPE ? markdown_path : decoded_path,
    matched,
  );
  if (page.status !== 200)
    return sendPage(context, decoded_path, matched, page, { vary: 'Accept' });
  if (type === null) {
    const alternates = pageAlternateHeaders(path, query);
    return encodeForRequest(
      context,
      plainTextResponse(406, 'error.not_acceptable', path, alternates),
    );
  }
  const alternates =
    type === MARKDOWN_TYPE
      ? markdownHeaders(path, service.site.url, true, query)
      : pageAlternateHeaders(path, query);
  return sendPage(context, decoded_path, matched, page, alternates);
}

async function sendPage(
  context: RequestContext,
  decoded_path: string,
  matched: MatchedPage | null,
  page: Representation,
  extra: Readonly<Record<string, string>>,
): Promise<EncodedResponse> {
  const headers = { ...selectCacheHeaders(context, decoded_path, matched, page), ...extra };
  return encodeResponse(context.request, await addGeneratedLine(context, matched, page), headers);
}

/**
 * Adds the line with the current minute and the date of the data to a Markdown document, and caches
 * the result for that minute. Returns other responses unchanged.
 */
async function addGeneratedLine(
  { request, release, now_ms }: RequestContext,
  matched: MatchedPage | null,
  page: Representation,
): Promise<Representation> {
  if (page.status !== 200 || page.headers['content-type'] !== MARKDOWN_TYPE) return page;
  const lang = matched?.lang ?? langOfPath(request.path);
  const minute_ms = floorToMinute(now_ms);
  const key = `written ${minute_ms} ${lang} ${page.tag}`;
  const cached = release.response_cache.get(key);
  if (cached) return cached;
  const text = (await page.read('identity')).toString('utf8');
  const body = withGeneratedLine(text, minute_ms, release.snapshot.generated_at, lang);
  const document = createRepresentation({ status: 200, headers: page.headers, body });
  const response = { ...document, last_modified_ms: page.last_modified_ms };
  release.response_cache.set(key, response);
  return response;
}

function selectCacheHeaders(
  { release, service, now_ms }: RequestContext,
  decoded_path: string,
  matched: MatchedPage | null,
  page: Representation,
): Record<string, string> {
  if (page.status !== 200) return {};
  // Browsers must see a changed service worker at once.
  if (decoded_path === WORKER_PATH) return { 'cache-control': 'no-cache' };
  if (IMMUTABLE_FOLDERS.some((folder) => decoded_path.startsWith(folder)))
    return { 'cache-control': CACHE_IMMUTABLE };
  const type = page.headers['content-type'];
  const is_file =
    findLocalFile(release, service.data_dir, decoded_path) !== null || isDocumentPath(decoded_path);
  if (is_file && type !== HTML_TYPE && type !== MARKDOWN_TYPE)
    return { 'cache-control': CACHE_ASSET };
  const cache = matched?.changesEveryMinute(now_ms) ? CACHE_MINUTE_PAGE : CACHE_PAGE;
  return { 'cache-control': cacheControlUntilMidnight(now_ms, cache) };
}

/**
 * Caps Cache-Control for responses that depend on today: neither freshness nor staleness lasts past
 * midnight.
 */
export const cacheControlUntilMidnight = (now_ms: number, cache: string = CACHE_PAGE): string =>
  capCacheControl(cache, now_ms, getToday(now_ms).end_ms);

/** Minimum width in pixels of a picture on a poster. */
const POSTER_PICTURE_WIDTH = 400;

/**
 * Creates a reader of poster pictures: the drawing as SVG, or the smallest stored file that is wide
 * enough.
 */
const createCardSourceReader =
  ({ release, service }: RequestContext): ReadCardSource =>
  async (picture) => {
    if (picture.kind === 'drawing') {
      const bytes = Buffer.from(loadDrawing(release.snapshot, picture.motif));
      return { type: 'image/svg+xml', bytes };
    }
    const { stored } = picture;
    const width =
      stored.widths.find((candidate) => candidate >= POSTER_PICTURE_WIDTH) ?? largestWidth(stored);
    const file = await fetchFile({ release, service }, picturePath(stored, width, 'jpg'));
    return file === null ? null : { type: 'image/jpeg', bytes: await readFile(file) };
  };

/**
 * Serves the poster of a page, e.g. `/fecha/2026-11-21.png`, or a drawing as PNG, rendered on first
 * request (contract 16.1). The response is immutable if the URL contains the digest of the poster.
 * @returns null if the path is not a poster or drawing.
 */
export async function handlePosterRequest(
  context: RequestContext,
): Promise<EncodedResponse | null> {
  const { request, release, now_ms, service } = context;
  const { site } = service;
  const path = request.path.endsWith('.png') ? decodePath(request.path) : null;
  if (path === null || canonicalizePath(path) !== path || isPrivatePath(path)) return null;
  if (findLocalFile(release, service.data_dir, path) !== null) return null;
  const drawing = resolveDrawing({ snapshot: release.snapshot, now_ms, site }, path);
  if (drawing === null) return null;
  // A redirect or failure instead of a drawing.
  if ('kind' in drawing) {
    if (drawing.kind === 'redirect')
      return encodeForRequest(context, redirectResponse(301, drawing.location, site));
    if (drawing.failure === 'gone')
      return encodeForRequest(context, plainTextResponse(410, 'failure.gone.text', path));
    return encodeResponse(request, await getMissingPage(context, langOfPath(path)));
  }
  const png = await service.getCachedPage(
    () => pageCacheKey('poster', JSON.stringify(drawing)),
    () =>
      service.queues.poster(context.sender, async () => {
        const readSource = createCardSourceReader(context);
        const body = await withOpenRelease(release, () => renderPng(drawing, readSource));
        return createRepresentation({
          status: 200,
          headers: { 'content-type': 'image/png' },
          body,
        });
      }),
  );
  // The path of a motif's drawing (`scene`) has its digest; the one of a poster is in `v`.
  const has_digest =
    'scene' in drawing || new URLSearchParams(request.query).get('v') === digestPoster(drawing);
  const cache = {
    'cache-control': has_digest ? CACHE_IMMUTABLE : cacheControlUntilMidnight(now_ms),
  };
  return encodeResponse(request, png, { ...cache, ...PUBLIC_HEADERS });
}
