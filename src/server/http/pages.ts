// A page of the site: one spelling for each, the clock's aliases, HTML or Markdown (contract 11.6),
// and how long each may be cached.
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { findToday } from '../../domain/today.ts';
import { decodePath, toCanonicalPath } from '../../http/address.ts';
import type { HttpResponse } from '../../http/message.ts';
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
  PAGE,
} from '../../http/response-headers.ts';
import {
  findHomeLang,
  PICTURES_PATH,
  toMarkdownPath,
  toPagePath,
  toPathLang,
  WORKER_PATH,
} from '../../i18n/paths.ts';
import {
  DISCOVERY_LINKS,
  hasMarkdownOnDemand,
  HTML_TYPE,
  MARKDOWN_TYPE,
  PAGE_TYPES,
  toMarkdownHeaders,
  toPageAlternateHeaders,
} from '../../site/alternates.ts';
import { isHeld } from '../../releases/manifest.ts';
import { toAskedQuery } from '../../site/narrowing/asked-query.ts';
import { isMadeByMinute, resolveAlias } from '../../site/page-request.ts';
import { findMissingPage, findPage, isHiddenPath } from './find-page.ts';
import { isFormPath } from './forms.ts';
import { toRedirect, toSentence } from './plain-response.ts';
import type { ReleaseState } from './release-state.ts';
import type { RequestContext } from './request-context.ts';
import { tellWritten } from './written-at.ts';

/** What lies there has another name once it changes. */
const LASTING_FOLDERS = ['/_astro/', `${PICTURES_PATH}/`];

/** The page that is shown at an address. */
interface ShownPage {
  /** Where the page is found, decoded. */
  readonly address: string;
  /** Whether the clock chose it. */
  readonly is_alias: boolean;
  /** What it was narrowed by, in one spelling; empty for a page as it is. */
  readonly query: string;
}

/** The response to GET or HEAD of a page or a file. */
export async function handlePage(context: RequestContext): Promise<EncodedResponse> {
  const { request, service } = context;
  const { path, query } = request;
  const decoded = decodePath(path);
  if (decoded === null)
    return send(context, toSentence(400, 'error.bad_request', path, service.site));
  const canonical = toCanonicalPath(path);
  if (canonical !== path) return send(context, toCanonicalRedirect(canonical, query, service.site));
  const home = findHomeLang(path);
  if (home !== null) return send(context, toHomeRedirect(home, service.site));
  if (isHiddenPath(decoded)) return handleMissing(context);
  const alias = resolveAlias(decoded, context.now_ms);
  const shown = toShown(context, alias ?? decoded, alias !== null);
  if (decoded.endsWith('.md')) return handleMarkdown(context, shown);
  return hasMarkdown(context.state, shown) ? negotiate(context, shown) : handleFile(context, shown);
}

function toShown(
  { request, state, now_ms }: RequestContext,
  address: string,
  is_alias: boolean,
): ShownPage {
  const known = { snapshot: state.snapshot, now_ms };
  const asked =
    toAskedQuery(address, request.query, known) ??
    toAskedQuery(toMarkdownPath(address), request.query, known);
  return { address, is_alias, query: asked?.is_understood ? asked.text : '' };
}

/**
 * The redirect to the one spelling of an address. A status address is a secret: no cache and no
 * other site is told.
 */
function toCanonicalRedirect(canonical: string, query: string, site: Site): HttpResponse {
  const response = toRedirect(301, canonical + (query === '' ? '' : `?${query}`), site);
  // Also where its secret part is written in another way: `TOKEN%2f/`.
  const plain = toCanonicalPath(decodePath(canonical) ?? canonical);
  if (!isFormPath(plain)) return response;
  return {
    ...response,
    headers: { ...response.headers, 'cache-control': NO_STORE, 'referrer-policy': 'same-origin' },
  };
}

/** The home page is the day's. */
function toHomeRedirect(lang: Lang, site: Site): HttpResponse {
  const response = toRedirect(302, toPagePath('today', lang), site);
  return { ...response, headers: { ...response.headers, link: DISCOVERY_LINKS } };
}

const send = (context: RequestContext, response: HttpResponse): Promise<EncodedResponse> =>
  encodeResponse(context.request, toRepresentation(response));

/** Whether it can be had as Markdown too. */
function hasMarkdown(state: ReleaseState, shown: ShownPage): boolean {
  if (shown.is_alias || state.files.has(toMarkdownPath(shown.address))) return true;
  return !state.files.has(shown.address) && hasMarkdownOnDemand(shown.address);
}

