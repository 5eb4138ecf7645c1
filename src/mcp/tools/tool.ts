// What a tool of ours is, and how the schemas of its arguments and results are made from the
// definitions that REST is described by.
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { ParameterDescription } from '../../domain/query/parameters.ts';
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
  readonly response: (
    args: Readonly<Record<string, unknown>>,
    context: McpContext,
  ) => ToolResult | Promise<ToolResult>;
}

/** Reading changes nothing, and what it reads is this agenda alone. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** The one argument that every reading tool takes; buscar_eventos says what it means. */
export const LANG_PROPERTY = { type: 'string', enum: LANGS, default: DEFAULT_LANG } as const;

/** REST's four words for a flag: in JSON it is a boolean. */
const isFlag = (schema: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(schema.enum) && schema.enum.includes('true');

/**
 * A choice of forms becomes one text with its rule in the description: not every client reads
 * `anyOf`.
 */
const isChoice = (schema: Readonly<Record<string, unknown>>): boolean => 'anyOf' in schema;

/** A parameter as a property, with its words where it has some. */
export function toProperty({
  schema,
  description,
}: Pick<ParameterDescription, 'name' | 'schema' | 'description'>): Readonly<
  Record<string, unknown>
> {
  const about = description === '' ? {} : { description };
  if (isFlag(schema)) return { type: 'boolean', ...about };
  if (isChoice(schema)) return { type: 'string', ...about };
  return { ...schema, ...about };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * What of a schema is always there: names and types, no more, for all of them together are read
 * with every question. Each field is described in the documentation that `meta.docs` leads to.
 */
function toOutline(schema: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(schema)) return {};
  const { type, properties, items, required, anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const kinds = anyOf.map((each) => (isRecord(each) ? each.type : null)).filter(isText);
    return { type: kinds };
  }
  if (type === 'array') return { type, items: toOutline(items) };
  if (type !== 'object' || !isRecord(properties)) return type === undefined ? {} : { type };
  const always = Array.isArray(required) ? required.filter(isText) : [];
  if (always.length === 0) return { type };
  return {
    type,
    properties: Object.fromEntries(always.map((name) => [name, toOutline(properties[name])])),
    required: always,
  };
}

/**
 * The schema of a result. An object may gain fields within v1 (contract 15.3), so the schema does
 * not say that there are no others; what stands in every result (`now`, `about`, `meta`) is not said
 * again by each of them.
 */
export function toResultSchema(schema: v.GenericSchema, added: object = {}): ObjectSchema {
  const { properties } = toOutline(
    toJsonSchema(schema, { target: 'draft-2020-12', errorMode: 'throw' }),
  );
  const { meta: _everywhere, ...own } = isRecord(properties) ? properties : {};
  const all = { ...added, ...own };
  return { type: 'object', properties: all, required: Object.keys(all) };
}

/** What a list adds to REST's: where it goes on. */
export const PAGING = { next_cursor: { type: ['string', 'null'] } } as const;
