// The protocol's server for one message: what it can do, and which function serves which method.
import { type jsonSchemaValidator, ProtocolError, Server } from '@modelcontextprotocol/server';
import { AppError } from '../domain/app-error.ts';
import { toSecondsToMidnight } from '../domain/today.ts';
import { PAGE_PATHS, toAbsolute } from '../i18n/paths.ts';
import { callTool } from './call-tool.ts';
import type { McpContext } from './context.ts';
import { toImplementation } from './server-card.ts';
import { completeName, listResources, listResourceTemplates, readResource } from './resources.ts';
import { INTERNAL_SENTENCE, RPC_CODES } from './rpc-response.ts';
import { inAllLangs, listTools } from './tools/catalog.ts';

/**
 * Nothing of ours changes while somebody listens, so nobody is notified of changes and no stream is
 * held.
 */
const CAPABILITIES = {
  tools: { listChanged: false },
  resources: { listChanged: false, subscribe: false },
  completions: {},
} as const;

/** What is not ours to complete. */
const NO_COMPLETION = { values: [], total: 0, hasMore: false };

const HOUR_MS = 3_600_000;
/** The lists change with a release; what is on may be cancelled sooner (contract 1.6). */
const LIST_HINT = { ttlMs: HOUR_MS, cacheScope: 'public' } as const;
const MAX_READ_SECONDS = 300;

/**
 * We ask clients for nothing, so nothing of theirs is validated; the SDK would make an Ajv for each
 * message.
 */
const NO_VALIDATOR: jsonSchemaValidator = {
  getValidator: () => () => ({
    valid: false,
    data: undefined,
    errorMessage: 'nothing is asked of clients',
  }),
};

function toOptions({ now_ms, site }: McpContext) {
  const read_ms = 1000 * Math.min(MAX_READ_SECONDS, toSecondsToMidnight(now_ms));
  return {
    capabilities: CAPABILITIES,
    instructions: inAllLangs('mcp.instructions', (lang) => ({
      form: toAbsolute(site.url, PAGE_PATHS.submit[lang]),
      docs: toAbsolute(site.url, PAGE_PATHS.docs[lang]),
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

/** Runs a handler; what it throws and is not meant for the caller becomes one sentence. */
async function guarded<T>(context: McpContext, response: () => T | Promise<T>): Promise<T> {
  try {
    return await response();
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    if (thrown instanceof AppError) throw new ProtocolError(RPC_CODES.params, thrown.message);
    context.onError?.(thrown);
    throw new ProtocolError(RPC_CODES.internal, INTERNAL_SENTENCE);
  }
}

/** Our lists have one page, so no cursor is one of ours (pagination.mdx, Error Handling). */
function onePage<T>(params: { readonly cursor?: string | undefined } | undefined, page: T): T {
  if (params?.cursor !== undefined)
    throw new ProtocolError(RPC_CODES.params, 'cursor: this list has one page');
  return page;
}

/**
 * A server for one message with this context. Cheap: it is made again for each, which is
 * what stateless means.
 */
export function createServer(context: McpContext): Server {
  const server = new Server(toImplementation(context.site), toOptions(context));
  server.setRequestHandler('tools/list', ({ params }) =>
    guarded(context, () => onePage(params, { tools: listTools(context.snapshot) })),
  );
  server.setRequestHandler('tools/call', ({ params }) =>
    guarded(context, () => callTool(params.name, params.arguments ?? {}, context)),
  );
  server.setRequestHandler('resources/list', ({ params }) =>
    guarded(context, () => onePage(params, { resources: listResources(context) })),
  );
  server.setRequestHandler('resources/templates/list', ({ params }) =>
    guarded(context, () => onePage(params, { resourceTemplates: listResourceTemplates(context) })),
  );
  server.setRequestHandler('resources/read', ({ params }) =>
    guarded(context, () => readResource(params.uri, context)),
  );
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) =>
    guarded(context, () => ({
      completion:
        (ref.type === 'ref/resource' ? completeName(ref.uri, argument.value, context) : null) ??
        NO_COMPLETION,
    })),
  );
  return server;
}
