// The documents about the server as responses: open to every origin, cached for an hour.
import type { Site } from '../domain/site.ts';
import { type HttpResponse, JSON_TYPE } from '../http/message.ts';
import {
  AI_CATALOG_PATH,
  REGISTRY_ENTRY_PATH,
  SERVER_CARD_ALIAS_PATH,
  SERVER_CARD_PATH,
} from '../i18n/paths.ts';
import {
  AI_CATALOG_TYPE,
  SERVER_CARD_TYPE,
  toAiCatalog,
  toRegistryEntry,
  toServerCard,
} from './server-card.ts';

/** SEP-2127: a card says who may read it. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
};

const DOCUMENTS: Readonly<
  Record<string, { readonly type: string; readonly make: (site: Site) => object }>
> = {
  [SERVER_CARD_PATH]: { type: SERVER_CARD_TYPE, make: toServerCard },
  [SERVER_CARD_ALIAS_PATH]: { type: SERVER_CARD_TYPE, make: toServerCard },
  [AI_CATALOG_PATH]: { type: AI_CATALOG_TYPE, make: toAiCatalog },
  [REGISTRY_ENTRY_PATH]: { type: JSON_TYPE, make: toRegistryEntry },
};

/** Where the documents are. */
export const CARD_PATHS: readonly string[] = Object.keys(DOCUMENTS);

/**
 * The response to GET, HEAD or OPTIONS at one of CARD_PATHS; null at any other path. ETag and 304 are
 * the front server's.
 */
export function handleCard(path: string, method: string, site: Site): HttpResponse | null {
  const document = Object.hasOwn(DOCUMENTS, path) ? DOCUMENTS[path] : undefined;
  if (!document) return null;
  if (method === 'OPTIONS')
    return { status: 204, headers: { ...HEADERS, allow: 'GET, HEAD, OPTIONS' }, body: null };
  return {
    status: 200,
    headers: { ...HEADERS, 'content-type': document.type },
    body: JSON.stringify(document.make(site)),
  };
}
