// The picture of a page, `/fecha/2026-11-21.png`: drawn when it is first asked for (contract 16.1).
import type { Lang } from '../../domain/lang.ts';
import type { Poster } from '../../domain/poster.ts';
import { decodePath, toCanonicalPath } from '../../http/address.ts';
import {
  encodeResponse,
  type EncodedResponse,
  toRepresentation,
} from '../../http/representation.ts';
import { IMMUTABLE, OPEN_HEADERS, toSecurityHeaders } from '../../http/response-headers.ts';
import { toPathLang } from '../../i18n/paths.ts';
import { resolvePoster, toPosterDigest, toSitePoster } from '../../site/poster.ts';
import { findMissingPage, isHiddenPath } from './find-page.ts';
import { toTodayCacheControl } from './pages.ts';
import { toRedirect, toSentence } from './plain-response.ts';
import type { RequestContext } from './request-context.ts';

const PNG_TYPE = 'image/png';
/** Soon there is time to draw the right one. */
const SPARE = 'public, max-age=10';

/** The response to GET or HEAD of a picture of a page; null where the path is none. */
export async function handlePosterRequest(
  context: RequestContext,
): Promise<EncodedResponse | null> {
  const { request, state, now_ms, service } = context;
  const path = request.path.endsWith('.png') ? decodePath(request.path) : null;
  if (path === null || toCanonicalPath(path) !== path || isHiddenPath(path)) return null;
  if (state.files.has(path)) return null;
  const found = resolvePoster({ snapshot: state.snapshot, now_ms, site: service.site }, path);
  if (found === null) return null;
  const lang = toPathLang(path);
  if (!('kind' in found)) return sendPoster(context, found, lang);
  if (found.kind === 'moved')
    return encodeResponse(request, toRepresentation(toRedirect(301, found.location, service.site)));
  if (found.failure === 'gone')
    return encodeResponse(
      request,
      toRepresentation(toSentence(410, 'failure.gone.text', path, service.site)),
    );
  return encodeResponse(request, await findMissingPage(context, lang));
}

/**
 * For good where the address has the digest of what is drawn; where too many wait, the site's own,
 * for a moment.
 */
async function sendPoster(
  context: RequestContext,
  poster: Poster,
  lang: Lang,
): Promise<EncodedResponse> {
  const { request, now_ms, service } = context;
  const { bytes, is_spare } = await service.paint(poster, toSitePoster(lang, service.site));
  const is_exact = new URLSearchParams(request.query).get('v') === toPosterDigest(poster);
  const lasting = is_exact ? IMMUTABLE : toTodayCacheControl(now_ms);
  const cache = is_spare ? SPARE : lasting;
  return encodeResponse(
    request,
    toRepresentation({
      status: 200,
      headers: {
        'content-type': PNG_TYPE,
        'cache-control': cache,
        ...OPEN_HEADERS,
        ...toSecurityHeaders(PNG_TYPE, service.site.url),
      },
      body: bytes,
    }),
  );
}
