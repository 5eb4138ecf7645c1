// A page of the site: one spelling for each, the clock's aliases, HTML or Markdown (decisions, HTTP
// 4).
import { chooseMediaType } from '../../http/accept.ts';
import { decodePath, isHiddenPath, toCanonicalPath } from '../../http/address.ts';
import { resolveAlias } from '../../site/day-alias.ts';
import { NO_STORE } from '../../http/cache-control.ts';
import {
  encodeResponse,
  type EncodedResponse,
  toRepresentation,
} from '../../http/representation.ts';
import {
  MARKDOWN_TYPE,
  PAGE_TYPES,
  toPageAlternateHeaders,
  toMarkdownHeaders,
} from '../../site/alternates.ts';
import { DISCOVERY_LINKS } from '../../site/discovery-links.ts';
import { toPagePath, toMarkdownPath } from '../../i18n/paths.ts';
import type { Lang } from '../../domain/lang.ts';
import type { HttpResponse, Site } from '../../http/message.ts';
import type { RequestContext } from './request-context.ts';
import { findMissingPage, findPage } from './find-page.ts';
import { isFormPath } from './forms.ts';
import { toPathLang, toRedirect, toSentence } from './plain-response.ts';
import { dateShown, hasMarkdown, type Shown, toCacheHeaders } from './shown-page.ts';

/** The answer to GET or HEAD of a page or a file. */
export async function handlePage(context: RequestContext): Promise<EncodedResponse> {
  const { request, service } = context;
  const { path, query } = request;
  const decoded = decodePath(path);
  if (decoded === null)
    return say(context, toSentence(400, 'error.bad_request', path, service.site));
  const canonical = toCanonicalPath(path);
  if (canonical !== path) return say(context, toSpelling(canonical, query, service.site));
  if (path === '/') return say(context, toHome('es', service.site));
  if (path === '/en') return say(context, toHome('en', service.site));
  if (isHiddenPath(decoded))
    return encodeResponse(request, await findMissingPage(context, toPathLang(path)));
  const alias = resolveAlias(decoded, context.now_ms);
  const shown = { address: alias ?? decoded, is_alias: alias !== null };
  if (decoded.endsWith('.md')) return handleMarkdown(context, shown);
  return hasMarkdown(context.state, shown) ? negotiate(context, shown) : handleFile(context, shown);
}

/**
 * The way to the one spelling of an address. A status address is a secret: no cache and no other
 * site is told.
 */
function toSpelling(canonical: string, query: string, site: Site): HttpResponse {
  const response = toRedirect(301, canonical + (query === '' ? '' : `?${query}`), site);
  if (!isFormPath(canonical)) return response;
  return {
    ...response,
    headers: { ...response.headers, 'cache-control': NO_STORE, 'referrer-policy': 'same-origin' },
  };
}

/** The home page is the day's. */
const toHome = (lang: Lang, site: Site): HttpResponse => {
  const response = toRedirect(302, toPagePath('today', lang), site);
  return { ...response, headers: { ...response.headers, link: DISCOVERY_LINKS } };
};

const say = (context: RequestContext, response: HttpResponse): Promise<EncodedResponse> =>
  encodeResponse(context.request, toRepresentation(response));

async function handleFile(context: RequestContext, shown: Shown): Promise<EncodedResponse> {
  const page = await findPage(context, shown.address);
  return encodeResponse(context.request, page, toCacheHeaders(context, shown, page));
}

/** The page in the form that Accept asks for; both forms vary on it, whatever their status. */
async function negotiate(context: RequestContext, shown: Shown): Promise<EncodedResponse> {
  const { path, headers } = context.request;
  const type = chooseMediaType(headers.accept, PAGE_TYPES);
  if (type === null)
    return say(
      context,
      toSentence(
        406,
        'error.not_acceptable',
        path,
        context.service.site,
        toPageAlternateHeaders(path),
      ),
    );
  const markdown =
    type === MARKDOWN_TYPE ? await findPage(context, toMarkdownPath(shown.address)) : null;
  // Where there is no twin there is no page either: its 404 is the page's.
  const page =
    markdown && markdown.status !== 404 ? markdown : await findPage(context, shown.address);
  const passed =
    page.status !== 200
      ? { vary: 'Accept' }
      : page === markdown
        ? toMarkdownHeaders(path, context.service.site.url, true)
        : toPageAlternateHeaders(path);
  return encodeResponse(context.request, dateShown(context, shown, page), {
    ...toCacheHeaders(context, shown, page),
    ...passed,
  });
}

/** A Markdown file at its own address. */
async function handleMarkdown(context: RequestContext, shown: Shown): Promise<EncodedResponse> {
  const { path } = context.request;
  const found = await findPage(context, shown.address);
  const is_markdown = found.status === 200 && found.headers['content-type'] === MARKDOWN_TYPE;
  const passed = is_markdown
    ? toMarkdownHeaders(path.slice(0, -'.md'.length), context.service.site.url, false)
    : {};
  return encodeResponse(context.request, dateShown(context, shown, found), {
    ...toCacheHeaders(context, shown, found),
    ...passed,
  });
}
