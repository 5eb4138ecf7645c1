// Steps of a check, one after the other: each announced when it begins, timed when it ends, all run
// even where one fails.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { toChildEnv } from '../src/config.ts';
import { formatDuration } from '../src/releases/progress.ts';
import { PROJECT_DIR } from '../src/releases/layout.ts';

export interface Step {
  readonly name: string;
  /** A package's program, from the project folder, and its arguments. */
  readonly command: readonly [program: string, ...parts: string[]];
  readonly env?: Readonly<Record<string, string>>;
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
  return { name, command: [bin('vitest/vitest.mjs'), 'run', ...args], env };
}

function runStep(step: Step): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...step.command], {
      cwd: PROJECT_DIR,
      stdio: 'inherit',
      env: toChildEnv({ NODE_ENV: 'test', ...step.env }),
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** Runs all steps; gives the names of those that failed. */
export async function runSteps(steps: readonly Step[]): Promise<string[]> {
  const failed: string[] = [];
  for (const [i, step] of steps.entries()) {
    process.stdout.write(`\n[${i + 1}/${steps.length}] ${step.name}\n`);
    const begun_ms = performance.now();
    if ((await runStep(step)) !== 0) failed.push(step.name);
    process.stdout.write(
      `[${i + 1}/${steps.length}] ${step.name}: ${failed.includes(step.name) ? 'FAILED' : 'passed'} in ${formatDuration(performance.now() - begun_ms)}\n`,
    );
  }
  return failed;
}

/** Says how it ended, in a line that any reader of logs understands, and sets the exit code. */
export function report(steps: readonly Step[], failed: readonly string[]): void {
  if (failed.length > 0) process.stdout.write(`\nFailed: ${failed.join(', ')}\n`);
  process.stdout.write(`\n${steps.length - failed.length} passed, ${failed.length} failed\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}
