// JSON Schemas of arguments and answers, made from the definitions that REST is described by.
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { ParameterDescription } from '../../domain/filters/filter.ts';
import type { ObjectSchema } from './tool.ts';

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

/**
 * The schema of an answer. An object may gain fields within v1 (interface 9), so a client is not
 * told that there are no others.
 */
export function toResultSchema(schema: v.GenericSchema): ObjectSchema {
  const { $schema: _, ...json } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    errorMode: 'throw',
    overrideSchema: ({ jsonSchema: { additionalProperties: _closed, ...open } }) => open,
  });
  return { ...json, type: 'object' };
}
