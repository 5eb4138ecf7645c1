// Protocol server: declares the capabilities of the MCP server, and handles the methods of the
// protocol: lists tools and resources, reads a resource and calls a tool.
import {
  type CallToolResult,
  type jsonSchemaValidator,
  ProtocolError,
  Server,
} from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import { AppError } from '../domain/app-error.ts';
import { floorToMinute, formatTimestamp, secondsToMidnight } from '../domain/local-time.ts';
import { formatCurrentTimeLine } from '../i18n/format-dates.ts';
import { PAGE_PATHS, absoluteUrl } from '../i18n/paths.ts';
import { t } from '../i18n/translate.ts';
import { escapeChatMarkersDeep } from '../serializers/sanitize-text.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';
import { truncateText } from './tool-answer.ts';
import { INTERNAL_ERROR_MESSAGE, RPC_CODES } from './json-rpc.ts';
import { listResources, listResourceTemplates, readResource } from './resources.ts';
import { LEGACY_VERSIONS, serverInfo } from './server-card.ts';
import type { ToolArguments, McpContext, Tool, ToolResult } from './tool.ts';
import { bilingualText, listTools, TOOLS } from './tools/catalog.ts';

/** Lists change only with a release, so there are no notifications and no streams. */
const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { listChanged: false, subscribe: false },
} as const;

/** Cache hint of lists, which change only with a release (contract 1.5). */
const LIST_CACHE_HINT = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
/**
 * Maximum age of resources in caches, in seconds; short because an event may be cancelled at any
 * time.
 */
const MAX_READ_SECONDS = 300;

/**
 * Rejects everything: the server requests no input from clients, and the SDK would create an Ajv
 * per message.
 */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: 'nothing is asked of clients',
  }),
};

/**
 * Builds the options of the SDK's server. Resources expire at local midnight, when today changes.
 */
function createServerOptions({ now_ms, site }: McpContext) {
  const resource_ttl_ms = 1000 * Math.min(MAX_READ_SECONDS, secondsToMidnight(now_ms));
  return {
    capabilities: CAPABILITIES,
    supportedProtocolVersions: LEGACY_VERSIONS,
    instructions: bilingualText('mcp.instructions', (lang) => ({
      form: absoluteUrl(site.url, PAGE_PATHS.submit[lang]),
      calendar: absoluteUrl(site.url, PAGE_PATHS.calendar[lang]),
      docs: absoluteUrl(site.url, PAGE_PATHS.docs[lang]),
    })),
    jsonSchemaValidator: NO_VALIDATOR,
    cacheHints: {
      'server/discover': LIST_CACHE_HINT,
      'tools/list': LIST_CACHE_HINT,
      'resources/list': LIST_CACHE_HINT,
      'resources/templates/list': LIST_CACHE_HINT,
      'resources/read': { ttlMs: resource_ttl_ms, cacheScope: 'public' as const },
    },
  };
}

/** Creates the server for one message. It is stateless, so each message gets its own. */
export function createProtocolServer(context: McpContext): Server {
  const server = new Server(serverInfo(context.site), createServerOptions(context));
  const handle = <T>(handler: () => T | Promise<T>): Promise<T> => runHandler(context, handler);
  server.setRequestHandler('tools/list', ({ params }) =>
    handle(() => serveOnlyPage(params, { tools: listTools(context.snapshot) })),
  );
  server.setRequestHandler('tools/call', ({ params }) =>
    handle(() => callTool(params.name, params.arguments ?? {}, context)),
  );
  server.setRequestHandler('resources/list', ({ params }) =>
    handle(() => serveOnlyPage(params, { resources: listResources(context) })),
  );
  server.setRequestHandler('resources/templates/list', ({ params }) =>
    handle(() => serveOnlyPage(params, { resourceTemplates: listResourceTemplates(context) })),
  );
  server.setRequestHandler('resources/read', ({ params }) =>
    handle(() => readResource(params.uri, context)),
  );
  return server;
}

