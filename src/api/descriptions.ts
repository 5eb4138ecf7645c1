// The API and the search described for programs: OpenAPI 3.1, the catalog of RFC 9727, OpenSearch
// (contract 8.21, 15.2).
import { AppError } from '../domain/app-error.ts';
import { type Lang, LANGS } from '../domain/lang.ts';
import { type HttpResponse, JSON_TYPE } from '../http/message.ts';
import { API_CATALOG_PATH } from '../i18n/paths.ts';
import {
  API_CATALOG_TYPE,
  OPENSEARCH_TYPE,
  toApiCatalog,
  toOpenSearch,
} from '../serializers/discovery.ts';
import { toOpenApi } from '../serializers/openapi/document.ts';
import { findExamples } from '../snapshot/list-things.ts';
import { type Call, respondFile } from './operation.ts';

/** With the categories and zones of the snapshot, and examples that exist in it. */
export function serveOpenApi(call: Call): HttpResponse {
  const { snapshot, site, now_ms } = call;
  const document = toOpenApi(snapshot.taxonomy, site, findExamples(snapshot, now_ms), 'en');
  return respondFile(call, JSON_TYPE, JSON.stringify(document));
}

/** HEAD must say where the catalog is (RFC 9727, 2), so GET does too. */
export const serveApiCatalog = (call: Call): HttpResponse =>
  respondFile(call, API_CATALOG_TYPE, `${JSON.stringify(toApiCatalog(call.site))}\n`, {
    link: `<${API_CATALOG_PATH}>; rel="api-catalog"`,
  });

export const serveOpenSearch = (call: Call): HttpResponse =>
  respondFile(
    call,
    OPENSEARCH_TYPE,
    toOpenSearch(parsePathLang(call, 'there is no such description'), call.site),
  );

/** The language that the path names. Throws AppError not_found. */
export function parsePathLang({ id }: Call, missing: string): Lang {
  const lang = LANGS.find((known) => known === id);
  if (lang === undefined)
    throw new AppError('not_found', `lang: ${missing}. Use ${LANGS.join(' or ')}`);
  return lang;
}
