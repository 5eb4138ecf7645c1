// The API catalog (RFC 9727): which APIs live at this host, as a linkset (RFC 9264).
import { LANGS } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { API_BASE } from '../../i18n/api-paths.ts';
import {
  HEALTH_PATH,
  API_CATALOG_PATH,
  MCP_PATH,
  OPENAPI_PATH,
  PAGE_PATHS,
  SERVER_CARD_PATH,
  STATUS_PATH,
  toAbsolute,
} from '../../i18n/paths.ts';

/** `profile` says that this linkset is a catalog of APIs. */
export const API_CATALOG_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

/**
 * The linkset: the API with its description, docs, terms and health, and the MCP server with its
 * card.
 */
export function toApiCatalog({ url }: Pick<Site, 'url'>) {
  const at = (path: string, type: string) => ({ href: toAbsolute(url, path), type });
  const docs = LANGS.map((lang) => at(PAGE_PATHS.docs[lang], 'text/html'));
  const api = toAbsolute(url, API_BASE);
  const mcp = toAbsolute(url, MCP_PATH);
  return {
    linkset: [
      { anchor: toAbsolute(url, API_CATALOG_PATH), item: [{ href: api }, { href: mcp }] },
      {
        anchor: api,
        'service-desc': [at(OPENAPI_PATH, 'application/json')],
        'service-doc': docs,
        'terms-of-service': docs.map(({ href, type }) => ({ href: `${href}#terms`, type })),
        status: [HEALTH_PATH, STATUS_PATH].map((path) => at(path, 'application/json')),
      },
      {
        anchor: mcp,
        'service-meta': [at(SERVER_CARD_PATH, 'application/mcp-server-card+json')],
        'service-doc': docs,
      },
    ],
  };
}
