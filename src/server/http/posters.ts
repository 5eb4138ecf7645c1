// The picture of a page, `/fecha/2026-11-21.png`: drawn when it is first asked for (contract 16.1).
import type { Poster } from '../../domain/poster.ts';
import { decodePath, toCanonicalPath } from '../../http/address.ts';
import {
  encodeResponse,
  type EncodedResponse,
  type Representation,
  toRepresentation,
} from '../../http/representation.ts';
import { IMMUTABLE, OPEN_HEADERS } from '../../http/response-headers.ts';
import { toPathLang } from '../../i18n/paths.ts';
import { paintPoster } from '../../pictures/poster.ts';
import { resolvePoster, toPosterDigest, toSitePoster } from '../../site/poster.ts';
import { type PageStore, toPageKey } from '../page-store.ts';
import { createQueue, QueueFull } from '../queue.ts';
import { findFile, findMissingPage, isHiddenPath } from './find-page.ts';
import { toTodayCacheControl } from './pages.ts';
import { toRedirect, toSentence } from './refusals.ts';
import { answer, type RequestContext } from './request-context.ts';

/** Soon there is time to draw the right one. */
const SPARE = 'public, max-age=10';
/** Posters are one sender, the spare ones another, so that these never wait behind those. */
const ROOM = { at_once: 1, of_one: 24, of_all: 48 } as const;

export type Paint = ReturnType<typeof createPainter>;

/**
 * Draws beside the thread that serves, one at a time: gives the PNG of a poster, or of `spare` where too many wait;
 * kept with the pages.
 */
export function createPainter(paintOne = paintPoster) {
  const run = createQueue(ROOM);
  const find = (pages: PageStore, sender: string, poster: Poster) => {
    const key = toPageKey('poster', JSON.stringify(poster));
    const toPng = async (): Promise<Representation> => {
      const body = await run(sender, () => paintOne(poster));
      return toRepresentation({ status: 200, headers: { 'content-type': 'image/png' }, body });
    };
    return pages.find(key) ?? pages.makeOnce(key, toPng);
  };
  return async (pages: PageStore, poster: Poster, spare: Poster) => {
    try {
      return { png: await find(pages, 'poster', poster), is_spare: false };
    } catch (thrown) {
      if (!(thrown instanceof QueueFull)) throw thrown;
      return { png: await find(pages, 'spare', spare), is_spare: true };
    }
  };
}

/**
 * The response to GET or HEAD of a picture of a page; null where the path is none. Lasts where the address has
 * the digest of what is drawn.
 */
export async function handlePosterRequest(
  context: RequestContext,
): Promise<EncodedResponse | null> {
  const { request, state, now_ms, service } = context;
  const { site, pages } = service;
  const path = request.path.endsWith('.png') ? decodePath(request.path) : null;
  if (path === null || toCanonicalPath(path) !== path || isHiddenPath(path)) return null;
  if (findFile(state, service.data_dir, path) !== null) return null;
  const found = resolvePoster({ snapshot: state.snapshot, now_ms, site }, path);
  if (found === null) return null;
  const lang = toPathLang(path);
  if ('kind' in found) {
    if (found.kind === 'moved') return answer(context, toRedirect(301, found.location, site));
    if (found.failure === 'gone')
      return answer(context, toSentence(410, 'failure.gone.text', path));
    return encodeResponse(request, await findMissingPage(context, lang));
  }
  const { png, is_spare } = await service.paint(pages, found, toSitePoster(lang, site));
  const is_exact = new URLSearchParams(request.query).get('v') === toPosterDigest(found);
  const lasting = is_exact ? IMMUTABLE : toTodayCacheControl(now_ms);
  const cache = { 'cache-control': is_spare ? SPARE : lasting };
  return encodeResponse(request, png, { ...cache, ...OPEN_HEADERS });
}
