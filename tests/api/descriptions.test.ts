// API descriptions: responses match the OpenAPI document, checked by an independent validator (contract 8.21).
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/handle-api.ts';
import { buildListExample } from '../../src/serializers/openapi/build-document.ts';
import { findApiExamples } from '../../src/snapshot/list-records.ts';
import { EVENT_PARAMETER_NAMES } from '../../src/domain/query/parameters.ts';
import { TOWN } from '../../src/town.ts';
import { requestApi, getFromApi } from '../fixtures/ask.ts';
import { FRIDAY_NOON_MS, useFixture } from '../fixtures/fixture.ts';
import { EventListResponse } from '../fixtures/responses.ts';
import { SITE } from '../fixtures/site.ts';

const { snapshot } = useFixture();

const Ref = v.object({ $ref: v.string() });
const Response = v.object({
  content: v.optional(
    v.record(v.string(), v.object({ schema: v.looseObject({}), example: v.optional(v.unknown()) })),
    {},
  ),
});
const Operation = v.object({
  operationId: v.string(),
  parameters: v.array(Ref),
  responses: v.record(v.string(), v.union([Ref, Response])),
});
type OperationDescription = v.InferOutput<typeof Operation>;
const Description = v.object({
  openapi: v.literal('3.1.0'),
  info: v.object({ version: v.literal('1.0.0'), description: v.string() }),
  paths: v.record(v.string(), v.strictObject({ get: Operation })),
  components: v.object({
    parameters: v.record(
      v.string(),
      v.object({
        name: v.string(),
        in: v.picklist(['query', 'path']),
        schema: v.looseObject({}),
        example: v.optional(v.union([v.string(), v.number()])),
      }),
    ),
    responses: v.record(v.string(), Response),
  }),
});
const text = String(requestApi(snapshot, '/api/openapi.json').body);
const { info, paths, components } = v.parse(Description, JSON.parse(text));
const nameOf = ({ $ref }: { readonly $ref: string }) => $ref.slice($ref.lastIndexOf('/') + 1);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'description', ...JSON.parse(text) });
/** Validates a value; returns the errors, or ''. References in the document are relative to its root. */
function validateAgainstSchema(schema: object, value: unknown): string {
  const absolute = JSON.stringify(schema).replaceAll('"#/', '"description#/');
  return ajv.validate(JSON.parse(absolute), value) ? '' : ajv.errorsText();
}

/** Returns the schema of an operation for a status and media type. @throws if there is none. */
function getResponseSchema(
  { responses }: OperationDescription,
  status: string,
  type: string,
): object {
  const response = responses[status] ?? responses.default ?? { content: {} };
  const { content } =
    '$ref' in response ? (components.responses[nameOf(response)] ?? { content: {} }) : response;
  const schema = content[type]?.schema;
  if (schema === undefined) throw new Error(`no schema for ${status} as ${type}`);
  return schema;
}

function expectMatchesSchema(operation: OperationDescription, url: string, status = 200) {
  const response = requestApi(snapshot, url);
  expect(response.status, `${url}: ${String(response.body).slice(0, 200)}`).toBe(status);
  const [type = ''] = String(response.headers['content-type']).split(';');
  const value: unknown =
    type === 'application/json' ? JSON.parse(String(response.body)) : String(response.body);
  expect(validateAgainstSchema(getResponseSchema(operation, `${status}`, type), value), url).toBe(
    '',
  );
}

test('the document describes exactly the implemented routes', () => {
  const described = Object.entries(paths).map(([path, { get }]) => `${path} ${get.operationId}`);
  const routes = ROUTES.filter(({ operation_id }) => operation_id !== null);
  const implemented = routes.map(({ pattern, operation_id }) => `${pattern} ${operation_id}`);
  expect(described.sort()).toEqual(implemented.sort());
});

