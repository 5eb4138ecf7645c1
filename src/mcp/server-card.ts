// Server card: serves the descriptions by which clients find the MCP server: its card (SEP-2127,
// experimental) and its entry for the public registry of MCP servers (contract 13.17).
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

/** The revision whose messages name their version themselves. */
export const NEWEST_VERSION = '2026-07-28';

/** The version of the contract (contract 15.2), on which clients depend. */
const SERVER_VERSION = '1.0.0';
/** Revisions that begin with `initialize`, the newest first. */
export const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];
/** Supported protocol revisions, the newest first (contract 13.1). */
export const PROTOCOL_VERSIONS: readonly string[] = [NEWEST_VERSION, ...LEGACY_VERSIONS];

/** Returns the `serverInfo` of the protocol. */
export const serverInfo = (site: Site) => ({
  name: TOWN.key,
  title: site.name,
  version: SERVER_VERSION,
  websiteUrl: site.url,
});

/** Builds the fields that the card and the registry entry share. */
function buildSharedFields(site: Site) {
  // Registry names begin with the reversed host name: `com.example` for `example.com`.
  const reversed_host = new URL(site.url).hostname.split('.').reverse().join('.');
  return {
    name: `${reversed_host.replace(/[^a-zA-Z0-9.-]/g, '-')}/agenda`,
    title: site.name,
    description: t('en', 'mcp.card.description'),
    version: SERVER_VERSION,
    websiteUrl: absoluteUrl(site.url, PAGE_PATHS.docs[DEFAULT_LANG]),
  };
}

const buildRemote = (site: Site) => ({
  type: 'streamable-http',
  url: absoluteUrl(site.url, MCP_PATH),
  headers: [
    {
      name: 'x-api-key',
      description: 'Optional. Raises the rate limit; reading needs no key.',
      isRequired: false,
      isSecret: true,
    },
  ],
});

const CARD_CONTENT_TYPE = 'application/mcp-server-card+json';

const buildServerCard = (site: Site) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  ...buildSharedFields(site),
  remotes: [{ ...buildRemote(site), supportedProtocolVersions: PROTOCOL_VERSIONS }],
});

function buildRegistryEntry(site: Site) {
  const icon_url = absoluteUrl(site.url, '/icons/icon-512.png');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ...buildSharedFields(site),
    // The registry requires https for icons.
    ...(icon_url.startsWith('https:') && {
      icons: [{ src: icon_url, mimeType: 'image/png', sizes: ['512x512'] }],
    }),
    remotes: [buildRemote(site)],
  };
}

/** Content type and builder of each document, by path. */
const DOCUMENTS = new Map<string, readonly [type: string, build: (site: Site) => object]>([
  [SERVER_CARD_PATH, [CARD_CONTENT_TYPE, buildServerCard]],
  [SERVER_CARD_ALIAS_PATH, [CARD_CONTENT_TYPE, buildServerCard]],
  [REGISTRY_ENTRY_PATH, [JSON_TYPE, buildRegistryEntry]],
]);

/** Cached for an hour, and readable by every origin (SEP-2127). */
const HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'public, max-age=3600',
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Content-Type, If-None-Match',
  'access-control-expose-headers': 'ETag',
};

/**
 * Handles GET, HEAD and OPTIONS; the front server adds ETag and 304.
 * @returns null for other paths.
 */
export function handleServerCard(path: string, method: string, site: Site): HttpResponse | null {
  const document = DOCUMENTS.get(path);
  if (document === undefined) return null;
  if (method === 'OPTIONS')
    return { status: 204, headers: { ...HEADERS, allow: 'GET, HEAD, OPTIONS' }, body: null };
  const [type, build] = document;
  return {
    status: 200,
    headers: { ...HEADERS, 'content-type': type },
    body: JSON.stringify(build(site)),
  };
}
