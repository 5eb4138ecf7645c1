// GET /.well-known/api-catalog: which APIs live here (RFC 9727).
import type { HttpResponse } from '../http/message.ts';
import { API_CATALOG_PATH } from '../i18n/paths.ts';
import { API_CATALOG_TYPE, toApiCatalog } from '../serializers/discovery/api-catalog.ts';
import type { Call } from './context.ts';
import { toFreshness } from './freshness.ts';

/** The linkset; HEAD must say where the catalog is (RFC 9727, 2), so GET does too. */
export function getApiCatalog({ context }: Call): HttpResponse {
  return {
    status: 200,
    headers: {
      'content-type': API_CATALOG_TYPE,
      link: `<${API_CATALOG_PATH}>; rel="api-catalog"`,
      'cache-control': toFreshness(context.now_ms),
    },
    body: `${JSON.stringify(toApiCatalog(context.site))}\n`,
  };
}