test('the document lists every category and zone with key and slugs, and the event filters', () => {
  const taxa = [...snapshot.taxonomy.categories, ...snapshot.taxonomy.zones];
  const keys = [...TOWN.category_keys, ...TOWN.zone_keys];
  const words = info.description.match(/[\w-]+/g);
  expect(words).toEqual(expect.arrayContaining([...keys, ...taxa.map(({ slug }) => slug.es)]));
  const names = paths['/api/v1/events']?.get.parameters.map(nameOf);
  expect(names).toEqual([...EVENT_PARAMETER_NAMES, 'cursor', 'include']);
});

describe.each(Object.entries(paths))('%s', (path, { get }) => {
  const parameters = get.parameters
    .flatMap((ref) => components.parameters[nameOf(ref)] ?? [])
    .flatMap(({ example, ...parameter }) =>
      example === undefined ? [] : [{ ...parameter, example: String(example) }],
    );
  const example_path = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce(
      (url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(example)),
      path,
    );
  const query_examples = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }): [string, string] => [name, example]);

  test('responds to its examples as described: none, each and all combined', () => {
    const combined = query_examples.filter(([name]) => name !== 'date');
    const queries = [
      ...query_examples.map((pair) => [pair]),
      ...(combined.length > 1 ? [combined] : []),
    ];
    expectMatchesSchema(get, example_path);
    for (const query of queries)
      expectMatchesSchema(get, `${example_path}?${new URLSearchParams(query)}`);
  });

  test('responds to an invalid language and an unknown identifier as described', () => {
    expectMatchesSchema(get, `${example_path}?lang=fr`, 400);
    if (example_path !== path && !path.includes('{date}'))
      expectMatchesSchema(get, path.replace(/\{\w+\}/, 'nada'), 404);
  });
});

test('responds to a withdrawn event and an unsupported method as described', () => {
  const { get } = paths['/api/v1/events/{idOrSlug}'] ?? {};
  if (get === undefined) throw new Error('no such operation');
  expectMatchesSchema(get, '/api/v1/events/evento-retirado', 410);
  const rejected = requestApi(snapshot, '/api/v1/events', { method: 'DELETE' });
  const schema = getResponseSchema(get, `${rejected.status}`, 'application/json');
  expect(validateAgainstSchema(schema, JSON.parse(String(rejected.body)))).toBe('');
});

test('every example matches its schema', () => {
  const responses = [
    ...Object.values(paths).flatMap(({ get }) => Object.values(get.responses)),
    ...Object.values(components.responses),
  ];
  const examples = responses
    .flatMap((response) => ('content' in response ? Object.values(response.content) : []))
    .filter(({ example }) => example !== undefined);
  expect(examples.length).toBeGreaterThan(0);
  for (const { schema, example } of examples)
    expect(validateAgainstSchema(schema, example), JSON.stringify(example).slice(0, 100)).toBe('');
  for (const { name, schema, example } of Object.values(components.parameters))
    if (example !== undefined) expect(validateAgainstSchema(schema, example), name).toBe('');
});

test('the event example matches its schema and a listed event', () => {
  const { get } = paths['/api/v1/events'] ?? {};
  if (get === undefined) throw new Error('no such operation');
  const example = buildListExample(findApiExamples(snapshot, FRIDAY_NOON_MS), SITE, 'en');
  expect(validateAgainstSchema(getResponseSchema(get, '200', 'application/json'), example)).toBe(
    '',
  );
  const { data } = getFromApi(snapshot, EventListResponse, '/api/v1/events?lang=en');
  expect(data).toContainEqual(v.parse(EventListResponse, example).data[0]);
});

test.each([
  ['es', '/buscar'],
  ['en', '/en/search'],
])('the OpenSearch description of %s leads to the search page of that language', (lang, search) => {
  const { headers, body } = requestApi(snapshot, `/opensearch/${lang}.xml`);
  expect(headers['content-type']).toBe('application/opensearchdescription+xml; charset=utf-8');
  expect(/<ShortName>(.{1,16})<\/ShortName>/.exec(String(body))?.[1]).toBe(SITE.name);
  expect(body).toContain(`<Url type="text/html" template="${SITE.url}${search}?q={searchTerms}"/>`);
  expect(requestApi(snapshot, '/opensearch/fr.xml')).toMatchObject({
    status: 404,
    body: expect.stringContaining('Use es or en'),
  });
});
