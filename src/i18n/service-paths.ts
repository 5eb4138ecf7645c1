// Addresses that programs use, and the secret ones of those who sent something in.
import type { Lang, LocalText } from '../domain/lang.ts';

/** The MCP server (interface 4), and the documents that describe it. */
export const MCP_PATH = '/mcp';
export const SERVER_CARD_PATH = '/mcp/server-card';
export const SERVER_CARD_ALIAS_PATH = '/.well-known/mcp/server-card.json';
export const AI_CATALOG_PATH = '/.well-known/ai-catalog.json';
export const REGISTRY_ENTRY_PATH = '/mcp/server.json';

/** The review desk; one address for both languages. */
export const DESK_PATH = '/revision';

const STATUS_PATHS: LocalText = { es: '/publicar/estado', en: '/en/submit/status' };

/**
 * The page that shows how a submission stands; whoever knows the token may correct or withdraw it.
 */
export const toStatusPath = (token: string, lang: Lang): string => `${STATUS_PATHS[lang]}/${token}`;

/** What robots, language models and programs look for first. */
export const LLMS_PATH = '/llms.txt';
export const SITEMAP_PATH = '/sitemap.xml';
export const API_CATALOG_PATH = '/.well-known/api-catalog';
