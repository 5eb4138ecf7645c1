// Check steps: runs the steps of a check in parallel lanes, announces and times each, and continues after failures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnv } from '../src/config.ts';
import { formatDuration } from '../src/releases/build-log.ts';
import { PROJECT_DIR } from '../src/releases/snapshots.ts';
import { printLine } from './commands.ts';

interface Step {
  readonly name: string;
  /** Program to run with Node, as a path in the project. */
  readonly command: readonly [program: string, ...parts: string[]];
  readonly env?: Readonly<Record<string, string>>;
}
type Lane = readonly Step[];

export const LINT: Step = {
  name: 'lint',
  command: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
};
export const ENGLISH: Step = { name: 'plain English', command: ['scripts/lint-english.ts'] };
export const TYPES: Step = {
  name: 'types',
  command: ['node_modules/astro/bin/astro.mjs', 'check', '--minimumFailingSeverity', 'warning'],
  env: { ASTRO_TELEMETRY_DISABLED: '1' },
};
export const UNUSED: Step = { name: 'nothing unused', command: ['node_modules/knip/bin/knip.js'] };

/** Creates a step that runs tests. */
export const testStep = (name: string, args: readonly string[], env: Step['env'] = {}): Step => ({
  name,
  env,
  command: ['node_modules/vitest/vitest.mjs', 'run', ...args],
});

/** Unit tests in another time zone than the town's: results must not depend on the machine's zone. */
export const UNIT = testStep('unit tests', ['--project', 'unit'], { TZ: 'Asia/Tokyo' });

/** Runs a step and prints its result. Without `is_live`, its output is printed when it ends. */
async function runStep({ name, command, env }: Step, is_live: boolean): Promise<boolean> {
  if (is_live) printLine(`\n${name}`);
  const begun_ms = performance.now();
  const [program, ...parts] = command;
  const child = spawn(process.execPath, [join(PROJECT_DIR, program), ...parts], {
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
  printLine(`\n${name}: ${result} in ${formatDuration(performance.now() - begun_ms)}`);
  return code === 0;
}

/** Runs all lanes in parallel, prints a summary and sets the exit code. @returns true if all steps passed. */
export async function runSteps(...lanes: readonly Lane[]): Promise<boolean> {
  const failed: string[] = [];
  const runLane = async (lane: Lane, index: number): Promise<void> => {
    for (const step of lane) if (!(await runStep(step, index === 0))) failed.push(step.name);
  };
  await Promise.all(lanes.map(runLane));
  const failed_names = failed.length > 0 ? `: ${failed.join(', ')}` : '';
  printLine(
    `\n${lanes.flat().length - failed.length} passed, ${failed.length} failed${failed_names}`,
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
  return failed.length === 0;
}
