// What the API says of itself is what it answers, to a validator not ours (contract 8.21).
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { ROUTES } from '../../src/api/handle-api.ts';
import { buildListExample } from '../../src/serializers/openapi/build-document.ts';
import { findApiExamples } from '../../src/snapshot/list-records.ts';
import { EVENT_PARAMETER_NAMES } from '../../src/domain/query/parameters.ts';
import { TOWN } from '../../src/town.ts';
import { ask, askFor } from '../fixtures/ask.ts';
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
type Asked = v.InferOutput<typeof Operation>;
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
const text = String(ask(snapshot, '/api/openapi.json').body);
const { info, paths, components } = v.parse(Description, JSON.parse(text));
const nameOf = ({ $ref }: { readonly $ref: string }) => $ref.slice($ref.lastIndexOf('/') + 1);

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'description', ...JSON.parse(text) });
/** What is wrong with a value; empty where nothing is. References in the description are relative to its root. */
function findFaults(schema: object, value: unknown): string {
  const absolute = JSON.stringify(schema).replaceAll('"#/', '"description#/');
  return ajv.validate(JSON.parse(absolute), value) ? '' : ajv.errorsText();
}

/** What an operation promises for a status, in a media type; fails where that is nothing. */
function getPromised({ responses }: Asked, status: string, type: string): object {
  const response = responses[status] ?? responses.default ?? { content: {} };
  const { content } =
    '$ref' in response ? (components.responses[nameOf(response)] ?? { content: {} }) : response;
  const schema = content[type]?.schema;
  if (schema === undefined) throw new Error(`no schema for ${status} as ${type}`);
  return schema;
}

function expectPromised(operation: Asked, address: string, status = 200) {
  const answer = ask(snapshot, address);
  expect(answer.status, `${address}: ${String(answer.body).slice(0, 200)}`).toBe(status);
  const [type = ''] = String(answer.headers['content-type']).split(';');
  const value: unknown =
    type === 'application/json' ? JSON.parse(String(answer.body)) : String(answer.body);
  expect(findFaults(getPromised(operation, `${status}`, type), value), address).toBe('');
}

test('it has the routes that are answered and no others', () => {
  const told = Object.entries(paths).map(([path, { get }]) => `${path} ${get.operationId}`);
  const answered = ROUTES.filter(({ operation_id }) => operation_id !== null);
  const own = answered.map(({ pattern, operation_id }) => `${pattern} ${operation_id}`);
  expect(told.sort()).toEqual(own.sort());
});

test('it lists every category and zone with key and slugs, and the filters of events', () => {
  const taxa = [...snapshot.taxonomy.categories, ...snapshot.taxonomy.zones];
  const keys = [...TOWN.category_keys, ...TOWN.zone_keys];
  const words = info.description.match(/[\w-]+/g);
  expect(words).toEqual(expect.arrayContaining([...keys, ...taxa.map(({ slug }) => slug.es)]));
  const names = paths['/api/v1/events']?.get.parameters.map(nameOf);
  expect(names).toEqual([...EVENT_PARAMETER_NAMES, 'cursor', 'include']);
});

describe.each(Object.entries(paths))('%s', (path, { get }) => {
  const known = get.parameters
    .flatMap((ref) => components.parameters[nameOf(ref)] ?? [])
    .flatMap(({ example, ...parameter }) =>
      example === undefined ? [] : [{ ...parameter, example: String(example) }],
    );
  const filled = known
    .filter((parameter) => parameter.in === 'path')
    .reduce((at, { name, example }) => at.replace(`{${name}}`, encodeURIComponent(example)), path);
  const pairs = known
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, example }): [string, string] => [name, example]);

  test('answers its examples as promised: none, each and all together', () => {
    const together = pairs.filter(([name]) => name !== 'date');
    const queries = [...pairs.map((pair) => [pair]), ...(together.length > 1 ? [together] : [])];
    expectPromised(get, filled);
    for (const query of queries) expectPromised(get, `${filled}?${new URLSearchParams(query)}`);
  });

  test('answers a wrong language, and a name that nobody has, as promised', () => {
    expectPromised(get, `${filled}?lang=fr`, 400);
    if (filled !== path && !path.includes('{date}'))
      expectPromised(get, path.replace(/\{\w+\}/, 'nada'), 404);
  });
});

test('what was withdrawn and a method that is not taken are as described', () => {
  const { get } = paths['/api/v1/events/{idOrSlug}'] ?? {};
  if (get === undefined) throw new Error('no such operation');
  expectPromised(get, '/api/v1/events/evento-retirado', 410);
  const refused = ask(snapshot, '/api/v1/events', { method: 'DELETE' });
  const schema = getPromised(get, `${refused.status}`, 'application/json');
  expect(findFaults(schema, JSON.parse(String(refused.body)))).toBe('');
});

test('every printed example keeps its schema', () => {
  const responses = [
    ...Object.values(paths).flatMap(({ get }) => Object.values(get.responses)),
    ...Object.values(components.responses),
  ];
  const printed = responses
    .flatMap((response) => ('content' in response ? Object.values(response.content) : []))
    .filter(({ example }) => example !== undefined);
  expect(printed.length).toBeGreaterThan(3);
  for (const { schema, example } of printed)
    expect(findFaults(schema, example), JSON.stringify(example).slice(0, 100)).toBe('');
  for (const { name, schema, example } of Object.values(components.parameters))
    if (example !== undefined) expect(findFaults(schema, example), name).toBe('');
});

test('the example of the events is one that the service answers and keeps its schema', () => {
  const { get } = paths['/api/v1/events'] ?? {};
  if (get === undefined) throw new Error('no such operation');
  const example = buildListExample(findApiExamples(snapshot, FRIDAY_NOON_MS), SITE, 'en');
  expect(findFaults(getPromised(get, '200', 'application/json'), example)).toBe('');
  const { data } = askFor(snapshot, EventListResponse, '/api/v1/events?lang=en');
  expect(data).toContainEqual(v.parse(EventListResponse, example).data[0]);
});

test.each([
  ['es', '/buscar'],
  ['en', '/en/search'],
])('the search of a browser leads to that of its language: %s', (lang, search) => {
  const { headers, body } = ask(snapshot, `/opensearch/${lang}.xml`);
  expect(headers['content-type']).toBe('application/opensearchdescription+xml; charset=utf-8');
  expect(/<ShortName>(.{1,16})<\/ShortName>/.exec(String(body))?.[1]).toBe(SITE.name);
  expect(body).toContain(`<Url type="text/html" template="${SITE.url}${search}?q={searchTerms}"/>`);
  expect(ask(snapshot, '/opensearch/fr.xml')).toMatchObject({
    status: 404,
    body: expect.stringContaining('Use es or en'),
  });
});
