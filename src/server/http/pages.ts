// A page of the site and its picture: one spelling for each, the clock's aliases, HTML or Markdown (contract 11.6),
// and how long each may be cached.
import { readFile } from 'node:fs/promises';
import { findToday, floorToMinute } from '../../domain/local-time.ts';
import { toLargestWidth } from '../../domain/pictures.ts';
import { readDrawing } from '../../snapshot/open.ts';
import { decodePath, toCanonicalPath } from '../../http/message.ts';
import { chooseMediaType } from '../../http/negotiation.ts';
import {
  encodeResponse,
  type EncodedResponse,
  type Representation,
  toRepresentation,
} from '../../http/representation.ts';
import {
  ASSET,
  capCacheControl,
  IMMUTABLE,
  MINUTE_PAGE,
  NO_STORE,
  OPEN_HEADERS,
  PAGE,
} from '../../http/response-headers.ts';
import {
  findHomeLang,
  MOTIFS_PATH,
  PICTURES_PATH,
  toPicturePath,
  toMarkdownPath,
  toPagePath,
  toPathLang,
  WORKER_PATH,
} from '../../i18n/paths.ts';
import { paint, type ReadSource } from '../../pictures/poster.ts';
import {
  DISCOVERY_LINKS,
  HTML_TYPE,
  MARKDOWN_TYPE,
  PAGE_TYPES,
  toMarkdownHeaders,
  toPageAlternateHeaders,
} from '../../site/markdown.ts';
import { withWrittenLine } from '../../serializers/markdown/document.ts';
import { readAsked } from '../../site/page-query.ts';
import { type FoundPage, toPageOf } from '../../site/page-kind.ts';
import { isDocument } from '../../site/documents.ts';
import { toPosterDigest } from '../../site/page.ts';
import { findPage, resolveDrawn } from '../../site/registry.ts';
import { toPageKey } from '../page-store.ts';
import { findFile, findMissingPage, getFile, getPage, isHiddenPath } from './find-page.ts';
import { isFormPath } from './forms.ts';
import { toRedirect, toSentence } from './refusals.ts';
import { answer, type RequestContext, whileOpen } from './request-context.ts';

/** What lies there has another name once it changes. */
const LASTING_FOLDERS = ['/_astro/', `${PICTURES_PATH}/`, `${MOTIFS_PATH}/`];
/** Of a redirect that gives a secret away. */
const SECRET_HEADERS = { 'cache-control': NO_STORE, 'referrer-policy': 'same-origin' } as const;

export async function handlePage(context: RequestContext): Promise<EncodedResponse> {
  const { request, service } = context;
  const { path } = request;
  const { site } = service;
  const decoded = decodePath(path);
  if (decoded === null) return answer(context, toSentence(400, 'error.bad_request', path));
  const canonical = toCanonicalPath(path);
  if (canonical !== path) return redirectTo(context, canonical);
  const home = findHomeLang(path);
  if (home !== null) {
    // The home page is the day's.
    const links = { link: DISCOVERY_LINKS };
    return answer(context, toRedirect(302, toPagePath('today', home), site, links));
  }
  if (isHiddenPath(decoded)) return handleMissing(context);
  const found = findPage(toPageOf(decoded));
  if (decoded.endsWith('.md')) {
    const page = await getPage(context, decoded, found);
    const is_markdown = page.status === 200 && page.headers['content-type'] === MARKDOWN_TYPE;
    const alternates = toMarkdownHeaders(path.slice(0, -'.md'.length), site.url, false);
    return sendPage(context, decoded, found, page, is_markdown ? alternates : {});
  }
  if (found?.has_markdown) return negotiate(context, decoded, found);
  const page = await getPage(context, decoded, found);
  return page.status === 404 ? handleMissing(context) : sendPage(context, decoded, found, page, {});
}

/** To the one spelling of an address. A status address is a secret: no cache and no other site is told. */
function redirectTo(context: RequestContext, canonical: string): Promise<EncodedResponse> {
  const { query } = context.request;
  // Also where its secret part is written in another way: `TOKEN%2f/`.
  const is_secret = isFormPath(toCanonicalPath(decodePath(canonical) ?? canonical));
  const location = canonical + (query === '' ? '' : `?${query}`);
  const headers = is_secret ? SECRET_HEADERS : {};
  return answer(context, toRedirect(301, location, context.service.site, headers));
}

/** Nothing is there: said in the form that Accept asks for, as a page where it asks for neither. */
async function handleMissing(context: RequestContext): Promise<EncodedResponse> {
  const { path, headers } = context.request;
  const is_markdown = chooseMediaType(headers.accept, PAGE_TYPES) === MARKDOWN_TYPE;
  const page = await findMissingPage(context, toPathLang(path), is_markdown);
  return encodeResponse(context.request, page, { vary: 'Accept' });
}

