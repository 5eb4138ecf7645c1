// A page of the site and its picture: one spelling for each, the clock's aliases, HTML or Markdown (contract 11.6),
// and how long each may be cached.
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
  getNotFoundPage,
  fetchFile,
  getPageResponse,
  isPrivatePath,
} from './page-response.ts';
import { isFormPath } from './handle-form-request.ts';
import { redirectResponse, plainTextResponse } from './error-pages.ts';
import { encodeForRequest, type RequestContext, withOpenRelease } from './request-context.ts';

/** What lies there has another name once it changes. */
const LASTING_FOLDERS = ['/_astro/', `${PICTURES_PATH}/`, `${MOTIFS_PATH}/`];
/** Of a redirect that gives a secret away. */
const SECRET_HEADERS = {
  'cache-control': CACHE_NO_STORE,
  'referrer-policy': 'same-origin',
} as const;

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
    // The home page is the day's.
    const links = { link: DISCOVERY_LINKS };
    return encodeForRequest(context, redirectResponse(302, pagePath('today', home), site, links));
  }
  if (isPrivatePath(decoded)) return handleMissing(context);
  const found = matchPage(pagePathOf(decoded));
  if (decoded.endsWith('.md')) {
    const page = await getPageResponse(context, decoded, found);
    const is_markdown = page.status === 200 && page.headers['content-type'] === MARKDOWN_TYPE;
    const alternates = markdownHeaders(path.slice(0, -'.md'.length), site.url, false);
    return sendPage(context, decoded, found, page, is_markdown ? alternates : {});
  }
  if (found?.has_markdown) return negotiate(context, decoded, found);
  const page = await getPageResponse(context, decoded, found);
  return page.status === 404 ? handleMissing(context) : sendPage(context, decoded, found, page, {});
}

/** To the one spelling of an address. A status address is a secret: no cache and no other site is told. */
function redirectTo(context: RequestContext, canonical: string): Promise<EncodedResponse> {
  const { query } = context.request;
  // Also where its secret part is written in another way: `TOKEN%2f/`.
  const is_secret = isFormPath(canonicalizePath(decodePath(canonical) ?? canonical));
  const location = canonical + (query === '' ? '' : `?${query}`);
  const headers = is_secret ? SECRET_HEADERS : {};
  return encodeForRequest(context, redirectResponse(301, location, context.service.site, headers));
}

/** Nothing is there: said in the form that Accept asks for, as a page where it asks for neither. */
async function handleMissing(context: RequestContext): Promise<EncodedResponse> {
  const { path, headers } = context.request;
  const is_markdown = negotiateMediaType(headers.accept, PAGE_TYPES) === MARKDOWN_TYPE;
  const page = await getNotFoundPage(context, langOfPath(path), is_markdown);
  return encodeResponse(context.request, page, { vary: 'Accept' });
}

/** The page in the form that Accept asks for; both forms vary on it, whatever their status. */
async function negotiate(
  context: RequestContext,
  address: string,
  found: MatchedPage,
): Promise<EncodedResponse> {
  const { request, service, state, now_ms } = context;
  const { path } = request;
  const known = { snapshot: state.snapshot, now_ms };
  const markdown = markdownPath(address);
  const asked_of = found.filterable === null ? markdown : address;
  const asked = parsePageRequest(found, asked_of, request.query, known);
  const query = asked.is_understood ? asked.text : '';
  const type = negotiateMediaType(request.headers.accept, PAGE_TYPES);
  const page = await getPageResponse(context, type === MARKDOWN_TYPE ? markdown : address, found);
  if (page.status !== 200) return sendPage(context, address, found, page, { vary: 'Accept' });
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
  return sendPage(context, address, found, page, alternates);
}

async function sendPage(
  context: RequestContext,
  address: string,
  found: MatchedPage | null,
  page: Representation,
  extra: Readonly<Record<string, string>>,
): Promise<EncodedResponse> {
  const headers = { ...toCacheHeaders(context, address, found, page), ...extra };
  return encodeResponse(context.request, await tellWritten(context, found, page), headers);
}

/**
 * A Markdown document saying when it is sent, to the minute, and of when its data is; kept for that minute. What
 * is no Markdown, and what is not there, stays as it is.
 */