async function handleFile(context: RequestContext, shown: ShownPage): Promise<EncodedResponse> {
  const page = await findPage(context, shown.address);
  if (page.status === 404) return handleMissing(context);
  const written = await tellWritten(context, page, toPathLang(context.request.path));
  return encodeResponse(context.request, written, toCacheHeaders(context, shown, page));
}

/** Nothing is there: said in the form that Accept asks for, as a page where it asks for neither. */
async function handleMissing(context: RequestContext): Promise<EncodedResponse> {
  const { path, headers } = context.request;
  const is_markdown = chooseMediaType(headers.accept, PAGE_TYPES) === MARKDOWN_TYPE;
  const page = await findMissingPage(context, toPathLang(path), is_markdown);
  return encodeResponse(context.request, page, { vary: 'Accept' });
}

/** The page in the form that Accept asks for; both forms vary on it, whatever their status. */
async function negotiate(context: RequestContext, shown: ShownPage): Promise<EncodedResponse> {
  const { path, headers } = context.request;
  const { site } = context.service;
  const type = chooseMediaType(headers.accept, PAGE_TYPES);
  if (type === null) {
    const alternates = toPageAlternateHeaders(path, shown.query);
    return send(context, toSentence(406, 'error.not_acceptable', path, site, alternates));
  }
  const is_markdown = type === MARKDOWN_TYPE;
  const page = await findPage(context, is_markdown ? toMarkdownPath(shown.address) : shown.address);
  const alternate_headers =
    page.status !== 200
      ? { vary: 'Accept' }
      : is_markdown
        ? toMarkdownHeaders(path, site.url, true, shown.query)
        : toPageAlternateHeaders(path, shown.query);
  const written = await tellWritten(context, page, toPathLang(path));
  return encodeResponse(context.request, dateShown(context, shown, written), {
    ...toCacheHeaders(context, shown, page),
    ...alternate_headers,
  });
}

/** A Markdown file at its own address. */
async function handleMarkdown(context: RequestContext, shown: ShownPage): Promise<EncodedResponse> {
  const { path } = context.request;
  const found = await findPage(context, shown.address);
  const is_markdown = found.status === 200 && found.headers['content-type'] === MARKDOWN_TYPE;
  const alternate_headers = is_markdown
    ? toMarkdownHeaders(path.slice(0, -'.md'.length), context.service.site.url, false)
    : {};
  const written = await tellWritten(context, found, toPathLang(path));
  return encodeResponse(context.request, dateShown(context, shown, written), {
    ...toCacheHeaders(context, shown, found),
    ...alternate_headers,
  });
}

/**
 * An alias shows another page each day, so it has changed at midnight at the latest, whatever the
 * file's own date says.
 */
function dateShown(
  context: RequestContext,
  shown: ShownPage,
  page: Representation,
): Representation {
  if (!shown.is_alias || page.last_modified_ms === null) return page;
  return {
    ...page,
    last_modified_ms: Math.max(page.last_modified_ms, findToday(context.now_ms).start_ms),
  };
}

/** How long it may be cached; a page that failed or is missing says so itself. */
function toCacheHeaders(
  { state, now_ms }: RequestContext,
  shown: ShownPage,
  page: Representation,
): Record<string, string> {
  if (page.status !== 200) return {};
  // A worker that changed is taken at once.
  if (shown.address === WORKER_PATH) return { 'cache-control': 'no-cache' };
  const file = state.files.get(shown.address);
  const has_turned = file !== undefined && !isHeld(file, now_ms);
  if (shown.is_alias || file === undefined || has_turned) {
    const cache = has_turned || isMadeByMinute(shown.address) ? MINUTE_PAGE : PAGE;
    return { 'cache-control': toTodayCacheControl(now_ms, cache) };
  }
  if (LASTING_FOLDERS.some((folder) => shown.address.startsWith(folder)))
    return { 'cache-control': IMMUTABLE };
  const type = page.headers['content-type'];
  const cache = type === HTML_TYPE || type === MARKDOWN_TYPE ? PAGE : ASSET;
  const until_ms = file.holds_until_ms ?? Number.POSITIVE_INFINITY;
  return { 'cache-control': capCacheControl(cache, now_ms, until_ms) };
}

/** For what "today" decides: neither fresh nor stale-while-revalidate reaches past midnight. */
export const toTodayCacheControl = (now_ms: number, cache: string = PAGE): string =>
  capCacheControl(cache, now_ms, findToday(now_ms).end_ms);
