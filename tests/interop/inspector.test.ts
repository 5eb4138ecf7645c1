// The Inspector's command line against the running server: strict schemas, and a tool called as a person at a terminal
// would.
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TOOL_NAMES } from '../../src/i18n/translate.ts';
import { startServing } from './serving.ts';

const INSPECTOR = resolve(
  import.meta.dirname,
  '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
let serving: Awaited<ReturnType<typeof startServing>>;
beforeAll(async () => {
  serving = await startServing();
});
afterAll(() => serving.fake.stop());

/** What it printed. Throws where it refuses, as with 6 a schema that some client cannot read. */
function inspect(...args: readonly string[]): Promise<string> {
  const all = [INSPECTOR, '--cli', serving.url, '--transport', 'http', ...args, '--format', 'json'];
  const options = {
    cwd: join(import.meta.dirname, '..'),
    timeout: 60_000,
    maxBuffer: 16 * 1024 * 1024,
  };
  return new Promise((done, fail) => {
    execFile(process.execPath, all, options, (error, stdout, stderr) =>
      error ? fail(new Error(`${error.code}: ${stdout}\n${stderr}`.slice(-4000))) : done(stdout),
    );
  });
}

test('lists the tools, none with a schema that --strict refuses', async () => {
  const out = await inspect('--method', 'tools/list', '--strict');
  for (const name of TOOL_NAMES) expect(out).toContain(`"${name}"`);
});

test('calls a tool and gets data and text', async () => {
  const call = ['--method', 'tools/call', '--tool-name', 'eventos_hoy', '--tool-arg', 'lang=en'];
  const out = await inspect(...call);
  expect(out).toMatch(/"structuredContent":\s*\{\s*[\s\S]*"data":\s*\[\s*\{/);
  expect(out).toMatch(/"content":\s*\[\s*\{/);
});
