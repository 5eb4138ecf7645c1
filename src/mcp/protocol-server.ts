// The protocol's server for one message: what it can do, which function serves which method, and the call
// of a tool.
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
import { serverInfo } from './server-card.ts';
import type { ToolArguments, McpContext, Tool, ToolResult } from './tool.ts';
import { bilingualText, listTools, TOOLS } from './tools/catalog.ts';

/** Nothing of ours changes while somebody listens, so nobody is notified and no stream is held. */
const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { listChanged: false, subscribe: false },
} as const;

/** The lists change with a release; what is on may be cancelled sooner (contract 1.5). */
const LIST_HINT = { ttlMs: 3_600_000, cacheScope: 'public' } as const;
const MAX_READ_SECONDS = 300;

/** We ask clients for nothing, so nothing of theirs is validated; the SDK would make an Ajv for each message. */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: 'nothing is asked of clients',
  }),
};

function toOptions({ now_ms, site }: McpContext) {
  const read_ms = 1000 * Math.min(MAX_READ_SECONDS, secondsToMidnight(now_ms));
  return {
    capabilities: CAPABILITIES,
    instructions: bilingualText('mcp.instructions', (lang) => ({
      form: absoluteUrl(site.url, PAGE_PATHS.submit[lang]),
      calendar: absoluteUrl(site.url, PAGE_PATHS.calendar[lang]),
      docs: absoluteUrl(site.url, PAGE_PATHS.docs[lang]),
    })),
    jsonSchemaValidator: NO_VALIDATOR,
    cacheHints: {
      'server/discover': LIST_HINT,
      'tools/list': LIST_HINT,
      'resources/list': LIST_HINT,
      'resources/templates/list': LIST_HINT,
      'resources/read': { ttlMs: read_ms, cacheScope: 'public' as const },
    },
  };
}

/** A server for one message with this context: stateless, so it is made again for each. */
export function createProtocolServer(context: McpContext): Server {
  const server = new Server(serverInfo(context.site), toOptions(context));
  const answer = <T>(run: () => T | Promise<T>): Promise<T> => guarded(context, run);
  server.setRequestHandler('tools/list', ({ params }) =>
    answer(() => onePage(params, { tools: listTools(context.snapshot) })),
  );
  server.setRequestHandler('tools/call', ({ params }) =>
    answer(() => callTool(params.name, params.arguments ?? {}, context)),
  );
  server.setRequestHandler('resources/list', ({ params }) =>
    answer(() => onePage(params, { resources: listResources(context) })),
  );
  server.setRequestHandler('resources/templates/list', ({ params }) =>
    answer(() => onePage(params, { resourceTemplates: listResourceTemplates(context) })),
  );
  server.setRequestHandler('resources/read', ({ params }) =>
    answer(() => readResource(params.uri, context)),
  );
  return server;
}

/** Runs a handler; what it throws and is not meant for the caller becomes one sentence. */
async function guarded<T>(context: McpContext, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    if (thrown instanceof AppError) throw new ProtocolError(RPC_CODES.params, thrown.message);
    context.onError?.(thrown);
    throw new ProtocolError(RPC_CODES.internal, INTERNAL_ERROR_MESSAGE);
  }
}

/** Our lists have one page, so no cursor is one of ours (pagination.mdx, Error Handling). */
function onePage<T>(params: { readonly cursor?: string | undefined } | undefined, page: T): T {
  if (params?.cursor !== undefined)
    throw new ProtocolError(RPC_CODES.params, 'cursor: this list has one page');
  return page;
}

/** Most characters of an error, which names every fault: no more than three tokens each. */
const MAX_REFUSAL = 2_000;

/** A result the model reads and can mend (contract 13.6; tools.mdx, Error Handling). */
const refuse = (sentence: string): CallToolResult => ({
  content: [{ type: 'text', text: truncateText(sentence, { characters: MAX_REFUSAL }) }],
  isError: true,
});

/** Throws ProtocolError for a tool there is not; every other error is a result. */
export async function callTool(
  name: string,
  args: ToolArguments,
  context: McpContext,
): Promise<CallToolResult> {
  const tool = TOOLS.find((known) => known.name === name);
  if (!tool)
    throw new ProtocolError(
      RPC_CODES.params,
      `name: no such tool. Use ${TOOLS.map((known) => known.name).join(', ')}`,
    );
  if (context.refusal !== undefined) return refuse(context.refusal);
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
  } catch (thrown) {
    if (thrown instanceof AppError) return refuse(thrown.message);
    context.onError?.(thrown);
    return refuse(INTERNAL_ERROR_MESSAGE);
  }
}

/** Most results kept of a snapshot: what is called again within a minute is mostly the same few calls. */
const MAX_KEPT = 100;
const KEPT = new WeakMap<Snapshot, LRUCache<string, Promise<ToolResult>>>();

/** All our times are whole minutes, so what only reads holds for its snapshot, arguments and minute. */
function runTool(tool: Tool, args: ToolArguments, context: McpContext): Promise<ToolResult> {
  const { snapshot, now_ms, site } = context;
  const run = async (): Promise<ToolResult> => {
    const result = await tool.run(args, context);
    return { ...result, structured: escapeChatMarkersDeep(result.structured) };
  };
  if (!tool.annotations.readOnlyHint) return run();
  const kept = KEPT.get(snapshot) ?? new LRUCache<string, Promise<ToolResult>>({ max: MAX_KEPT });
  KEPT.set(snapshot, kept);
  const key = `${tool.name} ${floorToMinute(now_ms)} ${site.url} ${JSON.stringify(args)}`;
  const result = kept.get(key) ?? run();
  kept.set(key, result);
  return result;
}
