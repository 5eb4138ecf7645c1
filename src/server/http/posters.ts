// The picture of a page, `/fecha/2026-11-21.png`: drawn when it is first asked for (contract 16.1).
import { decodePath, toCanonicalPath } from '../../http/message.ts';
import {
  encodeResponse,
  type EncodedResponse,
  toRepresentation,
} from '../../http/representation.ts';
import { IMMUTABLE, OPEN_HEADERS } from '../../http/response-headers.ts';
import { toPathLang } from '../../i18n/paths.ts';
import { paintPoster } from '../../pictures/poster.ts';
import { toPosterDigest } from '../../site/poster.ts';
import { resolvePoster } from '../../site/registry.ts';
import { toPageKey } from '../page-store.ts';
import { findFile, findMissingPage, isHiddenPath } from './find-page.ts';
import { toTodayCacheControl } from './pages.ts';
import { toRedirect, toSentence } from './refusals.ts';
import { answer, type RequestContext } from './request-context.ts';

/**
 * The response to GET or HEAD of a picture of a page; null where the path is none. Lasts where the address has
 * the digest of what is drawn.
 */
export async function handlePosterRequest(
  context: RequestContext,
): Promise<EncodedResponse | null> {
  const { request, state, now_ms, service } = context;
  const { site } = service;
  const path = request.path.endsWith('.png') ? decodePath(request.path) : null;
  if (path === null || toCanonicalPath(path) !== path || isHiddenPath(path)) return null;
  if (findFile(state, service.data_dir, path) !== null) return null;
  const found = resolvePoster({ snapshot: state.snapshot, now_ms, site }, path);
  if (found === null) return null;
  if ('kind' in found) {
    if (found.kind === 'moved') return answer(context, toRedirect(301, found.location, site));
    if (found.failure === 'gone')
      return answer(context, toSentence(410, 'failure.gone.text', path));
    return encodeResponse(request, await findMissingPage(context, toPathLang(path)));
  }
  const png = await service.pages(
    () => toPageKey('poster', JSON.stringify(found)),
    () =>
      service.queues.poster(context.sender, async () => {
        const body = await paintPoster(found);
        return toRepresentation({ status: 200, headers: { 'content-type': 'image/png' }, body });
      }),
  );
  const is_exact = new URLSearchParams(request.query).get('v') === toPosterDigest(found);
  const cache = { 'cache-control': is_exact ? IMMUTABLE : toTodayCacheControl(now_ms) };
  return encodeResponse(request, png, { ...cache, ...OPEN_HEADERS });
}
