// Check steps: runs the steps of a check in parallel lanes, announces and times each, and continues
// after failures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnv } from '../src/config.ts';
import { formatDuration } from '../src/releases/build-log.ts';
import { PROJECT_DIR } from '../src/releases/snapshots.ts';
import { printLine } from './commands.ts';

interface Step {
  readonly name: string;
  /** Script to run with Node, as a path in the project, and its arguments. */
  readonly command: readonly [script: string, ...args: string[]];
  /** Environment variables, in addition to the ones of this process. */
  readonly env?: Readonly<Record<string, string>>;
}
/** Steps that run one after another; lanes run in parallel. */
type Lane = readonly Step[];

export const LINT: Step = {
  name: 'lint',
  command: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
};
export const PLAIN_ENGLISH_CHECK: Step = {
  name: 'plain English',
  command: ['scripts/lint-english.ts'],
};
export const TYPES: Step = {
  name: 'types',
  command: ['node_modules/astro/bin/astro.mjs', 'check', '--minimumFailingSeverity', 'warning'],
  env: { ASTRO_TELEMETRY_DISABLED: '1' },
};
export const UNUSED_CODE_CHECK: Step = {
  name: 'nothing unused',
  command: ['node_modules/knip/bin/knip.js'],
};

/** Creates a step that runs tests. */
export const testStep = (name: string, args: readonly string[], env: Step['env'] = {}): Step => ({
  name,
  env,
  command: ['node_modules/vitest/vitest.mjs', 'run', ...args],
});

/**
 * Unit tests in another time zone than the town's: results must not depend on the machine's zone.
 */
export const UNIT = testStep('unit tests', ['--project', 'unit'], { TZ: 'Asia/Tokyo' });

/**
 * Runs a step and prints its result. Without `is_live`, its output is printed when it ends.
 * @returns true if it passed.
 */
async function runStep({ name, command, env }: Step, is_live: boolean): Promise<boolean> {
  if (is_live) printLine(`\n${name}`);
  const started_ms = performance.now();
  const [script, ...args] = command;
  const child = spawn(process.execPath, [join(PROJECT_DIR, script), ...args], {
    cwd: PROJECT_DIR,
    stdio: is_live ? 'inherit' : 'pipe',
    env: childEnv({ NODE_ENV: 'test', ENV_FILE: '', ...env }),
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(chunks));
  const result = code === 0 ? 'passed' : 'FAILED';
  printLine(`\n${name}: ${result} in ${formatDuration(performance.now() - started_ms)}`);
  return code === 0;
}

/**
 * Runs all lanes in parallel, prints a summary of several steps and sets the exit code.
 * @returns true if all steps passed.
 */
export async function runSteps(...lanes: readonly Lane[]): Promise<boolean> {
  const failed: string[] = [];
  const runLane = async (lane: Lane, index: number): Promise<void> => {
    // Only the first lane prints its output live, so that lanes do not mix their lines.
    const is_live = index === 0;
    for (const step of lane) if (!(await runStep(step, is_live))) failed.push(step.name);
  };
  await Promise.all(lanes.map(runLane));
  const failed_names = failed.length > 0 ? `: ${failed.join(', ')}` : '';
  const count = lanes.flat().length;
  // The last lines of a single step count its tests.
  if (count > 1)
    printLine(
      `\n${count - failed.length} of ${count} steps passed, ${failed.length} failed${failed_names}`,
    );
  process.exitCode = failed.length > 0 ? 1 : 0;
  return failed.length === 0;
}