/** The page in the form that Accept asks for; both forms vary on it, whatever their status. */
async function negotiate(
  context: RequestContext,
  address: string,
  found: FoundPage,
): Promise<EncodedResponse> {
  const { request, service, state, now_ms } = context;
  const { path } = request;
  const known = { snapshot: state.snapshot, now_ms };
  const markdown = toMarkdownPath(address);
  const asked_of = found.narrowed === null ? markdown : address;
  const asked = readAsked(found, asked_of, request.query, known);
  const query = asked.is_understood ? asked.text : '';
  const type = chooseMediaType(request.headers.accept, PAGE_TYPES);
  const page = await getPage(context, type === MARKDOWN_TYPE ? markdown : address, found);
  if (page.status !== 200) return sendPage(context, address, found, page, { vary: 'Accept' });
  if (type === null) {
    const alternates = toPageAlternateHeaders(path, query);
    return answer(context, toSentence(406, 'error.not_acceptable', path, alternates));
  }
  const alternates =
    type === MARKDOWN_TYPE
      ? toMarkdownHeaders(path, service.site.url, true, query)
      : toPageAlternateHeaders(path, query);
  return sendPage(context, address, found, page, alternates);
}

async function sendPage(
  context: RequestContext,
  address: string,
  found: FoundPage | null,
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
  found: FoundPage | null,
  page: Representation,
): Promise<Representation> {
  if (page.status !== 200 || page.headers['content-type'] !== MARKDOWN_TYPE) return page;
  const lang = found?.lang ?? toPathLang(request.path);
  const minute_ms = floorToMinute(now_ms);
  const key = `written ${minute_ms} ${lang} ${page.tag}`;
  const stored = state.answers.get(key);
  if (stored) return stored;
  const text = (await page.read('identity')).toString('utf8');
  const body = withWrittenLine(text, minute_ms, state.snapshot.generated_at, lang);
  const document = toRepresentation({ status: 200, headers: page.headers, body });
  const written = { ...document, last_modified_ms: page.last_modified_ms };
  state.answers.set(key, written);
  return written;
}

function toCacheHeaders(
  { state, service, now_ms }: RequestContext,
  address: string,
  found: FoundPage | null,
  page: Representation,
): Record<string, string> {
  if (page.status !== 200) return {};
  // A worker that changed is taken at once.
  if (address === WORKER_PATH) return { 'cache-control': 'no-cache' };
  if (LASTING_FOLDERS.some((folder) => address.startsWith(folder)))
    return { 'cache-control': IMMUTABLE };
  const type = page.headers['content-type'];
  const is_file = findFile(state, service.data_dir, address) !== null || isDocument(address);
  if (is_file && type !== HTML_TYPE && type !== MARKDOWN_TYPE) return { 'cache-control': ASSET };
  const cache = found?.isOfMinute(now_ms) ? MINUTE_PAGE : PAGE;
  return { 'cache-control': toTodayCacheControl(now_ms, cache) };
}

/** For what "today" decides: neither fresh nor stale-while-revalidate reaches past midnight. */
export const toTodayCacheControl = (now_ms: number, cache: string = PAGE): string =>
  capCacheControl(cache, now_ms, findToday(now_ms).end_ms);

/** The drawing of a picture, or the file of one that we hold, wide enough for a card. */
const toSourceReader =
  ({ state, service }: RequestContext): ReadSource =>
  async (picture) => {
    if (picture.kind === 'drawing') {
      const bytes = Buffer.from(readDrawing(state.snapshot, picture.motif));
      return { type: 'image/svg+xml', bytes };
    }
    const { held } = picture;
    const width = held.widths.find((each) => each >= CARD_PIXELS) ?? toLargestWidth(held);
    const file = await getFile({ state, service }, toPicturePath(held, width, 'jpg'));
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
  if (path === null || toCanonicalPath(path) !== path || isHiddenPath(path)) return null;
  if (findFile(state, service.data_dir, path) !== null) return null;
  const found = resolveDrawn({ snapshot: state.snapshot, now_ms, site }, path);
  if (found === null) return null;
  if ('kind' in found) {
    if (found.kind === 'redirect') return answer(context, toRedirect(301, found.location, site));
    if (found.failure === 'gone')
      return answer(context, toSentence(410, 'failure.gone.text', path));
    return encodeResponse(request, await findMissingPage(context, toPathLang(path)));
  }
  const png = await service.pages(
    () => toPageKey('poster', JSON.stringify(found)),
    () =>
      service.queues.poster(context.sender, async () => {
        const body = await whileOpen(state, () => paint(found, toSourceReader(context)));
        return toRepresentation({ status: 200, headers: { 'content-type': 'image/png' }, body });
      }),
  );
  const is_exact =
    'scene' in found || new URLSearchParams(request.query).get('v') === toPosterDigest(found);
  const cache = { 'cache-control': is_exact ? IMMUTABLE : toTodayCacheControl(now_ms) };
  return encodeResponse(request, png, { ...cache, ...OPEN_HEADERS });
}