/**
 * Runs a handler and converts its errors to protocol errors. Unexpected errors are reported, and
 * the caller gets a general message.
 */
async function runHandler<T>(context: McpContext, handler: () => T | Promise<T>): Promise<T> {
  try {
    return await handler();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (error instanceof AppError) throw new ProtocolError(RPC_CODES.params, error.message);
    context.onError?.(error);
    throw new ProtocolError(RPC_CODES.internal, INTERNAL_ERROR_MESSAGE);
  }
}

/**
 * Returns the only page of a list.
 * @throws ProtocolError for any cursor (pagination.mdx, Error Handling).
 */
function serveOnlyPage<T>(
  params: { readonly cursor?: string | undefined } | undefined,
  page: T,
): T {
  if (params?.cursor !== undefined)
    throw new ProtocolError(RPC_CODES.params, 'cursor: this list has one page');
  return page;
}

/** Longer errors are truncated: they name every issue, and a character costs up to three tokens. */
const MAX_ERROR_LENGTH = 2_000;

/**
 * Creates an error result, from which the model can correct its call (contract 13.6; tools.mdx,
 * Error Handling).
 */
const createErrorResult = (message: string): CallToolResult => ({
  content: [{ type: 'text', text: truncateText(message, { max_text_length: MAX_ERROR_LENGTH }) }],
  isError: true,
});

/** Calls a tool. Errors are returned as results. @throws ProtocolError if there is no such tool. */
export async function callTool(
  name: string,
  args: ToolArguments,
  context: McpContext,
): Promise<CallToolResult> {
  const tool = TOOLS.find((tool) => tool.name === name);
  if (!tool)
    throw new ProtocolError(
      RPC_CODES.params,
      `name: no such tool. Use ${TOOLS.map((tool) => tool.name).join(', ')}`,
    );
  if (context.refusal !== undefined) return createErrorResult(context.refusal);
  const now_ms = floorToMinute(context.now_ms);
  try {
    const { structured, text, lang, next_cursor } = await runTool(tool, args, context);
    return {
      content: [{ type: 'text', text: `${formatCurrentTimeLine(now_ms, lang)}\n\n${text}` }],
      structuredContent: {
        now: formatTimestamp(now_ms),
        about: t(lang, 'mcp.data'),
        ...structured,
      },
      ...(next_cursor === null ? {} : { _meta: { next_cursor } }),
    };
  } catch (error) {
    if (error instanceof AppError) return createErrorResult(error.message);
    context.onError?.(error);
    return createErrorResult(INTERNAL_ERROR_MESSAGE);
  }
}

/** Maximum cached results per snapshot: most repeated calls within a minute are the same few. */
const MAX_CACHED_RESULTS = 100;
const RESULT_CACHES = new WeakMap<Snapshot, LRUCache<string, Promise<ToolResult>>>();

/**
 * Runs a tool. Results of read-only tools are cached by snapshot, arguments and minute: all times
 * are whole minutes.
 */
function runTool(tool: Tool, args: ToolArguments, context: McpContext): Promise<ToolResult> {
  const { snapshot, now_ms, site } = context;
  const runUncached = async (): Promise<ToolResult> => {
    const result = await tool.run(args, context);
    return { ...result, structured: escapeChatMarkersDeep(result.structured) };
  };
  if (!tool.annotations.readOnlyHint) return runUncached();
  const cache =
    RESULT_CACHES.get(snapshot) ??
    new LRUCache<string, Promise<ToolResult>>({ max: MAX_CACHED_RESULTS });
  RESULT_CACHES.set(snapshot, cache);
  const key = `${tool.name} ${floorToMinute(now_ms)} ${site.url} ${JSON.stringify(args)}`;
  const result = cache.get(key) ?? runUncached();
  cache.set(key, result);
  return result;
}
