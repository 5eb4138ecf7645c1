// The API's description as others read it: a linter that is not ours finds nothing, and what is asked and answered is
// what it promises, to a validator that is not ours.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFake } from '../server/fake-release.ts';
import { makeTestFolder } from '../fixtures/folder.ts';

const RefSchema = v.object({ $ref: v.string() });
const ParameterSchema = v.object({
  name: v.string(),
  in: v.picklist(['query', 'path']),
  schema: v.looseObject({}),
  example: v.optional(v.union([v.string(), v.number()])),
});
const ContentSchema = v.object({ schema: v.looseObject({}), example: v.optional(v.unknown()) });
const ResponseSchema = v.object({
  description: v.string(),
  content: v.optional(v.record(v.string(), ContentSchema), {}),
});
const OperationSchema = v.object({
  parameters: v.array(RefSchema),
  responses: v.record(v.string(), v.union([RefSchema, ResponseSchema])),
});
type Operation = v.InferOutput<typeof OperationSchema>;
const DescriptionSchema = v.object({
  paths: v.record(v.string(), v.object({ get: OperationSchema })),
  components: v.object({
    parameters: v.record(v.string(), ParameterSchema),
    responses: v.record(v.string(), ResponseSchema),
  }),
});

let fake: Awaited<ReturnType<typeof startFake>>;
let text: string;
let description: v.InferOutput<typeof DescriptionSchema>;
/** What is wrong with a value; empty where nothing is. */
let findFaults: (schema: object, value: unknown) => string;
beforeAll(async () => {
  fake = await startFake({ address: 1_000_000, key: 1_000_000 });
  text = (await fake.ask('/api/openapi.json')).text;
  description = v.parse(DescriptionSchema, JSON.parse(text));
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'description', ...v.parse(v.looseObject({}), JSON.parse(text)) });
  findFaults = (schema, value) => {
    // References in the description are relative to its root.
    const absolute = JSON.stringify(schema).replaceAll('"#/', '"description#/');
    const is_valid = ajv.validate(v.parse(v.looseObject({}), JSON.parse(absolute)), value);
    return is_valid ? '' : ajv.errorsText();
  };
});
afterAll(() => fake.stop());

const nameOf = ({ $ref }: { readonly $ref: string }): string =>
  $ref.slice($ref.lastIndexOf('/') + 1);

/** What an operation promises for a status, in a media type. */
function findPromised({ responses }: Operation, status: string, type: string) {
  const response = responses[status] ?? responses.default;
  const found =
    response && '$ref' in response ? description.components.responses[nameOf(response)] : response;
  return found?.content[type]?.schema;
}

/** Every question that the examples of an operation make: as it is, then with each parameter, then with several. */
function listQuestions(path: string, { parameters }: Operation): readonly string[] {
  const known = parameters.flatMap((ref) => {
    const { name, in: place, example } = description.components.parameters[nameOf(ref)] ?? {};
    return name === undefined || example === undefined ? [] : [{ name, place, example }];
  });
  const filled = known
    .filter(({ place }) => place === 'path')
    .reduce(
      (at, { name, example }) => at.replace(`{${name}}`, encodeURIComponent(String(example))),
      path,
    );
  const pairs = known
    .filter(({ place }) => place === 'query')
    .map(({ name, example }): [string, string] => [name, String(example)]);
  const together = pairs.filter(([name]) => name !== 'date');
  const queries = [...pairs.map((pair) => [pair]), ...(together.length > 1 ? [together] : [])];
  return [filled, ...queries.map((query) => `${filled}?${new URLSearchParams(query)}`)];
}

const REDOCLY = resolve(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');

test('the linter finds nothing', async () => {
  const folder = makeTestFolder();
  const file = join(folder, 'openapi.json');
  writeFileSync(file, text);
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const args = [REDOCLY, 'lint', '--extends', 'recommended-strict', file];
  const env = { PATH: '', NO_COLOR: '1', ...quiet };
  const said = await new Promise<{ readonly error: Error | null; readonly out: string }>((done) => {
    execFile(process.execPath, args, { cwd: folder, env }, (error, stdout, stderr) =>
      done({ error, out: stdout + stderr }),
    );
  });
  expect(said.error, said.out).toBeNull();
  expect(said.out).not.toMatch(/warning/i);
});

test('every example of every operation is a question it takes, and is answered as promised', async () => {
  for (const { name, schema, example } of Object.values(description.components.parameters))
    if (example !== undefined) expect(findFaults(schema, example), name).toBe('');
  let asked = 0;
  for (const [path, { get }] of Object.entries(description.paths))
    for (const question of listQuestions(path, get)) {
      const reply = await fake.ask(question);
      expect(reply.status, `${question}: ${reply.text.slice(0, 200)}`).toBe(200);
      const [type = ''] = String(reply.headers['content-type']).split(';');
      const value: unknown = type === 'application/json' ? JSON.parse(reply.text) : reply.text;
      const schema = findPromised(get, '200', type);
      expect(schema, `${question} answers with ${type}`).toBeDefined();
      expect(findFaults(schema ?? {}, value), question).toBe('');
      asked += 1;
    }
  expect(asked).toBeGreaterThan(70);
});

test('and the validator does look: a field that is promised and never there is found', async () => {
  const reply: unknown = JSON.parse((await fake.ask('/api/v1/zones')).text);
  const schema = { type: 'object', required: ['data', 'meta', 'more'] };
  expect(findFaults(schema, reply)).toContain("required property 'more'");
});

test('every printed example, of successes and faults, keeps its schema', () => {
  const responses = [
    ...Object.values(description.paths).flatMap(({ get }) => Object.values(get.responses)),
    ...Object.values(description.components.responses),
  ];
  const printed = responses
    .flatMap((response) => ('content' in response ? Object.values(response.content) : []))
    .filter(({ example }) => example !== undefined);
  expect(printed.length).toBeGreaterThan(4);
  for (const { schema, example } of printed)
    expect(findFaults(schema, example), JSON.stringify(example).slice(0, 100)).toBe('');
});

test.each([
  [400, '/api/v1/events?date=2026-02-30', 'GET', {}],
  [400, '/api/v1/events?from=2026-11-21&to=2027-11-21', 'GET', {}],
  [400, '/api/v1/events.ics?zone=atlantis', 'GET', {}],
  [400, '/api/v1/changes?cursor=nada', 'GET', {}],
  [401, '/api/v1/events', 'GET', { 'x-api-key': 'nobody' }],
  [404, '/api/v1/events/nada', 'GET', {}],
  [404, '/api/v1/venues/nada', 'GET', {}],
  [404, '/api/v1/organizers/nada', 'GET', {}],
  [404, '/venues/nada.ics', 'GET', {}],
  [404, '/events/nada.ics', 'GET', {}],
  [405, '/api/v1/events', 'DELETE', {}],
  [410, '/api/v1/events/evento-retirado', 'GET', {}],
] as const)('%i of %s by %s %j is as described', async (status, path, method, headers) => {
  const reply = await fake.ask(path, headers, method);
  expect(reply.status).toBe(status);
  const [, operation] =
    Object.entries(description.paths).find(([pattern]) =>
      new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? ''),
    ) ?? [];
  const schema = operation && findPromised(operation.get, `${status}`, 'application/json');
  expect(schema).toBeDefined();
  expect(findFaults(schema ?? {}, JSON.parse(reply.text))).toBe('');
});
