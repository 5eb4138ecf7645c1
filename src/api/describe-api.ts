// GET /api/openapi.json and /.well-known/api-catalog: the API described for programs
// (contract 15.2,
// RFC 9727).
import { type HttpResponse, toJsonResponse } from '../http/message.ts';
import { API_CATALOG_PATH } from '../i18n/paths.ts';
import { API_CATALOG_TYPE, toApiCatalog } from '../serializers/discovery/discovery.ts';
import { toOpenApi } from '../serializers/openapi/document.ts';
import { findExamples } from '../snapshot/list-things.ts';
import { type Call, toFreshness } from './operation.ts';

/** OpenAPI 3.1, with the categories and zones of the snapshot and examples that exist in it. */
export function toOpenApiResponse({ context }: Call): HttpResponse {
  const { snapshot, site, now_ms } = context;
  const examples = findExamples(snapshot, now_ms);
  return toJsonResponse(200, toOpenApi(snapshot.taxonomy, site, examples, 'en'), {
    'cache-control': toFreshness(now_ms),
  });
}

/** The linkset; HEAD must say where the catalog is (RFC 9727, 2), so GET does too. */
export function toApiCatalogResponse({ context }: Call): HttpResponse {
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
