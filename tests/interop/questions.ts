// What the description of the API gives to ask: every operation with each of its examples.
import * as v from 'valibot';

const ParameterSchema = v.object({
  name: v.string(),
  in: v.picklist(['query', 'path']),
  schema: v.looseObject({}),
  example: v.optional(v.union([v.string(), v.number()])),
});
const ContentSchema = v.record(
  v.string(),
  v.object({ schema: v.looseObject({}), example: v.optional(v.unknown()) }),
);
/** A response as the description has it. */
export const ResponseSchema = v.object({
  description: v.string(),
  content: v.optional(ContentSchema),
});
const OperationSchema = v.object({
  operationId: v.string(),
  parameters: v.array(v.object({ $ref: v.string() })),
  responses: v.record(v.string(), v.union([v.object({ $ref: v.string() }), ResponseSchema])),
});
const DescriptionSchema = v.object({
  paths: v.record(v.string(), v.object({ get: OperationSchema })),
  components: v.object({
    parameters: v.record(v.string(), ParameterSchema),
    responses: v.record(v.string(), ResponseSchema),
    schemas: v.record(v.string(), v.unknown()),
  }),
});

export type Description = v.InferOutput<typeof DescriptionSchema>;
type Operation = v.InferOutput<typeof OperationSchema>;

/** The parts of a description that the tests read. */
export const readDescription = (text: string): Description =>
  v.parse(DescriptionSchema, JSON.parse(text));

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/**
 * Every question that the examples of an operation make: as it is, then with each parameter, then
 * with several.
 */
export function listQuestions(
  path: string,
  { parameters }: Operation,
  { components }: Description,
): string[] {
  const known = parameters
    .flatMap(({ $ref }) => components.parameters[nameOf($ref)] ?? [])
    .filter((parameter) => parameter.example !== undefined);
  const filled = known
    .filter((p) => p.in === 'path')
    .reduce((at, p) => at.replace(`{${p.name}}`, encodeURIComponent(String(p.example))), path);
  const pairs = known
    .filter((p) => p.in === 'query')
    .map((p): [string, string] => [p.name, String(p.example)]);
  const together = pairs.filter(([name]) => name !== 'date');
  return [
    filled,
    ...pairs.map((pair) => `${filled}?${new URLSearchParams([pair])}`),
    ...(together.length > 1 ? [`${filled}?${new URLSearchParams(together)}`] : []),
  ];
}

/** A response of an operation by its status, behind its reference. */
export function readResponse(
  { responses }: Operation,
  status: string,
  { components }: Description,
): v.InferOutput<typeof ResponseSchema> {
  const response = responses[status] ?? responses.default;
  const found =
    response !== undefined && '$ref' in response
      ? components.responses[nameOf(response.$ref)]
      : response;
  return v.parse(ResponseSchema, found);
}
