// Steps of a check in lanes beside each other: while one waits, another computes. Each is announced when it begins
// and timed when it ends; all run even where one fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnv } from '../src/config.ts';
import { formatDuration } from '../src/releases/build-log.ts';
import { PROJECT_DIR } from '../src/releases/snapshots.ts';
import { say } from './commands.ts';

interface Step {
  readonly name: string;
  readonly command: readonly [program: string, ...parts: string[]];
  readonly env?: Readonly<Record<string, string>>;
}
type Lane = readonly Step[];

export const LINT: Step = {
  name: 'lint',
  command: ['@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
};
export const TYPES: Step = {
  name: 'types',
  command: ['astro/bin/astro.mjs', 'check', '--minimumFailingSeverity', 'warning'],
  env: { ASTRO_TELEMETRY_DISABLED: '1' },
};
export const UNUSED: Step = { name: 'nothing unused', command: ['knip/bin/knip.js'] };

/** One run of the tests; the quick ones of a project, or those of paths. */
export const toTests = (name: string, args: readonly string[], env: Step['env'] = {}): Step => ({
  name,
  env,
  command: ['vitest/vitest.mjs', 'run', ...args],
});

/** In another zone than the town's: no result may depend on where the machine stands. */
export const UNIT = toTests('unit tests', ['--project', 'unit'], { TZ: 'Asia/Tokyo' });

/** Runs one, and says how it ended. Of what does not speak at once, the output comes with its end. */
async function runStep({ name, command, env }: Step, speaks: boolean): Promise<boolean> {
  if (speaks) say(`\n${name}`);
  const begun_ms = performance.now();
  const [program, ...parts] = command;
  const child = spawn(process.execPath, [join(PROJECT_DIR, 'node_modules', program), ...parts], {
    cwd: PROJECT_DIR,
    stdio: speaks ? 'inherit' : 'pipe',
    env: childEnv({ NODE_ENV: 'test', ENV_FILE: '', ...env }),
  });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  process.stdout.write(Buffer.concat(chunks));
  const how = code === 0 ? 'passed' : 'FAILED';
  say(`\n${name}: ${how} in ${formatDuration(performance.now() - begun_ms)}`);
  return code === 0;
}

/** Runs all of them, says how each ended, and sets the exit code; gives whether all passed. */
export async function runSteps(...lanes: readonly Lane[]): Promise<boolean> {
  const failed: string[] = [];
  const runLane = async (lane: Lane, at: number): Promise<void> => {
    for (const step of lane) if (!(await runStep(step, at === 0))) failed.push(step.name);
  };
  await Promise.all(lanes.map(runLane));
  const named = failed.length > 0 ? `: ${failed.join(', ')}` : '';
  say(`\n${lanes.flat().length - failed.length} passed, ${failed.length} failed${named}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
  return failed.length === 0;
}