async function tellWritten(
  { request, state, now_ms }: RequestContext,
  found: MatchedPage | null,
  page: Representation,
): Promise<Representation> {
  if (page.status !== 200 || page.headers['content-type'] !== MARKDOWN_TYPE) return page;
  const lang = found?.lang ?? langOfPath(request.path);
  const minute_ms = floorToMinute(now_ms);
  const key = `written ${minute_ms} ${lang} ${page.tag}`;
  const stored = state.answers.get(key);
  if (stored) return stored;
  const text = (await page.read('identity')).toString('utf8');
  const body = withGeneratedLine(text, minute_ms, state.snapshot.generated_at, lang);
  const document = createRepresentation({ status: 200, headers: page.headers, body });
  const written = { ...document, last_modified_ms: page.last_modified_ms };
  state.answers.set(key, written);
  return written;
}

function toCacheHeaders(
  { state, service, now_ms }: RequestContext,
  address: string,
  found: MatchedPage | null,
  page: Representation,
): Record<string, string> {
  if (page.status !== 200) return {};
  // A worker that changed is taken at once.
  if (address === WORKER_PATH) return { 'cache-control': 'no-cache' };
  if (LASTING_FOLDERS.some((folder) => address.startsWith(folder)))
    return { 'cache-control': CACHE_IMMUTABLE };
  const type = page.headers['content-type'];
  const is_file =
    findLocalFile(state, service.data_dir, address) !== null || isDocumentPath(address);
  if (is_file && type !== HTML_TYPE && type !== MARKDOWN_TYPE)
    return { 'cache-control': CACHE_ASSET };
  const cache = found?.changesEveryMinute(now_ms) ? CACHE_MINUTE_PAGE : CACHE_PAGE;
  return { 'cache-control': cacheControlUntilMidnight(now_ms, cache) };
}

/** For what "today" decides: neither fresh nor stale-while-revalidate reaches past midnight. */
export const cacheControlUntilMidnight = (now_ms: number, cache: string = CACHE_PAGE): string =>
  capCacheControl(cache, now_ms, getToday(now_ms).end_ms);

/** The drawing of a picture, or the file of one that we hold, wide enough for a card. */
const toSourceReader =
  ({ state, service }: RequestContext): ReadCardSource =>
  async (picture) => {
    if (picture.kind === 'drawing') {
      const bytes = Buffer.from(loadDrawing(state.snapshot, picture.motif));
      return { type: 'image/svg+xml', bytes };
    }
    const { held } = picture;
    const width = held.widths.find((each) => each >= CARD_PIXELS) ?? largestWidth(held);
    const file = await fetchFile({ state, service }, picturePath(held, width, 'jpg'));
    return file === null ? null : { type: 'image/jpeg', bytes: await readFile(file) };
  };
const CARD_PIXELS = 400;

/**
 * The picture of a page, `/fecha/2026-11-21.png`, or a drawing as PNG, drawn when it is first asked for (contract 16.1); null where the path
 * is none. Lasts where the address has the digest of what is drawn.
 */
export async function handlePosterRequest(
  context: RequestContext,
): Promise<EncodedResponse | null> {
  const { request, state, now_ms, service } = context;
  const { site } = service;
  const path = request.path.endsWith('.png') ? decodePath(request.path) : null;
  if (path === null || canonicalizePath(path) !== path || isPrivatePath(path)) return null;
  if (findLocalFile(state, service.data_dir, path) !== null) return null;
  const found = resolveDrawing({ snapshot: state.snapshot, now_ms, site }, path);
  if (found === null) return null;
  if ('kind' in found) {
    if (found.kind === 'redirect')
      return encodeForRequest(context, redirectResponse(301, found.location, site));
    if (found.failure === 'gone')
      return encodeForRequest(context, plainTextResponse(410, 'failure.gone.text', path));
    return encodeResponse(request, await getNotFoundPage(context, langOfPath(path)));
  }
  const png = await service.pages(
    () => pageCacheKey('poster', JSON.stringify(found)),
    () =>
      service.queues.poster(context.sender, async () => {
        const body = await withOpenRelease(state, () => renderPng(found, toSourceReader(context)));
        return createRepresentation({
          status: 200,
          headers: { 'content-type': 'image/png' },
          body,
        });
      }),
  );
  const is_exact =
    'scene' in found || new URLSearchParams(request.query).get('v') === digestPoster(found);
  const cache = { 'cache-control': is_exact ? CACHE_IMMUTABLE : cacheControlUntilMidnight(now_ms) };
  return encodeResponse(request, png, { ...cache, ...PUBLIC_HEADERS });
}
