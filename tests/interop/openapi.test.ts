// OpenAPI interoperability: a linter and a typed client use the API description.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import openapiTS, { astToString } from 'openapi-typescript';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { useFolder } from '../fixtures/folder.ts';
import { EventListResponse } from '../fixtures/responses.ts';
import { serveFake } from '../server/fake-release.ts';

const MODULES = resolve(import.meta.dirname, '../../node_modules');
/** Folder from which tests/interop/typed-client/tsconfig.json reads the types. */
const TYPES_DIR = join(MODULES, '.cache/typed-client');
const CLIENT_DIR = join(import.meta.dirname, 'typed-client');
const folder = useFolder();
const fake = await serveFake({ address: 1_000_000, key: 1_000_000 });
const { text: openapi_text } = await fake.ask('/api/openapi.json');

const env = { NO_COLOR: '1', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
/** Runs a script and returns its output. @throws Error with the output if it fails. */
const runNode = (...args: readonly string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [...args], { cwd: folder, env }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }) => {
      throw new Error(`${stdout}${stderr}`);
    },
  );

test('the linter reports no warnings', async () => {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, openapi_text);
  const redocly = join(MODULES, '@redocly/cli/bin/cli.js');
  const output = await runNode(redocly, 'lint', '--extends', 'recommended-strict', file);
  expect(output).not.toMatch(/warning/i);
});

test('a client with generated types compiles and reads the API', async () => {
  const types = astToString(await openapiTS(openapi_text));
  expect(/: any\b|<any>/.test(types)).toBe(false);
  mkdirSync(TYPES_DIR, { recursive: true });
  writeFileSync(join(TYPES_DIR, 'api.d.ts'), types);
  expect(await runNode(join(MODULES, 'typescript/bin/tsc'), '-p', CLIENT_DIR)).toBe('');
  const address = `http://127.0.0.1:${fake.port}`;
  const output: unknown = JSON.parse(await runNode(join(CLIENT_DIR, 'client.ts'), address));
  const response = await fake.ask('/api/v1/events?date=weekend&limit=3&free=1&lang=en');
  const { data } = v.parse(EventListResponse, JSON.parse(response.text));
  const titles = data.map(({ title, next }) => `${title} ${next?.date}`);
  expect(titles.length).toBeGreaterThan(0);
  expect(output).toEqual({ titles, fault: [404, 'not_found'] });
});
