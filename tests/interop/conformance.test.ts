// The protocol's own conformance suites against the running server; baselines name what cannot
// apply, and go stale loudly.
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServing } from './serving.ts';
import { makeFolder } from '../fixtures/folder.ts';

const MODULES = resolve(import.meta.dirname, '../../node_modules');
const LONGEST_MS = 240_000;

let serving: Awaited<ReturnType<typeof startServing>>;
const results = makeFolder();
beforeAll(async () => {
  serving = await startServing();
});
afterAll(() => serving.fake.stop());

/**
 * Exit code and what was said: 0 where all passes but what the baseline names, and nothing it names
 * passes.
 */
function runSuite(
  suite: string,
  baseline: string,
  more: readonly string[],
): Promise<{ code: number | string | null; said: string }> {
  const args = [
    join(MODULES, suite, 'dist/index.js'),
    'server',
    '--url',
    serving.url,
    '--expected-failures',
    join(import.meta.dirname, baseline),
    ...more,
  ];
  return new Promise((done) => {
    execFile(
      process.execPath,
      args,
      { cwd: results, maxBuffer: 64 * 1024 * 1024, timeout: LONGEST_MS },
      (error, stdout, stderr) => {
        done({ code: error ? (error.code ?? null) : 0, said: `${stdout}\n${stderr}`.slice(-6000) });
      },
    );
  });
}

test.each([
  ['the earlier revisions (0.1.16)', '@modelcontextprotocol/conformance', 'baseline-2025.yml', []],
  [
    '2026-07-28 (0.2.0-alpha.12)',
    'mcp-conformance-next',
    'baseline-2026.yml',
    ['--requirements', '2026-07-28', '-o', results],
  ],
])(
  '%s',
  async (_, suite, baseline, more) => {
    const { code, said } = await runSuite(suite, baseline, more);
    expect(code, said).toBe(0);
  },
  LONGEST_MS + 10_000,
);
