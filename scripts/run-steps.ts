// Steps of a check, one after the other: each announced when it begins, timed when it ends, all run
// even where one fails.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toChildEnv } from '../src/config.ts';
import { formatDuration } from '../src/releases/progress.ts';
import { PROJECT_DIR } from '../src/releases/layout.ts';
import { listFailedTests } from './failed-tests.ts';

export interface Step {
  readonly name: string;
  /** A package's program, from the project folder, and its arguments. */
  readonly command: readonly [program: string, ...parts: string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it is vitest, which can say in a file what failed. */
  readonly is_vitest?: boolean;
}

const bin = (path: string): string => join(PROJECT_DIR, 'node_modules', path);

export const TYPES: Step = {
  name: 'types',
  command: [bin('astro/bin/astro.mjs'), 'check', '--minimumFailingSeverity', 'warning'],
  env: { ASTRO_TELEMETRY_DISABLED: '1' },
};
export const LINT: Step = {
  name: 'lint',
  command: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings'],
};
export const UNUSED: Step = { name: 'nothing unused', command: [bin('knip/bin/knip.js')] };

/** One run of the tests of a project. */
export function toTests(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Step {
  return { name, command: [bin('vitest/vitest.mjs'), 'run', ...args], env, is_vitest: true };
}

function runStep({ command, is_vitest, ...step }: Step, report_file: string): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report_file}`];
  const parts = is_vitest ? [...command, ...reporters] : command;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, parts, {
      cwd: PROJECT_DIR,
      stdio: 'inherit',
      env: toChildEnv({ NODE_ENV: 'test', ENV_FILE: '', ...step.env }),
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** A step that failed, and the tests of it that did, as lines. */
export interface Failure {
  readonly step: string;
  readonly tests: readonly string[];
}

/** Runs all steps; gives those that failed. */
export async function runSteps(steps: readonly Step[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  const reports_dir = mkdtempSync(join(tmpdir(), 'hoy-reports-'));
  try {
    for (const [i, step] of steps.entries()) {
      const place = `[${i + 1}/${steps.length}] ${step.name}`;
      process.stdout.write(`\n${place}\n`);
      const begun_ms = performance.now();
      const report_file = join(reports_dir, `${i}.json`);
      const is_passed = (await runStep(step, report_file)) === 0;
      if (!is_passed) failures.push({ step: step.name, tests: listFailedTests(report_file) });
      process.stdout.write(
        `${place}: ${is_passed ? 'passed' : 'FAILED'} in ${formatDuration(performance.now() - begun_ms)}\n`,
      );
    }
  } finally {
    rmSync(reports_dir, { recursive: true });
  }
  return failures;
}

/** Says how it ended, in a line that any reader of logs understands, and sets the exit code. */
export function report(steps: readonly Step[], failures: readonly Failure[]): void {
  for (const { step, tests } of failures)
    process.stdout.write(['', `Failed: ${step}`, ...tests, ''].join('\n'));
  process.stdout.write(`\n${steps.length - failures.length} passed, ${failures.length} failed\n`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}
