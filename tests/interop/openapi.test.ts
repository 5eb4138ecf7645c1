// The API's description as others read it: a linter that is not ours finds nothing, and what is
// answered is what it promises.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFake } from '../server/fake-release.ts';
import { type Description, listQuestions, readDescription, readResponse } from './questions.ts';

const REDOCLY = resolve(import.meta.dirname, '../../node_modules/@redocly/cli/bin/cli.js');
let fake: Awaited<ReturnType<typeof startFake>>;
let description: Description;
let text: string;
let conforms: (schema: object, value: unknown) => string;
const folder = mkdtempSync(join(tmpdir(), 'hoy-openapi-'));

beforeAll(async () => {
  fake = await startFake({ address: 1_000_000, key: 1_000_000 });
  text = (await fake.ask('/api/openapi.json')).text;
  description = readDescription(text);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'description', ...v.parse(v.looseObject({}), JSON.parse(text)) });
  // References in the description are relative to its root.
  const absolute = (schema: object): object =>
    v.parse(
      v.looseObject({}),
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"description#/')),
    );
  conforms = (schema, value) => (ajv.validate(absolute(schema), value) ? '' : ajv.errorsText());
});
afterAll(async () => {
  await fake.stop();
  rmSync(folder, { recursive: true });
});

test('the linter finds nothing', async () => {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, text);
  const env = {
    PATH: '',
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    NO_COLOR: '1',
  };
  const said = await new Promise<{ code: number | string | null; out: string }>((done) => {
    execFile(
      process.execPath,
      [REDOCLY, 'lint', '--extends', 'recommended-strict', file],
      { cwd: folder, env },
      (error, stdout, stderr) =>
        done({ code: error ? (error.code ?? null) : 0, out: stdout + stderr }),
    );
  });
  expect(said.code, said.out).toBe(0);
  expect(said.out).not.toMatch(/warning/i);
});

describe('what the service answers is what it promises', () => {
  test('to every example of every operation, in JSON', async () => {
    let asked = 0;
    for (const [path, { get }] of Object.entries(description.paths)) {
      const ok = readResponse(get, '200', description);
      for (const question of listQuestions(path, get, description)) {
        const reply = await fake.ask(question);
        expect(reply.status, `${question}: ${reply.text.slice(0, 200)}`).toBe(200);
        const type = String(reply.headers['content-type']).split(';')[0] ?? '';
        const promised = ok.content?.[type];
        expect(promised, `${question} answers with ${type}`).toBeDefined();
        const value: unknown = type === 'application/json' ? JSON.parse(reply.text) : reply.text;
        expect(conforms(promised?.schema ?? {}, value), question).toBe('');
        asked += 1;
      }
    }
    expect(asked).toBeGreaterThan(40);
  });

  test('and every printed example, of successes and faults, keeps its schema', () => {
    const responses = [
      ...Object.values(description.paths).flatMap(({ get }) => Object.values(get.responses)),
      ...Object.values(description.components.responses),
    ];
    const contents = responses.flatMap((response) =>
      'content' in response ? Object.values(response.content ?? {}) : [],
    );
    const printed = contents.filter(({ example }) => example !== undefined);
    expect(printed.length).toBeGreaterThan(4);
    for (const { schema, example } of printed)
      expect(conforms(schema, example), JSON.stringify(example).slice(0, 100)).toBe('');
  });

  test.each([
    ['/api/v1/events?date=2026-02-30', {}, 'GET', 400],
    ['/api/v1/events', { 'x-api-key': 'nobody' }, 'GET', 401],
    ['/api/v1/events/nada', {}, 'GET', 404],
    ['/api/v1/venues/nada', {}, 'GET', 404],
    ['/api/v1/events', {}, 'DELETE', 405],
    ['/venues/nada.ics', {}, 'GET', 404],
    ['/api/v1/events/evento-retirado', {}, 'GET', 410],
  ] as const)(
    'and %s %j by %s is refused with %i as described',
    async (path, headers, method, status) => {
      const reply = await fake.ask(path, headers, method);
      const [, operation] =
        Object.entries(description.paths).find(([pattern]) =>
          new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.split('?')[0] ?? ''),
        ) ?? [];
      expect(reply.status).toBe(status);
      expect(operation).toBeDefined();
      if (operation === undefined) return;
      const { content } = readResponse(operation.get, `${status}`, description);
      expect(conforms(content?.['application/json']?.schema ?? {}, JSON.parse(reply.text))).toBe(
        '',
      );
    },
  );
});
