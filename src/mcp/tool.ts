// MCP tools: defines the types of tools (context, arguments, schemas, results) and the schemas that
// all of them share.
import type { SenderApi } from '../desk/submissions.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import type { ToolName } from '../i18n/translate.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';

/** Context of an MCP request. */
export interface McpContext {
  readonly snapshot: Snapshot;
  /** Epoch milliseconds of the request. */
  readonly now_ms: number;
  readonly site: Site;
  /** Key of the client's address, by which submissions are limited. */
  readonly sender: string;
  /** Actions of senders; null if submissions are closed. */
  readonly desk: SenderApi | null;
  /** If set, tools do not run and return this message, such as for the rate limit. */
  readonly refusal?: string;
  /** Receives unexpected errors, which the client never sees. */
  readonly onError?: (error: unknown) => void;
  /**
   * Maximum characters of each text in an answer (tool-answer.ts sets it); omitted for full texts.
   */
  readonly max_text_length?: number;
}

/** A tool context with the language of the answer. */
export interface AnswerContext extends McpContext {
  readonly lang: Lang;
}

/** JSON Schema 2020-12; the named keywords are those that we read. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly [keyword: string]: unknown;
}
export interface ObjectJsonSchema extends JsonSchema {
  readonly type: 'object';
}

/** Arguments as the client sent them, not validated. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** Result of a tool, before the fields of every answer are added. */
export interface ToolResult {
  /** The `structuredContent`, in the form of the tool's output schema. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** Markdown in the language `lang`. */
  readonly text: string;
  readonly lang: Lang;
  /** Cursor of the next page; null on the last one. */
  readonly next_cursor: string | null;
}

/** A tool; its public names and texts are Spanish or bilingual. */
export interface Tool {
  /** Its title and description are the messages `mcp.tool.<name>.title` and `.description`. */
  readonly name: ToolName;
  /** Hints of the protocol; `readOnlyHint` also allows caching its results. */
  readonly annotations: { readonly readOnlyHint: boolean } & Readonly<Record<string, boolean>>;
  /** Builds the schema of its arguments, with the categories and zones of the snapshot. */
  readonly input: (taxonomy: Taxonomy) => ObjectJsonSchema;
  /** Schema of its structured content. */
  readonly output: ObjectJsonSchema;
  /**
   * Runs the tool.
   * @throws AppError for errors the caller can correct; its message becomes the result.
   */
  readonly run: (args: ToolArguments, context: McpContext) => ToolResult | Promise<ToolResult>;
}

export const TEXT_SCHEMA = { type: 'string' } as const;
/** The language of an answer. */
export const LANG_ARGUMENT = {
  ...TEXT_SCHEMA,
  enum: LANGS,
  default: DEFAULT_LANG,
  description: 'Language of the person.',
} as const;

/** Builds the schema of a tool's arguments, which allows no others. */
export const inputSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  required?: readonly string[],
): ObjectJsonSchema => ({
  type: 'object',
  properties,
  ...(required && { required }),
  additionalProperties: false,
});
