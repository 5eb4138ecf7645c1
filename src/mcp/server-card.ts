// What the server says of itself to those who look for one: its card, the catalog of the site, its
// entry for the registry.
import { DEFAULT_LANG } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import { MCP_PATH, SERVER_CARD_PATH, PAGE_PATHS, toAbsolute } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';

/** The version of the contract (contract 15.2), which is what a client depends on. */
const SERVER_VERSION = '1.0.0';

/** `serverInfo`: how the server calls itself in the protocol. */
export function toImplementation(site: Site): {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly websiteUrl: string;
} {
  return { name: 'hoy-cancun', title: site.name, version: SERVER_VERSION, websiteUrl: site.url };
}

/** The revisions that are spoken, the newest first (contract 13.1). */
export const PROTOCOL_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26'] as const;

/** The key is optional and raises the allowance (contract 10.1). */
const KEY_HEADER = {
  name: 'x-api-key',
  description: 'Optional. Raises the allowance of requests; reading needs no key.',
  isRequired: false,
  isSecret: true,
} as const;

/** `example.com` is `com.example`: names in the registry are reversed host names. */
const toReversedHost = (site: Site): string =>
  new URL(site.url).hostname
    .split('.')
    .reverse()
    .join('.')
    .replace(/[^a-zA-Z0-9.-]/g, '-');

const toName = (site: Site): string => `${toReversedHost(site)}/agenda`;

const toDescription = (): string => t('en', 'mcp.card.description');

/** The server card (SEP-2127, experimental): `application/mcp-server-card+json`. */
export function toServerCard(site: Site) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: toName(site),
    title: site.name,
    description: toDescription(),
    version: SERVER_VERSION,
    websiteUrl: toAbsolute(site.url, PAGE_PATHS.docs[DEFAULT_LANG]),
    remotes: [
      {
        type: 'streamable-http',
        url: toAbsolute(site.url, MCP_PATH),
        headers: [KEY_HEADER],
        supportedProtocolVersions: PROTOCOL_VERSIONS,
      },
    ],
  };
}

/** Our sign, as large as lists of servers show it. */
const ICON = { src: '/icons/icon-512.png', mimeType: 'image/png', sizes: ['512x512'] } as const;

/**
 * The entry for the registry (server.json of 2025-12-11). Its icon must have an https address, so a
 * site without one has none.
 */
export function toRegistryEntry(site: Site) {
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: toName(site),
    title: toImplementation(site).title,
    description: toDescription(),
    version: SERVER_VERSION,
    websiteUrl: toAbsolute(site.url, PAGE_PATHS.docs[DEFAULT_LANG]),
    ...(site.url.startsWith('https:') && {
      icons: [{ ...ICON, src: toAbsolute(site.url, ICON.src) }],
    }),
    remotes: [
      { type: 'streamable-http', url: toAbsolute(site.url, MCP_PATH), headers: [KEY_HEADER] },
    ],
  };
}

/** The catalog of what agents find here (ai-catalog 1.0): `application/ai-catalog+json`. */
export function toAiCatalog(site: Site) {
  const queries = (['mcp.card.query.1', 'mcp.card.query.2', 'mcp.card.query.3'] as const).map(
    (key) => t(DEFAULT_LANG, key),
  );
  return {
    specVersion: '1.0',
    host: { displayName: site.name },
    entries: [
      {
        identifier: `urn:air:${new URL(site.url).hostname}:mcp:agenda`,
        displayName: site.name,
        type: SERVER_CARD_TYPE,
        url: toAbsolute(site.url, SERVER_CARD_PATH),
        description: toDescription(),
        representativeQueries: queries,
      },
    ],
  };
}

export const SERVER_CARD_TYPE = 'application/mcp-server-card+json';
export const AI_CATALOG_TYPE = 'application/ai-catalog+json';
