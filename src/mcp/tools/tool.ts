// What a tool of ours is, and how the schemas of its arguments and results are made from the
// definitions that REST is described by.
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { ParameterDescription } from '../../domain/filters/filter.ts';
import { DEFAULT_LANG, type Lang, LANGS } from '../../domain/lang.ts';
import type { Taxonomy } from '../../domain/taxon.ts';
import type { ToolName } from '../../i18n/tool-names.ts';
import type { McpContext } from '../context.ts';

/** JSON Schema 2020-12 of an object. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

export interface ToolResult {
  /** The REST shape: `structuredContent`. */
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

/** Reading changes nothing, and what it reads is this agenda alone. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** The one argument that every reading tool takes. */
export const LANG_PROPERTY = {
  type: 'string',
  enum: LANGS,
  default: DEFAULT_LANG,
  description:
    'Language of titles, summaries and canonical addresses: that of the person who asks.',
} as const;

/** REST's four words for a flag: in JSON it is a boolean. */
const isFlag = (schema: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(schema.enum) && schema.enum.includes('true');

/**
 * A choice of forms becomes one text with its rule in the description: not every client reads
 * `anyOf`.
 */
const isChoice = (schema: Readonly<Record<string, unknown>>): boolean => 'anyOf' in schema;

/** A parameter as a property; `more` is added to its description. */
export function toProperty(
  { schema, description, example }: ParameterDescription,
  more = '',
): Readonly<Record<string, unknown>> {
  const about = { description: `${description}${more}` };
  if (isFlag(schema)) return { type: 'boolean', default: false, ...about };
  if (isChoice(schema)) return { type: 'string', ...about, examples: [example] };
  return { ...schema, ...about, examples: [example] };
}

/** What every result says beside REST's fields: when it was asked for. */
const NOW = {
  type: 'string',
  format: 'date-time',
  description: 'The time in Cancún when this was asked, to the minute.',
} as const;

/**
 * The schema of a result. An object may gain fields within v1
 * (contract 15.3), so the schema does not
 * say that there are no others.
 */
export function toResultSchema(schema: v.GenericSchema): ObjectSchema {
  const { $schema: _, ...json } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    errorMode: 'throw',
    overrideSchema: ({ jsonSchema: { additionalProperties: _closed, ...open } }) => open,
  });
  const { properties } = json;
  return {
    ...json,
    type: 'object',
    properties: { ...properties, now: NOW },
    required: [...(json.required ?? []), 'now'],
  };
}
