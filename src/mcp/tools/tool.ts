// What a tool of ours is: how it is described, and the function that answers it.
import type { Taxonomy } from '../../domain/taxon.ts';
import type { Key } from '../../i18n/translate.ts';
import type { McpContext } from '../context.ts';

/** JSON Schema 2020-12 of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

export interface ToolResult {
  /** The REST shape: `structuredContent`. */
  readonly structured: Readonly<Record<string, unknown>>;
  /** Markdown for the reader, in the asked language. */
  readonly text: string;
  /** Where a list goes on; null at its end. */
  readonly next_cursor: string | null;
}

export interface Tool {
  readonly name: string;
  /** Keys of its title and description, `mcp.<tool>.title`. */
  readonly title: Key;
  readonly description: Key;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly toInputSchema: (taxonomy: Taxonomy) => ObjectSchema;
  readonly toOutputSchema: () => ObjectSchema;
  /** Throws AppError for what the caller can mend: its message becomes the tool's error. */
  readonly response: (args: Readonly<Record<string, unknown>>, context: McpContext) => ToolResult;
}

/** Reading changes nothing, and what it reads is this town alone. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
