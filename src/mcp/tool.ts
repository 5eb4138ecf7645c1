// What a tool is: what it is given, what it takes and what it answers.
import type { SenderApi } from '../desk/submissions.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../domain/lang.ts';
import type { Site } from '../domain/site.ts';
import type { Taxonomy } from '../domain/taxon.ts';
import type { ToolName } from '../i18n/translate.ts';
import type { Snapshot } from '../snapshot/open-snapshot.ts';

export interface McpContext {
  readonly snapshot: Snapshot;
  /** Epoch milliseconds of the request. */
  readonly now_ms: number;
  readonly site: Site;
  /** As what the client's address is counted (server/http/admit.ts), for the limit of submissions. */
  readonly sender: string;
  /** What a sender does: sends in, follows by a token; null where nothing is taken in. */
  readonly desk: SenderApi | null;
  /** Why no tool runs now, told as its result; left out where one may. */
  readonly refusal?: string;
  /** Receives what was thrown and is no AppError; the client never sees it. */
  readonly onError?: (error: unknown) => void;
  /** Most characters of a text that is told (answer.ts); left out where all of it is. */
  readonly characters?: number;
}

/** The same with the language of the answer. */
export interface AnswerContext extends McpContext {
  readonly lang: Lang;
}

/** JSON Schema 2020-12. */
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

export type ToolArguments = Readonly<Record<string, unknown>>;

export interface ToolResult {
  /** What `structuredContent` has, as the tool's output schema names it. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** Markdown for the reader, in the language of `lang`. */
  readonly text: string;
  readonly lang: Lang;
  /** Where a list goes on; null at its end. */
  readonly next_cursor: string | null;
}

export interface Tool {
  /** Its title and description are the words `mcp.tool.<name>.title` and `.description`. */
  readonly name: ToolName;
  readonly annotations: { readonly readOnlyHint: boolean } & Readonly<Record<string, boolean>>;
  readonly input: (taxonomy: Taxonomy) => ObjectJsonSchema;
  readonly output: ObjectJsonSchema;
  /** Throws AppError for what the caller can mend: its message becomes the tool's error. */
  readonly run: (args: ToolArguments, context: McpContext) => ToolResult | Promise<ToolResult>;
}

export const TEXT_SCHEMA = { type: 'string' } as const;
/** The one argument that every reading tool takes; buscar_eventos says what it means. */
export const LANG_ARGUMENT = { ...TEXT_SCHEMA, enum: LANGS, default: DEFAULT_LANG } as const;

export const inputSchema = (
  properties: Readonly<Record<string, JsonSchema>>,
  required?: readonly string[],
): ObjectJsonSchema => ({
  type: 'object',
  properties,
  ...(required && { required }),
  additionalProperties: false,
});
