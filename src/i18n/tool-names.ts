// The names of the MCP tools. A tool has words under its name (`mcp.tool.<name>.title`), so the names
// are those that have some: whoever names a tool anywhere is checked against them.
import es from './es.json' with { type: 'json' };
import type { Key } from './translate.ts';

type NameIn<K> = K extends `mcp.tool.${infer Name}.title` ? Name : never;
/** `buscar_eventos`, `eventos_hoy`, … */
export type ToolName = NameIn<Key>;

/** All of them, in no order of meaning: the order of the tools is that of mcp/tools/catalog.ts. */
export const TOOL_NAMES: readonly string[] = Object.keys(es).flatMap(
  (key) => /^mcp\.tool\.(\w+)\.title$/.exec(key)?.[1] ?? [],
);
