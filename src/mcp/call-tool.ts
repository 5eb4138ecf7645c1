// A tool call: the result as text and structured content, the caller's error as a sentence, ours as
// nothing but that.
import { type CallToolResult, ProtocolError } from '@modelcontextprotocol/server';
import { AppError } from '../domain/app-error.ts';
import { floorToMinute, formatTimestamp } from '../domain/cancun-time.ts';
import { toClockLine } from '../i18n/clock.ts';
import { t } from '../i18n/translate.ts';
import { breakMarksOf } from '../serializers/plain-text.ts';
import type { McpContext } from './context.ts';
import { cutText } from './cut.ts';
import { INTERNAL_SENTENCE, RPC_CODES } from './rpc-response.ts';
import { createCache } from './text/cache.ts';
import { TOOLS } from './tools/catalog.ts';
import type { Tool, ToolResult } from './tools/tool.ts';

/** Most characters of an error, which names every fault: no more than three tokens each. */
const MAX_REFUSAL = 2_000;

/** A result the model reads and can mend (contract 13.6; tools.mdx, Error Handling). */
const toRefusal = (sentence: string): CallToolResult => ({
  content: [{ type: 'text', text: cutText(sentence, { characters: MAX_REFUSAL }) }],
  isError: true,
});

/**
 * Most results cached for a snapshot: what is called again within a minute is mostly the same few
 * calls.
 */
const MAX_CACHED_RESULTS = 100;
const cacheResult = createCache<Promise<ToolResult>>(MAX_CACHED_RESULTS);

/**
 * All our times are whole minutes, so a result that only reads holds for its snapshot, its
 * arguments and its minute.
 */
function runTool(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  context: McpContext,
): Promise<ToolResult> {
  const run = async (): Promise<ToolResult> => {
    const result = await tool.response(args, context);
    return { ...result, structured: breakMarksOf(result.structured) };
  };
  if (!tool.annotations.readOnlyHint) return run();
  const key = `${tool.name} ${floorToMinute(context.now_ms)} ${context.site.url} ${JSON.stringify(args)}`;
  return cacheResult(context.snapshot, key, run);
}

/** Throws ProtocolError for a tool there is not; every other error is a result. */
export async function callTool(
  name: string,
  args: Readonly<Record<string, unknown>>,
  context: McpContext,
): Promise<CallToolResult> {
  const tool = TOOLS.find((known) => known.name === name);
  if (!tool)
    throw new ProtocolError(
      RPC_CODES.params,
      `name: no such tool. Use ${TOOLS.map((known) => known.name).join(', ')}`,
    );
  if (context.refusal !== undefined) return toRefusal(context.refusal);
  try {
    const { structured, text, lang, next_cursor } = await runTool(tool, args, context);
    const now_ms = floorToMinute(context.now_ms);
    return {
      content: [{ type: 'text', text: `${toClockLine(now_ms, lang)}\n\n${text}` }],
      structuredContent: {
        now: formatTimestamp(now_ms),
        about: t(lang, 'mcp.data'),
        ...structured,
      },
      ...(next_cursor === null ? {} : { _meta: { next_cursor } }),
    };
  } catch (thrown) {
    if (thrown instanceof AppError) return toRefusal(thrown.message);
    context.onError?.(thrown);
    return toRefusal(INTERNAL_SENTENCE);
  }
}
