// Short responses outside the API: a sentence in the reader's language, or a redirect.
import type { Site } from '../../domain/site.ts';
import type { HttpResponse } from '../../http/message.ts';
import { NO_STORE, OPEN_HEADERS, toSecurityHeaders } from '../../http/response-headers.ts';
import { toPathLang } from '../../i18n/paths.ts';
import { type Key, t } from '../../i18n/translate.ts';

const TEXT_TYPE = 'text/plain; charset=utf-8';
const REDIRECT_CACHE = 'public, max-age=3600';

/** A sentence as plain text, never stored by a cache. */
export function toSentence(
  status: number,
  key: Key,
  path: string,
  site: Site,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse {
  return {
    status,
    headers: {
      'content-type': TEXT_TYPE,
      'cache-control': NO_STORE,
      ...OPEN_HEADERS,
      ...toSecurityHeaders(TEXT_TYPE, site.url),
      ...headers,
    },
    body: `${t(toPathLang(path), key)}\n`,
  };
}

/** `location` is a path of this site. */
export function toRedirect(status: 301 | 302, location: string, site: Site): HttpResponse {
  return {
    status,
    headers: {
      location,
      'content-type': TEXT_TYPE,
      'cache-control': REDIRECT_CACHE,
      ...OPEN_HEADERS,
      ...toSecurityHeaders(TEXT_TYPE, site.url),
    },
    body: `${site.url}${location}\n`,
  };
}
