// What the server says of itself to those who look for one: its card (SEP-2127, experimental) and its
// entry for the registry (contract 13.17).
import { TOWN } from '../town.ts';
import { DEFAULT_LANG } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { type HttpResponse, JSON_TYPE } from '../http/message.ts';
import {
  MCP_PATH,
  PAGE_PATHS,
  REGISTRY_ENTRY_PATH,
  SERVER_CARD_ALIAS_PATH,
  SERVER_CARD_PATH,
  absoluteUrl,
} from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';

/** The version of the contract (contract 15.2), which is what a client depends on. */
const SERVER_VERSION = '1.0.0';
/** The revisions that are spoken, the newest first (contract 13.1). */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** `serverInfo`: how the server calls itself in the protocol. */
export const serverInfo = (site: Site) => ({
  name: TOWN.key,
  title: site.name,
  version: SERVER_VERSION,
  websiteUrl: site.url,
});

/** What the card and the entry for the registry say alike. */
function toAbout(site: Site) {
  // Names in the registry are reversed host names: that of `example.com` begins with `com.example`.
  const host = new URL(site.url).hostname.split('.').reverse().join('.');
  return {
    name: `${host.replace(/[^a-zA-Z0-9.-]/g, '-')}/agenda`,
    title: site.name,
    description: t('en', 'mcp.card.description'),
    version: SERVER_VERSION,
    websiteUrl: absoluteUrl(site.url, PAGE_PATHS.docs[DEFAULT_LANG]),
  };
}

const toRemote = (site: Site) => ({
  type: 'streamable-http',
  url: absoluteUrl(site.url, MCP_PATH),
  headers: [
    {
      name: 'x-api-key',
      description: 'Optional. Raises the allowance of requests; reading needs no key.',
      isRequired: false,
      isSecret: true,
    },
  ],
});

const CARD_TYPE = 'application/mcp-server-card+json';

const toServerCard = (site: Site) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  ...toAbout(site),
  remotes: [{ ...toRemote(site), supportedProtocolVersions: PROTOCOL_VERSIONS }],
});

function toRegistryEntry(site: Site) {
  const src = absoluteUrl(site.url, '/icons/icon-512.png');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...toAbout(site),
    // An icon must have an https address.
    ...(src.startsWith('https:') && {
      icons: [{ src, mimeType: 'image/png', sizes: ['512x512'] }],
    }),
    remotes: [toRemote(site)],
  };
}

const DOCUMENTS = new Map<string, readonly [type: string, make: (site: Site) => object]>([
  [SERVER_CARD_PATH, [CARD_TYPE, toServerCard]],
  [SERVER_CARD_ALIAS_PATH, [CARD_TYPE, toServerCard]],
  [REGISTRY_ENTRY_PATH, [JSON_TYPE, toRegistryEntry]],
]);

/** Cached for an hour; a card says who may read it (SEP-2127): every origin. */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
};

/** The response to GET, HEAD or OPTIONS; null at other paths. ETag and 304 are the front server's. */
export function handleServerCard(path: string, method: string, site: Site): HttpResponse | null {
  const document = DOCUMENTS.get(path);
  if (document === undefined) return null;
  if (method === 'OPTIONS')
    return { status: 204, headers: { ...HEADERS, allow: 'GET, HEAD, OPTIONS' }, body: null };
  const [type, make] = document;
  return {
    status: 200,
    headers: { ...HEADERS, 'content-type': type },
    body: JSON.stringify(make(site)),
  };
}
